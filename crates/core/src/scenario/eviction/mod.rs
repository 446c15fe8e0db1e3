//! Eviction of running Pods by device taints with the effect `NoExecute` (KEP-5055).
//!
//! Upstream: `pkg/controller/devicetainteviction`.

use std::rc::Rc;

use crate::api::{
    DeviceRequestAllocationResult, DeviceTaint, DeviceTaintRule, DeviceToleration, Pod,
    ResourceClaim, ResourceSlice,
};
use crate::cluster::{Cluster, parse_time};
use crate::features::{Behavior, Gate, RuleCriteria};
use crate::scheduler::{
    NO_EXECUTE, has_no_execute, is_owned_by, is_reserved_for, is_special, is_terminal,
};

use super::controllers::claim_names;

/// A Pod that has to go, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eviction {
    /// The Pod.
    pub pod: Rc<str>,
    /// Its namespace.
    pub namespace: Rc<str>,
    /// Seconds since 1970 at which it is deleted.
    pub at: i64,
}

/// The taints that the controller sees.
///
/// Since 1.35 it reads slices as they are published and holds rules against the names that claims
/// have, so that a device that is no longer published is still evicted from, and a rule without a
/// selector evicts nobody, whatever the scheduler makes of it. 1.34 saw what the scheduler saw.
pub(super) struct EvictingTaints {
    slices: Vec<Rc<ResourceSlice>>,
    rules: Vec<Rc<DeviceTaintRule>>,
    /// The claims for extended resources, where they count.
    special: Vec<Rc<ResourceClaim>>,
}

impl EvictingTaints {
    /// Those of a cluster; `None` when nothing can evict a Pod.
    pub(super) fn of(cluster: &Cluster, behavior: &Behavior) -> Option<Self> {
        if !behavior.gates.enabled(Gate::DeviceTaints) {
            return None;
        }
        let slices = if behavior.rule_criteria == RuleCriteria::DriverPoolDevice {
            cluster.slices.iter().map(|slice| Rc::clone(&slice.value)).collect()
        } else {
            cluster.effective_slices(behavior)
        };
        let rules: Vec<_> = evicting_rules(cluster, behavior).cloned().collect();
        let evicts = !rules.is_empty() || slices.iter().any(|slice| has_no_execute(slice));
        let claims = cluster.claims.iter().map(|claim| &claim.value);
        let counts = |claim: &&Rc<ResourceClaim>| {
            !behavior.special_claims_spared
                && is_special(claim)
                && claim.status.allocation.is_some()
        };
        evicts.then(|| Self { slices, rules, special: claims.filter(counts).cloned().collect() })
    }

    /// When they evict a Pod; `None` when they do not.
    pub(super) fn pod_eviction(&self, cluster: &Cluster, pod: &Pod) -> Option<i64> {
        let written = claim_names(pod);
        let own = written
            .iter()
            .filter_map(|name| cluster.claims.get(&pod.metadata.namespace, name))
            .map(|claim| claim.value.as_ref());
        let special = self.special.iter().map(Rc::as_ref);
        own.chain(special.filter(|claim| is_owned_by(claim, pod)))
            .filter(|claim| is_reserved_for(claim, pod))
            .filter_map(|claim| self.claim_eviction(cluster, claim))
            .min()
    }

    /// When the taints on a claim's devices evict its Pods; `None` when they do not.
    fn claim_eviction(&self, cluster: &Cluster, claim: &ResourceClaim) -> Option<i64> {
        let allocation = claim.status.allocation.as_ref()?;
        let results = allocation.results.iter();
        let taints =
            results.flat_map(|result| self.taints(result).map(move |taint| (result, taint)));
        taints.filter_map(|(result, taint)| taint_eviction(cluster, result, taint)).min()
    }

