use std::collections::{BTreeMap, BTreeSet};

use dra_playground_cel::order::Order;

use crate::api::{CapacityRequestPolicy, CounterSet, Device, ResourceClaim};
use crate::apimachinery::quantity::Quantity;
use crate::explain::words::{Catalogue, Key};

use super::super::report::{Ledger, LedgerColumn, LedgerEntry};
use super::Places;
use super::world::{Holding, World};

/// The accounts of all counter sets, by pool and order of publication.
pub(in super::super) fn counter_ledgers(
    world: &World,
    places: &dyn Places,
    words: &Catalogue,
) -> Vec<Ledger> {
    let mut ledgers = Vec::new();
    for (index, pool) in world.pools.iter().enumerate() {
        for slice in &pool.slices {
            for (position, set) in slice.value.shared_counters.iter().enumerate() {
                let path = format!("spec.sharedCounters[{position}]");
                let mut ledger = Ledger {
                    driver: pool.driver.clone(),
                    pool: pool.name.clone(),
                    name: set.name.clone(),
                    range: places.field(slice.origin, &path),
                    columns: columns(set.counters.iter()),
                    entries: Vec::new(),
                    marks: Vec::new(),
                };
                book_counters(&mut ledger, world, index, set, words);
                ledgers.push(ledger);
            }
        }
    }
    ledgers
}

/// Books what the devices of a pool take from one of its counter sets.
fn book_counters(
    ledger: &mut Ledger,
    world: &World,
    pool: usize,
    set: &CounterSet,
    words: &Catalogue,
) {
    let mut left: Vec<Quantity> = set.counters.values().cloned().collect();
    let mut booked: Vec<(usize, LedgerEntry)> = Vec::new();
    let mut names = BTreeSet::new();
    for (device, entry) in world.devices.iter().enumerate().filter(|(_, entry)| entry.pool == pool)
    {
        let Some(uses) = entry.device().map(|device| uses_of(device, &set.name)) else { continue };
        if uses.is_empty() || !names.insert(&entry.key.device) {
            continue;
        }
        let mut charged = false;
        for holding in world.holdings(device).iter().filter(|holding| !holding.is_admin()) {
            let mut line = entry_of(holding, world, device);
            for (column, name) in set.counters.keys().enumerate() {
                // A shared device is charged once, however many shares it has.
                let amount = uses.get(name.as_str()).filter(|_| !charged).copied();
                push_amount(&mut line, amount);
                if let (Some(amount), Some(rest)) = (amount, left.get_mut(column)) {
                    *rest = rest.sub(amount);
                }
            }
            if charged {
                words.word(Key::RuleChargedOnce).clone_into(&mut line.rule);
            }
            charged = true;
            booked.push((holding.step, line));
        }
    }
    booked.order_by_key(|(step, _)| *step);
    ledger.entries = booked.into_iter().map(|(_, line)| line).collect();
    set_left(&mut ledger.columns, &left);
}

/// What a device takes from one counter set, by counter.
fn uses_of<'a>(device: &'a Device, set: &str) -> BTreeMap<&'a str, &'a Quantity> {
    let sets = device.consumes_counters.iter().filter(|uses| uses.counter_set == set);
    sets.flat_map(|uses| uses.counters.iter().map(|(name, amount)| (name.as_str(), amount)))
        .collect()
}

/// The accounts of all shareable devices with capacity, in order of devices.
pub(super) fn capacity_ledgers(
    world: &World,
    places: &dyn Places,
    words: &Catalogue,
) -> Vec<Ledger> {
    let mut ledgers = Vec::new();
    for (index, entry) in world.devices.iter().enumerate() {
        let Some(device) = entry.device() else { continue };
        if !entry.is_shareable() || device.capacity.is_empty() {
            continue;
        }
        let mut left: Vec<Quantity> =
            device.capacity.values().map(|capacity| capacity.value.clone()).collect();
        let mut ledger = Ledger {
            driver: entry.key.driver.clone(),
            pool: entry.key.pool.clone(),
            name: entry.key.device.clone(),
            range: places.field(entry.origin, &format!("spec.devices[{}]", entry.position)),
            columns: columns(
                device.capacity.iter().map(|(name, capacity)| (name, &capacity.value)),
            ),
            entries: Vec::new(),
            marks: Vec::new(),
        };
        for holding in world.holdings(index).iter().filter(|holding| !holding.is_admin()) {
            ledger.entries.push(share(holding, world, index, device, &mut left, words));
        }
        set_left(&mut ledger.columns, &left);
        ledgers.push(ledger);
    }
    ledgers
}

