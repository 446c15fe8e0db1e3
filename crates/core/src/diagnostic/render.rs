use std::fmt::Write;

use crate::source::{LineIndex, Span};

use super::{Diagnostic, Severity};

/// The longest line that is shown whole, in characters.
const WIDTH: usize = 160;

/// Plain text for a terminal: message, place, the line with the marked part, notes, fixes.
///
/// `name` is how the text is called in places, e.g. a file name. Lines and columns are one-based.
pub fn render(diagnostic: &Diagnostic, name: &str, text: &str, index: &LineIndex) -> String {
    let mut out = String::new();
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let _ = writeln!(out, "{severity}[{}]: {}", diagnostic.code.name, diagnostic.message);
    let primary = &diagnostic.primary;
    let _ = writeln!(out, "  --> {}", place(name, primary.span, index));
    mark(&mut out, primary.span, &primary.text, text, index);
    for label in &diagnostic.secondary {
        let _ = writeln!(out, "  ::: {}: {}", place(name, label.span, index), label.text);
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "  = {note}");
    }
    for fix in &diagnostic.fixes {
        let _ = writeln!(out, "  = fix: {}", fix.title);
    }
    if let Some(upstream) = &diagnostic.upstream {
        let _ = writeln!(out, "  = kubectl: {upstream}");
    }
    out
}

fn place(name: &str, span: Span, index: &LineIndex) -> String {
    let at = index.line_column(span.start);
    format!("{name}:{}:{}", at.line + 1, at.column + 1)
}

fn mark(out: &mut String, span: Span, label: &str, text: &str, index: &LineIndex) {
    let line = index.line(span.start);
    let start = index.line_start(line);
    let whole = Span { start, end: index.line_start(line + 1).max(start) };
    let content = whole.text(text).trim_end_matches(['\n', '\r']);
    let before = Span { start, end: span.start.max(start) }.text(text).chars().count();
    let inside = Span { start: span.start, end: span.end.min(whole.end) };
    let marked = inside.text(text).trim_end_matches(['\n', '\r']).chars().count().max(1);
    if content.chars().count() > WIDTH {
        return;
    }
    let number = (line + 1).to_string();
    let gutter = " ".repeat(number.len());
    let shown: String = content.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let carets = format!("{}{}", " ".repeat(before), "^".repeat(marked));
    let _ = writeln!(out, "{number} | {}", shown.trim_end());
    let _ = writeln!(out, "{}", format!("{gutter} | {carets} {label}").trim_end());
}