    /// The `NoExecute` taints on the device of a result, at the newest generation of its pool.
    fn taints<'a>(
        &'a self,
        result: &'a DeviceRequestAllocationResult,
    ) -> impl Iterator<Item = &'a DeviceTaint> {
        let of_pool = || {
            let slices = self.slices.iter();
            slices.filter(|slice| slice.driver == result.driver && slice.pool.name == result.pool)
        };
        let newest = of_pool().map(|slice| slice.pool.generation).max();
        let published = of_pool()
            .filter(move |slice| Some(slice.pool.generation) == newest)
            .flat_map(|slice| slice.devices.iter())
            .filter(|device| device.name == result.device)
            .flat_map(|device| &device.taints)
            .filter(|taint| taint.effect == NO_EXECUTE);
        let rules = self.rules.iter().filter(|rule| names(rule, result));
        published.chain(rules.map(|rule| &rule.taint))
    }
}

/// The rules whose names of devices the controller goes by; it has none of these before 1.35.
pub(super) fn evicting_rules<'a>(
    cluster: &'a Cluster,
    behavior: &Behavior,
) -> impl Iterator<Item = &'a Rc<DeviceTaintRule>> {
    let active = behavior.taint_rules && behavior.rule_criteria == RuleCriteria::DriverPoolDevice;
    let rules = cluster.taint_rules.iter().map(|rule| &rule.value);
    rules.filter(move |rule| active && rule.taint.effect == NO_EXECUTE)
}

/// Whether a rule names the device of a result. One without a selector names nothing here.
///
/// Source: `devicetainteviction` `ruleMatchesDevice`.
pub(super) fn names(rule: &DeviceTaintRule, result: &DeviceRequestAllocationResult) -> bool {
    rule.device_selector.as_ref().is_some_and(|selector| {
        selector.driver.as_ref().is_none_or(|driver| *driver == result.driver)
            && selector.pool.as_ref().is_none_or(|pool| *pool == result.pool)
            && selector.device.as_ref().is_none_or(|device| *device == result.device)
    })
}

/// The running Pods that device taints evict, in Pod order, whenever their time is.
pub fn evictions(cluster: &Cluster, behavior: &Behavior) -> Vec<Eviction> {
    let Some(taints) = EvictingTaints::of(cluster, behavior) else { return Vec::new() };
    let mut evictions = Vec::new();
    for pod in cluster.pods.iter() {
        let pod = pod.value.as_ref();
        if pod.node_name.is_none() || is_terminal(pod) {
            continue;
        }
        if let Some(at) = taints.pod_eviction(cluster, pod) {
            evictions.push(Eviction {
                pod: pod.metadata.name.as_str().into(),
                namespace: pod.metadata.namespace.as_str().into(),
                at,
            });
        }
    }
    evictions
}

fn taint_eviction(
    cluster: &Cluster,
    result: &DeviceRequestAllocationResult,
    taint: &DeviceTaint,
) -> Option<i64> {
    let added = taint.time_added.as_deref().and_then(parse_time).unwrap_or_else(|| cluster.now());
    let mut shortest: Option<i64> = None;
    let tolerations = result
        .tolerations
        .iter()
        .filter(|toleration| toleration.effect == NO_EXECUTE && tolerates(toleration, taint));
    for toleration in tolerations {
        // Without seconds it is tolerated for ever.
        let seconds = toleration.toleration_seconds?.max(0);
        shortest = Some(shortest.map_or(seconds, |known| known.min(seconds)));
    }
    Some(added.saturating_add(shortest.unwrap_or_default()))
}

/// Source: `dynamic-resource-allocation/resourceclaim` `ToleratesTaint`.
fn tolerates(toleration: &DeviceToleration, taint: &DeviceTaint) -> bool {
    if !toleration.effect.is_empty() && toleration.effect != taint.effect {
        return false;
    }
    if !toleration.key.is_empty() && toleration.key != taint.key {
        return false;
    }
    match toleration.operator.as_str() {
        "" | "Equal" => toleration.value == taint.value,
        "Exists" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
