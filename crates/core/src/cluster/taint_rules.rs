//! `DeviceTaintRules` applied to slices.
//!
//! Upstream: `dynamic-resource-allocation/resourceslice/tracker`.

use std::rc::Rc;

use crate::api::{Device, DeviceSelector, DeviceTaintRule, ResourceSlice};
use crate::features::{Behavior, NilSelector, RuleCriteria};
use crate::selector::{Compiled, DeviceInput, Selectors};

use super::{Cluster, Object};

impl Cluster {
    /// The slices as the scheduler sees them: with the taints that rules add, in text order.
    pub fn effective_slices(&self, behavior: &Behavior) -> Vec<Rc<ResourceSlice>> {
        let rules = self.active_rules(behavior);
        let slices = self.slices.iter();
        slices.map(|slice| with_rules(&slice.value, &rules)).collect()
    }

    /// The rules that the scheduler goes by, in text order.
    pub fn active_rules<'a>(&'a self, behavior: &'a Behavior) -> Vec<ActiveRule<'a>> {
        let active = behavior.taint_rules && !behavior.rule_tracker_broken;
        let rules = self.taint_rules.iter().filter(|_| active);
        rules.map(|rule| (rule, RuleMatcher::new(&rule.value, self, behavior))).collect()
    }
}

/// A rule, and what asks it about devices.
pub type ActiveRule<'a> = (&'a Object<DeviceTaintRule>, RuleMatcher<'a>);

fn with_rules(slice: &Rc<ResourceSlice>, rules: &[ActiveRule<'_>]) -> Rc<ResourceSlice> {
    let mut tainted: Option<ResourceSlice> = None;
    for (_, rule) in rules.iter().filter(|(_, rule)| rule.slice_matches(slice)) {
        for index in 0..slice.devices.len() {
            let Some(device) = slice.devices.get(index) else { continue };
            if rule.device_matches(slice, device) {
                let copy = tainted.get_or_insert_with(|| slice.as_ref().clone());
                if let Some(device) = copy.devices_mut().get_mut(index) {
                    device.taints.push(rule.rule.taint.clone());
                }
            }
        }
    }
    tainted.map_or_else(|| Rc::clone(slice), Rc::new)
}

/// A rule with the selectors that it goes by, ready to be asked about devices.
#[derive(Debug)]
pub struct RuleMatcher<'a> {
    rule: &'a DeviceTaintRule,
    behavior: &'a Behavior,
    /// Selectors of the rule and of its class (1.34 alone); `None` when the class does not exist or
    /// a selector does not compile, so that the rule applies to nothing.
    selectors: Option<Vec<Rc<Compiled>>>,
}

impl<'a> RuleMatcher<'a> {
    /// A rule in a cluster, which has its class.
    pub fn new(rule: &'a DeviceTaintRule, cluster: &Cluster, behavior: &'a Behavior) -> Self {
        Self { rule, behavior, selectors: selectors(rule, cluster, behavior) }
    }

    /// Whether the rule taints a device of a slice.
    pub fn taints(&self, slice: &ResourceSlice, device: &Device) -> bool {
        self.slice_matches(slice) && self.device_matches(slice, device)
    }

    fn slice_matches(&self, slice: &ResourceSlice) -> bool {
        let Some(selector) = &self.rule.device_selector else {
            return self.behavior.rule_nil_selector == NilSelector::All;
        };
        self.selectors.is_some()
            && selector.driver.as_ref().is_none_or(|driver| *driver == slice.driver)
            && selector.pool.as_ref().is_none_or(|pool| *pool == slice.pool.name)
    }

    /// A selector that fails on a device does not choose it. Upstream does not tell selectors whether
    /// the device can be shared.
    fn device_matches(&self, slice: &ResourceSlice, device: &Device) -> bool {
        let named = self.rule.device_selector.as_ref().and_then(|s| s.device.as_ref());
        let input = DeviceInput {
            allow_multiple_allocations: None,
            ..DeviceInput::of(&slice.driver, device)
        };
        named.is_none_or(|name| *name == device.name)
            && self.selectors.iter().flatten().all(|selector| selector.matches(&input) == Ok(true))
    }
}

/// The selectors that a rule goes by beside names.
///
/// DIFFERS: of a selector that does not compile, which the API server would refuse, upstream keeps
/// the slices as they were before; here the rule applies to nothing.
fn selectors(
    rule: &DeviceTaintRule,
    cluster: &Cluster,
    behavior: &Behavior,
) -> Option<Vec<Rc<Compiled>>> {
    let found = Vec::new();
    let Some(selector) = &rule.device_selector else { return Some(found) };
    if behavior.rule_criteria == RuleCriteria::DriverPoolDevice || !chooses_by_class(rule) {
        return Some(found);
    }
    let class = match &selector.device_class_name {
        Some(name) => Some(cluster.classes.get("", name)?),
        None => None,
    };
    let of_class = class.into_iter().flat_map(|class| &class.value.selectors);
    let memory = Selectors::new(&behavior.cel);
    let expression = |selector: &DeviceSelector| selector.cel_expression.clone();
    let texts = of_class.chain(&selector.selectors).filter_map(expression);
    let compiled: Vec<Rc<Compiled>> = texts.map(|text| memory.compile(&text)).collect();
    compiled.iter().all(|selector| selector.error().is_none()).then_some(compiled)
}

/// Whether a rule has the criteria that only 1.34 knows: a class or CEL selectors.
fn chooses_by_class(rule: &DeviceTaintRule) -> bool {
    rule.device_selector.as_ref().is_some_and(|selector| {
        selector.device_class_name.is_some() || !selector.selectors.is_empty()
    })
}
