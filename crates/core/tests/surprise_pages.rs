//! The pages of surprises: what each page's scenario expects comes out, and a reader of the answer
//! finds the page.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

mod common;

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::Options;

use common::{files, project};

#[test]
fn what_a_surprise_says_comes_out() {
    let mut problems = Vec::new();
    let surprises = files("docs/surprises");
    let reasons = files("docs/reasons");
    let list = std::fs::read_to_string(project("docs/surprises/README.md")).unwrap();
    for (name, page) in surprises.iter().filter(|(name, _)| name != "README") {
        for section in ["What happens", "Why Kubernetes works so", "Example", "What to do"] {
            if !page.contains(&format!("\n## {section}\n")) {
                problems.push(format!("{name}: no section `{section}`"));
            }
        }
        let (_, rest) = page.split_once("```yaml playground panels=yaml,pods,answer\n").unwrap();
        let example = rest.split("```").next().unwrap();
        let analysis = Workspace::new().analyze(example, &Options::default());
        let checks = analysis.expectations.iter();
        let (held, failed): (Vec<_>, Vec<_>) = checks.partition(|check| check.passed);
        if held.is_empty() || !failed.is_empty() {
            problems.push(format!("{name}: {} held, {failed:?}", held.len()));
        }
        if !list.contains(&format!("]({name}.md)")) {
            problems.push(format!("{name}: not in the list"));
        }
        let link = format!("(../surprises/{name}.md)");
        if !reasons.iter().any(|(_, reason)| reason.contains(&link)) {
            problems.push(format!("{name}: no reason leads here"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(surprises.len(), 38);
}
