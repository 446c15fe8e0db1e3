//! `check`: diagnostics only.

use std::collections::BTreeMap;

use dra_playground_core::workspace::report::{Diagnostic, Severity};

use crate::args::{Args, Format};
use crate::tally::Tally;
use crate::{Findings, files, folder, output};

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    let mut all = BTreeMap::new();
    let mut errors = false;
    let mut tally = Tally::default();
    let operands = files::files(args)?.iter().map(|operand| folder::expand(operand));
    for file in operands.collect::<Result<Vec<_>, _>>()?.iter().flatten() {
        let analysis = files::analyze(file, args)?;
        tally.add(&analysis.diagnostics);
        errors |= analysis.diagnostics.iter().any(|found| found.severity == Severity::Error);
        if args.format == Format::Github {
            analysis.diagnostics.iter().for_each(|found| github(file, found));
        } else if args.format == Format::Text {
            analysis.diagnostics.iter().for_each(|found| text(file, found));
        }
        all.insert(file.clone(), analysis.diagnostics);
    }
    output::data(args.format, &all)?;
    if args.format == Format::Text {
        tally.print();
    }
    Ok(Findings::when(errors))
}

/// A diagnostic with its notes, fixes and the words of Kubernetes.
pub(crate) fn text(file: &str, found: &Diagnostic) {
    let place = output::place(file, found.range);
    let severity = output::severity(found.severity);
    output::line(&format!("{place}: {severity}[{}]: {}", found.code, found.message));
    for (range, word) in &found.related {
        output::line(&format!("    {}: {word}", output::place(file, *range)));
    }
    for note in &found.notes {
        output::line(&format!("    {note}"));
    }
    for fix in &found.fixes {
        output::line(&format!("    fix: {}", fix.title));
    }
    if let Some(upstream) = &found.upstream {
        output::line(&format!("    Kubernetes says: {upstream}"));
    }
}

/// A workflow command; line breaks and percent signs are escaped.
fn github(file: &str, found: &Diagnostic) {
    let level = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let escape = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let range = found.range;
    output::line(&format!(
        "::{level} file={},line={},endLine={},col={},title={}::{}",
        escape(file).replace(':', "%3A").replace(',', "%2C"),
        range.line,
        range.end_line,
        range.column,
        found.code,
        escape(&found.message)
    ));
}
