//! Every target with its kept corpus and with changes of it, as far as a debug build gets.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

use std::path::Path;

use dra_playground_fuzz::{TARGETS, corpus, pack};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn kept(target: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let file = std::fs::read_to_string(folder.join(format!("{target}.jsonl"))).unwrap();
    let inputs = corpus(&file).unwrap();
    assert!(inputs.len() >= 20, "{target}: {}", inputs.len());
    assert_eq!(pack(&inputs), file, "{target}: `cargo xtask fuzz` writes it");
    inputs
}

#[test]
fn kept_inputs_hold() {
    for target in TARGETS {
        for input in kept(target.name) {
            (target.run)(input.as_bytes());
        }
    }
}

/// One input of a corpus with a piece cut out, and a piece of another put there.
fn changed(inputs: &[String]) -> impl Strategy<Value = Vec<u8>> {
    let one = || prop::sample::select(inputs.to_vec());
    let place = any::<prop::sample::Index>;
    let edit = (one(), place(), place(), place(), 0..40_usize);
    (one(), prop::collection::vec(edit, 1..4)).prop_map(|(input, edits)| {
        let mut bytes = input.into_bytes();
        for (other, at, cut, from, length) in edits {
            let start = at.index(bytes.len() + 1);
            let end = (start + cut.index(12)).min(bytes.len());
            let other = other.as_bytes();
            let from = from.index(other.len() + 1);
            let piece = other.iter().skip(from).take(length).copied();
            bytes.splice(start..end, piece);
        }
        bytes
    })
}

#[test]
fn changed_inputs_hold() {
    let asked = std::env::var("DRA_PLAYGROUND_FUZZ_CASES");
    let cases = asked.ok().and_then(|cases| cases.parse().ok()).unwrap_or(64);
    for target in TARGETS {
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let law = |bytes: Vec<u8>| {
            (target.run)(&bytes);
            Ok(())
        };
        let held = TestRunner::new(config).run(&changed(&kept(target.name)), law);
        assert!(held.is_ok(), "{}: {}", target.name, held.unwrap_err());
    }
}
