//! Recorded answers of the real code, replayed: generated scenarios and CEL cases of every offered
//! release. `dra-playground-oracle record` made them.

use dra_playground_core::conformance;

#[track_caller]
fn replay(text: &str) {
    let summary = conformance::run(text);
    let shown: Vec<_> = summary.differences.iter().take(5).collect();
    assert_eq!(summary.failed, 0, "{shown:#?}");
    assert_eq!(summary.skipped, 0, "stable answers are all compared");
    assert!(summary.passed >= 70, "{} cases", summary.passed);
}

#[test]
fn allocations_of_1_34() {
    replay(include_str!("../../../tests/oracle/recorded/alloc-1.34.13.jsonl"));
}

#[test]
fn allocations_of_1_35() {
    replay(include_str!("../../../tests/oracle/recorded/alloc-1.35.10.jsonl"));
}

#[test]
fn allocations_of_1_36_2() {
    replay(include_str!("../../../tests/oracle/recorded/alloc-1.36.2.jsonl"));
}

#[test]
fn allocations_of_1_36() {
    replay(include_str!("../../../tests/oracle/recorded/alloc-1.36.6.jsonl"));
}

#[test]
fn allocations_of_1_37() {
    replay(include_str!("../../../tests/oracle/recorded/alloc-1.37.2.jsonl"));
}

#[test]
fn expressions_of_1_34() {
    replay(include_str!("../../../tests/oracle/recorded/cel-1.34.13.jsonl"));
}

#[test]
fn expressions_of_1_35() {
    replay(include_str!("../../../tests/oracle/recorded/cel-1.35.10.jsonl"));
}

#[test]
fn expressions_of_1_36_2() {
    replay(include_str!("../../../tests/oracle/recorded/cel-1.36.2.jsonl"));
}

#[test]
fn expressions_of_1_36() {
    replay(include_str!("../../../tests/oracle/recorded/cel-1.36.6.jsonl"));
}

#[test]
fn expressions_of_1_37() {
    replay(include_str!("../../../tests/oracle/recorded/cel-1.37.2.jsonl"));
}

#[test]
fn documents_of_1_36() {
    replay(include_str!("../../../tests/oracle/recorded/documents-1.36.5.jsonl"));
}

#[test]
fn documents_of_1_37() {
    replay(include_str!("../../../tests/oracle/recorded/documents-1.37.2.jsonl"));
}

#[test]
fn scheduling_of_1_34() {
    replay(include_str!("../../../tests/oracle/recorded/scheduler-1.34.13.jsonl"));
}

#[test]
fn scheduling_of_1_35() {
    replay(include_str!("../../../tests/oracle/recorded/scheduler-1.35.10.jsonl"));
}

#[test]
fn scheduling_of_1_36() {
    replay(include_str!("../../../tests/oracle/recorded/scheduler-1.36.5.jsonl"));
}

#[test]
fn scheduling_of_1_37() {
    replay(include_str!("../../../tests/oracle/recorded/scheduler-1.37.2.jsonl"));
}

/// Scenarios as people bring them, with Pods that are pending for every kind of reason.
#[test]
fn pending_pods() {
    for text in [
        include_str!("../../../tests/oracle/recorded/pending-1.36.5.jsonl"),
        include_str!("../../../tests/oracle/recorded/pending-1.37.2.jsonl"),
    ] {
        let summary = conformance::run(text);
        assert_eq!(summary.differences, []);
        assert_eq!((summary.passed, summary.skipped), (24, 0));
    }
}
