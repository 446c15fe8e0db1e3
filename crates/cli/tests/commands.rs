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
    let text = printed(&output);
    for part in [
        "API server (new expression): accepted, worst-case cost 5 of 1000000",
        "scheduler (stored expression): evaluates it",
        "true  (cost 5 of 1000000)",
        "=>  3",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let output = run(&["cel", "device.nothing"]);
    exits(&output, 1);
    let text = printed(&output);
    assert!(text.contains("refused") && text.contains("undefined field 'nothing'"), "{text}");
    // New expressions may not cost so much; stored ones are evaluated until they do.
    let costly = "lists.range(1000000).all(x, x >= 0)";
    let output = run(&["cel", costly, "--device", &device]);
    exits(&output, 1);
    let text = printed(&output);
    assert!(text.contains("Forbidden: too complex, exceeds cost limit"), "{text}");
    assert!(text.contains("operation cancelled: actual cost limit exceeded"), "{text}");
    let loops = run(&["cel", "[1, 2].exists(x, x == 2)", "--device", &device]);
    assert!(printed(&loops).contains("=>  1. false | 2. true"), "{}", printed(&loops));
}

#[test]
fn links_begin_with_a_version() {
    let file = example("template-only.yaml");
    let output = run(&["link", "--base", "https://example.com/", file.to_str().unwrap()]);
    exits(&output, 0);
    assert!(printed(&output).starts_with("https://example.com/#v2."));
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
        &["docs", "--step", "1"],
        &["vectors", "--kubernetes", "1.36.2", "x"],
    ] {
        let output = run(words);
        exits(&output, 2);
        assert!(!output.stderr.is_empty());
    }
    exits(&run(&["--help"]), 0);
}

/// What does not exist is named together with what does.
#[test]
fn unknown_values_exit_with_2() {
    let scenario = example("experiment-5-partitionable.yaml");
    let scenario = scenario.to_str().unwrap();
    let device = format!("{scenario}#gpu-99");
    for (words, known) in [
        (&["run", "--kubernetes", "1.99", scenario][..], "1.37.0 to 1.37."),
        (&["check", "--kubernetes=soon", scenario], "1.36.0 to 1.36."),
        (&["run", "--feature-gates", "DRAPartitionable=true", scenario], "DRAPartitionableDevices"),
        (&["run", "--step", "9", scenario], "1 (delete pod1)"),
        (&["cel", "true", "--step", "9", "--device", &device], "1 (delete pod1)"),
        (&["cel", "true", "--device", &device], "gpu-0-full"),
        (&["explain", "--claim", "nobody", scenario], "pod2-gpu"),
        (
            &["explain", "--step", "0", "--claim", "pod2-gpu", "--node", "mars", scenario],
            "dra-example-driver-cluster-worker",
        ),
        (&["run", "--output", "github", scenario], "text, json and yaml"),
        (&["run", "--claim", "pod2-gpu", scenario], "`run` has no option --claim"),
    ] {
        let output = run(words);
        exits(&output, 2);
        let said = String::from_utf8(output.stderr.clone()).unwrap();
        assert!(said.contains(known), "{words:?}: {said}");
        assert!(output.stdout.is_empty(), "{words:?}");
    }
}

#[test]
fn nothing_to_test_is_wrong_use() {
    let folder = std::env::temp_dir().join(format!("dra-playground-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("plain.yaml");
    std::fs::write(&file, "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n").unwrap();
    let output = run(&["test", file.to_str().unwrap()]);
    exits(&output, 2);
    assert!(String::from_utf8(output.stderr).unwrap().contains("no expectations"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn help_tells_commands_and_exit_codes() {
    for words in [&["--help"][..], &["run", "-h"], &["help"], &["-h"]] {
        let output = run(words);
        exits(&output, 0);
        let text = printed(&output);
        assert!(text.contains("exit codes") && text.contains("--feature-gates"), "{text}");
    }
}

#[test]
fn a_link_without_an_address_is_only_the_fragment() {
    let file = example("template-only.yaml");
    let output = run(&["link", file.to_str().unwrap()]);
    exits(&output, 0);
    assert!(printed(&output).starts_with("#v2."));
}
