//! The numbers of a `ResourcePoolStatusRequest`, as the controller of 1.37.2 reckons.
//!
//! Source: `pkg/controller/resourcepoolstatusrequest`.

use std::collections::{BTreeMap, BTreeSet};

use dra_playground_cel::order::Gather;

use crate::api::{Device, DeviceTaint, DeviceTaintRule};
use crate::apimachinery::quantity::Quantity;
use crate::apimachinery::quote;
use crate::cluster::Cluster;
use crate::features::Behavior;

use super::super::report::{PartitionStatus, PoolCounts, PoolStatus, ShareableStatus};
use super::world::{PoolEntry, World};

/// The most entries of a list in the status, `+k8s:maxItems`.
const MAX_LIST: usize = 32;
/// The longest error in bytes, `+k8s:maxBytes`; the rest is cut off.
const MAX_ERROR: usize = 256;

/// Counter set and counter.
type Account<'a> = (&'a str, &'a str);

/// A device of the pool that is looked at.
struct Member<'a> {
    device: &'a Device,
    /// `spec.partitionTypeAttribute` of its slice.
    attribute: Option<&'a str>,
    in_use: bool,
}

/// What claims hold of a pool, whether its devices are still published or not; admin access apart.
#[derive(Default)]
struct Held<'a> {
    devices: BTreeSet<&'a str>,
    capacity: BTreeMap<&'a str, Quantity>,
}

/// What a status request would answer for each pool.
pub(super) fn pool_statuses<'a>(
    cluster: &'a Cluster,
    world: &'a World,
    behavior: &Behavior,
) -> Vec<PoolStatus> {
    let mut all = held(cluster);
    let pools = world.pools.iter().filter(|pool| pool.newest).map(|entry| {
        let held = all.remove(&(entry.driver.as_str(), entry.name.as_str())).unwrap_or_default();
        pool_status(cluster, entry, &held, behavior)
    });
    pools.collect()
}

fn pool_status(
    cluster: &Cluster,
    entry: &PoolEntry,
    held: &Held<'_>,
    behavior: &Behavior,
) -> PoolStatus {
    let announced = entry.slices.first().map_or(0, |slice| slice.value.pool.resource_slice_count);
    if i64::try_from(entry.slices.len()).is_ok_and(|have| have < announced) {
        let (driver, name, have) = (&entry.driver, &entry.name, entry.slices.len());
        let error = format!(
            "PoolIncomplete: pool {driver}/{name} is incomplete: observed {have}/{announced} slices at generation {}",
            entry.generation
        );
        return PoolStatus { validation_error: Some(cut(error)), ..PoolStatus::default() };
    }
    let members: Vec<Member<'_>> = entry
        .slices
        .iter()
        .flat_map(|slice| {
            let attribute = slice.value.partition_type_attribute.as_deref();
            let attribute = attribute.filter(|attribute| !attribute.is_empty());
            let devices = slice.value.devices.iter();
            devices.map(move |device| (device, attribute))
        })
        .map(|(device, attribute)| {
            let in_use = held.devices.contains(device.name.as_str());
            Member { device, attribute, in_use }
        })
        .collect();
    let unavailable = members.iter().filter(|it| is_tainted(cluster, entry, it.device, behavior));
    let (total, allocated, unavailable) = (members.len(), held.devices.len(), unavailable.count());
    let available = total.saturating_sub(allocated).saturating_sub(unavailable);
    let partitions = partitions(entry, &members);
    let shareable = shareable(entry, &members, &held.capacity);
    let error = partitions.as_ref().err().or(shareable.as_ref().err()).cloned();
    PoolStatus {
        counts: Some(PoolCounts { total, allocated, available, unavailable }),
        partitions: partitions.ok().filter(|_| error.is_none()).unwrap_or_default(),
        shareable: shareable.ok().flatten(),
        validation_error: error.map(cut),
    }
}

fn cut(error: String) -> String {
    match error.as_bytes().get(..MAX_ERROR) {
        Some(kept) => String::from_utf8_lossy(kept).into_owned(),
        None => error,
    }
}

/// What claims hold, by driver and pool.
fn held(cluster: &Cluster) -> BTreeMap<(&str, &str), Held<'_>> {
    let mut pools: BTreeMap<(&str, &str), Held<'_>> = BTreeMap::new();
    let claims = cluster.claims.iter().filter_map(|claim| claim.value.status.allocation.as_ref());
    for result in claims.flat_map(|allocation| &allocation.results) {
        if result.admin_access == Some(true) {
            continue;
        }
        let held = pools.entry((&result.driver, &result.pool)).or_default();
        held.devices.insert(&result.device);
        for (name, amount) in result.consumed_capacity.iter().flatten() {
            let sum = held.capacity.entry(name).or_default();
            *sum = sum.add(amount);
        }
    }
    pools
}

/// Whether taints of the device or rules keep Pods away. Other than the scheduler of some releases,
/// the controller lets a rule without selector taint nothing.
fn is_tainted(cluster: &Cluster, pool: &PoolEntry, device: &Device, behavior: &Behavior) -> bool {
    let chooses = |rule: &DeviceTaintRule| {
        rule.device_selector.as_ref().is_some_and(|selector| {
            let pairs = [
                (&selector.driver, &pool.driver),
                (&selector.pool, &pool.name),
                (&selector.device, &device.name),
            ];
            pairs.into_iter().all(|(wanted, name)| wanted.as_ref().is_none_or(|it| it == name))
        })
    };
    let mut rules = cluster.taint_rules.iter().map(|rule| &rule.value);
    device.taints.iter().any(DeviceTaint::keeps_away)
        || behavior.taint_rules && rules.any(|rule| rule.taint.keeps_away() && chooses(rule))
}

