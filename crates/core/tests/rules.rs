//! Every rule of validation by a document that breaks it: what the API server of two releases says
//! was recorded, ours is the same, and the marked text is the one that is wrong.

use std::fmt::Write;

use dra_playground_core::api::validate::{self, CelFault, Rules};
use dra_playground_core::api::{self, Options};
use dra_playground_core::conformance::{Verdict, admission};
use dra_playground_core::features::{CelSwitches, Gate, Gates, Release};
use dra_playground_core::selector::{Refusal, Selectors};
use dra_playground_core::source::LineIndex;
use serde_json::Value;

const OF_1_36: &str = include_str!("../../../tests/oracle/recorded/rules-1.36.5.jsonl");
const OF_1_37: &str = include_str!("../../../tests/oracle/recorded/rules-1.37.2.jsonl");

#[test]
fn the_api_server_says_the_same() {
    let mut problems = String::new();
    let mut equal = 0;
    for line in OF_1_36.lines().chain(OF_1_37.lines()) {
        match admission::compare(line).unwrap() {
            Verdict::Equal => equal += 1,
            Verdict::Different(found) => {
                let _ =
                    writeln!(problems, "{}\n- {}\n+ {}", found.name, found.expected, found.found);
            }
            Verdict::Skipped => problems.push_str("a rule is left out\n"),
        }
    }
    assert!(problems.is_empty(), "{problems}");
    assert!(equal > 300, "{equal}");
}

#[test]
fn the_wrong_text_is_marked() {
    let mut out = String::new();
    for line in OF_1_37.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let text = record["text"].as_str().unwrap();
        let _ = writeln!(out, "{}", record["name"].as_str().unwrap());
        let release = Release::parse("1.37.2").unwrap();
        let mut gates = Gates::defaults(release);
        for (name, on) in record["gates"].as_object().into_iter().flatten() {
            gates.set(Gate::from_name(name).unwrap(), on.as_bool().unwrap());
        }
        let mut read = api::read_with(text, &Options { release, ..Options::default() });
        let selectors = Selectors::new(&CelSwitches::of(&gates, true));
        let cel = |expression: &str| match selectors.admission(expression).refusal.as_ref()? {
            Refusal::Invalid { detail, .. } => Some(CelFault::Invalid(detail.clone())),
            Refusal::TooComplex => Some(CelFault::TooComplex),
            Refusal::TooLong => None,
        };
        let mut rules = Rules::new(&gates, &cel, &read.objects);
        rules.namespaces.insert("default".to_owned(), std::collections::BTreeMap::new());
        let mut found = read.diagnostics;
        found.extend(validate::check(&mut read.objects, &rules));
        let lines = LineIndex::new(text);
        for diagnostic in found {
            let span = diagnostic.primary.span;
            let place = lines.line_column(span.start);
            let short = |text: &str| {
                let start: String = text.chars().take(60).collect();
                if start.len() < text.len() { format!("{start}…") } else { start }
            };
            let _ = writeln!(
                out,
                "  {}:{} `{}` {}: {}",
                place.line + 1,
                place.column + 1,
                short(span.text(text)),
                diagnostic.code.name,
                short(&diagnostic.message.replace('\n', " "))
            );
        }
    }
    expect_test::expect_file!["rules.txt"].assert_eq(&out);
}
