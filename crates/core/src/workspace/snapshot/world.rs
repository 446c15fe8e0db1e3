use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::rc::Rc;

use dra_playground_cel::order::Order;

use crate::api::{Device, DeviceRequestAllocationResult, ResourceClaim, ResourceSlice};
use crate::cluster::{Cluster, Object, Origin};
use crate::pool::InvalidReason;

use super::super::report::{DeviceKey, ObjectKey};

/// The devices of a cluster and who has them.
#[derive(Debug, Default)]
pub(in super::super) struct World {
    published: Rc<Published>,
    /// What claims hold of each device, oldest first.
    holdings: BTreeMap<usize, Vec<Holding>>,
    /// The same of devices that are published no longer.
    pub others: Vec<(DeviceKey, Holding)>,
}

impl Deref for World {
    type Target = Published;

    fn deref(&self) -> &Published {
        &self.published
    }
}

/// The devices of a cluster in the order in which the report numbers them. Attempts and steps that
/// change only claims share it.
#[derive(Debug, Default)]
pub(in super::super) struct Published {
    /// All published devices by driver, pool, generation (the newest first), slice name and position.
    pub devices: Vec<DeviceEntry>,
    /// Pools by driver, name and generation, the newest first.
    pub pools: Vec<PoolEntry>,
    /// Indexes of the devices by name. Several may have one name: in slices of other nodes or
    /// generations, or in a faulty pool.
    by_name: Vec<usize>,
    /// Whether several have one name.
    has_namesakes: bool,
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

/// All slices of one driver with one pool name and generation.
#[derive(Clone, Debug)]
pub(in super::super) struct PoolEntry {
    pub driver: String,
    pub name: String,
    pub generation: i64,
    /// Whether no slice of the pool has a newer one.
    pub newest: bool,
    /// The slices, by name.
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
        Self::seen_by(cluster, &BTreeSet::new())
    }

    /// The same where slices of some names stand before others of their pool, as a node does that
    /// goes by these.
    pub(in super::super) fn seen_by(cluster: &Cluster, first: &BTreeSet<String>) -> Self {
        Self::with(Rc::new(Published::of(cluster, first)), cluster)
    }

    /// The holdings of a cluster, with devices that were collected before from the same slices.
    pub(in super::super) fn with(published: Rc<Published>, cluster: &Cluster) -> Self {
        let mut world = Self { published, ..Self::default() };
        world.collect_holdings(cluster);
        world
    }

    /// The devices without their holders.
    pub(in super::super) fn published(&self) -> &Rc<Published> {
        &self.published
    }

    /// What claims hold of a device.
    pub(in super::super) fn holdings(&self, device: usize) -> &[Holding] {
        self.holdings.get(&device).map_or(&[], Vec::as_slice)
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
                // Claims know a device by its name alone.
                found.extend(self.all(&key).map(|device| (step, device, holding.clone())));
                if self.find(&key).is_none() {
                    self.others.push((key, holding));
                }
            }
        }
        found.order_by_key(|(step, _, _)| *step);
        for (_, device, holding) in found {
            self.holdings.entry(device).or_default().push(holding);
        }
    }
}

impl Published {
    fn of(cluster: &Cluster, first: &BTreeSet<String>) -> Self {
        let mut published = Self { pools: pools(cluster, first), ..Self::default() };
        published.collect_devices();
        published
    }

    /// Whether nodes may mean different devices, or counters, by one name.
    pub(in super::super) fn is_ambiguous(&self) -> bool {
        self.has_namesakes || self.pools.iter().any(|pool| !pool.newest)
    }

    /// Index of a device, the first one of its name.
    pub(in super::super) fn find(&self, key: &DeviceKey) -> Option<usize> {
        self.all(key).next()
    }

