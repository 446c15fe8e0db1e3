use std::collections::{BTreeMap, BTreeSet};

use dra_playground_cel::order::Gather;

use crate::api::{
    AllocationMode, AllocationResult, Device, DeviceAttribute, DeviceRequestAllocationResult,
    ExactRequest, Node, ResourceClaim, ResourceSlice,
};
use crate::apimachinery::quantity::Quantity;
use crate::pool::{DeviceId, device_matches_node, node_matches};
use crate::selector::DeviceInput;

use super::take::tolerates;
use super::{AllocatedState, Context};

/// A rule that a result breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The device is not in a slice that the node can reach.
    NotReachable(DeviceId),
    /// The request has another number of devices than it wants.
    WrongCount {
        /// `request` or `request/subrequest`; the request alone when it has no device.
        request: String,
    },
    /// A selector does not choose the device.
    NotSelected(DeviceId),
    /// A taint is not tolerated.
    Tainted(DeviceId),
    /// Two requests, or an earlier claim, have the device for themselves.
    TakenTwice(DeviceId),
    /// More is consumed of a capacity than there is.
    CapacityExceeded(DeviceId),
    /// More is consumed of a counter than there is.
    CounterExceeded {
        /// Driver, pool, set and counter.
        counter: [String; 4],
    },
    /// A constraint does not hold.
    ConstraintBroken {
        /// Name of the claim.
        claim: String,
        /// Index of the constraint.
        constraint: usize,
    },
}

/// Checks results by the rules themselves, without a search: an independent opinion for tests.
///
/// It knows what is right, not what a release with bugs allows, and it does not ask whether a better
/// result exists. Admin access is left out of the accounts.
pub fn verify(
    context: Context<'_>,
    node: &Node,
    claims: &[&ResourceClaim],
    results: &[AllocationResult],
) -> Vec<Violation> {
    let mut checker = Checker {
        context,
        node,
        violations: Vec::new(),
        dedicated: BTreeSet::new(),
        consumed: BTreeMap::new(),
    };
    for (claim, result) in claims.iter().zip(results) {
        checker.claim(claim, result);
    }
    checker.accounts();
    checker.violations
}

struct Checker<'a> {
    context: Context<'a>,
    node: &'a Node,
    violations: Vec<Violation>,
    dedicated: BTreeSet<DeviceId>,
    /// For every device that was chosen, the capacity that is consumed of it.
    consumed: BTreeMap<DeviceId, BTreeMap<String, Quantity>>,
}

fn id_of(result: &DeviceRequestAllocationResult) -> DeviceId {
    DeviceId::new(&result.driver, &result.pool, &result.device)
}

impl<'a> Checker<'a> {
    fn claim(&mut self, claim: &ResourceClaim, result: &AllocationResult) {
        for request in &claim.spec.requests {
            let of_request = |name: &str| name.split('/').next() == Some(request.name.as_str());
            let devices: Vec<_> =
                result.results.iter().filter(|device| of_request(&device.request)).collect();
            let sub = devices.first().and_then(|device| device.request.split_once('/'));
            let spec = match (sub, &request.exactly) {
                (Some((_, sub)), _) => request
                    .first_available
                    .iter()
                    .find(|alternative| alternative.name == sub)
                    .map(|alternative| &alternative.request),
                (None, exactly) => exactly.as_ref(),
            };
            let right_count = spec.is_some_and(|spec| match spec.allocation_mode {
                AllocationMode::All => !devices.is_empty(),
                AllocationMode::ExactCount | AllocationMode::Other(_) => {
                    i64::try_from(devices.len()) == Ok(spec.count)
                }
            });
            if !right_count {
                self.violations.push(Violation::WrongCount { request: request.name.clone() });
            }
            for device in devices {
                if let Some(spec) = spec {
                    self.device(spec, device);
                }
            }
        }
        for index in 0..claim.spec.constraints.len() {
            if !self.constraint_holds(claim, index, result) {
                let claim = claim.metadata.name.clone();
                self.violations.push(Violation::ConstraintBroken { claim, constraint: index });
            }
        }
    }

