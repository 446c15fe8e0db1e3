//! Recorded answers of the real code, read and compared with ours.
//!
//! A file has one record a line; what kind it is shows in its fields.

pub mod admission;
pub mod alloc;
pub mod cel;
pub mod scheduler;

use crate::allocator::Pruning;

/// What came of comparing a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Records that are equal.
    pub passed: usize,
    /// Records that differ.
    pub failed: usize,
    /// Records that are not compared: upstream leaves their answer to chance, or they are of no
    /// known kind.
    pub skipped: usize,
    /// What differs, in the order of the file.
    pub differences: Vec<Difference>,
}

/// A record whose answer differs from ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the record.
    pub name: String,
    /// The recorded answer.
    pub expected: String,
    /// Our answer.
    pub found: String,
}

/// What came of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Our answer is the recorded one.
    Equal,
    /// It is not compared.
    Skipped,
    /// It differs.
    Different(Difference),
}

/// Compares every record of a text.
pub fn run(text: &str) -> Summary {
    let mut summary = Summary::default();
    let mut memory = cel::Memory::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match compare(line, &mut memory) {
            Verdict::Equal => summary.passed += 1,
            Verdict::Skipped => summary.skipped += 1,
            Verdict::Different(difference) => {
                summary.failed += 1;
                summary.differences.push(difference);
            }
        }
    }
    summary
}

/// Compares one record; environments are kept for those that follow.
pub fn compare(line: &str, memory: &mut cel::Memory) -> Verdict {
    if admission::is_admission(line)
        && let Some(verdict) = admission::compare(line)
    {
        return verdict;
    }
    if scheduler::is_scheduling(line)
        && let Some(verdict) = scheduler::compare(line)
    {
        return verdict;
    }
    if alloc::is_allocation(line) {
        let name = line.split("\"name\":\"").nth(1).and_then(|rest| rest.split('"').next());
        let options = alloc::Options { pruning: Pruning::Off, budget: None };
        return match alloc::compare(line, options) {
            alloc::Comparison::Equal => Verdict::Equal,
            alloc::Comparison::Skipped(_) => Verdict::Skipped,
            alloc::Comparison::Different(found) => Verdict::Different(Difference {
                name: name.unwrap_or("?").to_owned(),
                expected: "the recorded allocation".to_owned(),
                found,
            }),
        };
    }
    cel::compare(line, memory).unwrap_or(Verdict::Skipped)
}

#[cfg(test)]
mod tests;
