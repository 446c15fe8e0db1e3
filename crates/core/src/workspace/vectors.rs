//! Recorded answers of the real code, one a line, compared with ours.

use crate::allocator::Pruning;
use crate::conformance::alloc::{self, Comparison};
use crate::conformance::{self, Verdict};

const UNKNOWN: &str = "no known format of recorded answers";

/// What came of a file of recorded answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vectors {
    /// Lines whose answers are ours, too.
    pub passed: usize,
    /// Lines that are left out, because their recorded answer is not stable.
    pub skipped: usize,
    /// Lines of no known format; they are failures, too.
    pub unknown: usize,
    /// Lines whose answers differ, in file order.
    pub failures: Vec<VectorFailure>,
}

/// A line whose answer differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorFailure {
    /// Number of the line, from 1.
    pub line: usize,
    /// Name of the case.
    pub name: String,
    /// The difference, one line for each fact.
    pub difference: String,
}

/// Compares every line of a text with what we answer; formats are told apart by their fields.
///
/// Allocations are searched twice: with every search call of upstream's, whose number must agree,
/// and with those left out that cannot change the answer.
pub fn vectors(text: &str) -> Vectors {
    let mut report = Vectors::default();
    let mut memory = conformance::cel::Memory::default();
    let mut comparer = alloc::Comparer::default();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match compare(line, &mut memory, &mut comparer) {
            Comparison::Equal => report.passed += 1,
            Comparison::Skipped(_) => report.skipped += 1,
            Comparison::Different(difference) => {
                report.unknown += usize::from(difference == UNKNOWN);
                let name = name(line);
                report.failures.push(VectorFailure { line: index + 1, name, difference });
            }
        }
    }
    report
}

fn compare(
    line: &str,
    memory: &mut conformance::cel::Memory,
    comparer: &mut alloc::Comparer,
) -> Comparison {
    if alloc::is_allocation(line) {
        let mut compare =
            |pruning| comparer.compare(line, alloc::Options { pruning, budget: None });
        return match compare(Pruning::Off) {
            Comparison::Equal => compare(Pruning::Proven),
            other => other,
        };
    }
    match conformance::cel::compare(line, memory) {
        Some(Verdict::Equal) => Comparison::Equal,
        Some(Verdict::Skipped) => Comparison::Skipped("upstream leaves the answer to chance"),
        Some(Verdict::Different(difference)) => Comparison::Different(format!(
            "expected {}\nfound {}",
            difference.expected, difference.found
        )),
        None => Comparison::Different(UNKNOWN.to_owned()),
    }
}

/// The name of a case: its first field of that kind.
fn name(line: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    ["name", "id"]
        .iter()
        .find_map(|field| value.get(field).and_then(serde_json::Value::as_str))
        .unwrap_or_default()
        .to_owned()
}
