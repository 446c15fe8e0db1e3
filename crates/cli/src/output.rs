//! The only place that prints.

use std::io::{self, Write as _};

use dra_playground_core::workspace::report::{Phrase, Range, Severity};
use serde::Serialize;

use crate::args::Format;

/// Prints a line.
pub(crate) fn line(text: &str) {
    // A reader that has seen enough closes the pipe: no reason to complain.
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Prints what went wrong with the command itself.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "dra-playground: {text}");
}

/// Prints plain data as JSON or YAML; says whether it did.
pub(crate) fn data(format: Format, value: &impl Serialize) -> Result<bool, String> {
    match format {
        Format::Json => {
            line(&serde_json::to_string_pretty(value).map_err(|error| error.to_string())?);
            Ok(true)
        }
        Format::Yaml => {
            line(serde_yaml::to_string(value).map_err(|error| error.to_string())?.trim_end());
            Ok(true)
        }
        Format::Text | Format::Github => Ok(false),
    }
}

/// Prints rows in aligned columns under a heading; nothing when there are no rows.
pub(crate) fn table(heading: &[&str], rows: &[Vec<String>]) {
    if rows.is_empty() {
        return;
    }
    let mut widths: Vec<usize> = heading.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let print = |cells: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<String> =
            cells.zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        line(&format!("  {}", padded.join("  ").trim_end()));
    };
    print(&mut heading.iter().copied());
    for row in rows {
        print(&mut row.iter().map(String::as_str));
    }
    line("");
}

/// The words of a phrase.
pub(crate) fn words(phrase: &Phrase) -> String {
    phrase.0.iter().map(|piece| piece.text.as_str()).collect()
}

/// `FILE:LINE:COLUMN`.
pub(crate) fn place(file: &str, range: Range) -> String {
    format!("{file}:{}:{}", range.line, range.column)
}

/// The severity in a word.
pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
