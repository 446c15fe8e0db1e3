use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use dra_playground_cel::order::Gather;

use crate::api::{CapacityRequestPolicy, Device, DeviceAttribute, DeviceCapacity, DeviceTaint};
use crate::apimachinery::quantity::Quantity;

use super::super::report::{
    AttributeView, CapacityView, CardView, CounterUse, DeviceState, DeviceView, Holder, Ledger,
};
use super::Places;
use super::world::{DeviceEntry, Holding, World};

/// All devices of the report. `taints` are those in force by device, rules included.
pub(super) fn device_views(
    world: &World,
    counters: &[Ledger],
    taints: &[Vec<DeviceTaint>],
    places: &dyn Places,
) -> Vec<DeviceView> {
    let ledgers = ledgers_by_pool(world);
    let mut shared = Shared::default();
    world
        .devices
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| {
            let device = entry.device()?;
            let holdings = world.holdings(index);
            let short = counters_short(entry, device, counters, &ledgers);
            let capacity = shared.capacities(entry, device, holdings);
            let state = state(entry, holdings, &capacity, short);
            Some(DeviceView {
                device: entry.key.clone(),
                range: places.field(entry.origin, &format!("spec.devices[{}]", entry.position)),
                node: single_node(entry, device),
                attributes: shared.attributes(&entry.key.driver, device),
                consumes: consumes(device),
                shareable: entry.is_shareable(),
                taints: taints
                    .get(index)
                    .map(|taints| taints.iter().map(taint).collect())
                    .unwrap_or_default(),
                holders: holdings.iter().map(holder).collect(),
                capacity,
                state,
            })
        })
        .collect()
}

fn single_node(entry: &DeviceEntry, device: &Device) -> Option<String> {
    if entry.slice.per_device_node_selection == Some(true) {
        device.node_name.clone()
    } else {
        entry.slice.node_name.clone()
    }
}

/// `key=value:effect`, as `kubectl` writes taints.
pub(super) fn taint(taint: &DeviceTaint) -> String {
    if taint.value.is_empty() {
        format!("{}:{}", taint.key, taint.effect)
    } else {
        format!("{}={}:{}", taint.key, taint.value, taint.effect)
    }
}

fn holder(holding: &Holding) -> Holder {
    let result = holding.result();
    let consumed = result.and_then(|result| result.consumed_capacity.as_ref());
    Holder {
        claim: holding.claim_key(),
        pods: holding.pods.clone(),
        request: result.map(|result| result.request.clone()).unwrap_or_default(),
        share_id: result.and_then(|result| result.share_id.clone()),
        consumed: consumed.map(amounts).unwrap_or_default(),
        admin_access: holding.is_admin(),
    }
}

/// Amounts by name in canonical notation.
pub(super) fn amounts(amounts: &BTreeMap<String, Quantity>) -> Vec<(String, String)> {
    amounts.iter().map(|(name, amount)| (name.clone(), amount.to_string())).collect()
}

fn consumes(device: &Device) -> Vec<CounterUse> {
    let sets = device.consumes_counters.iter();
    sets.flat_map(|uses| {
        uses.counters.iter().map(|(counter, amount)| CounterUse {
            counter_set: uses.counter_set.clone(),
            counter: counter.clone(),
            amount: amount.to_string(),
            units: amount.to_f64(),
        })
    })
    .collect()
}

fn counters_short(
    entry: &DeviceEntry,
    device: &Device,
    counters: &[Ledger],
    ledgers: &BTreeMap<(usize, &str), usize>,
) -> bool {
    device.consumes_counters.iter().any(|uses| {
        let ledger = ledgers.get(&(entry.pool, uses.counter_set.as_str()));
        let Some(ledger) = ledger.and_then(|index| counters.get(*index)) else { return false };
        ledger.columns.iter().any(|column| {
            let wanted = uses.counters.get(&column.name);
            let left = column.left.parse::<Quantity>().ok();
            wanted.zip(left).is_some_and(|(wanted, left)| *wanted > left)
        })
    })
}

/// Capacities that are compared with those of a device, the newest last.
const RECENT: usize = 32;

/// What devices have in common, made once.
#[derive(Default)]
struct Shared<'a> {
    attributes: BTreeMap<(&'a str, &'a str, &'a DeviceAttribute), Arc<AttributeView>>,
    capacities: VecDeque<Arc<CapacityView>>,
}

