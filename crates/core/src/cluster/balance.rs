//! What is left of counters and capacity.

use std::collections::{BTreeMap, BTreeSet};

use dra_playground_cel::order::{Gather, Order};

use crate::api::{Device, DeviceRequestAllocationResult, ResourceSlice};
use crate::apimachinery::quantity::Quantity;

use super::Cluster;

/// What is left of a counter or capacity.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// How much there is.
    pub total: Quantity,
    /// How much is left; may be negative.
    pub left: Quantity,
}

impl Cluster {
    /// The slices of a pool at its newest generation, by name.
    pub fn newest_slices(&self, driver: &str, pool: &str) -> Vec<&ResourceSlice> {
        let mut slices: Vec<&ResourceSlice> = self
            .slices
            .iter()
            .map(|slice| slice.value.as_ref())
            .filter(|slice| slice.driver == driver && slice.pool.name == pool)
            .collect();
        let newest = slices.iter().map(|slice| slice.pool.generation).max();
        slices.retain(|slice| Some(slice.pool.generation) == newest);
        slices.order_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
        slices
    }

    /// What is left of the counters of a counter set; `None` when there is no such set.
    ///
    /// Each device that somebody holds, whole or in shares, is charged once.
    pub fn counters_left(
        &self,
        driver: &str,
        pool: &str,
        counter_set: &str,
    ) -> Option<BTreeMap<String, Balance>> {
        let slices = self.newest_slices(driver, pool);
        let set = slices
            .iter()
            .flat_map(|slice| &slice.shared_counters)
            .find(|set| set.name == counter_set)?;
        let mut balances: BTreeMap<String, Balance> = set
            .counters
            .iter()
            .map(|(name, total)| {
                (name.clone(), Balance { total: total.clone(), left: total.clone() })
            })
            .gathered();
        let held = self.held_devices(driver, pool);
        let devices = slices.iter().flat_map(|slice| slice.devices.iter());
        for device in devices.filter(|device| held.contains(device.name.as_str())) {
            let taken = device
                .consumes_counters
                .iter()
                .filter(|consumption| consumption.counter_set == counter_set)
                .flat_map(|consumption| &consumption.counters);
            for (name, amount) in taken {
                if let Some(balance) = balances.get_mut(name) {
                    balance.left = balance.left.sub(amount);
                }
            }
        }
        Some(balances)
    }

    /// What is left of the capacities of a device; `None` when there is no such device.
    ///
    /// Of a device that is held as a whole nothing is left.
    pub fn capacity_left(
        &self,
        driver: &str,
        pool: &str,
        device: &str,
    ) -> Option<BTreeMap<String, Balance>> {
        let found = self.device(driver, pool, device)?;
        let mut balances: BTreeMap<String, Balance> = found
            .capacity
            .iter()
            .map(|(name, capacity)| {
                let total = capacity.value.clone();
                (name.clone(), Balance { left: total.clone(), total })
            })
            .gathered();
        for claim in self.claims.iter() {
            let allocation = claim.value.status.allocation.iter();
            for entry in allocation.flat_map(|allocation| &allocation.results) {
                let same = entry.driver == driver && entry.pool == pool && entry.device == device;
                if same && entry.admin_access != Some(true) {
                    take(&mut balances, entry);
                }
            }
        }
        Some(balances)
    }

    /// A device at the newest generation of its pool.
    pub fn device(&self, driver: &str, pool: &str, device: &str) -> Option<&Device> {
        self.newest_slices(driver, pool)
            .into_iter()
            .flat_map(|slice| slice.devices.iter())
            .find(|found| found.name == device)
    }

    /// Names of the pool's devices that somebody holds other than by admin access.
    fn held_devices(&self, driver: &str, pool: &str) -> BTreeSet<&str> {
        self.claims
            .iter()
            .flat_map(|claim| &claim.value.status.allocation)
            .flat_map(|allocation| &allocation.results)
            .filter(|entry| entry.driver == driver && entry.pool == pool)
            .filter(|entry| entry.admin_access != Some(true))
            .map(|entry| entry.device.as_str())
            .collect()
    }
}

/// Takes what an allocation result consumes.
fn take(balances: &mut BTreeMap<String, Balance>, entry: &DeviceRequestAllocationResult) {
    match (&entry.share_id, &entry.consumed_capacity) {
        (Some(_), Some(consumed)) => {
            for (name, amount) in consumed {
                if let Some(balance) = balances.get_mut(name) {
                    balance.left = balance.left.sub(amount);
                }
            }
        }
        (Some(_), None) => {}
        (None, _) => {
            for balance in balances.values_mut() {
                balance.left = balance.left.sub(&balance.total.clone());
            }
        }
    }
}
