use crate::diagnostic;
use crate::source::{LineIndex, Span};

use super::report::{Diagnostic, Edit, Fix, Range, Severity};

/// The range of a span for an editor.
pub(super) fn range(lines: &LineIndex, span: Span) -> Range {
    let (start, end) = (lines.line_column(span.start), lines.line_column(span.end));
    Range {
        from: lines.utf16(span.start),
        to: lines.utf16(span.end),
        line: start.line + 1,
        column: start.column + 1,
        end_line: end.line + 1,
        end_column: end.column + 1,
    }
}

/// A diagnostic in the form of the report.
pub(super) fn diagnostic(lines: &LineIndex, found: &diagnostic::Diagnostic) -> Diagnostic {
    let primary = &found.primary;
    let mut notes = found.notes.clone();
    if !primary.text.is_empty() {
        notes.insert(0, primary.text.clone());
    }
    Diagnostic {
        code: found.code.name.to_owned(),
        severity: match found.severity {
            diagnostic::Severity::Error => Severity::Error,
            diagnostic::Severity::Warning => Severity::Warning,
            diagnostic::Severity::Note => Severity::Note,
        },
        message: found.message.clone(),
        range: range(lines, primary.span),
        related: found
            .secondary
            .iter()
            .map(|label| (range(lines, label.span), label.text.clone()))
            .collect(),
        notes,
        fixes: found.fixes.iter().map(|fix| self::fix(lines, fix)).collect(),
        upstream: found.upstream.clone(),
    }
}

fn fix(lines: &LineIndex, fix: &diagnostic::Fix) -> Fix {
    let edit = |edit: &diagnostic::TextEdit| Edit {
        range: range(lines, edit.span),
        text: edit.text.clone(),
    };
    Fix { title: fix.title.clone(), edits: fix.edits.iter().map(edit).collect() }
}
