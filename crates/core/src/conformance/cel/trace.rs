//! Recorded last values of the parts of an expression.
//!
//! Upstream's maps have no order, so what a loop over one leaves behind is not compared; and values
//! are recorded when the evaluation is over, when `add` may have changed the quantity.

use super::Difference;
use super::record::{self, Part, Record};
use crate::selector::{Compiled, Outcome, Trace};

/// Macros that loop.
const LOOPS: [&str; 5] = [".all(", ".exists", ".filter(", ".map(", ".transform"];

/// The first part with another place or another last value. Parts that only upstream records, as
/// what macros expand to, are compared by place alone.
pub(super) fn differ(record: &Record, compiled: &Compiled, trace: &Trace) -> Option<Difference> {
    let difference = |part: &Part, found: String| Difference {
        name: format!("{}, part {}", record.name, part.id),
        expected: format!("{} at {}", part.value, part.offset),
        found: format!("{found} for {}", record.expression),
    };
    let over_map = loops_over_map(record, trace);
    let changes = record.switches.quantity_add_mutates && record.expression.contains(".add(");
    for part in &record.trace {
        let offset = compiled.offset(part.id);
        if offset != Some(part.offset) {
            return Some(difference(part, format!("at {offset:?}")));
        }
        // A part of a loop has several values, of which the last is recorded.
        let mut events = trace.events.iter().rev().filter(|event| event.id == part.id);
        let last = events.find_map(|event| {
            let in_loop = !event.iteration.is_empty();
            match &event.outcome {
                Outcome::Value(text) => Some((false, text.clone(), in_loop)),
                Outcome::Error(text) => Some((true, record::without_hint(text), in_loop)),
                Outcome::Skipped(_) => None,
            }
        });
        let Some((is_error, text, in_loop)) = last else { continue };
        let is_changed = changes && matches!(part.kind.as_str(), "map" | "kubernetes.Quantity");
        if in_loop && over_map || is_changed || part.kind == "kubernetes.NamedFormat" {
            continue;
        }
        if is_error != (part.kind == "error") || text != part.value {
            return Some(difference(part, text));
        }
    }
    None
}

fn loops_over_map(record: &Record, trace: &Trace) -> bool {
    let mut maps = trace.parts.iter().filter(|part| part.kind.starts_with("map("));
    maps.any(|map| {
        let end = usize::try_from(map.to).unwrap_or(usize::MAX);
        let rest: String = record.expression.chars().skip(end).take(12).collect();
        LOOPS.iter().any(|name| rest.starts_with(name))
    })
}
