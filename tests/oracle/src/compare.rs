//! Our answer beside the real one.

use std::collections::BTreeSet;

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
            return match allocation(&without_addresses(record)) {
                // Go visits the attributes of a device in random order.
                Verdict::Different(text)
                    if text.contains(FAULTY_ATTRIBUTE) && has_several_faults(record) =>
                {
                    Verdict::LeftOut("map order shows".into())
                }
                verdict => verdict,
            };
        }
        match cel::compare(&record.to_string(), &mut self.memory) {
            Some(conformance::Verdict::Equal) => Verdict::Equal,
            // Go visits maps in random order, which shows in costs, lists and in which of several
            // errors comes first.
            Some(conformance::Verdict::Different(_)) if may_vary(record) => {
                Verdict::LeftOut("map order shows".into())
            }
            Some(conformance::Verdict::Different(difference))
                if difference.found.contains("is not known to the playground") =>
            {
                Verdict::LeftOut("we say that we do not know".into())
            }
            Some(conformance::Verdict::Different(difference)) => Verdict::Different(format!(
                "recorded {}\nours {}",
                difference.expected, difference.found
            )),
            Some(conformance::Verdict::Skipped) => Verdict::LeftOut("left to chance".into()),
            None => Verdict::LeftOut("no comparison for this form".into()),
        }
    }
}

/// Whether repeated runs of the real code disagreed.
fn may_vary(record: &Value) -> bool {
    let answer = record.get("expected").or(record.get("expect"));
    answer.and_then(|answer| answer.get("costMayVary")) == Some(&Value::Bool(true))
}

fn allocation(record: &Value) -> Verdict {
    if record.to_string().contains("\"errorKind\":\"timeout\"") {
        return Verdict::LeftOut("the real search took too long".into());
    }
    let nodes = record.pointer("/expected/perNode").and_then(Value::as_array);
    let varies = nodes.into_iter().flatten().any(|node| node.get("nondeterministic").is_some());
    if !varies {
        let verdict = with_pruning(&without_unstable_sequence(record));
        // That several runs were equal can be chance.
        if !(matches!(verdict, Verdict::Different(_)) && is_random(record)) {
            return verdict;
        }
    }
    let options = Options { pruning: Pruning::Proven, budget: Some(BUDGET) };
    match alloc::compare_any_order(&record.to_string(), options) {
        Comparison::Equal => Verdict::AmongSeveral,
        Comparison::Different(text) => Verdict::Different(text),
        Comparison::Skipped(reason) => Verdict::LeftOut(reason.to_owned()),
    }
}

/// How messages about attributes that are no values begin.
const FAULTY_ATTRIBUTE: &str = "CEL runtime error: attribute ";

/// Whether a device has several attributes that may not become values.
fn has_several_faults(record: &Value) -> bool {
    let slices = record.get("resourceSlices").and_then(Value::as_array).into_iter().flatten();
    let devices = slices.filter_map(|slice| slice.pointer("/spec/devices")?.as_array()).flatten();
    let mut attributes = devices.filter_map(|device| device.get("attributes")?.as_object());
    let is_plain = |attribute: &Value| {
        ["int", "bool", "string"].iter().any(|kind| attribute.get(kind).is_some())
    };
    attributes.any(|all| all.values().filter(|one| !is_plain(one)).count() > 1)
}

/// What stands around the dump of a device in a message.
const DUMP: (&str, &str, &str) = (" for device &Device{Name:", ",", " in slice ");

/// The record with names where messages show whole devices: Go prints the addresses of their
/// values, which are other ones in every run.
fn without_addresses(record: &Value) -> Value {
    if !record.to_string().contains(DUMP.0) {
        return record.clone();
    }
    match record {
        Value::String(text) => Value::String(name_devices(text)),
        Value::Array(items) => items.iter().map(without_addresses).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), without_addresses(value))).collect()
        }
        other => other.clone(),
    }
}

fn name_devices(text: &str) -> String {
    let (start, name_end, end) = DUMP;
    let parts = text.split_once(start).and_then(|(before, rest)| {
        let (name, rest) = rest.split_once(name_end)?;
        let (_, after) = rest.split_once(end)?;
        Some(format!("{before} for device {name}{end}{after}"))
    });
    parts.unwrap_or_else(|| text.to_owned())
}

/// Whether the release visits pools in random order and there are several.
pub fn is_random(record: &Value) -> bool {
    let slices = record.get("resourceSlices").and_then(Value::as_array);
    let pool = |slice: &Value| {
        let text =
            |path| slice.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        (text("/spec/driver"), text("/spec/pool/name"))
    };
    let pools: BTreeSet<_> = slices.into_iter().flatten().map(pool).collect();
    let text = |path: &str| record.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let random = text("/expected/allocator") == "stable" || is_early(text("/kubernetes"));
    random && pools.len() > 1
}

/// Whether a release is older than 1.36.
fn is_early(release: &str) -> bool {
    ["1.34.", "1.35."].iter().any(|minor| release.starts_with(minor))
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
    let uncounted = text("/expected/allocator") == "stable" && is_early(text("/kubernetes"));
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::without_addresses;

    #[test]
    fn a_device_in_a_message_is_named_without_its_addresses() {
        let record = json!({"expected": {"perNode": [{
            "error": "failed to perform node selection for device &Device{Name:d-0,Attributes:\
                      map[QualifiedName]DeviceAttribute{numa: {0xc000123 <nil>},},} in slice s: x",
        }]}});
        let wanted = json!({"expected": {"perNode": [{
            "error": "failed to perform node selection for device d-0 in slice s: x",
        }]}});
        assert_eq!(without_addresses(&record), wanted);
        let other = json!({"expected": {"perNode": [{"error": "no device &Device at all"}]}});
        assert_eq!(without_addresses(&other), other);
    }
}
