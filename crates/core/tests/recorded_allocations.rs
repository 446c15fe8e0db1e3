//! Recorded answers of the real allocator against ours, where they are at hand.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a test that reports")]
#![expect(
    clippy::disallowed_methods,
    reason = "the recorded cases are files named by the environment"
)]

use std::path::PathBuf;

use dra_playground_core::allocator::Pruning;
use dra_playground_core::conformance::alloc::{Comparer, Comparison, Options};

fn check(files: &[&str], pruning: Pruning) {
    let Ok(folder) = std::env::var("DRA_PLAYGROUND_CASES") else {
        println!("SKIPPED: DRA_PLAYGROUND_CASES is not set, {files:?} are not compared");
        return;
    };
    let mut comparer = Comparer::default();
    let (mut equal, mut skipped, mut different) = (0, 0, Vec::new());
    for file in files {
        let path = PathBuf::from(&folder).join("cases").join(file);
        let text = std::fs::read_to_string(&path).expect("the file of cases is there");
        for (number, line) in text.lines().enumerate() {
            match comparer.compare(line, Options { pruning, budget: None }) {
                Comparison::Equal => equal += 1,
                Comparison::Skipped(_) => skipped += 1,
                Comparison::Different(words) => {
                    different.push(format!("{file}:{}: {words}", number + 1));
                }
            }
        }
    }
    println!("{files:?}: {equal} equal, {skipped} skipped, {} different", different.len());
    let shown: Vec<_> = different.iter().take(5).cloned().collect();
    assert!(different.is_empty(), "{}", shown.join("\n"));
}

#[test]
fn release_1_36_call_by_call() {
    check(&["alloc-1.36.jsonl", "probes-1.36.jsonl"], Pruning::Off);
}

#[test]
fn release_1_36_with_pruning() {
    check(&["alloc-1.36.jsonl", "probes-1.36.jsonl"], Pruning::Proven);
}

#[test]
fn sources_of_1_37_call_by_call() {
    check(&["alloc-1.37.jsonl", "probes-1.37.jsonl"], Pruning::Off);
}

#[test]
fn sources_of_1_37_with_pruning() {
    let files = ["alloc-1.37.jsonl", "probes-1.37.jsonl", "alloc-heavy-1.37.jsonl"];
    check(&files, Pruning::Proven);
}

#[test]
fn every_variant_on_the_upstream_table() {
    check(&["upstream-alloc-1.37.jsonl"], Pruning::Off);
    check(&["upstream-alloc-1.37.jsonl"], Pruning::Proven);
}