    fn device(&mut self, spec: &ExactRequest, result: &DeviceRequestAllocationResult) {
        let id = id_of(result);
        let Some((slice, device)) = self.find(&id) else {
            self.violations.push(Violation::NotReachable(id));
            return;
        };
        if !self.is_selected(spec, slice, device) {
            self.violations.push(Violation::NotSelected(id.clone()));
        }
        let refused = device.taints.iter().any(|taint| {
            taint.keeps_away()
                && !spec.tolerations.iter().any(|toleration| tolerates(toleration, taint))
        });
        if refused && self.context.behavior.features.device_taints {
            self.violations.push(Violation::Tainted(id.clone()));
        }
        if spec.admin_access == Some(true) {
            return;
        }
        let committed = self.context.allocated.device(&id);
        let is_free = !committed.is_some_and(|used| used.dedicated);
        let is_shared = result.share_id.is_some();
        if !is_free || (!is_shared && !self.dedicated.insert(id.clone())) {
            self.violations.push(Violation::TakenTwice(id.clone()));
        }
        let consumed = self.consumed.entry(id).or_default();
        for (name, amount) in result.consumed_capacity.iter().flatten() {
            let sum = consumed.entry(name.clone()).or_default();
            *sum = sum.add(amount);
        }
    }

    /// The device as published for the node, in the newest generation of its pool there.
    fn find(&self, id: &DeviceId) -> Option<(&'a ResourceSlice, &'a Device)> {
        let slices = self.context.ground.slices().iter().map(|slice| &**slice);
        let of_pool = slices.filter(|s| *s.driver == *id.driver && *s.pool.name == *id.pool);
        let here = |slice: &&ResourceSlice| {
            let name = slice.node_name.as_deref();
            node_matches(self.node, name, slice.all_nodes, slice.node_selector.as_ref()) == Ok(true)
        };
        let mut found: Vec<(&ResourceSlice, &Device)> = Vec::new();
        for slice in of_pool {
            let per_device = slice.per_device_node_selection == Some(true);
            for device in slice.devices.iter().filter(|device| *device.name == *id.device) {
                let reachable = if per_device {
                    device_matches_node(self.node, slice, device) == Ok(true)
                } else {
                    here(&slice)
                };
                if reachable {
                    found.push((slice, device));
                }
            }
        }
        found.into_iter().max_by_key(|(slice, _)| slice.pool.generation)
    }

    fn is_selected(&self, spec: &ExactRequest, slice: &ResourceSlice, device: &Device) -> bool {
        let Some(class) = self.context.classes.get(&spec.device_class_name) else { return false };
        let input = DeviceInput::of(&slice.driver, device);
        class.selectors.iter().chain(&spec.selectors).all(|selector| {
            let expression = selector.cel_expression.as_deref().unwrap_or_default();
            self.context.selectors.compile(expression).matches(&input) == Ok(true)
        })
    }

    fn constraint_holds(
        &self,
        claim: &ResourceClaim,
        index: usize,
        result: &AllocationResult,
    ) -> bool {
        let Some(constraint) = claim.spec.constraints.get(index) else { return true };
        let applies = |request: &str| {
            let main = request.split('/').next().unwrap_or_default();
            constraint.requests.is_empty()
                || constraint.requests.iter().any(|name| name == request || name == main)
        };
        let (attribute, wants_equal) =
            match (&constraint.match_attribute, &constraint.distinct_attribute) {
                (Some(attribute), _) => (attribute, true),
                (None, Some(attribute)) => (attribute, false),
                (None, None) => return false,
            };
        let mut values = Vec::new();
        for device in result.results.iter().filter(|device| applies(&device.request)) {
            let id = id_of(device);
            let Some((_, device)) = self.find(&id) else { return false };
            let bare = attribute.strip_prefix(&*id.driver).and_then(|rest| rest.strip_prefix('/'));
            let value = device
                .attributes
                .get(attribute)
                .or_else(|| bare.and_then(|bare| device.attributes.get(bare)));
            let Some(value) = value else { return false };
            values.push(scalars(value));
        }
        if wants_equal {
            let mut common = values.first().cloned().unwrap_or_default();
            for value in &values {
                common.retain(|scalar| value.contains(scalar));
            }
            return values.is_empty() || !common.is_empty();
        }
        let all = values.iter().map(BTreeSet::len).sum::<usize>();
        values.iter().flatten().collect::<BTreeSet<_>>().len() == all
    }

