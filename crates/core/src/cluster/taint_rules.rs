//! `DeviceTaintRules` applied to slices.
//!
//! Upstream: `dynamic-resource-allocation/resourceslice/tracker`.

use std::rc::Rc;

use crate::api::{Device, DeviceTaintRule, ResourceSlice};
use crate::features::{Behavior, NilSelector};

use super::Cluster;

impl Cluster {
    /// The slices as the scheduler sees them: with the taints that rules add, in text order.
    pub fn effective_slices(&self, behavior: &Behavior) -> Vec<Rc<ResourceSlice>> {
        let active = behavior.taint_rules && !behavior.rule_tracker_broken;
        self.slices
            .iter()
            .map(|slice| {
                if active {
                    self.with_rules(&slice.value, behavior)
                } else {
                    Rc::clone(&slice.value)
                }
            })
            .collect()
    }

    fn with_rules(&self, slice: &Rc<ResourceSlice>, behavior: &Behavior) -> Rc<ResourceSlice> {
        let mut tainted: Option<ResourceSlice> = None;
        for rule in self.taint_rules.iter() {
            if !slice_matches(&rule.value, slice, behavior) {
                continue;
            }
            for index in 0..slice.devices.len() {
                let Some(device) = slice.devices.get(index) else { continue };
                if device_matches(&rule.value, device) {
                    let copy = tainted.get_or_insert_with(|| slice.as_ref().clone());
                    if let Some(device) = copy.devices.get_mut(index) {
                        device.taints.push(rule.value.taint.clone());
                    }
                }
            }
        }
        tainted.map_or_else(|| Rc::clone(slice), Rc::new)
    }
}

/// Whether a rule taints a device of a slice.
pub fn rule_taints(
    rule: &DeviceTaintRule,
    slice: &ResourceSlice,
    device: &Device,
    behavior: &Behavior,
) -> bool {
    slice_matches(rule, slice, behavior) && device_matches(rule, device)
}

/// Whether a rule has the criteria that only 1.34 knows: a class or CEL selectors.
pub fn chooses_by_class(rule: &DeviceTaintRule) -> bool {
    rule.device_selector.as_ref().is_some_and(|selector| {
        selector.device_class_name.is_some() || !selector.selectors.is_empty()
    })
}

fn slice_matches(rule: &DeviceTaintRule, slice: &ResourceSlice, behavior: &Behavior) -> bool {
    let Some(selector) = &rule.device_selector else {
        return behavior.rule_nil_selector == NilSelector::All;
    };
    // DIFFERS: rules of 1.34 that choose by class or CEL are left out; the scenario says so.
    !chooses_by_class(rule)
        && selector.driver.as_ref().is_none_or(|driver| *driver == slice.driver)
        && selector.pool.as_ref().is_none_or(|pool| *pool == slice.pool.name)
}

fn device_matches(rule: &DeviceTaintRule, device: &Device) -> bool {
    rule.device_selector
        .as_ref()
        .and_then(|selector| selector.device.as_ref())
        .is_none_or(|name| *name == device.name)
}
