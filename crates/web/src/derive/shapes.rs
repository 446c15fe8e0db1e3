//! A card to scale: its shapes over one axis, what is held, and what sticks out.

use std::cmp::Ordering;

use dra_playground_core::workspace::Order;
use dra_playground_core::workspace::report::{
    CardView, DeviceState, DeviceView, Ledger, RequestVerdicts, Snapshot, VerdictGroup,
};

/// How a shape stands in the request in question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Not asked for.
    #[default]
    Quiet,
    /// Asked for, and refused.
    Refused,
    /// Asked for, and given.
    Given,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    /// Index into the snapshot's devices.
    pub(crate) device: usize,
    /// Left edge, 0 to 1 of the card.
    pub(crate) x: f64,
    /// Width, 0 to 1 of the card.
    pub(crate) width: f64,
    /// Whether it can still be had.
    pub(crate) state: DeviceState,
    /// How it stands in the request in question.
    pub(crate) fate: Fate,
    /// What it draws from the counter that gives the scale, canonical notation.
    pub(crate) amount: String,
}

/// A gauge: one counter of the card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gauge {
    /// Counter.
    pub(crate) name: String,
    /// Total, canonical notation.
    pub(crate) total: String,
    /// Left, canonical notation.
    pub(crate) left: String,
    /// Bookings: width, 0 to 1 of the card, and whose.
    pub(crate) held: Vec<(f64, Vec<String>)>,
    /// What is asked and not there: width, 0 to 1 of the card, and the amount asked.
    pub(crate) short: Option<(f64, String)>,
}

/// A share of a shareable device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slab {
    /// Left edge, 0 to 1 of the device.
    pub(crate) x: f64,
    /// Width, 0 to 1 of the device.
    pub(crate) width: f64,
    /// Who has it, or asks for it.
    pub(crate) pods: String,
    /// Amounts.
    pub(crate) amounts: String,
    /// Share, when it is booked.
    pub(crate) share_id: Option<String>,
    /// Whether it was asked for and does not fit.
    pub(crate) refused: bool,
}

/// A shareable device opened: its shares along one capacity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opened {
    /// Index into the snapshot's devices.
    pub(crate) device: usize,
    /// The capacity drawn.
    pub(crate) capacity: String,
    /// Its total.
    pub(crate) total: String,
    /// What is left of it.
    pub(crate) left: String,
    /// The shares.
    pub(crate) slabs: Vec<Slab>,
}

/// Everything drawn of one card.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CardPicture {
    /// Rows of shapes; those of one row can be had together.
    pub(crate) rows: Vec<Vec<Shape>>,
    /// Name and total of the counter that gives the scale.
    pub(crate) scale: Option<(String, String)>,
    /// Gauges, the scale's counter first.
    pub(crate) gauges: Vec<Gauge>,
    /// Shareable devices with shares, or asked for.
    pub(crate) opened: Vec<Opened>,
}

/// Draws one card as the request in question sees it.
pub(crate) fn card(
    snapshot: &Snapshot,
    card: &CardView,
    verdicts: Option<&RequestVerdicts>,
) -> CardPicture {
    let members: Vec<(usize, &DeviceView)> = card
        .devices
        .iter()
        .filter_map(|index| snapshot.devices.get(*index).map(|device| (*index, device)))
        .collect();
    let ledger = card.counter_sets.first().and_then(|it| snapshot.counter_sets.get(*it));
    let column = ledger.map_or(0, |ledger| main_column(ledger, verdicts, &members));
    let scale = ledger.and_then(|ledger| ledger.columns.get(column));
    let amount = |device: &DeviceView| -> (f64, String) {
        let Some((ledger, scale)) = ledger.zip(scale) else { return (1.0, String::new()) };
        let drawn = draw_of(device, &ledger.name, &scale.name);
        drawn.map_or((0.0, String::new()), |it| (it.0, it.1.to_owned()))
    };
    let total = scale.map_or(1.0, |scale| scale.total_units).max(f64::MIN_POSITIVE);
    let mut sized: Vec<((f64, String), usize, &DeviceView)> =
        members.iter().map(|(index, device)| (amount(device), *index, *device)).collect();
    // Largest shapes on top; a stable sort keeps the devices' order within a size.
    sized.order_by(|a, b| b.0.0.total_cmp(&a.0.0));
    CardPicture {
        rows: pack(&sized, total, verdicts),
        scale: scale.map(|it| (it.name.clone(), it.total.clone())),
        gauges: ledger.map(|it| gauges(it, column, &members, verdicts)).unwrap_or_default(),
        opened: members
            .iter()
            .filter_map(|(index, device)| open(snapshot, *index, device, verdicts))
            .collect(),
    }
}

/// What a device draws from a counter: base units and notation.
pub(crate) fn draw_of<'a>(
    device: &'a DeviceView,
    set: &str,
    counter: &str,
) -> Option<(f64, &'a str)> {
    let mut uses = device.consumes.iter();
    let found = uses.find(|it| it.counter_set == set && it.counter == counter)?;
    Some((found.units, &found.amount))
}

/// The counter that tells the shapes apart best gives the scale; of several, one that is short, then
/// memory, then the largest.
fn main_column(
    ledger: &Ledger,
    verdicts: Option<&RequestVerdicts>,
    members: &[(usize, &DeviceView)],
) -> usize {
    let refused = refused_by_counters(members, verdicts);
    let rank = |at: usize| {
        let column = ledger.columns.get(at)?;
        let draw = |device| draw_of(device, &ledger.name, &column.name).map(|it| it.0);
        let mut draws: Vec<f64> = members.iter().filter_map(|(_, it)| draw(it)).collect();
        draws.order_by(f64::total_cmp);
        draws.dedup();
        let short = refused.and_then(draw).is_some_and(|it| it > column.left_units);
        Some((draws.len(), short, column.name == "memory", column.total_units))
    };
    let mut best = 0;
    for at in 1..ledger.columns.len() {
        if rank(at).partial_cmp(&rank(best)).is_some_and(Ordering::is_gt) {
            best = at;
        }
    }
    best
}

