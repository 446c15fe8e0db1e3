//! The verdict matrix: rows of devices that are treated alike by every request shown.

use std::collections::BTreeMap;

use dra_playground_core::workspace::Order;
use dra_playground_core::workspace::report::{Family, RequestVerdicts, Snapshot};

use super::format;
use super::places::plain;

/// A row: devices with the same verdict in every column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Indexes into the snapshot's devices.
    pub(crate) devices: Vec<usize>,
    /// For each column the index of its verdict group; `None` when it says nothing.
    pub(crate) groups: Vec<Option<usize>>,
}

/// The rows for some columns, in device order.
pub(crate) fn rows(snapshot: &Snapshot, columns: &[&RequestVerdicts]) -> Vec<Row> {
    let size = snapshot.devices.len();
    let by_column: Vec<Vec<Option<usize>>> =
        columns.iter().map(|verdicts| group_of_device(verdicts, size)).collect();
    let mut order: BTreeMap<Vec<Option<usize>>, usize> = BTreeMap::new();
    let mut rows: Vec<Row> = Vec::new();
    for device in 0..size {
        let groups: Vec<Option<usize>> =
            by_column.iter().map(|column| column.get(device).copied().flatten()).collect();
        if groups.iter().all(Option::is_none) {
            continue;
        }
        let at = *order.entry(groups.clone()).or_insert_with(|| {
            rows.push(Row { devices: Vec::new(), groups });
            rows.len() - 1
        });
        if let Some(row) = rows.get_mut(at) {
            row.devices.push(device);
        }
    }
    rows
}

fn group_of_device(verdicts: &RequestVerdicts, size: usize) -> Vec<Option<usize>> {
    let mut out = vec![None; size];
    for (index, group) in verdicts.groups.iter().enumerate() {
        for device in &group.devices {
            if let Some(slot) = out.get_mut(*device) {
                *slot = Some(index);
            }
        }
    }
    out
}

/// A filter chip: verdicts with one code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chip {
    /// Code.
    pub(crate) code: String,
    /// Code in words.
    pub(crate) label: String,
    /// Family.
    pub(crate) family: Family,
    /// How many verdicts.
    pub(crate) count: usize,
}

/// All codes of some columns with their numbers, by family.
pub(crate) fn chips(columns: &[&RequestVerdicts]) -> Vec<Chip> {
    let mut chips: Vec<Chip> = Vec::new();
    for group in columns.iter().flat_map(|verdicts| &verdicts.groups) {
        match chips.iter_mut().find(|chip| chip.code == group.code) {
            Some(chip) => chip.count += group.devices.len(),
            None => chips.push(Chip {
                code: group.code.clone(),
                label: group.label.clone(),
                family: group.family,
                count: group.devices.len(),
            }),
        }
    }
    chips.order_by(|a, b| (a.family, a.count, &a.code).cmp(&(b.family, b.count, &b.code)));
    chips
}

/// What is left of a row when only verdicts of a code are wanted, and every word of the filter in the
/// reason or in the name of a device; `None` when that is nothing.
pub(crate) fn narrowed(
    snapshot: &Snapshot,
    columns: &[&RequestVerdicts],
    row: &Row,
    code: &str,
    filter: &str,
) -> Option<Row> {
    let pairs = columns.iter().zip(&row.groups);
    let groups: Vec<_> =
        pairs.filter_map(|(verdicts, group)| verdicts.groups.get((*group)?)).collect();
    if !code.is_empty() && !groups.iter().any(|group| group.code == code) {
        return None;
    }
    let mut reasons = String::new();
    for group in &groups {
        for part in [&group.label, &group.code, &plain(&group.detail)] {
            reasons.push_str(part);
            reasons.push(' ');
        }
    }
    let reasons = reasons.to_lowercase();
    let filter = filter.to_lowercase();
    let words: Vec<&str> =
        filter.split_whitespace().filter(|word| !reasons.contains(word)).collect();
    let mut row = row.clone();
    row.devices.retain(|index| {
        let device = snapshot.devices.get(*index);
        let path = || device.map(|it| format::device_path(&it.device).to_lowercase());
        words.is_empty() || path().is_some_and(|path| words.iter().all(|it| path.contains(it)))
    });
    (!row.devices.is_empty()).then_some(row)
}
