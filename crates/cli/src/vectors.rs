//! `vectors`: recorded answers of the real code against ours.

use dra_playground_core::workspace::vectors;

use crate::args::Args;
use crate::{Findings, files, output};

/// Differences that are shown; all are counted.
const SHOWN: usize = 10;

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for file in files::files(args)? {
        let report = vectors(&files::read(file)?);
        let known = report.passed + report.skipped + report.failures.len() - report.unknown;
        if known == 0 {
            return Err(format!("{file} has no recorded answers, one JSON object a line"));
        }
        for failure in report.failures.iter().take(SHOWN.saturating_sub(failed)) {
            output::line(&format!("{file}:{}: {}", failure.line, failure.name));
            for line in failure.difference.lines() {
                output::line(&format!("    {line}"));
            }
        }
        passed += report.passed;
        failed += report.failures.len();
        skipped += report.skipped;
    }
    if failed > SHOWN {
        output::line(&format!("{} more differences are not shown", failed - SHOWN));
    }
    if skipped > 0 {
        output::line(&format!("{skipped} left out: their recorded answers are not stable"));
    }
    output::line(&format!("{passed} passed, {failed} failed"));
    Ok(Findings::when(failed > 0))
}
