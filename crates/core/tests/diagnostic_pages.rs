//! Every code of reading has a page, and the example of the page shows that code and no other.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeSet;
use std::path::Path;

use dra_playground_core::api::{self, check, validate};
use dra_playground_core::diagnostic::Code;
use dra_playground_core::features::{Gates, Release};
use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::Options;
use dra_playground_core::yaml;

fn codes_of(text: &str) -> BTreeSet<&'static str> {
    let mut read = api::read(text);
    let gates = Gates::defaults(Release::DEFAULT);
    let rules = validate::Rules::new(&gates, &|_| None, &read.objects);
    let mut diagnostics = std::mem::take(&mut read.diagnostics);
    diagnostics.extend(validate::check(&mut read.objects, &rules));
    diagnostics.extend(check::check(text, &read.objects, &[]));
    diagnostics.iter().map(|diagnostic| diagnostic.code.name).collect()
}

fn analyzed(text: &str) -> BTreeSet<&'static str> {
    let analysis = Workspace::new().analyze(text, &Options::default());
    let all = [yaml::codes::ALL, api::codes::ALL].concat();
    let is_found = |code: &Code| analysis.diagnostics.iter().any(|found| found.code == code.name);
    all.into_iter().filter(is_found).map(|code| code.name).collect()
}

#[test]
fn every_example_shows_its_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics");
    let codes: Vec<Code> = [yaml::codes::ALL, api::codes::ALL].concat();
    let mut problems = Vec::new();
    for code in codes {
        let name = code.name;
        let Ok(page) = std::fs::read_to_string(folder.join(format!("{name}.md"))) else {
            problems.push(format!("{name}: no page"));
            continue;
        };
        let sections = [
            "# `",
            "## What it means",
            "## Why Kubernetes works so",
            "## Example",
            "## How to fix",
        ];
        for section in sections {
            if !page.contains(section) {
                problems.push(format!("{name}: no section `{section}`"));
            }
        }
        let Some((_, rest)) = page.split_once("```yaml\n") else {
            // Shown by the tests below instead.
            if !["json-syntax", "text-too-large", "more-diagnostics"].contains(&name) {
                problems.push(format!("{name}: no example"));
            }
            continue;
        };
        let example = rest.split("```").next().unwrap_or_default();
        // Gates are switched by a scenario, which only the whole analysis reads.
        let found = if name == "field-dropped" { analyzed(example) } else { codes_of(example) };
        if found != BTreeSet::from([name]) {
            problems.push(format!("{name}: the example shows {found:?}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What a page says is offered for its example.
const OFFERED: &str = "The playground offers: ";

/// The titles of the fixes for the example of a page, as they are offered.
fn offers(page: &str, name: &str) -> Vec<String> {
    let Some((_, rest)) = page.split_once("```yaml\n") else { return Vec::new() };
    let example = rest.split("```").next().unwrap_or_default();
    let analysis = Workspace::new().analyze(example, &Options::default());
    let found = analysis.diagnostics.into_iter().filter(|found| found.code == name);
    let mut titles: Vec<String> =
        found.flat_map(|found| found.fixes).map(|fix| fix.title).collect();
    titles.dedup();
    titles
}

#[test]
fn every_page_names_the_fixes_that_are_offered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics");
    let mut problems = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let page = std::fs::read_to_string(&path).unwrap();
        let offered = offers(&page, &name);
        let said = page.lines().find_map(|line| line.strip_prefix(OFFERED)).unwrap_or_default();
        let wanted = match offered.as_slice() {
            [] => String::new(),
            titles => format!("{}.", titles.join("; ")),
        };
        if said != wanted {
            problems.push(format!("{name}: {OFFERED}{wanted}"));
        }
    }
    problems.sort();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn codes_without_a_small_example() {
    let error = yaml::parse_json("{\"kind\": \"Node\",}").unwrap_err();
    assert_eq!(error.code.name, "json-syntax");
    assert_eq!(error.primary.span.text("{\"kind\": \"Node\",}"), "}");
    let text = " ".repeat(yaml::MAX_TEXT + 1);
    let found = yaml::read(&text).diagnostics;
    let [found] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(found.code.name, "text-too-large");
    // There is no place in it that is worth marking.
    assert!(found.primary.span.is_empty());
    assert!(codes_of(&"---\nx\n".repeat(501)).contains("more-diagnostics"));
}
