use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use dra_playground_cel::order::Order;

use crate::api::{Device, DeviceRequestAllocationResult, ResourceClaim, ResourceSlice};
use crate::cluster::{Cluster, Object, Origin};
use crate::pool::InvalidReason;

use super::super::report::{DeviceKey, ObjectKey};

/// The devices of a cluster in the order in which the report numbers them, and who has them.
#[derive(Debug, Default)]
pub(in super::super) struct World {
    /// Devices of the newest generation of each pool, by driver, pool, slice name and position.
    pub devices: Vec<DeviceEntry>,
    /// Pools by driver and name.
    pub pools: Vec<PoolEntry>,
    /// What claims hold of each device, oldest first; parallel to `devices`.
    pub holdings: Vec<Vec<Holding>>,
    /// The same of devices that are not among them: published no longer, or in an older generation
    /// that a node still goes by.
    pub others: Vec<(DeviceKey, Holding)>,
    index: BTreeMap<DeviceKey, usize>,
}

/// A device where it is published.
#[derive(Clone, Debug)]
pub(in super::super) struct DeviceEntry {
    pub key: DeviceKey,
    pub slice: Rc<ResourceSlice>,
    pub origin: Origin,
    /// Position in the slice.
    pub position: usize,
    /// Index into `pools`.
    pub pool: usize,
}

impl DeviceEntry {
    /// The device itself.
    pub(in super::super) fn device(&self) -> Option<&Device> {
        self.slice.devices.get(self.position)
    }

    /// Whether several claims may share it.
    pub(in super::super) fn is_shareable(&self) -> bool {
        self.device().is_some_and(|device| device.allow_multiple_allocations == Some(true))
    }
}

/// All slices of one driver with one pool name.
#[derive(Clone, Debug)]
pub(in super::super) struct PoolEntry {
    pub driver: String,
    pub name: String,
    pub generation: i64,
    /// The slices of the newest generation, by name.
    pub slices: Vec<Object<ResourceSlice>>,
}

/// What one result of a claim holds of a device.
#[derive(Clone, Debug)]
pub(in super::super) struct Holding {
    pub claim: Rc<ResourceClaim>,
    /// Index of the result in the claim's allocation.
    pub result: usize,
    /// Pods that use the claim.
    pub pods: Vec<String>,
    /// Step in which it was allocated.
    pub step: usize,
}

impl Holding {
    pub(in super::super) fn result(&self) -> Option<&DeviceRequestAllocationResult> {
        self.claim.status.allocation.as_ref()?.results.get(self.result)
    }

    pub(in super::super) fn is_admin(&self) -> bool {
        self.result().is_some_and(|result| result.admin_access == Some(true))
    }

    pub(in super::super) fn claim_key(&self) -> ObjectKey {
        claim_key(&self.claim)
    }
}

impl World {
    /// Collects devices and holdings of a cluster.
    pub(in super::super) fn of(cluster: &Cluster) -> Self {
        let mut world = Self { pools: pools(cluster), ..Self::default() };
        world.collect_devices();
        world.collect_holdings(cluster);
        world
    }

    /// Index of a device.
    pub(in super::super) fn find(&self, key: &DeviceKey) -> Option<usize> {
        self.index.get(key).copied()
    }

    /// Index of the device that stands at a rank among those of one name; a faulty pool can have
    /// several.
    pub(in super::super) fn find_nth(&self, key: &DeviceKey, rank: usize) -> Option<usize> {
        let first = self.find(key)?;
        if rank == 0 {
            return Some(first);
        }
        let others = self.devices.iter().enumerate().skip(first + 1);
        others.filter(|(_, entry)| entry.key == *key).map(|(index, _)| index).nth(rank - 1)
    }

    fn collect_devices(&mut self) {
        for (pool, entry) in self.pools.iter().enumerate() {
            for slice in &entry.slices {
                for (position, device) in slice.value.devices.iter().enumerate() {
                    let key = DeviceKey {
                        driver: entry.driver.clone(),
                        pool: entry.name.clone(),
                        device: device.name.clone(),
                    };
                    // Of two devices with one name the first stands for both.
                    self.index.entry(key.clone()).or_insert(self.devices.len());
                    self.devices.push(DeviceEntry {
                        key,
                        slice: Rc::clone(&slice.value),
                        origin: slice.origin,
                        position,
                        pool,
                    });
                }
            }
        }
        self.holdings = vec![Vec::new(); self.devices.len()];
    }

