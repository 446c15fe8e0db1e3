use std::rc::Rc;

use dra_playground_cel::order::Order;

use crate::allocator::{SkipReason, would_consume};
use crate::api::{DeviceCapacity, ResourceClaim};
use crate::apimachinery::NodeSelector;
use crate::apimachinery::ObjectRef;
use crate::apimachinery::quantity::Quantity;
use crate::diagnostic::{did_you_mean, did_you_mean_qualified};
use crate::explain::{
    CapacityFacts, CounterFacts, Facts, FalsePart, FreeCards, Holder, Lack, NearToleration,
    RequestExplanation, SelectorOf, Unreached, UnreachedNodes,
};
use crate::features::{Behavior, Gate};
use crate::pool::{DeviceId, PoolId};

use super::report::{DeviceKey, Ledger};
use super::sight::Scene;
use super::snapshot::{DeviceEntry, attribute_value};
use super::verdicts::exact_request;

/// What explanations need to know of a cluster, read from its report.
pub(super) struct ClusterFacts<'a> {
    pub scene: &'a Scene,
    /// The claims of the attempt, as explanations number them.
    pub claims: &'a [Rc<ResourceClaim>],
    pub behavior: &'a Behavior,
    /// Finds the deciding part of a selector.
    pub false_part: &'a dyn Fn(&SelectorOf<'_>, &DeviceId) -> Option<FalsePart>,
    /// Says what a selector probably means.
    pub selector_hint: &'a dyn Fn(&SelectorOf<'_>) -> Option<String>,
}

/// The key of a device.
pub(super) fn key(device: &DeviceId) -> DeviceKey {
    DeviceKey {
        driver: device.driver.to_string(),
        pool: device.pool.to_string(),
        device: device.device.to_string(),
    }
}

/// The id of a device.
pub(super) fn id(key: &DeviceKey) -> DeviceId {
    DeviceId::new(&key.driver, &key.pool, &key.device)
}

impl ClusterFacts<'_> {
    fn entry(&self, device: &DeviceId) -> Option<&DeviceEntry> {
        let world = &self.scene.world;
        world.devices.get(world.find(&key(device))?)
    }

    fn ledger(&self, pool: &PoolId, counter_set: &str) -> Option<&Ledger> {
        self.scene.counters.iter().find(|ledger| {
            *ledger.driver == *pool.driver
                && *ledger.pool == *pool.pool
                && ledger.name == counter_set
        })
    }
}

