//! The only place that prints.

use std::io::{self, ErrorKind, Write as _};
use std::sync::OnceLock;

use dra_playground_core::workspace::report::{Phrase, Range, Severity};
use dra_playground_core::workspace::visible;
use serde::Serialize;

use crate::args::Format;

/// The first output that could not be written.
static FAILED: OnceLock<io::Error> = OnceLock::new();

/// Prints a line; signs that would change how a terminal shows it are escaped.
pub(crate) fn line(text: &str) {
    raw(&visible(text));
}

fn raw(text: &str) {
    wrote(writeln!(io::stdout().lock(), "{text}"));
}

fn wrote(result: io::Result<()>) {
    // A reader that has seen enough closes the pipe: no reason to complain.
    if let Err(error) = result
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = FAILED.set(error);
    }
}

/// Says whether everything was written.
pub(crate) fn finish() -> Result<(), String> {
    wrote(io::stdout().lock().flush());
    FAILED.get().map_or(Ok(()), |error| Err(format!("the output cannot be written: {error}")))
}

/// Prints what went wrong with the command itself.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "dra-playground: {}", visible(text));
}

/// Prints plain data as JSON or YAML; says whether it did.
pub(crate) fn data(format: Format, value: &impl Serialize) -> Result<bool, String> {
    match format {
        Format::Json => {
            line(&serde_json::to_string_pretty(value).map_err(|error| error.to_string())?);
            Ok(true)
        }
        Format::Yaml => {
            // The writer escapes control signs; an escape of ours would be text in a plain scalar.
            raw(serde_yaml::to_string(value).map_err(|error| error.to_string())?.trim_end());
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
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| visible(cell).replace('\n', "\\n")).collect())
        .collect();
    let mut widths: Vec<usize> = heading.iter().map(|cell| cell.chars().count()).collect();
    for row in &rows {
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
    for row in &rows {
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
