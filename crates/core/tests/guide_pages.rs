//! The live examples of the guide: each says what is expected of it, and that holds.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dra_playground_core::language;
use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::Options;

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
            // A first example with a warning teaches to pass over warnings.
            let found = answer.diagnostics.iter().filter(|it| it.code != LESSON);
            failures.extend(found.map(|it| format!("{place}: {}", it.message)));
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

/// The one finding that an example is about.
const LESSON: &str = "selector-hint";

/// Headings that are names, which no language translates.
const NAMES: [&str; 2] = ["## Docusaurus", "## MkDocs"];

/// A line that tells how a text is built: a heading, an item, a row of a table.
fn sign(line: &str) -> Option<&'static str> {
    let signs = ["# ", "## ", "### ", "- ", "* ", "|", "@"];
    let numbered = line.split_once(". ").is_some_and(|(it, _)| it.parse::<u8>().is_ok());
    let found = signs.into_iter().find(|it| line.starts_with(it));
    found.or(numbered.then_some("1. "))
}

/// What must be the same in every language: blocks of code, headings, items, rows, and what stands in
/// backticks.
fn bones(text: &str) -> (Vec<&str>, Vec<&'static str>, BTreeSet<&str>) {
    let parts: Vec<&str> = text.split("\n```").collect();
    let blocks = parts.iter().skip(1).step_by(2).copied().collect();
    let prose = || parts.iter().step_by(2);
    let signs = prose().flat_map(|it| it.lines().filter_map(sign)).collect();
    let code = prose().flat_map(|it| it.split('`').skip(1).step_by(2)).collect();
    (blocks, signs, code)
}

#[test]
fn every_page_is_the_same_in_every_language() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pages = |folder: &Path| -> BTreeMap<String, String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        let pages = entries.filter(|it| it.extension().is_some_and(|it| it == "md"));
        let named = pages.map(|it| {
            let name = it.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(it).unwrap())
        });
        named.collect()
    };
    for known in language::KNOWN.iter().skip(1) {
        for folder in ["guide", "diagnostics", "reasons", "surprises"] {
            let english = pages(&docs.join(folder));
            let told = pages(&docs.join(folder).join(known.code));
            let names =
                |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(&english), names(&told), "{folder}");
            for (name, text) in &english {
                let (blocks, signs, code) = bones(text);
                let (told_blocks, told_signs, told_code) = bones(&told[name]);
                assert_eq!(blocks, told_blocks, "{folder}/{}/{name}", known.code);
                assert_eq!(signs, told_signs, "{folder}/{}/{name}", known.code);
                assert_eq!(code, told_code, "{folder}/{}/{name}", known.code);
                let same = text.lines().filter(|it| told[name].lines().any(|line| line == *it));
                let same = same.filter(|it| it.starts_with("## ") && !NAMES.contains(it));
                let same: Vec<&str> = same.collect();
                assert!(same.is_empty(), "{folder}/{}/{name}: {same:?}", known.code);
            }
        }
    }
}