    /// Capacity and counters after everything is added up.
    fn accounts(&mut self) {
        let chosen: Vec<DeviceId> = self.consumed.keys().cloned().collect();
        for id in &chosen {
            let Some((_, device)) = self.find(id) else { continue };
            let committed =
                self.context.allocated.device(id).and_then(|used| used.consumed.clone());
            let committed = committed.unwrap_or_default();
            let Some(consumed) = self.consumed.get(id) else { continue };
            let exceeded = device.capacity.iter().any(|(name, capacity)| {
                let zero = Quantity::default();
                let earlier = committed.get(name).unwrap_or(&zero);
                earlier.add(consumed.get(name).unwrap_or(&zero)) > capacity.value
            });
            if exceeded {
                self.violations.push(Violation::CapacityExceeded(id.clone()));
            }
        }
        if self.context.behavior.features.partitionable_devices {
            self.counters(&chosen);
        }
    }

    fn counters(&mut self, chosen: &[DeviceId]) {
        let mut left: BTreeMap<[&str; 4], Quantity> = BTreeMap::new();
        let slices = || self.context.ground.slices().iter().map(|slice| &**slice);
        for slice in slices() {
            for set in &slice.shared_counters {
                for (counter, amount) in &set.counters {
                    let key: [&str; 4] = [&slice.driver, &slice.pool.name, &set.name, counter];
                    left.insert(key, amount.clone());
                }
            }
        }
        let chosen: BTreeSet<&DeviceId> = chosen.iter().gathered();
        let mut touched = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for slice in slices() {
            for device in slice.devices.iter() {
                let id = DeviceId::new(&slice.driver, &slice.pool.name, &device.name);
                let is_chosen = chosen.contains(&id);
                if !(is_chosen || is_allocated(self.context.allocated, &id)) || !seen.insert(id) {
                    continue;
                }
                for consumption in &device.consumes_counters {
                    for (counter, amount) in &consumption.counters {
                        let set = consumption.counter_set.as_str();
                        let key: [&str; 4] = [&slice.driver, &slice.pool.name, set, counter];
                        if let Some(left) = left.get_mut(&key) {
                            *left = left.sub(amount);
                        }
                        if is_chosen {
                            touched.insert(key);
                        }
                    }
                }
            }
        }
        for key in touched {
            if left.get(&key).is_none_or(|left| left.sign() < 0) {
                let counter = key.map(str::to_owned);
                self.violations.push(Violation::CounterExceeded { counter });
            }
        }
    }
}

fn is_allocated(allocated: &AllocatedState, id: &DeviceId) -> bool {
    allocated.device(id).is_some_and(super::DeviceUse::is_allocated)
}

/// The values of an attribute with their type.
fn scalars(attribute: &DeviceAttribute) -> BTreeSet<(u8, String)> {
    let ints = attribute.int.iter().chain(attribute.ints.iter().flatten());
    let bools = attribute.bool.iter().chain(attribute.bools.iter().flatten());
    let strings = attribute.string.iter().chain(attribute.strings.iter().flatten());
    let versions = attribute.version.iter().chain(attribute.versions.iter().flatten());
    ints.map(|value| (0, value.to_string()))
        .chain(bools.map(|value| (1, value.to_string())))
        .chain(strings.map(|value| (2, value.clone())))
        .chain(versions.map(|value| (3, value.clone())))
        .collect()
}