/// Per partition type, how many more devices the counters allow; each type for itself.
fn partitions<'a>(
    pool: &'a PoolEntry,
    members: &[Member<'a>],
) -> Result<Vec<PartitionStatus>, String> {
    if members.iter().all(|member| member.attribute.is_none()) {
        return Ok(Vec::new());
    }
    let (driver, name) = (&pool.driver, &pool.name);
    let mut sets = pool.slices.iter().flat_map(|slice| &slice.value.shared_counters);
    if sets.next().is_none() {
        return Err(format!(
            "PartitionTypeMissing: pool {driver}/{name} declares partitionTypeAttribute but publishes no sharedCounters"
        ));
    }
    let mut left = left(pool, members);
    let mut groups: BTreeMap<(&str, &str), Vec<&Member<'a>>> = BTreeMap::new();
    for member in members.iter().filter(|member| !member.device.consumes_counters.is_empty()) {
        let Some(attribute) = member.attribute else { continue };
        let attributes = &member.device.attributes;
        let bare = attribute.strip_prefix(driver.as_str()).and_then(|it| it.strip_prefix('/'));
        let value = attributes.get(attribute).or_else(|| attributes.get(bare?));
        let Some(kind) = value.and_then(|value| value.string.as_deref()) else {
            return Err(format!(
                "PartitionTypeMissing: device {} in pool {driver}/{name} does not carry partition type attribute {}",
                quote(&member.device.name),
                quote(attribute)
            ));
        };
        let group = groups.entry((attribute, kind)).or_default();
        group.push(member);
        if group.first().is_some_and(|first| cost(first.device) != cost(member.device)) {
            return Err(format!(
                "PartitionCostMismatch: devices of partition type {} in pool {driver}/{name} consume different counters",
                quote(kind)
            ));
        }
    }
    let mut found = Vec::new();
    for ((attribute, kind), group) in groups {
        let before = left.clone();
        let mut allocatable = 0;
        for member in group.iter().filter(|member| !member.in_use) {
            let fits = draws(member.device)
                .iter()
                .all(|(account, amount)| left.get(account).is_some_and(|left| left >= *amount));
            if fits {
                allocatable += 1;
                deduct(&mut left, member.device);
            }
        }
        left = before;
        found.push(PartitionStatus {
            attribute: attribute.to_owned(),
            kind: kind.to_owned(),
            total: group.len(),
            allocatable,
        });
    }
    if found.len() > MAX_LIST {
        return Err(format!(
            "PartitionSummaryOverCap: pool {driver}/{name} has {} partition types, exceeding the maximum of {MAX_LIST}",
            found.len()
        ));
    }
    Ok(found)
}

/// What devices in use leave of each counter.
fn left<'a>(pool: &'a PoolEntry, members: &[Member<'a>]) -> BTreeMap<Account<'a>, Quantity> {
    let sets = pool.slices.iter().flat_map(|slice| &slice.value.shared_counters);
    let mut left: BTreeMap<Account<'a>, Quantity> = sets
        .flat_map(|set| {
            let counters = set.counters.iter();
            counters.map(|(name, total)| ((set.name.as_str(), name.as_str()), total.clone()))
        })
        .gathered();
    for member in members.iter().filter(|member| member.in_use) {
        deduct(&mut left, member.device);
    }
    left
}

fn draws(device: &Device) -> BTreeMap<Account<'_>, &Quantity> {
    let uses = device.consumes_counters.iter();
    uses.flat_map(|uses| {
        let set = uses.counter_set.as_str();
        uses.counters.iter().map(move |(name, amount)| ((set, name.as_str()), amount))
    })
    .collect()
}

/// What a device costs, in the words by which upstream compares devices: `1Gi` and `1073741824` are
/// not the same.
fn cost(device: &Device) -> Vec<(Account<'_>, String)> {
    draws(device).into_iter().map(|(account, amount)| (account, amount.to_string())).collect()
}

fn deduct<'a>(left: &mut BTreeMap<Account<'a>, Quantity>, device: &'a Device) {
    for (account, amount) in draws(device) {
        if let Some(rest) = left.get_mut(&account) {
            *rest = rest.sub(amount);
        }
    }
}

fn shareable(
    pool: &PoolEntry,
    members: &[Member<'_>],
    consumed: &BTreeMap<&str, Quantity>,
) -> Result<Option<ShareableStatus>, String> {
    let shared: Vec<&Member<'_>> = members
        .iter()
        .filter(|member| member.device.allow_multiple_allocations == Some(true))
        .collect();
    if shared.is_empty() {
        return Ok(None);
    }
    let mut totals: BTreeMap<&str, Quantity> = BTreeMap::new();
    for (name, capacity) in shared.iter().flat_map(|member| member.device.capacity.iter()) {
        let sum = totals.entry(name).or_default();
        *sum = sum.add(&capacity.value);
    }
    if totals.len() > MAX_LIST {
        return Err(format!(
            "ShareableSummaryOverCap: pool {}/{} has {} shareable capacity keys, exceeding the maximum of {MAX_LIST}",
            pool.driver,
            pool.name,
            totals.len()
        ));
    }
    let in_use = shared.iter().filter(|member| member.in_use).count();
    let capacity = totals.into_iter().map(|(name, total)| {
        let consumed = consumed.get(name).cloned().unwrap_or_default();
        let rest = total.sub(&consumed);
        let available = if rest.sign() < 0 { Quantity::default() } else { rest };
        [name.to_owned(), total.to_string(), consumed.to_string(), available.to_string()]
    });
    Ok(Some(ShareableStatus {
        fully_available: shared.len() - in_use,
        partially_available: in_use,
        capacity: capacity.collect(),
    }))
}
