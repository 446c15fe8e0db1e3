//! The program as scripts see it: what it prints and how it exits.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn run(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dra-playground")).args(words).output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn exits(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

#[test]
fn expectations_that_hold_exit_with_0() {
    let file = example("experiment-5-partitionable.yaml");
    let output = run(&["test", file.to_str().unwrap()]);
    exits(&output, 0);
    assert_eq!(printed(&output), "12 passed, 0 failed\n");
}

#[test]
fn expectations_that_fail_are_shown_as_a_difference() {
    let file = example("experiment-6-consumable-on.yaml");
    let gates = "--feature-gates=DRAConsumableCapacity=false";
    let output = run(&["test", gates, file.to_str().unwrap()]);
    exits(&output, 1);
    let text = printed(&output);
    assert!(text.contains("  - pod pod2 on dra-example-driver-cluster-worker\n  + "), "{text}");
    assert!(text.trim_end().ends_with("failed"), "{text}");
}

#[test]
fn the_outcome_of_a_step_can_be_had_as_data() {
    let file = example("experiment-5-partitionable.yaml");
    let words = ["run", "--output", "json", "--step", "0", file.to_str().unwrap()];
    let output = run(&words);
    exits(&output, 0);
    let json: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    let analysis = json.as_object().unwrap().values().next().unwrap();
    assert_eq!(analysis.pointer("/snapshot/pods/1/status").unwrap(), "Pending");
    assert_eq!(analysis.pointer("/step").unwrap(), 0);
}

#[test]
fn one_claim_is_explained_device_by_device() {
    let file = example("experiment-5-partitionable.yaml");
    let words = ["explain", "--step=0", "--claim", "pod2-gpu", file.to_str().unwrap()];
    let output = run(&words);
    exits(&output, 0);
    let text = printed(&output);
    assert!(text.contains("counters-short") && text.contains("gpu-7-partition-0"), "{text}");
}

#[test]
fn selectors_are_evaluated_on_a_device() {
    let file = example("experiment-4-cel-selectors.yaml");
    let device = format!("{}#gpu-3-full", file.to_str().unwrap());
    let index = r#"device.attributes["gpu.example.com"].index"#;
    let output = run(&["cel", &format!("{index} == 3"), "--device", &device]);
    exits(&output, 0);
    assert!(printed(&output).contains("true"));
    exits(&run(&["cel", "device.nothing"]), 1);
}

#[test]
fn links_begin_with_a_version() {
    let file = example("template-only.yaml");
    let output = run(&["link", "--base", "https://example.com/", file.to_str().unwrap()]);
    exits(&output, 0);
    assert!(printed(&output).starts_with("https://example.com/#v1."));
}

#[test]
fn every_page_about_a_diagnostic_is_there() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics");
    let mut pages: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".md").filter(|name| *name != "README").map(str::to_owned)
        })
        .collect();
    pages.sort();
    let listed = printed(&run(&["docs"]));
    assert_eq!(listed.lines().collect::<Vec<_>>(), pages);
    let page = run(&["docs", "scenario-step-failed"]);
    exits(&page, 0);
    assert!(printed(&page).starts_with("# `scenario-step-failed`"));
    exits(&run(&["docs", "no-such-code"]), 2);
}

#[test]
fn wrong_use_exits_with_2() {
    for words in [
        &["run"][..],
        &["frobnicate"],
        &[],
        &["run", "no-such-file.yaml"],
        &["run", "--output", "xml", "x"],
        &["run", "--step", "x"],
        &["explain", "x.yaml"],
        &["test", "--nonsense", "1", "x"],
    ] {
        let output = run(words);
        exits(&output, 2);
        assert!(!output.stderr.is_empty());
    }
    exits(&run(&["--help"]), 0);
}
