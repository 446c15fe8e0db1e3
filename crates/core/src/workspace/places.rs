use std::rc::Rc;

use crate::allocator::would_consume;
use crate::api::{Object, ResourceClaim};
use crate::cluster::{Cluster, Made, Origin};
use crate::explain::RequestExplanation;
use crate::features::Behavior;
use crate::pool::DeviceId;
use crate::source::{LineIndex, Span};

use super::facts::key;
use super::phrases::Wording;
use super::ranges::range;
use super::report::{AskedAmount, DeviceKey, ObjectKey, Range};
use super::snapshot::{Places, World};
use super::verdicts::exact_request;

/// Places of what is written in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextPlaces<'a> {
    pub lines: &'a LineIndex,
    pub sources: &'a [Rc<Object>],
}

impl TextPlaces<'_> {
    fn source(&self, origin: Origin) -> Option<&Object> {
        self.sources.get(origin.source?).map(Rc::as_ref)
    }
}

impl Places for TextPlaces<'_> {
    fn object(&self, origin: Origin) -> Option<Range> {
        Some(range(self.lines, self.source(origin)?.span))
    }

    fn field(&self, origin: Origin, path: &str) -> Option<Range> {
        let field = self.source(origin)?.spans.get(path)?;
        Some(range(self.lines, field.value))
    }
}

/// Finds places for references in the sentences about one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scenery<'a> {
    pub places: TextPlaces<'a>,
    pub cluster: &'a Cluster,
    pub world: &'a World,
    /// The claims of the attempt, as explanations number them.
    pub claims: &'a [Rc<ResourceClaim>],
    pub behavior: &'a Behavior,
}

impl Scenery<'_> {
    fn origin(&self, object: &ObjectKey) -> Option<Origin> {
        self.cluster.origin(&super::phrases::object_ref(object))
    }
}

impl Wording for Scenery<'_> {
    fn field(&self, object: &ObjectKey, path: &str) -> Option<Range> {
        let origin = self.origin(object)?;
        match (origin.made, path.strip_prefix("spec.")) {
            // A generated claim is written in its template.
            (Made::FromTemplate, Some(rest)) => {
                self.places.field(origin, &format!("spec.spec.{rest}"))
            }
            // Limits stand for requests that are not written.
            _ => self.places.field(origin, path).or_else(|| {
                let limit = path.replace(".resources.requests[", ".resources.limits[");
                self.places.field(origin, &limit)
            }),
        }
    }

    fn object(&self, object: &ObjectKey) -> Option<Range> {
        self.places.object(self.origin(object)?)
    }

    fn device(&self, device: &DeviceKey) -> Option<Range> {
        let entry = self.world.devices.get(self.world.find(device)?)?;
        self.places.field(entry.origin, &format!("spec.devices[{}]", entry.position))
    }

    fn counter_set(&self, driver: &str, pool: &str, name: &str) -> Option<Range> {
        let pool = self.world.pools.iter().find(|p| p.driver == driver && p.name == pool)?;
        pool.slices.iter().find_map(|slice| {
            let mut sets = slice.value.shared_counters.iter();
            let position = sets.position(|set| set.name == name)?;
            self.places.field(slice.origin, &format!("spec.sharedCounters[{position}]"))
        })
    }

    fn selector(&self, object: &ObjectKey, request: &str, index: usize) -> Option<Range> {
        let selector = format!("selectors[{index}].cel.expression");
        if request.is_empty() {
            return self.field(object, &format!("spec.{selector}"));
        }
        let claim = &self.cluster.claims.get(&object.namespace, &object.name)?.value;
        let (parent, sub) = request.split_once('/').map_or((request, None), |(p, s)| (p, Some(s)));
        let position = claim.spec.requests.iter().position(|request| request.name == parent)?;
        let inner = match sub {
            None => "exactly".to_owned(),
            Some(sub) => {
                let alternatives = &claim.spec.requests.get(position)?.first_available;
                format!("firstAvailable[{}]", alternatives.iter().position(|a| a.name == sub)?)
            }
        };
        self.field(object, &format!("spec.devices.requests[{position}].{inner}.{selector}"))
    }

    fn taint(&self, device: &DeviceKey, key: &str) -> Option<Range> {
        let entry = self.world.devices.get(self.world.find(device)?)?;
        let own = entry.device()?.taints.iter().position(|taint| taint.key == key);
        if let Some(at) = own {
            let path = format!("spec.devices[{}].taints[{at}].key", entry.position);
            return self.places.field(entry.origin, &path);
        }
        let rule = self.cluster.taint_rules.iter().find(|rule| rule.value.taint.key == key)?;
        self.places.field(rule.origin, "spec.taint.key")
    }

    fn pool(&self, driver: &str, pool: &str, field: &str) -> Option<Range> {
        let pool = self.world.pools.iter().find(|p| p.driver == driver && p.name == pool)?;
        self.places.field(pool.slices.first()?.origin, &format!("spec.pool.{field}"))
    }

    fn span(&self, span: Span) -> Range {
        range(self.places.lines, span)
    }

    fn asked(&self, request: &RequestExplanation, device: &DeviceId) -> Vec<AskedAmount> {
        let asked = || -> Option<Vec<AskedAmount>> {
            let entry = self.world.devices.get(self.world.find(&key(device))?)?;
            let device = entry.device().filter(|_| entry.is_shareable())?;
            let claim = self.claims.get(request.place.claim)?;
            let exact = exact_request(claim, request)?;
            let requests = exact.capacity_requests.as_ref();
            let amounts = would_consume(&device.capacity, requests, self.behavior)?;
            let amounts = device.capacity.keys().zip(amounts);
            let amounts = amounts.map(|(name, amount)| AskedAmount {
                name: name.clone(),
                amount: amount.to_string(),
                units: amount.to_f64(),
            });
            Some(amounts.collect())
        };
        asked().unwrap_or_default()
    }
}
