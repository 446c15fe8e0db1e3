//! The selectors of the guide: each gives the answer that stands beside it.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeMap;
use std::path::Path;

use dra_playground_core::api::{DeviceAttribute, DeviceCapacity};
use dra_playground_core::features::{CelSwitches, Release};
use dra_playground_core::selector::{DeviceInput, Selectors};

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
    let attributes = BTreeMap::from([
        ("index".to_owned(), DeviceAttribute { int: Some(3), ..Default::default() }),
        ("model".to_owned(), DeviceAttribute { string: Some("a100".into()), ..Default::default() }),
        (
            "firmware".to_owned(),
            DeviceAttribute { version: Some("1.2.3+build".into()), ..Default::default() },
        ),
    ]);
    let value = "40Gi".parse().unwrap();
    let capacity =
        BTreeMap::from([("memory".to_owned(), DeviceCapacity { value, request_policy: None })]);
    let device = DeviceInput {
        driver: "gpu.example.com",
        attributes: &attributes,
        capacity: &capacity,
        allow_multiple_allocations: None,
    };
    let release = Release::parse("1.36.2").unwrap();
    let selectors = Selectors::new(&CelSwitches::new(release, true, true, true));
    let rows: Vec<(&str, &str)> = table.lines().filter_map(row).collect();
    assert!(rows.len() > 15, "{}", rows.len());
    for (expression, answer) in rows {
        let found = match selectors.compile(expression).matches(&device) {
            Ok(value) => value.to_string(),
            Err(error) => format!("error: {error}"),
        };
        assert!(found.starts_with(answer), "{expression}: {found}, not {answer}");
    }
}
