//! Every reason that an answer gives has a page, and the example of the page shows that reason.

mod common;

use std::collections::BTreeSet;

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::Options;

use common::files;

/// Reasons that no text gives: fields of features that are off are dropped, and the API server
/// takes no slice without nodes.
const UNSEEN: [&str; 6] = [
    "binding-unsupported",
    "error",
    "node-operations-unsupported",
    "partitionable-off",
    "pool-obsolete",
    "slice-ignored",
];

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
            None if UNSEEN.contains(&code.as_str()) => {}
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

#[test]
fn every_reason_has_a_page() {
    let pages: BTreeSet<String> = files("docs/reasons").into_iter().map(|(code, _)| code).collect();
    let mut shown: BTreeSet<String> = UNSEEN.map(str::to_owned).into_iter().collect();
    for (_, text) in files("examples") {
        shown.extend(reasons(&text));
    }
    let missing: Vec<&String> = shown.difference(&pages).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
