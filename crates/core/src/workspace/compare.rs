//! Two analyses side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;

use dra_playground_cel::order::Gather;

use crate::explain::words::catalogue;

use super::Last;
use super::report::{
    AllocatedDevice, Behavior, CompareCell, CompareRow, Comparison, Kubernetes, LedgerColumn,
    ObjectKey, Options, Phrase, PodView, Snapshot,
};

impl Last {
    /// This analysis on the left, another one on the right.
    pub(super) fn compare(&self, text: Option<&str>, options: &Options) -> Comparison {
        let step = options.step;
        let decides =
            Options { step: None, language: self.options.language.clone(), ..options.clone() };
        let text = text.map_or_else(|| Rc::clone(&self.text), Into::into);
        let other = Last::new(&text, decides);
        let newest = other.timeline.steps.len().saturating_sub(1);
        let (left, right) = (self.outcome(self.step), other.outcome(step.unwrap_or(newest)));
        let cells = |snapshot: &Snapshot| -> BTreeMap<ObjectKey, CompareCell> {
            snapshot.pods.iter().map(|pod| (pod.object.clone(), cell(snapshot, pod))).collect()
        };
        let (of_left, of_right) = (cells(&left), cells(&right));
        let keys = left.pods.iter().map(|pod| &pod.object);
        let new = right.pods.iter().map(|pod| &pod.object).filter(|it| !of_left.contains_key(it));
        let rows: Vec<CompareRow> = keys
            .chain(new)
            .map(|object| {
                let (left, right) = (of_left.get(object), of_right.get(object));
                let outcome = |cell: &CompareCell| {
                    (cell.status.clone(), cell.node.clone(), cell.devices.clone())
                };
                CompareRow {
                    object: object.clone(),
                    differs: left.map(outcome) != right.map(outcome),
                    left: left.cloned(),
                    right: right.cloned(),
                }
            })
            .collect();
        Comparison {
            left: name(&self.report.kubernetes),
            right: name(&other.report.kubernetes),
            differences: rows.iter().filter(|row| row.differs).count(),
            rows,
            balances: balances(&left, &right),
        }
    }

    pub(super) fn outcome(&self, step: usize) -> Snapshot {
        let words = catalogue(&self.options.language);
        self.shown(&words).outcome(step)
    }
}

/// Accounts whose balances differ.
fn balances(left: &Snapshot, right: &Snapshot) -> Vec<[String; 3]> {
    let all = |snapshot: &Snapshot| -> BTreeMap<String, (String, bool)> {
        let ledgers = snapshot.counter_sets.iter().chain(&snapshot.capacities);
        let columns = ledgers.flat_map(|ledger| {
            let named = |column: &LedgerColumn| {
                let name = format!("{}/{} {}", ledger.pool, ledger.name, column.name);
                (name, (column.left.clone(), column.left != column.total))
            };
            ledger.columns.iter().map(named).collect::<Vec<_>>()
        });
        columns.collect()
    };
    let (left, right) = (all(left), all(right));
    let names: BTreeSet<&String> = left.keys().chain(right.keys()).gathered();
    let of = |side: &BTreeMap<String, (String, bool)>, name: &String| {
        side.get(name).map_or_else(|| "—".to_owned(), |(left, _)| left.clone())
    };
    let differs = |name: &&String| match (left.get(*name), right.get(*name)) {
        (Some((left, _)), Some((right, _))) => left != right,
        // An account that the other side does not keep matters when something was taken.
        (one, other) => one.or(other).is_some_and(|(_, used)| *used),
    };
    let names = names.into_iter().filter(differs);
    names.map(|name| [name.clone(), of(&left, name), of(&right, name)]).collect()
}

/// What decides: release, gates that are not at their default, behavior.
fn name(kubernetes: &Kubernetes) -> String {
    let mut name = format!("Kubernetes {}", kubernetes.version);
    let changed = kubernetes.gates.iter().filter(|gate| gate.enabled != gate.default);
    for gate in changed {
        let _ = write!(name, ", {}={}", gate.name, gate.enabled);
    }
    if kubernetes.behavior == Behavior::Fixed {
        name.push_str(", fixed");
    }
    name
}

fn cell(snapshot: &Snapshot, pod: &PodView) -> CompareCell {
    let claims = snapshot.claims.iter().filter(|claim| pod.claims.contains(&claim.object));
    CompareCell {
        status: pod.status.clone(),
        node: pod.node.clone(),
        devices: claims.flat_map(|claim| &claim.devices).map(device).collect(),
        cause: plain(&pod.cause),
        family: pod.family,
    }
}

fn device(allocated: &AllocatedDevice) -> String {
    let amounts: Vec<String> =
        allocated.consumed.iter().map(|(name, amount)| format!("{name} {amount}")).collect();
    let name = &allocated.device.device;
    if amounts.is_empty() { name.clone() } else { format!("{name} ({})", amounts.join(", ")) }
}

fn plain(phrase: &Phrase) -> String {
    phrase.0.iter().map(|piece| piece.text.as_str()).collect()
}
