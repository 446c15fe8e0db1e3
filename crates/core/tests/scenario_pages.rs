//! Every code of scenarios has a page, and the example of the page shows that code and no other of
//! its stage.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeSet;
use std::path::Path;

use dra_playground_core::scenario::codes;
use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::Options;

#[test]
fn every_example_shows_its_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics");
    let ours: BTreeSet<&str> = codes::ALL.iter().map(|code| code.name).collect();
    for code in &ours {
        let page = std::fs::read_to_string(folder.join(format!("{code}.md"))).unwrap();
        for section in ["What it means", "Why Kubernetes works so", "Example", "How to fix"] {
            assert!(page.contains(&format!("## {section}")), "{code}: no section `{section}`");
        }
        let (_, rest) = page.split_once("```yaml\n").unwrap();
        let example = rest.split("```").next().unwrap();
        let analysis = Workspace::new().analyze(example, &Options::default());
        let found: BTreeSet<&str> = analysis
            .diagnostics
            .iter()
            .map(|found| found.code.as_str())
            .filter(|found| ours.contains(found))
            .collect();
        assert_eq!(found, BTreeSet::from([*code]), "{:?}", analysis.diagnostics);
    }
}