    /// Index of a device in the slice of a name.
    pub(in super::super) fn find_in(&self, key: &DeviceKey, slice: &str) -> Option<usize> {
        let is_there = |index: &usize| {
            let entry = self.devices.get(*index);
            entry.is_some_and(|entry| entry.slice.metadata.name == slice)
        };
        self.all(key).find(is_there)
    }

    /// All devices of one name.
    fn all(&self, key: &DeviceKey) -> impl Iterator<Item = usize> {
        let start = self.by_name.partition_point(|at| self.key(*at) < Some(key));
        let rest = self.by_name.get(start..).unwrap_or_default().iter().copied();
        rest.take_while(move |at| self.key(*at) == Some(key))
    }

    fn key(&self, device: usize) -> Option<&DeviceKey> {
        self.devices.get(device).map(|entry| &entry.key)
    }

    fn collect_devices(&mut self) {
        let slices = self.pools.iter().flat_map(|pool| &pool.slices);
        self.devices.reserve_exact(slices.map(|slice| slice.value.devices.len()).sum());
        for (pool, entry) in self.pools.iter().enumerate() {
            for slice in &entry.slices {
                for (position, device) in slice.value.devices.iter().enumerate() {
                    let key = DeviceKey {
                        driver: entry.driver.clone(),
                        pool: entry.name.clone(),
                        device: device.name.clone(),
                    };
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
        let mut by_name: Vec<usize> = (0..self.devices.len()).collect();
        by_name.order_by(|a, b| self.key(*a).cmp(&self.key(*b)));
        let keys = || by_name.iter().map(|at| self.key(*at));
        self.has_namesakes = keys().zip(keys().skip(1)).any(|(one, next)| one == next);
        self.by_name = by_name;
    }

    /// What is wrong with the content of a pool, in upstream's words; nodes that reach only part of
    /// the pool may not notice.
    pub(in super::super) fn pool_fault(&self, pool: usize) -> Option<String> {
        let slices: Vec<&ResourceSlice> =
            self.pools.get(pool)?.slices.iter().map(|slice| slice.value.as_ref()).collect();
        let mut names = BTreeSet::new();
        for device in slices.iter().flat_map(|slice| slice.devices.iter()) {
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
        let devices = slices.iter().flat_map(|slice| slice.devices.iter());
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

fn pools(cluster: &Cluster, first: &BTreeSet<String>) -> Vec<PoolEntry> {
    let is_late = |slice: &ResourceSlice| !first.contains(&slice.metadata.name);
    // For each pool the generations: those that come first, then the newest.
    let mut order: BTreeMap<(&str, &str), BTreeMap<i64, bool>> = BTreeMap::new();
    for slice in cluster.slices.iter().map(|slice| slice.value.as_ref()) {
        let generations = order.entry((&slice.driver, &slice.pool.name)).or_default();
        *generations.entry(slice.pool.generation).or_insert(true) &= is_late(slice);
    }
    let mut pools: BTreeMap<_, PoolEntry> = BTreeMap::new();
    for slice in cluster.slices.iter() {
        let (driver, pool) = (slice.value.driver.as_str(), &slice.value.pool);
        let generations = order.get(&(driver, pool.name.as_str()));
        let late = generations.and_then(|known| known.get(&pool.generation));
        let newest = generations.and_then(|known| known.keys().next_back());
        let key = (driver, pool.name.as_str(), late, Reverse(pool.generation));
        let entry = pools.entry(key).or_insert_with(|| PoolEntry {
            driver: driver.to_owned(),
            name: pool.name.clone(),
            generation: pool.generation,
            newest: newest == Some(&pool.generation),
            slices: Vec::new(),
        });
        entry.slices.push(slice.clone());
    }
    let mut pools: Vec<PoolEntry> = pools.into_values().collect();
    for pool in &mut pools {
        let place = |slice: &Object<ResourceSlice>| {
            (is_late(&slice.value), slice.value.metadata.name.clone())
        };
        pool.slices.order_by_key(place);
    }
    pools
}
