#![expect(clippy::disallowed_methods, clippy::print_stdout, reason = "tests read recorded answers")]
use super::run;

/// Compares a recorded file; without the folder of recorded answers the test says so.
#[track_caller]
fn check(file: &str, most_differences: usize) {
    let Some(folder) = std::env::var_os("DRA_PLAYGROUND_CASES") else {
        println!("DRA_PLAYGROUND_CASES is not set: {file} is not compared");
        return;
    };
    let path = std::path::Path::new(&folder).join("cases").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let summary = run(&text);
    println!(
        "{file}: {} equal, {} differ, {} left out",
        summary.passed, summary.failed, summary.skipped
    );
    for difference in &summary.differences {
        println!("{}\n  - {}\n  + {}", difference.name, difference.expected, difference.found);
    }
    assert!(summary.failed <= most_differences, "{file}: {} differ", summary.failed);
}

#[test]
fn cel_1_36() {
    check("cel-1.36.jsonl", 0);
}

#[test]
fn cel_objects_1_36() {
    check("cel-objects-1.36.jsonl", 0);
}

#[test]
fn cel_1_37() {
    // Recorded before the release: what changed until 1.37.2 is left out.
    check("cel-1.37.jsonl", 0);
}

#[test]
fn cel_objects_1_37() {
    check("cel-objects-1.37.jsonl", 0);
}

#[test]
fn upstream_cel_1_37() {
    check("upstream-cel-1.37.jsonl", 0);
}

#[test]
fn cel_spec_1_36() {
    check("cel-spec-k8s-1.36.jsonl", 0);
}
