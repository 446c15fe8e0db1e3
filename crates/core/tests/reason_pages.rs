//! Every reason that an answer gives has a page, and the example of the page shows that reason.

#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests read files")]

mod common;

use std::collections::BTreeSet;

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::Options;

use common::{files, project};

/// The codes of Pods and verdicts.
fn reasons(text: &str) -> BTreeSet<String> {
    let analysis = Workspace::new().analyze(text, &Options::default());
    let snapshot = &analysis.snapshot;
    let pods = snapshot.pods.iter().map(|pod| pod.code.clone()).filter(|code| !code.is_empty());
    let groups = snapshot.verdicts.iter().flat_map(|verdicts| &verdicts.groups);
    pods.chain(groups.map(|group| group.code.clone())).collect()
}

#[test]
fn every_example_shows_its_reason() {
    let mut problems = Vec::new();
    for (code, page) in files("docs/reasons") {
        if !page.starts_with(&format!("# `{code}`\n")) {
            problems.push(format!("{code}: another title"));
        }
        for section in ["## What it means", "## Why Kubernetes works so", "## How to fix"] {
            if !page.contains(section) {
                problems.push(format!("{code}: no section `{section}`"));
            }
        }
        let example = page.split_once("```yaml").and_then(|(_, rest)| rest.split_once('\n'));
        let example = example.and_then(|(_, rest)| rest.split("```").next());
        match example {
            None => problems.push(format!("{code}: no example")),
            Some(text) => {
                let found = reasons(text);
                if !found.contains(&code) {
                    problems.push(format!("{code}: the example shows {found:?}"));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The codes that the core can give, read where it names them.
fn codes() -> BTreeSet<String> {
    let places = [
        ("crates/core/src/allocator/event.rs", "pub fn code(&self)"),
        ("crates/core/src/explain/reason.rs", "pub fn code(&self)"),
        ("crates/core/src/workspace/pods/mod.rs", "fn code(label: Key)"),
    ];
    let mut codes = BTreeSet::new();
    for (file, function) in places {
        let source = std::fs::read_to_string(project(file)).unwrap();
        let (_, body) = source.split_once(function).unwrap();
        let body = body.split("\n}\n").next().unwrap().split("pub fn ").next().unwrap();
        let arms = body.lines().filter(|line| line.contains("=> \""));
        codes.extend(arms.map(|line| line.split('"').nth(1).unwrap().to_owned()));
    }
    codes
}

/// Each code of the closed list has a page, which the panels link to by its name, with a scenario.
#[test]
fn every_code_has_a_page_with_a_scenario() {
    let codes = codes();
    assert!(codes.len() >= 30, "{codes:?}");
    let pages = files("docs/reasons");
    for code in &codes {
        let page = pages.iter().find(|(name, _)| name == code);
        let Some((_, page)) = page else { panic!("{code} has no page") };
        assert!(page.contains("```yaml playground panels="), "{code}");
    }
}

#[test]
fn every_reason_has_a_page() {
    let pages: BTreeSet<String> = files("docs/reasons").into_iter().map(|(code, _)| code).collect();
    let mut shown = BTreeSet::new();
    for (_, text) in files("examples") {
        shown.extend(reasons(&text));
    }
    let missing: Vec<&String> = shown.difference(&pages).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
