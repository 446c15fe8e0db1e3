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

/// Whether a row has a verdict with the code and every word of the filter.
pub(crate) fn passes(
    snapshot: &Snapshot,
    columns: &[&RequestVerdicts],
    row: &Row,
    code: &str,
    filter: &str,
) -> bool {
    let groups = || {
        let pairs = columns.iter().zip(&row.groups);
        pairs.filter_map(|(verdicts, group)| verdicts.groups.get((*group)?))
    };
    if !code.is_empty() && !groups().any(|group| group.code == code) {
        return false;
    }
    if filter.trim().is_empty() {
        return true;
    }
    let mut hay = String::new();
    for group in groups() {
        for part in [&group.label, &group.code, &plain(&group.detail)] {
            hay.push_str(part);
            hay.push(' ');
        }
    }
    for device in row.devices.iter().filter_map(|index| snapshot.devices.get(*index)) {
        hay.push_str(&format::device_path(&device.device));
        hay.push(' ');
    }
    let hay = hay.to_lowercase();
    filter.to_lowercase().split_whitespace().all(|word| hay.contains(word))
}