impl Facts for ClusterFacts<'_> {
    fn holders(&self, device: &DeviceId) -> Vec<Holder> {
        let key = key(device);
        let known = self.scene.world.find(&key).map(|index| self.scene.world.holdings(index));
        let others = self.scene.world.others.iter().filter(|(other, _)| *other == key);
        let holdings = known.unwrap_or_default().iter().chain(others.map(|(_, holding)| holding));
        let holdings = holdings.filter(|holding| !holding.is_admin());
        let mut holders: Vec<Holder> = holdings
            .flat_map(|holding| {
                holders(
                    &holding.claim.metadata.namespace,
                    &holding.claim.metadata.name,
                    &holding.pods,
                    device,
                )
            })
            .collect();
        holders.dedup();
        holders
    }

    fn counters(&self, pool: &PoolId, counter_set: &str) -> Vec<CounterFacts> {
        let Some(ledger) = self.ledger(pool, counter_set) else { return Vec::new() };
        let columns = ledger.columns.iter();
        columns
            .filter_map(|column| {
                Some(CounterFacts {
                    name: column.name.clone(),
                    total: column.total.parse().ok()?,
                    left: column.left.parse().ok()?,
                })
            })
            .collect()
    }

    fn counter_holders(&self, pool: &PoolId, counter_set: &str, counter: &str) -> Vec<Holder> {
        let Some(ledger) = self.ledger(pool, counter_set) else { return Vec::new() };
        let Some(column) = ledger.columns.iter().position(|column| column.name == counter) else {
            return Vec::new();
        };
        let draws = |amounts: &[f64]| amounts.get(column).is_some_and(|amount| *amount != 0.0);
        let entries = ledger.entries.iter().filter(|entry| draws(&entry.units));
        let mut holders: Vec<Holder> = entries
            .flat_map(|entry| {
                holders(&entry.claim.namespace, &entry.claim.name, &entry.pods, &id(&entry.device))
            })
            .collect();
        holders.dedup();
        holders
    }

    fn counter_sets(&self, device: &DeviceId) -> Vec<String> {
        let entry = self.entry(device);
        let uses = entry.and_then(|entry| entry.device()).map(|it| it.consumes_counters.as_slice());
        uses.unwrap_or_default().iter().map(|uses| uses.counter_set.clone()).collect()
    }

    fn draws(&self, device: &DeviceId, counter_set: &str, counter: &str) -> Option<Quantity> {
        let entry = self.entry(device)?;
        let uses = entry.device()?.consumes_counters.iter();
        uses.filter(|uses| uses.counter_set == counter_set)
            .find_map(|uses| uses.counters.get(counter))
            .cloned()
    }

    fn consumption(&self, request: &RequestExplanation, device: &DeviceId) -> Vec<CapacityFacts> {
        let found = || -> Option<Vec<CapacityFacts>> {
            let index = self.scene.world.find(&key(device))?;
            let device = self.scene.world.devices.get(index)?.device()?;
            let claim = self.claims.get(request.place.claim)?;
            let requests = exact_request(claim, request)?.capacity_requests.as_ref();
            let asked = would_consume(&device.capacity, requests, self.behavior)?;
            let holdings =
                self.scene.world.holdings(index).iter().filter(|holding| !holding.is_admin());
            let consumed: Vec<_> = holdings
                .filter_map(|holding| holding.result()?.consumed_capacity.as_ref())
                .collect();
            let capacities = device.capacity.iter().zip(asked);
            let capacities = capacities.map(|((name, capacity), asked)| {
                let amounts = consumed.iter().filter_map(|consumed| consumed.get(name));
                // Rounding that changes nothing but the unit is not shown.
                let written = requests.and_then(|requests| requests.get(name));
                let asked = written.filter(|it| **it == asked).cloned().unwrap_or(asked);
                CapacityFacts {
                    name: name.clone(),
                    total: capacity.value.clone(),
                    left: amounts.fold(capacity.value.clone(), |left, amount| left.sub(amount)),
                    asked,
                    written: written.cloned(),
                    most: most(capacity),
                }
            });
            Some(capacities.collect())
        };
        found().unwrap_or_default()
    }

    fn attribute(&self, device: &DeviceId, attribute: &str) -> Option<String> {
        let entry = self.entry(device)?;
        let attributes = &entry.device()?.attributes;
        let found = attributes.get(attribute).or_else(|| {
            let (domain, id) = attribute.split_once('/')?;
            attributes.get(id).filter(|_| *domain == *device.driver)
        })?;
        Some(attribute_value(found).1)
    }

    fn similar_attribute(&self, device: &DeviceId, attribute: &str) -> Option<String> {
        let entry = self.entry(device)?;
        let id = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let wanted = id(attribute);
        let names: Vec<&String> = entry.device()?.attributes.keys().collect();
        let same = names.iter().find(|name| id(name).eq_ignore_ascii_case(&wanted));
        let ids: Vec<String> = names.iter().map(|name| id(name)).collect();
        let close = || {
            let close = did_you_mean(&wanted, ids.iter().map(String::as_str))?;
            names.iter().find(|name| id(name) == close)
        };
        let found = same.or_else(close)?;
        let qualified = found.contains('/');
        Some(if qualified { (*found).clone() } else { format!("{}/{found}", device.driver) })
    }

    fn near_toleration(
        &self,
        request: &RequestExplanation,
        (key, value, effect): (&str, &str, &str),
    ) -> Option<NearToleration> {
        let exact = exact_request(self.claims.get(request.place.claim)?, request)?;
        let same_key = exact.tolerations.iter().enumerate().filter(|(_, it)| *it.key == *key);
        let near = same_key.map(|(index, it)| {
            let mut differs = Vec::new();
            if matches!(&*it.operator, "" | "Equal") && *it.value != *value {
                differs.push(("value", it.value.clone(), value.to_owned()));
            }
            if !it.effect.is_empty() && *it.effect != *effect {
                differs.push(("effect", it.effect.clone(), effect.to_owned()));
            }
            NearToleration { index, differs }
        });
        near.filter(|near| !near.differs.is_empty()).min_by_key(|near| near.differs.len())
    }

    fn free_cards(&self, devices: &[DeviceId]) -> FreeCards {
        let wanted: std::collections::BTreeSet<usize> =
            devices.iter().filter_map(|device| self.scene.world.find(&key(device))).collect();
        let mut free = FreeCards::default();
        for card in self.scene.cards() {
            let is_meant = card.devices.iter().any(|device| wanted.contains(device));
            let is_free = card.devices.iter().all(|device| {
                self.scene.world.holdings(*device).iter().all(super::snapshot::Holding::is_admin)
            });
            if is_meant && is_free {
                free.count += 1;
                free.of_several_devices |= card.devices.len() > 1;
            }
        }
        free
    }

    fn false_part(&self, selector: &SelectorOf<'_>, device: &DeviceId) -> Option<FalsePart> {
        (self.false_part)(selector, device)
    }

    fn selector_hint(&self, selector: &SelectorOf<'_>) -> Option<String> {
        (self.selector_hint)(selector)
    }

    fn similar_capacity(&self, device: &DeviceId, name: &str) -> Option<String> {
        let entry = self.entry(device)?;
        let names: Vec<&str> = entry.device()?.capacity.keys().map(String::as_str).collect();
        did_you_mean_qualified(name, &names).map(str::to_owned)
    }

    fn is_shareable(&self, device: &DeviceId) -> bool {
        let entry = self.entry(device);
        entry.is_some_and(DeviceEntry::is_shareable)
    }

    fn binding_conditions(&self, device: &DeviceId) -> Vec<String> {
        let entry = self.entry(device);
        let conditions =
            entry.and_then(DeviceEntry::device).map(|it| it.binding_conditions.clone());
        conditions.flatten().unwrap_or_default()
    }

    fn lack(&self, device: &DeviceId, reason: &SkipReason) -> Option<Lack> {
        let gates = &self.behavior.gates;
        let off = |wanted: &[Gate]| {
            let off = wanted.iter().find(|gate| !gates.enabled(**gate));
            off.map(|gate| Lack::Gate(*gate))
        };
        match reason {
            SkipReason::PartitionableOff => off(&[Gate::PartitionableDevices]),
            SkipReason::BindingUnsupported => {
                off(&[Gate::DeviceBindingConditions, Gate::ResourceClaimDeviceStatus])
            }
            SkipReason::NodeOperationsUnsupported => {
                let gate = Gate::OptionalNodeOperations;
                off(&[gate]).or(Some(Lack::Declared(gate)))
            }
            // The API server takes no slice without nodes: what is left is a feature.
            SkipReason::SliceIgnored => {
                let slice = &self.entry(device)?.slice;
                let partitions =
                    slice.per_device_node_selection.is_some() || !slice.shared_counters.is_empty();
                let gate = if partitions {
                    Gate::PartitionableDevices
                } else {
                    Gate::DeviceCompatibilityGroups
                };
                off(&[gate])
            }
            _ => None,
        }
    }

    fn unreached(&self) -> Vec<Unreached> {
        let slices = self.scene.world.pools.iter().flat_map(|pool| &pool.slices);
        let with_devices = slices.filter(|slice| !slice.value.devices.is_empty());
        let mut found: Vec<Unreached> = with_devices
            .filter_map(|slice| {
                let slice = slice.value.as_ref();
                let object = ObjectRef {
                    kind: "ResourceSlice".to_owned(),
                    namespace: String::new(),
                    name: slice.metadata.name.clone(),
                };
                let (device, nodes) = if slice.per_device_node_selection == Some(true) {
                    let mut devices = slice.devices.iter().enumerate();
                    devices.find_map(|(at, device)| {
                        let nodes =
                            unreached(device.node_selector.as_ref(), device.node_name.as_ref())?;
                        let pool = &slice.pool.name;
                        let id = DeviceId::new(&slice.driver, pool, &device.name);
                        Some((Some((at, id)), nodes))
                    })?
                } else {
                    (None, unreached(slice.node_selector.as_ref(), slice.node_name.as_ref())?)
                };
                Some(Unreached { slice: object, device, nodes })
            })
            .collect();
        found.order_by_key(|slice| matches!(slice.nodes, UnreachedNodes::Named(_)));
        found
    }
}

fn unreached(selector: Option<&NodeSelector>, name: Option<&String>) -> Option<UnreachedNodes> {
    match selector {
        Some(selector) => Some(UnreachedNodes::Selected(selector.summary())),
        None => name.cloned().map(UnreachedNodes::Named),
    }
}

/// The most that a policy allows one request.
fn most(capacity: &DeviceCapacity) -> Option<Quantity> {
    let policy = capacity.request_policy.as_ref()?;
    let of_range = policy.valid_range.as_ref().and_then(|range| range.max.clone());
    policy.valid_values.last().cloned().or(of_range)
}

/// One holder for each Pod that uses a claim, or one without Pod.
fn holders(namespace: &str, claim: &str, pods: &[String], device: &DeviceId) -> Vec<Holder> {
    let object = |kind: &str, name: &str| ObjectRef {
        kind: kind.to_owned(),
        namespace: namespace.to_owned(),
        name: name.to_owned(),
    };
    let holder = |pod: Option<ObjectRef>| Holder {
        pod,
        claim: object("ResourceClaim", claim),
        device: device.clone(),
    };
    if pods.is_empty() {
        return vec![holder(None)];
    }
    pods.iter().map(|pod| holder(Some(object("Pod", pod)))).collect()
}