impl<'a> Shared<'a> {
    /// The attributes of a device with the CEL path of each.
    fn attributes(&mut self, driver: &'a str, device: &'a Device) -> Vec<Arc<AttributeView>> {
        let attributes = device.attributes.iter();
        attributes
            .map(|(name, attribute)| {
                let made = || Arc::new(attribute_view(driver, name, attribute));
                Arc::clone(self.attributes.entry((driver, name, attribute)).or_insert_with(made))
            })
            .collect()
    }

    fn capacities(
        &mut self,
        entry: &DeviceEntry,
        device: &Device,
        holdings: &[Holding],
    ) -> Vec<Arc<CapacityView>> {
        let all = device.capacity.iter();
        all.map(|(name, capacity)| {
            let view = capacity_view(entry, holdings, name, capacity);
            if let Some(known) = self.capacities.iter().rev().find(|known| ***known == view) {
                return Arc::clone(known);
            }
            if self.capacities.len() >= RECENT {
                self.capacities.pop_front();
            }
            let view = Arc::new(view);
            self.capacities.push_back(Arc::clone(&view));
            view
        })
        .collect()
    }
}

fn capacity_view(
    entry: &DeviceEntry,
    holdings: &[Holding],
    name: &str,
    capacity: &DeviceCapacity,
) -> CapacityView {
    let mut left = capacity.value.clone();
    for holding in holdings.iter().filter(|holding| !holding.is_admin()) {
        let consumed = holding.result().and_then(|result| result.consumed_capacity.as_ref());
        match consumed.filter(|_| entry.is_shareable()) {
            Some(consumed) => {
                if let Some(amount) = consumed.get(name) {
                    left = left.sub(amount);
                }
            }
            // Without a share the whole device is taken.
            None => left = left.sub(&capacity.value),
        }
    }
    CapacityView {
        name: name.to_owned(),
        total: capacity.value.to_string(),
        left: left.to_string(),
        policy: capacity.request_policy.as_deref().map(policy).unwrap_or_default(),
        total_units: capacity.value.to_f64(),
        left_units: left.to_f64(),
    }
}

/// A policy in the words of the API: `1Gi to 40Gi by 1Gi, default 40Gi`.
fn policy(policy: &CapacityRequestPolicy) -> String {
    let mut parts = Vec::new();
    if let Some(range) = &policy.valid_range {
        let show = |amount: &Option<Quantity>| amount.as_ref().map(ToString::to_string);
        let mut text = show(&range.min).unwrap_or_else(|| "0".to_owned());
        if let Some(max) = show(&range.max) {
            text = format!("{text} to {max}");
        } else {
            text.push_str(" or more");
        }
        if let Some(step) = show(&range.step) {
            text = format!("{text} by {step}");
        }
        parts.push(text);
    }
    if !policy.valid_values.is_empty() {
        let values: Vec<String> = policy.valid_values.iter().map(ToString::to_string).collect();
        parts.push(values.join(" or "));
    }
    if let Some(default) = &policy.default {
        parts.push(format!("default {default}"));
    }
    parts.join(", ")
}

fn state(
    entry: &DeviceEntry,
    holdings: &[Holding],
    capacity: &[Arc<CapacityView>],
    counters_short: bool,
) -> DeviceState {
    let mut holdings = holdings.iter().filter(|holding| !holding.is_admin()).peekable();
    if holdings.peek().is_none() {
        return if counters_short { DeviceState::CountersShort } else { DeviceState::Free };
    }
    let used_up = capacity.iter().any(|capacity| capacity.left_units <= 0.0);
    if entry.is_shareable() && !used_up { DeviceState::Shared } else { DeviceState::Taken }
}

/// An attribute with its CEL path.
fn attribute_view(driver: &str, name: &str, attribute: &DeviceAttribute) -> AttributeView {
    let (kind, value) = attribute_value(attribute);
    let (domain, id) = name.split_once('/').unwrap_or((driver, name));
    let member = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !id.starts_with(|c: char| c.is_ascii_digit());
    let path = if member {
        format!("device.attributes[\"{domain}\"].{id}")
    } else {
        format!("device.attributes[\"{domain}\"][\"{id}\"]")
    };
    AttributeView { name: name.to_owned(), kind: kind.to_owned(), value, path }
}

fn listed<T>(values: &[T], each: impl Fn(&T) -> String) -> String {
    format!("[{}]", values.iter().map(each).collect::<Vec<_>>().join(", "))
}

