use crate::diagnostic::translate;

use super::gallery::{gallery_words, translate_description};
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
    if let Some(scenario) = &mut analysis.scenario {
        scenario.title = gallery_words(&scenario.title, language).to_owned();
        scenario.description = translate_description(&scenario.description, language);
    }
    for step in &mut analysis.steps {
        // A step that the text names keeps its name, unless it is one of the gallery's.
        match step.range {
            None => said(&mut step.name),
            Some(_) => step.name = gallery_words(&step.name, language).to_owned(),
        }
    }
    analysis
}
