//! Conditions of allocated devices, set as a driver would set them.

use crate::api::{AllocatedDeviceStatus, DeviceRequestAllocationResult, ResourceClaim};
use crate::apimachinery::Condition;

/// Sets conditions of the devices that are meant, keeping others; `false` when the claim has none.
pub(super) fn set(
    claim: &mut ResourceClaim,
    device: &str,
    conditions: &[Condition],
    now: &str,
) -> bool {
    let results: Vec<DeviceRequestAllocationResult> = claim
        .status
        .allocation
        .iter()
        .flat_map(|allocation| &allocation.results)
        .filter(|result| is_meant(result, device))
        .cloned()
        .collect();
    for result in &results {
        let status = status_of(claim, result);
        for condition in conditions {
            let mut condition = condition.clone();
            let old = status.conditions.iter().find(|old| old.type_ == condition.type_);
            if condition.last_transition_time.is_none() {
                condition.last_transition_time = old
                    .filter(|old| old.status == condition.status)
                    .and_then(|old| old.last_transition_time.clone())
                    .or_else(|| Some(now.to_owned()));
            }
            status.conditions.retain(|old| old.type_ != condition.type_);
            status.conditions.push(condition);
        }
    }
    !results.is_empty()
}

/// `DRIVER/POOL/DEVICE` or the device's name alone.
fn is_meant(result: &DeviceRequestAllocationResult, device: &str) -> bool {
    result.device == device
        || format!("{}/{}/{}", result.driver, result.pool, result.device) == device
}

fn status_of<'a>(
    claim: &'a mut ResourceClaim,
    result: &DeviceRequestAllocationResult,
) -> &'a mut AllocatedDeviceStatus {
    let devices = &mut claim.status.devices;
    let at = devices.iter().position(|status| {
        status.driver == result.driver
            && status.pool == result.pool
            && status.device == result.device
            && status.share_id == result.share_id
    });
    let at = at.unwrap_or_else(|| {
        devices.push(AllocatedDeviceStatus {
            driver: result.driver.clone(),
            pool: result.pool.clone(),
            device: result.device.clone(),
            share_id: result.share_id.clone(),
            conditions: Vec::new(),
        });
        devices.len() - 1
    });
    #[expect(clippy::indexing_slicing, reason = "the index was just found or made")]
    &mut devices[at]
}
