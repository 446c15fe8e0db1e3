//! Binding conditions: devices that must become ready before a Pod is bound (KEP-5007).

use crate::api::{AllocatedDeviceStatus, DeviceRequestAllocationResult, ResourceClaim};
use crate::features::{Behavior, Gate};

/// Seconds that the scheduler waits for binding conditions, unless it is configured otherwise.
pub const BINDING_TIMEOUT_SECONDS: u64 = 600;

/// What the conditions of a claim's devices say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// All binding conditions are true.
    Ready,
    /// Some condition is not true yet.
    Waiting,
    /// A failure condition is true; upstream's words.
    Failed(String),
}

/// Whether the release waits for binding conditions.
pub fn waits_for_conditions(behavior: &Behavior) -> bool {
    behavior.gates.enabled(Gate::DeviceBindingConditions)
        && behavior.gates.enabled(Gate::ResourceClaimDeviceStatus)
}

/// What the conditions of an allocated claim say, device by device in result order.
pub fn readiness(claim: &ResourceClaim) -> Readiness {
    let Some(allocation) = &claim.status.allocation else { return Readiness::Waiting };
    let with_conditions =
        allocation.results.iter().filter(|result| !result.binding_conditions.is_empty());
    for result in with_conditions {
        let Some(status) = device_status(claim, result) else { return Readiness::Waiting };
        let find =
            |type_: &String| status.conditions.iter().find(|condition| condition.type_ == *type_);
        let failed = result
            .binding_failure_conditions
            .iter()
            .filter_map(find)
            .find(|condition| condition.status == "True");
        if let Some(failed) = failed {
            return Readiness::Failed(format!(
                "device binding failed: claim={}, reason={}, message={:?}",
                claim.metadata.name, failed.reason, failed.message
            ));
        }
        let all_true = result
            .binding_conditions
            .iter()
            .all(|type_| find(type_).is_some_and(|condition| condition.status == "True"));
        if !all_true {
            return Readiness::Waiting;
        }
    }
    Readiness::Ready
}

/// Whether any device of the claim has binding conditions.
pub fn has_binding_conditions(claim: &ResourceClaim) -> bool {
    let results = claim.status.allocation.iter().flat_map(|allocation| &allocation.results);
    results.into_iter().any(|result| !result.binding_conditions.is_empty())
}

fn device_status<'a>(
    claim: &'a ResourceClaim,
    result: &DeviceRequestAllocationResult,
) -> Option<&'a AllocatedDeviceStatus> {
    claim.status.devices.iter().find(|status| {
        status.driver == result.driver
            && status.pool == result.pool
            && status.device == result.device
    })
}
