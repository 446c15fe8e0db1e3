//! The selectors of the guide: each gives the answer that stands beside it.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

mod common;

use std::path::Path;

use dra_playground_core::features::{CelSwitches, Release};
use dra_playground_core::selector::Selectors;

use common::with_device;

/// Expression and answer of a row of the table.
fn row(line: &str) -> Option<(&str, &str)> {
    let (expression, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
    let (answer, _) = rest.split_once(" |")?;
    Some((expression, answer))
}

#[test]
fn every_surprise_is_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/cel.md");
    let text = std::fs::read_to_string(page).unwrap();
    let (_, table) = text.split_once("## What surprises").unwrap();
    let release = Release::parse("1.36.2").unwrap();
    let selectors = Selectors::new(&CelSwitches::new(release, true, true, true));
    let rows: Vec<(&str, &str)> = table.lines().filter_map(row).collect();
    assert!(rows.len() > 15, "{}", rows.len());
    for (expression, answer) in rows {
        let found = match with_device(|device| selectors.compile(expression).matches(device)) {
            Ok(value) => value.to_string(),
            Err(error) => format!("error: {error}"),
        };
        assert!(found.starts_with(answer), "{expression}: {found}, not {answer}");
    }
}
