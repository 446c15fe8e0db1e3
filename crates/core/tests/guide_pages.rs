//! The live examples of the guide: each says what is expected of it, and that holds.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

use std::path::Path;

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::{Options, Severity};

/// The live examples of a Markdown text: line, text.
fn examples(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```yaml playground") {
            inside = true;
            found.push((number + 1, String::new()));
        } else if line.starts_with("```") {
            inside = false;
        } else if let Some((_, example)) = found.last_mut().filter(|_| inside) {
            example.push_str(line);
            example.push('\n');
        }
    }
    found
}

#[test]
fn every_live_example_does_what_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide");
    let mut count = 0;
    let mut failures = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "md") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for (line, text) in examples(&std::fs::read_to_string(&path).unwrap()) {
            count += 1;
            let place = format!("{name}:{line}");
            let answer = Workspace::new().analyze(&text, &Options::default());
            let errors = answer.diagnostics.iter().filter(|it| it.severity == Severity::Error);
            failures.extend(errors.map(|it| format!("{place}: {}", it.message)));
            if answer.expectations.is_empty() {
                failures.push(format!("{place}: nothing is expected of it"));
            }
            let failed = answer.expectations.iter().filter(|it| !it.passed);
            failures.extend(failed.map(|it| format!("{place}: {} ({})", it.line, it.found)));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(count >= 12, "only {count} live examples");
}
