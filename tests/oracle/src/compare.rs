//! Our answer beside the real one.

use dra_playground_core::allocator::Pruning;
use dra_playground_core::conformance::alloc::{self, Comparison, Options};
use dra_playground_core::conformance::{self, cel};
use serde_json::Value;

/// Search calls that ours may make for one node; far more than any generated case needs.
const BUDGET: u64 = 5_000_000;

/// How an answered record compares with ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Ours is the real answer, search calls included where they are recorded.
    Equal,
    /// Ours is one of the answers that the real code gave in several runs: pool order is random.
    AmongSeveral,
    /// They differ, in these words.
    Different(String),
    /// Nothing can be compared, for this reason.
    LeftOut(String),
}

/// Compares answered records with our answers; CEL environments are kept between records.
#[derive(Debug, Default)]
pub struct Comparer {
    memory: cel::Memory,
}

impl Comparer {
    /// Compares one answered record.
    pub fn compare(&mut self, record: &Value) -> Verdict {
        let expected = record.get("expected");
        if expected.and_then(|answer| answer.get("perNode")).is_some() {
            return allocation(record);
        }
        match cel::compare(&record.to_string(), &mut self.memory) {
            Some(conformance::Verdict::Equal) => Verdict::Equal,
            Some(conformance::Verdict::Different(difference)) => Verdict::Different(format!(
                "recorded {}\nours {}",
                difference.expected, difference.found
            )),
            Some(conformance::Verdict::Skipped) => Verdict::LeftOut("left to chance".into()),
            None => Verdict::LeftOut("no comparison for this form".into()),
        }
    }
}

fn allocation(record: &Value) -> Verdict {
    if record.to_string().contains("\"errorKind\":\"timeout\"") {
        return Verdict::LeftOut("the real search took too long".into());
    }
    let nodes = record.pointer("/expected/perNode").and_then(Value::as_array);
    if nodes.into_iter().flatten().all(|node| node.get("nondeterministic").is_none()) {
        return with_pruning(&without_unstable_sequence(record));
    }
    for node in nodes.into_iter().flatten() {
        if let Verdict::Different(text) = one_of(record, node) {
            return Verdict::Different(text);
        }
    }
    Verdict::AmongSeveral
}

/// Leaves the sequence away where it differs from run to run, so that the rest is compared.
fn without_unstable_sequence(record: &Value) -> Value {
    let mut record = record.clone();
    if let Some(expected) = record.get_mut("expected").and_then(Value::as_object_mut)
        && expected.remove("unstable").is_some()
    {
        expected.remove("sequence");
    }
    record
}

/// The same answers are wanted with and without pruning; without it the same search calls too.
fn with_pruning(record: &Value) -> Verdict {
    let line = record.to_string();
    let text = |path: &str| record.pointer(path).and_then(Value::as_str).unwrap_or_default();
    // The stable variant did not count its search calls before 1.36.
    let uncounted = text("/expected/allocator") == "stable"
        && ["1.34.", "1.35."].iter().any(|minor| text("/kubernetes").starts_with(minor));
    let ways = if uncounted { &[Pruning::Proven][..] } else { &[Pruning::Off, Pruning::Proven] };
    for pruning in ways.iter().copied() {
        match alloc::compare(&line, Options { pruning, budget: Some(BUDGET) }) {
            Comparison::Equal => {}
            Comparison::Different(text) => {
                return Verdict::Different(format!("pruning {pruning:?}: {text}"));
            }
            Comparison::Skipped(reason) => return Verdict::LeftOut(reason.to_owned()),
        }
    }
    Verdict::Equal
}

/// Whether our answer for a node is one of those that the real code gave.
fn one_of(record: &Value, node: &Value) -> Verdict {
    let mut answers = vec![node.clone()];
    answers.extend(node.get("others").and_then(Value::as_array).into_iter().flatten().cloned());
    let mut first = None;
    for mut answer in answers {
        if let Some(fields) = answer.as_object_mut() {
            fields.remove("nondeterministic");
            fields.remove("others");
            // The number of steps follows the order of pools as well.
            fields.remove("allocateOneCalls");
        }
        let mut single = record.clone();
        if let Some(expected) = single.get_mut("expected").and_then(Value::as_object_mut) {
            expected.insert("perNode".into(), Value::Array(vec![answer]));
            expected.remove("sequence");
            expected.remove("unstable");
        }
        let options = Options { pruning: Pruning::Proven, budget: Some(BUDGET) };
        match alloc::compare(&single.to_string(), options) {
            Comparison::Equal => return Verdict::AmongSeveral,
            Comparison::Different(text) => {
                first.get_or_insert(text);
            }
            Comparison::Skipped(reason) => return Verdict::LeftOut(reason.to_owned()),
        }
    }
    Verdict::Different(first.unwrap_or_default())
}
