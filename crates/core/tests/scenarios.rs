//! Every example of ours does what it says; so do the recorded scenarios, where they are at hand.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test reads files and says what it found"
)]

use std::fs;
use std::path::{Path, PathBuf};

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::{Expectation, Options, Severity};

/// Runs a file; gives back failed lines and the number of lines.
fn run(path: &Path) -> (Vec<String>, usize) {
    let text = fs::read_to_string(path).unwrap();
    let analysis = Workspace::new().analyze(&text, &Options::default());
    let mut failures: Vec<String> = analysis
        .expectations
        .iter()
        .filter(|expectation| !expectation.passed)
        .map(|expectation| {
            let Expectation { step, line, found, .. } = expectation;
            format!("step {step}: {line}\n      found: {found}")
        })
        .collect();
    let is_broken = |code: &str| code.starts_with("scenario-") || code.starts_with("expectation-");
    failures.extend(
        analysis
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error && is_broken(&found.code))
            .map(|found| found.message.clone()),
    );
    (failures, analysis.expectations.len())
}

fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
    files
}

/// Runs the files of all folders, then says which do not hold.
#[track_caller]
fn check_all(folders: &[PathBuf]) {
    let failed: Vec<String> = folders.iter().flat_map(|folder| check(folder)).collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

fn check(folder: &Path) -> Vec<String> {
    let mut failed = Vec::new();
    let (mut files, mut lines) = (0, 0);
    for path in yaml_files(folder) {
        let (failures, count) = run(&path);
        if count == 0 && failures.is_empty() {
            continue;
        }
        files += 1;
        lines += count;
        if !failures.is_empty() {
            failed.push(format!("{}\n    {}", path.display(), failures.join("\n    ")));
        }
    }
    println!("{}: {} of {files} files hold, {lines} lines", folder.display(), files - failed.len());
    assert!(files > 0, "no expectations in {}", folder.display());
    failed
}

#[test]
fn examples_hold() {
    check_all(&[Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")]);
}

#[test]
fn recorded_scenarios_hold() {
    let Ok(folder) = std::env::var("DRA_PLAYGROUND_CASES") else {
        println!("skipped: DRA_PLAYGROUND_CASES does not name the folder of recorded cases");
        return;
    };
    let folders = ["scenarios", "cases/reports", "walkthroughs"];
    check_all(&folders.map(|part| Path::new(&folder).join(part)));
}