/// Books one share of a device.
fn share(
    holding: &Holding,
    world: &World,
    index: usize,
    device: &Device,
    left: &mut [Quantity],
    words: &Catalogue,
) -> LedgerEntry {
    let mut line = entry_of(holding, world, index);
    let consumed = holding.result().and_then(|result| result.consumed_capacity.as_ref());
    let mut rules = BTreeSet::new();
    for ((name, capacity), rest) in device.capacity.iter().zip(left) {
        // A holder without share has all of it.
        let amount = match consumed {
            Some(consumed) => consumed.get(name),
            None => Some(&capacity.value),
        };
        push_amount(&mut line, amount);
        let Some(amount) = amount else { continue };
        *rest = rest.sub(amount);
        if consumed.is_some() {
            let asked = asked_capacity(&holding.claim, &line.request, name);
            let rule = rule(asked, amount, capacity.request_policy.as_deref(), words);
            rules.insert(if device.capacity.len() > 1 { format!("{name}: {rule}") } else { rule });
        }
    }
    line.rule = rules.into_iter().collect::<Vec<_>>().join("; ");
    line
}

/// The amount that a request asks of a capacity. `request` may be `request/subrequest`.
fn asked_capacity<'a>(claim: &'a ResourceClaim, request: &str, name: &str) -> Option<&'a Quantity> {
    let (parent, sub) = request.split_once('/').map_or((request, None), |(p, s)| (p, Some(s)));
    let found = claim.spec.requests.iter().find(|candidate| candidate.name == parent)?;
    let exact = match sub {
        None => found.exactly.as_ref()?,
        Some(sub) => &found.first_available.iter().find(|candidate| candidate.name == sub)?.request,
    };
    exact.capacity_requests.as_ref()?.get(name)
}

/// How a consumed amount came about.
fn rule(
    asked: Option<&Quantity>,
    amount: &Quantity,
    policy: Option<&CapacityRequestPolicy>,
    words: &Catalogue,
) -> String {
    let default = policy.and_then(|policy| policy.default.as_ref());
    let amount_text = || amount.to_string().into();
    let phrase = match (asked, default) {
        (None, Some(_)) => words.say(Key::RuleDefault, &[("amount", amount_text())]),
        (None, None) => words.say(Key::RuleWhole, &[]),
        (Some(asked), _) if asked == amount => words.say(Key::RuleAsAsked, &[]),
        (Some(asked), _) => {
            let asked = || asked.to_string().into();
            let range = policy.and_then(|policy| policy.valid_range.as_ref());
            match range {
                Some(range) if range.min.as_ref() == Some(amount) => {
                    words.say(Key::RuleMin, &[("asked", asked()), ("min", amount_text())])
                }
                Some(range) => {
                    let step = range.step.as_ref().map(ToString::to_string).unwrap_or_default();
                    let values =
                        [("asked", asked()), ("amount", amount_text()), ("step", step.into())];
                    words.say(Key::RuleStep, &values)
                }
                None => {
                    words.say(Key::RuleValues, &[("asked", asked()), ("amount", amount_text())])
                }
            }
        }
    };
    phrase.to_string()
}

fn columns<'a>(totals: impl Iterator<Item = (&'a String, &'a Quantity)>) -> Vec<LedgerColumn> {
    totals
        .map(|(name, total)| LedgerColumn {
            name: name.clone(),
            total: total.to_string(),
            left: total.to_string(),
            total_units: total.to_f64(),
            left_units: total.to_f64(),
        })
        .collect()
}

fn set_left(columns: &mut [LedgerColumn], left: &[Quantity]) {
    for (column, left) in columns.iter_mut().zip(left) {
        column.left = left.to_string();
        column.left_units = left.to_f64();
    }
}

fn entry_of(holding: &Holding, world: &World, device: usize) -> LedgerEntry {
    let result = holding.result();
    LedgerEntry {
        claim: holding.claim_key(),
        pods: holding.pods.clone(),
        request: result.map(|result| result.request.clone()).unwrap_or_default(),
        device: world.devices.get(device).map(|entry| entry.key.clone()).unwrap_or_default(),
        share_id: result.and_then(|result| result.share_id.clone()),
        step: holding.step,
        ..LedgerEntry::default()
    }
}

fn push_amount(line: &mut LedgerEntry, amount: Option<&Quantity>) {
    line.amounts.push(amount.map(ToString::to_string).unwrap_or_default());
    line.units.push(amount.map(Quantity::to_f64).unwrap_or_default());
}