fn pack(
    sized: &[((f64, String), usize, &DeviceView)],
    total: f64,
    verdicts: Option<&RequestVerdicts>,
) -> Vec<Vec<Shape>> {
    let mut rows: Vec<Vec<Shape>> = Vec::new();
    let mut size = f64::NAN;
    for ((amount, written), index, device) in sized {
        let width = (amount / total).clamp(0.04, 1.0);
        let end = rows.last().and_then(|row| row.last()).map_or(1.0, |shape| shape.x + shape.width);
        let beside = amount.total_cmp(&size).is_eq() && end + width <= 1.000_001;
        let shape = Shape {
            device: *index,
            x: if beside { end } else { 0.0 },
            width,
            state: device.state,
            fate: fate(*index, verdicts),
            amount: written.clone(),
        };
        match rows.last_mut() {
            Some(row) if beside => row.push(shape),
            _ => rows.push(vec![shape]),
        }
        size = *amount;
    }
    rows
}

fn group_of(device: usize, verdicts: Option<&RequestVerdicts>) -> Option<&VerdictGroup> {
    verdicts?.groups.iter().find(|group| group.devices.contains(&device))
}

/// A device that gets past its selectors is one that the request wants.
fn fate(device: usize, verdicts: Option<&RequestVerdicts>) -> Fate {
    match group_of(device, verdicts) {
        Some(group) if group.code == "chosen" => Fate::Given,
        Some(group)
            if matches!(
                group.stage.as_str(),
                "capacity" | "counters" | "taints" | "constraints"
            ) =>
        {
            Fate::Refused
        }
        _ => Fate::Quiet,
    }
}

fn refused_by_counters<'a>(
    members: &[(usize, &'a DeviceView)],
    verdicts: Option<&RequestVerdicts>,
) -> Option<&'a DeviceView> {
    let refused =
        |index: usize| group_of(index, verdicts).is_some_and(|group| group.stage == "counters");
    members.iter().find(|(index, _)| refused(*index)).map(|(_, device)| *device)
}

fn gauges(
    ledger: &Ledger,
    first: usize,
    members: &[(usize, &DeviceView)],
    verdicts: Option<&RequestVerdicts>,
) -> Vec<Gauge> {
    let refused = refused_by_counters(members, verdicts);
    let mut order: Vec<usize> = (0..ledger.columns.len()).collect();
    order.order_by_key(|at| (*at != first, *at));
    let gauge = |at: usize| {
        let column = ledger.columns.get(at)?;
        let total = column.total_units.max(f64::MIN_POSITIVE);
        let held = ledger.entries.iter().filter_map(|entry| {
            let width = entry.units.get(at).copied()? / total;
            (width > 0.0).then(|| (width, entry.pods.clone()))
        });
        let short = refused.and_then(|device| {
            let (units, amount) = draw_of(device, &ledger.name, &column.name)?;
            let missing = (units - column.left_units.max(0.0)) / total;
            (missing > 0.0).then(|| (missing, amount.to_owned()))
        });
        Some(Gauge {
            name: column.name.clone(),
            total: column.total.clone(),
            left: column.left.clone(),
            held: held.collect(),
            short,
        })
    };
    order.into_iter().filter_map(gauge).collect()
}

fn open(
    snapshot: &Snapshot,
    index: usize,
    device: &DeviceView,
    verdicts: Option<&RequestVerdicts>,
) -> Option<Opened> {
    let key = &device.device;
    let ledger = snapshot
        .capacities
        .iter()
        .find(|it| it.driver == key.driver && it.pool == key.pool && it.name == key.device)?;
    let refused = group_of(index, verdicts)
        .filter(|group| group.stage == "capacity" && !group.asked.is_empty());
    if ledger.entries.is_empty() && refused.is_none() {
        return None;
    }
    let memory = ledger.columns.iter().position(|column| column.name.ends_with("memory"));
    let at = memory.unwrap_or(0);
    let column = ledger.columns.get(at)?;
    let total = column.total_units.max(f64::MIN_POSITIVE);
    let mut x = 0.0;
    let mut slabs: Vec<Slab> = Vec::new();
    for entry in &ledger.entries {
        let width = entry.units.get(at).copied().unwrap_or(0.0) / total;
        slabs.push(Slab {
            x,
            width,
            pods: entry.pods.join(", "),
            amounts: entry.amounts.join(", "),
            share_id: entry.share_id.clone(),
            refused: false,
        });
        x += width;
    }
    if let Some((verdicts, group)) = verdicts.zip(refused) {
        let asked = group.asked.iter().find(|it| it.name == column.name);
        let amounts: Vec<&str> = group.asked.iter().map(|it| it.amount.as_str()).collect();
        slabs.push(Slab {
            x,
            width: asked.map_or(0.25, |it| it.units / total).clamp(0.02, 1.0),
            pods: verdicts.pod.as_ref().unwrap_or(&verdicts.claim).name.clone(),
            amounts: amounts.join(", "),
            share_id: None,
            refused: true,
        });
    }
    Some(Opened {
        device: index,
        capacity: column.name.clone(),
        total: column.total.clone(),
        left: column.left.clone(),
        slabs,
    })
}
