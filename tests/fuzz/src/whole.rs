//! Laws of the whole: any text gets a report, each question about it an answer, twice the same.

use dra_playground_core::workspace::report::{Analysis, Options, Query};
use dra_playground_core::workspace::{Workspace, complete, hover};

/// What the page does with a text: the report, what is asked about its Pods, help while typing.
pub(crate) fn analysis(bytes: &[u8]) {
    let text = crate::text(bytes);
    let language = if text.len().is_multiple_of(2) { "en" } else { "zh-TW" };
    let options = Options { language: language.to_owned(), ..Options::default() };
    let mut workspace = Workspace::new();
    let report = workspace.analyze(&text, &options);
    let units = u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    for diagnostic in &report.diagnostics {
        let range = &diagnostic.range;
        assert!(range.from <= range.to && range.to <= units, "{text:?}");
    }
    ask(&workspace, &report);
    let middle = units / 2;
    let _ = complete(&text, middle, &report, language);
    let _ = hover(&text, middle, &report, language);
    assert_eq!(report, Workspace::new().analyze(&text, &options), "{text:?}");
}

fn ask(workspace: &Workspace, report: &Analysis) {
    for pod in report.snapshot.pods.iter().take(2) {
        let (pod, node) = (pod.object.clone(), String::new());
        for query in [
            Query::WhatIfs { pod: pod.clone() },
            Query::Search { pod: pod.clone(), node: node.clone() },
            Query::Verdicts { pod, node },
        ] {
            let _ = workspace.query(&query);
        }
    }
}
