//! Eviction of running Pods by device taints with the effect `NoExecute` (KEP-5055).
//!
//! Upstream: `pkg/controller/devicetainteviction`.

use std::rc::Rc;

use crate::api::{
    DeviceRequestAllocationResult, DeviceTaint, DeviceToleration, Pod, ResourceClaim, ResourceSlice,
};
use crate::cluster::{Cluster, parse_time};
use crate::features::{Behavior, Gate};
use crate::scheduler::{NO_EXECUTE, has_no_execute, is_reserved_for, is_terminal};

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

/// The running Pods that device taints evict, in Pod order, whenever their time is.
pub fn evictions(cluster: &Cluster, behavior: &Behavior) -> Vec<Eviction> {
    if !behavior.gates.enabled(Gate::DeviceTaints) {
        return Vec::new();
    }
    let slices = cluster.effective_slices(behavior);
    if !slices.iter().any(|slice| has_no_execute(slice)) {
        return Vec::new();
    }
    let mut evictions = Vec::new();
    for pod in cluster.pods.iter() {
        let pod = pod.value.as_ref();
        if pod.node_name.is_none() || is_terminal(pod) {
            continue;
        }
        if let Some(at) = pod_eviction(cluster, pod, &slices) {
            evictions.push(Eviction {
                pod: pod.metadata.name.as_str().into(),
                namespace: pod.metadata.namespace.as_str().into(),
                at,
            });
        }
    }
    evictions
}

/// When the taints of these slices evict a Pod; `None` when they do not.
pub(super) fn pod_eviction(
    cluster: &Cluster,
    pod: &Pod,
    slices: &[Rc<ResourceSlice>],
) -> Option<i64> {
    claim_names(pod)
        .iter()
        .filter_map(|name| cluster.claims.get(&pod.metadata.namespace, name))
        .map(|claim| claim.value.as_ref())
        .filter(|claim| is_reserved_for(claim, pod))
        .filter_map(|claim| claim_eviction(cluster, claim, slices))
        .min()
}

/// When the taints on a claim's devices evict its Pods; `None` when they do not.
fn claim_eviction(
    cluster: &Cluster,
    claim: &ResourceClaim,
    slices: &[Rc<ResourceSlice>],
) -> Option<i64> {
    let allocation = claim.status.allocation.as_ref()?;
    allocation
        .results
        .iter()
        .flat_map(|result| taints(result, slices).into_iter().map(move |taint| (result, taint)))
        .filter_map(|(result, taint)| taint_eviction(cluster, result, &taint))
        .min()
}

/// The `NoExecute` taints on the device of a result, at the newest generation of its pool.
fn taints(
    result: &DeviceRequestAllocationResult,
    slices: &[Rc<ResourceSlice>],
) -> Vec<DeviceTaint> {
    let of_pool = || {
        slices
            .iter()
            .filter(|slice| slice.driver == result.driver && slice.pool.name == result.pool)
    };
    let newest = of_pool().map(|slice| slice.pool.generation).max();
    of_pool()
        .filter(|slice| Some(slice.pool.generation) == newest)
        .flat_map(|slice| slice.devices.iter())
        .filter(|device| device.name == result.device)
        .flat_map(|device| &device.taints)
        .filter(|taint| taint.effect == NO_EXECUTE)
        .cloned()
        .collect()
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
