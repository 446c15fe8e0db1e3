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
    ask(&workspace, &report, text.bytes().map(usize::from).sum());
    let middle = units / 2;
    let _ = complete(&text, middle, &report, language);
    let _ = hover(&text, middle, &report, language);
    assert_eq!(report, Workspace::new().analyze(&text, &options), "{text:?}");
}

/// One question about one Pod, chosen by the text: all of them take many times as long as the
/// report, and the texts are many.
fn ask(workspace: &Workspace, report: &Analysis, chosen: usize) {
    let pods = &report.snapshot.pods;
    let Some(pod) = pods.get(chosen / 3 % pods.len().max(1)) else { return };
    let (pod, node) = (pod.object.clone(), String::new());
    let _ = workspace.query(&match chosen % 3 {
        0 => Query::WhatIfs { pod },
        1 => Query::Search { pod, node },
        _ => Query::Verdicts { pod, node },
    });
}