    fn collect_holdings(&mut self, cluster: &Cluster) {
        let mut found: Vec<(usize, usize, Holding)> = Vec::new();
        for object in cluster.claims.iter() {
            let claim = &object.value;
            let Some(allocation) = &claim.status.allocation else { continue };
            let step = object.since_step;
            let pods = pods_of(claim);
            for (result, taken) in allocation.results.iter().enumerate() {
                let key = DeviceKey {
                    driver: taken.driver.clone(),
                    pool: taken.pool.clone(),
                    device: taken.device.clone(),
                };
                let pods = pods.clone();
                let holding = Holding { claim: Rc::clone(claim), result, pods, step };
                match self.find(&key) {
                    Some(device) => found.push((step, device, holding)),
                    None => self.others.push((key, holding)),
                }
            }
        }
        found.order_by_key(|(step, _, _)| *step);
        for (_, device, holding) in found {
            if let Some(list) = self.holdings.get_mut(device) {
                list.push(holding);
            }
        }
    }

    /// What is wrong with the content of a pool, in upstream's words; nodes that reach only part of
    /// the pool may not notice.
    pub(in super::super) fn pool_fault(&self, pool: usize) -> Option<String> {
        let slices: Vec<&ResourceSlice> =
            self.pools.get(pool)?.slices.iter().map(|slice| slice.value.as_ref()).collect();
        let mut names = BTreeSet::new();
        for device in slices.iter().flat_map(|slice| &slice.devices) {
            if !names.insert(device.name.as_str()) {
                return Some(InvalidReason::DuplicateDevice(device.name.clone()).to_string());
            }
        }
        let mut sets = BTreeMap::new();
        for set in slices.iter().flat_map(|slice| &slice.shared_counters) {
            if sets.insert(set.name.as_str(), set).is_some() {
                return Some(InvalidReason::DuplicateCounterSet(set.name.clone()).to_string());
            }
        }
        let devices = slices.iter().flat_map(|slice| &slice.devices);
        for uses in devices.flat_map(|device| &device.consumes_counters) {
            let Some(set) = sets.get(uses.counter_set.as_str()) else {
                return Some(
                    InvalidReason::CounterSetNotFound(uses.counter_set.clone()).to_string(),
                );
            };
            if let Some(counter) =
                uses.counters.keys().find(|name| !set.counters.contains_key(*name))
            {
                let (counter, set) = (counter.clone(), set.name.clone());
                return Some(InvalidReason::CounterNotFound { counter, set }.to_string());
            }
        }
        None
    }

    /// What claims hold of a device.
    pub(in super::super) fn holdings(&self, device: usize) -> &[Holding] {
        self.holdings.get(device).map_or(&[], Vec::as_slice)
    }
}

/// Names of the Pods that a claim is reserved for.
pub(in super::super) fn pods_of(claim: &ResourceClaim) -> Vec<String> {
    let reserved = claim.status.reserved_for.iter();
    reserved.filter(|user| user.resource == "pods").map(|user| user.name.clone()).collect()
}

/// The key of a claim.
pub(in super::super) fn claim_key(claim: &ResourceClaim) -> ObjectKey {
    ObjectKey {
        kind: "ResourceClaim".to_owned(),
        namespace: claim.metadata.namespace.clone(),
        name: claim.metadata.name.clone(),
    }
}

fn pools(cluster: &Cluster) -> Vec<PoolEntry> {
    let mut pools: BTreeMap<(&str, &str), PoolEntry> = BTreeMap::new();
    for slice in cluster.slices.iter() {
        let (driver, pool) = (slice.value.driver.as_str(), &slice.value.pool);
        let entry = pools.entry((driver, &pool.name)).or_insert_with(|| PoolEntry {
            driver: driver.to_owned(),
            name: pool.name.clone(),
            generation: pool.generation,
            slices: Vec::new(),
        });
        if pool.generation > entry.generation {
            entry.generation = pool.generation;
            entry.slices.clear();
        }
        if pool.generation == entry.generation {
            entry.slices.push(slice.clone());
        }
    }
    let mut pools: Vec<PoolEntry> = pools.into_values().collect();
    for pool in &mut pools {
        pool.slices.order_by(|a, b| a.value.metadata.name.cmp(&b.value.metadata.name));
    }
    pools
}