/// Type and value as CEL writes them.
pub(in super::super) fn attribute_value(attribute: &DeviceAttribute) -> (&'static str, String) {
    let quoted = |text: &String| serde_json::Value::from(text.as_str()).to_string();
    if let Some(value) = attribute.int {
        ("int", value.to_string())
    } else if let Some(value) = attribute.bool {
        ("bool", value.to_string())
    } else if let Some(value) = &attribute.string {
        ("string", quoted(value))
    } else if let Some(value) = &attribute.version {
        ("version", value.clone())
    } else if let Some(values) = &attribute.ints {
        ("ints", listed(values, ToString::to_string))
    } else if let Some(values) = &attribute.bools {
        ("bools", listed(values, ToString::to_string))
    } else if let Some(values) = &attribute.strings {
        ("strings", listed(values, quoted))
    } else if let Some(values) = &attribute.versions {
        ("versions", listed(values, Clone::clone))
    } else {
        ("", String::new())
    }
}

/// Indexes of the accounts of counter sets by index of the pool and name, in the order of
/// `counter_ledgers`.
fn ledgers_by_pool(world: &World) -> BTreeMap<(usize, &str), usize> {
    let pools = world.pools.iter().enumerate();
    let sets = pools.flat_map(|(index, pool)| {
        let sets = pool.slices.iter().flat_map(|slice| &slice.value.shared_counters);
        sets.map(move |set| (index, set.name.as_str()))
    });
    sets.enumerate().map(|(ledger, set)| (set, ledger)).gathered()
}

/// Devices that draw from the same counter sets, in order of their first device; a device without
/// counters is a card of its own. `in_use` says of a slice of an older generation whether a node goes
/// by it: others are no devices any more.
pub(in super::super) fn cards(
    world: &World,
    counters: &[Ledger],
    in_use: &dyn Fn(&str) -> bool,
) -> Vec<CardView> {
    let ledgers = ledgers_by_pool(world);
    let mut cards: Vec<CardView> = Vec::new();
    let mut card_of_set: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, entry) in world.devices.iter().enumerate() {
        let Some(device) = entry.device() else { continue };
        let is_newest = world.pools.get(entry.pool).is_none_or(|pool| pool.newest);
        if !is_newest && !in_use(&entry.slice.metadata.name) {
            continue;
        }
        let key = &entry.key;
        let sets: Vec<usize> = device
            .consumes_counters
            .iter()
            .filter_map(|uses| ledgers.get(&(entry.pool, uses.counter_set.as_str())))
            .copied()
            .collect();
        let known = sets.iter().find_map(|set| card_of_set.get(set)).copied();
        let card = known.unwrap_or_else(|| {
            cards.push(CardView {
                driver: key.driver.clone(),
                pool: key.pool.clone(),
                ..CardView::default()
            });
            cards.len() - 1
        });
        for set in sets {
            card_of_set.insert(set, card);
            if let Some(card) = cards.get_mut(card)
                && !card.counter_sets.contains(&set)
            {
                card.counter_sets.push(set);
            }
        }
        if let Some(card) = cards.get_mut(card) {
            card.devices.push(index);
        }
    }
    for card in &mut cards {
        card.name = card_name(card, world, counters);
    }
    cards
}

/// What the names of its devices have in common, else the name of its counter set.
fn card_name(card: &CardView, world: &World, counters: &[Ledger]) -> String {
    let names: Vec<&str> = card
        .devices
        .iter()
        .filter_map(|index| world.devices.get(*index))
        .map(|entry| entry.key.device.as_str())
        .collect();
    let Some((first, rest)) = names.split_first() else { return String::new() };
    if rest.is_empty() && card.counter_sets.is_empty() {
        return (*first).to_owned();
    }
    let set = card.counter_sets.first().and_then(|index| counters.get(*index));
    if let Some(set) = set {
        let parts = ["-counters", "-counter-set", "-counterset", "-counter"];
        if let Some(stem) = parts.iter().find_map(|part| set.name.strip_suffix(part)) {
            return stem.to_owned();
        }
    }
    let mut common = (*first).to_owned();
    for name in rest {
        while !name.starts_with(common.as_str()) {
            common.pop();
        }
    }
    // Whole words only: what `gpu-1-a` and `gpu-1-b` share is `gpu-1`.
    if names.iter().any(|name| name.len() > common.len())
        && let Some(end) = common.rfind(['-', '_', '.'])
    {
        common.truncate(end);
    }
    if common.is_empty() { set.map(|set| set.name.clone()).unwrap_or_default() } else { common }
}
