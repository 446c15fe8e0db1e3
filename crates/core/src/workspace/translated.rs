use crate::diagnostic::translate;

use super::report::{Analysis, Diagnostic};

/// Says in the reader's language what the stages say in English. Words of Kubernetes, names and
/// what the user wrote stay as they are.
pub(super) fn translated(mut analysis: Analysis, language: &str) -> Analysis {
    if language.is_empty() || language == "en" {
        return analysis;
    }
    let said = |text: &mut String| *text = translate(text, language);
    for found in &mut analysis.diagnostics {
        let Diagnostic { message, related, notes, fixes, .. } = found;
        said(message);
        for (_, text) in related.iter_mut() {
            said(text);
        }
        notes.iter_mut().for_each(said);
        for fix in fixes.iter_mut() {
            said(&mut fix.title);
        }
    }
    for piece in analysis.remarks.iter_mut().flat_map(|remark| &mut remark.text.0) {
        said(&mut piece.text);
    }
    for entry in &mut analysis.outline {
        entry.fact = entry
            .fact
            .split(", ")
            .map(|part| translate(part, language))
            .collect::<Vec<_>>()
            .join("、");
    }
    for gate in &mut analysis.kubernetes.gates {
        said(&mut gate.summary);
    }
    // A step that the text names keeps its name.
    for step in analysis.steps.iter_mut().filter(|step| step.range.is_none()) {
        said(&mut step.name);
    }
    analysis
}
