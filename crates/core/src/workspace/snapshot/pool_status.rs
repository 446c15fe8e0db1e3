//! The numbers of a `ResourcePoolStatusRequest`. Source: `pkg/controller/resourcepoolstatusrequest`.

use std::collections::BTreeMap;

use dra_playground_cel::order::Gather;

use crate::api::{Device, DeviceTaint};
use crate::apimachinery::quantity::Quantity;

use super::super::report::{PartitionStatus, PoolCounts, PoolStatus, ShareableStatus};
use super::world::{PoolEntry, World};

/// Counter set and counter.
type Account<'a> = (&'a str, &'a str);

/// A device of the pool that is looked at.
struct Member<'a> {
    device: &'a Device,
    /// `spec.partitionTypeAttribute` of its slice.
    attribute: Option<&'a str>,
    in_use: bool,
    tainted: bool,
}

/// What a status request would answer for a pool. `taints` are those in force, by device.
pub(super) fn pool_status(world: &World, pool: usize, taints: &[Vec<DeviceTaint>]) -> PoolStatus {
    let Some(entry) = world.pools.get(pool) else { return PoolStatus::default() };
    let announced = entry.slices.first().map_or(0, |slice| slice.value.pool.resource_slice_count);
    if i64::try_from(entry.slices.len()).is_ok_and(|have| have < announced) {
        let (driver, name, have) = (&entry.driver, &entry.name, entry.slices.len());
        let error = format!(
            "PoolIncomplete: pool {driver}/{name} is incomplete: observed {have}/{announced} slices at generation {}",
            entry.generation
        );
        return PoolStatus { validation_error: Some(error), ..PoolStatus::default() };
    }
    let members = members(world, pool, taints);
    let count = |of: &dyn Fn(&Member<'_>) -> bool| members.iter().filter(|it| of(it)).count();
    let (allocated, unavailable) = (count(&|it| it.in_use), count(&|it| it.tainted));
    let total = members.len();
    let available = total.saturating_sub(allocated).saturating_sub(unavailable);
    let (partitions, error) = match partitions(entry, &members) {
        Ok(partitions) => (partitions, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    PoolStatus {
        counts: Some(PoolCounts { total, allocated, available, unavailable }),
        partitions,
        shareable: shareable(world, pool, &members),
        validation_error: error,
    }
}

fn members<'a>(world: &'a World, pool: usize, taints: &[Vec<DeviceTaint>]) -> Vec<Member<'a>> {
    let devices = world.devices.iter().enumerate().filter(|(_, entry)| entry.pool == pool);
    devices
        .filter_map(|(index, entry)| {
            let hinders =
                |taint: &DeviceTaint| matches!(taint.effect.as_str(), "NoSchedule" | "NoExecute");
            Some(Member {
                device: entry.device()?,
                attribute: entry.slice.partition_type_attribute.as_deref(),
                in_use: world.holdings(index).iter().any(|holding| !holding.is_admin()),
                tainted: taints.get(index).is_some_and(|taints| taints.iter().any(hinders)),
            })
        })
        .collect()
}

/// Per partition type, how many more devices the counters allow; each type for itself.
fn partitions(pool: &PoolEntry, members: &[Member<'_>]) -> Result<Vec<PartitionStatus>, String> {
    if members.iter().all(|member| member.attribute.is_none()) {
        return Ok(Vec::new());
    }
    let (driver, name) = (&pool.driver, &pool.name);
    let mut left = left(pool, members);
    if left.is_empty() {
        return Err(format!(
            "PartitionTypeMissing: pool {driver}/{name} declares partitionTypeAttribute but publishes no sharedCounters"
        ));
    }
    let mut groups: BTreeMap<(&str, &str), Vec<&Member<'_>>> = BTreeMap::new();
    for member in members.iter().filter(|member| !member.device.consumes_counters.is_empty()) {
        let Some(attribute) = member.attribute else { continue };
        let attributes = &member.device.attributes;
        let bare = attribute.strip_prefix(driver.as_str()).and_then(|it| it.strip_prefix('/'));
        let value = attributes.get(attribute).or_else(|| attributes.get(bare?));
        let Some(kind) = value.and_then(|value| value.string.as_deref()) else {
            return Err(format!(
                "PartitionTypeMissing: device \"{}\" in pool {driver}/{name} does not carry partition type attribute \"{attribute}\"",
                member.device.name
            ));
        };
        groups.entry((attribute, kind)).or_default().push(member);
    }
    let mut found = Vec::new();
    for ((attribute, kind), group) in groups {
        let first = group.first().map(|member| draws(member.device));
        if group.iter().any(|member| Some(draws(member.device)) != first) {
            return Err(format!(
                "PartitionCostMismatch: devices of partition type \"{kind}\" in pool {driver}/{name} consume different counters"
            ));
        }
        let before = left.clone();
        let mut allocatable = 0;
        for member in group.iter().filter(|member| !member.in_use) {
            let draws = draws(member.device);
            let fits = draws
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
    Ok(found)
}

/// What devices in use leave of each counter.
fn left<'a>(pool: &'a PoolEntry, members: &[Member<'_>]) -> BTreeMap<Account<'a>, Quantity> {
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

fn deduct(left: &mut BTreeMap<Account<'_>, Quantity>, device: &Device) {
    for ((set, counter), amount) in draws(device) {
        let account = left.iter_mut().find(|((s, c), _)| *s == set && *c == counter);
        if let Some((_, rest)) = account {
            *rest = rest.sub(amount);
        }
    }
}

fn shareable(world: &World, pool: usize, members: &[Member<'_>]) -> Option<ShareableStatus> {
    let shared: Vec<&Member<'_>> = members
        .iter()
        .filter(|member| member.device.allow_multiple_allocations == Some(true))
        .collect();
    if shared.is_empty() {
        return None;
    }
    let mut amounts: BTreeMap<&str, (Quantity, Quantity)> = BTreeMap::new();
    for member in &shared {
        for (name, capacity) in &member.device.capacity {
            let sums = amounts.entry(name).or_default();
            sums.0 = sums.0.add(&capacity.value);
        }
    }
    let devices = world.devices.iter().enumerate().filter(|(_, entry)| entry.pool == pool);
    for (index, _) in devices {
        for holding in world.holdings(index).iter().filter(|holding| !holding.is_admin()) {
            let consumed = holding.result().and_then(|result| result.consumed_capacity.as_ref());
            for (name, amount) in consumed.into_iter().flatten() {
                if let Some(sums) = amounts.get_mut(name.as_str()) {
                    sums.1 = sums.1.add(amount);
                }
            }
        }
    }
    let in_use = shared.iter().filter(|member| member.in_use).count();
    let capacity = amounts.into_iter().map(|(name, (total, consumed))| {
        let rest = total.sub(&consumed);
        let available = if rest.sign() < 0 { Quantity::default() } else { rest };
        [name.to_owned(), total.to_string(), consumed.to_string(), available.to_string()]
    });
    Some(ShareableStatus {
        fully_available: shared.len() - in_use,
        partially_available: in_use,
        capacity: capacity.collect(),
    })
}
