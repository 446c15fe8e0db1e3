//! The rules of CEL as Kubernetes evaluates it, one by one, with the answers of three releases.
//!
//! `selector_rules.txt` has an expression in each line and below it what a device makes of it; a
//! release before an answer says that it and later ones answer so. All answers are those of the
//! released `k8s.io/dynamic-resource-allocation`, but those that the guide lists as our own.

mod common;

use std::fmt::Write as _;

use dra_playground_core::features::{CelSwitches, Release};
use dra_playground_core::selector::{Compiled, Selectors};

use common::with_device;

const RULES: &str = include_str!("selector_rules.txt");
const RELEASES: [&str; 3] = ["1.34.13", "1.36.2", "1.37.2"];

/// What a device makes of an expression, in one line.
fn answer(compiled: &Compiled) -> String {
    if let Some(error) = compiled.error() {
        let issues = error.lines().filter_map(|line| line.split_once("ERROR: <input>:"));
        let issues: Vec<_> = issues.map(|(_, issue)| issue).collect();
        return if issues.is_empty() { error.to_owned() } else { issues.join("; ") };
    }
    match with_device(|device| compiled.matches(device)) {
        Ok(matches) => matches.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn every_rule_is_kept() {
    let selectors = RELEASES.map(|release| {
        Selectors::new(&CelSwitches::new(Release::parse(release).unwrap(), false, true, true))
    });
    let mut found = String::new();
    for line in RULES.lines().filter(|line| !line.starts_with("    ")) {
        // Writing into a string cannot fail.
        let _ = writeln!(found, "{line}");
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut last = String::new();
        for (release, selectors) in RELEASES.iter().zip(&selectors) {
            let answer = answer(&selectors.compile(line));
            if last.is_empty() {
                let _ = writeln!(found, "    {answer}");
            } else if last != answer {
                let _ = writeln!(found, "    {release}: {answer}");
            }
            last = answer;
        }
    }
    let wrong = RULES.lines().zip(found.lines()).find(|(rule, found)| rule != found);
    assert!(wrong.is_none(), "{wrong:?}");
    assert_eq!(RULES.lines().count(), found.lines().count());
}
