//! The cluster after a step, as the report shows it.

mod devices;
mod ledger;
#[cfg(test)]
mod mark_tests;
mod marks;
mod objects;
mod pool_status;
#[cfg(test)]
mod pool_tests;
#[cfg(test)]
pub(super) mod tests;
#[cfg(test)]
mod taint_tests;
mod taints;
mod world;

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::api::{Device, DeviceTaint, Node, ResourceSlice};
use crate::cluster::{Cluster, Origin};
use crate::explain::words::Catalogue;
use crate::features::{Behavior, CounterScope};

use super::report::{Range, Snapshot};

pub(super) use devices::{attribute_value, cards};
pub(super) use ledger::counter_ledgers;
pub(super) use objects::template_of;
pub(super) use world::{DeviceEntry, Holding, Published, World};

/// Finds where things are written.
pub(super) trait Places {
    /// The document of an object.
    fn object(&self, origin: Origin) -> Option<Range>;
    /// A field of an object by its path in the API, e.g. `spec.devices[3]`.
    fn field(&self, origin: Origin, path: &str) -> Option<Range>;
}

/// What nodes see.
pub(super) struct Reach<'a> {
    /// Counts the devices that a node can reach.
    pub devices: &'a dyn Fn(&Node) -> usize,
    /// Names of the slices that some node goes by, where generations differ.
    pub slices: &'a BTreeSet<String>,
}

/// Everything but the answers of the scheduler. `slices` are those of the cluster in order, with the
/// taints of rules.
pub(super) fn snapshot(
    cluster: &Cluster,
    world: &World,
    slices: &[Rc<ResourceSlice>],
    places: &dyn Places,
    words: &Catalogue,
    behavior: &Behavior,
    reach: &Reach<'_>,
) -> Snapshot {
    let mixes_pools = behavior.counter_scope == CounterScope::PoolName;
    let mut counter_sets = counter_ledgers(world, places, words);
    marks::mark_counters(&mut counter_sets, cluster, world, words, mixes_pools);
    let mut capacities = ledger::capacity_ledgers(world, places, words);
    marks::mark_over_committed(&mut capacities, words);
    let pods = objects::pods(cluster, places);
    let taints = taints(world, slices);
    Snapshot {
        claims: objects::claims(cluster, &pods, places),
        pods,
        nodes: objects::nodes(cluster, places, reach.devices),
        pools: objects::pools(cluster, world, behavior, places),
        devices: devices::device_views(world, &counter_sets, &taints, places),
        cards: cards(world, &counter_sets, &|slice| reach.slices.contains(slice)),
        taints: taints::taint_views(cluster, world, behavior, places),
        capacities,
        counter_sets,
        verdicts: Vec::new(),
    }
}

/// Taints in force by device.
fn taints(world: &World, slices: &[Rc<ResourceSlice>]) -> Vec<Vec<DeviceTaint>> {
    let by_name: std::collections::BTreeMap<&str, &Rc<ResourceSlice>> =
        slices.iter().map(|slice| (slice.metadata.name.as_str(), slice)).collect();
    world
        .devices
        .iter()
        .map(|entry| {
            let effective = by_name.get(entry.slice.metadata.name.as_str());
            let device: Option<&Device> =
                effective.and_then(|slice| slice.devices.get(entry.position));
            device
                .or_else(|| entry.device())
                .map(|device| device.taints.clone())
                .unwrap_or_default()
        })
        .collect()
}
