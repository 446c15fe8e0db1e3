//! `test`: the expectations of scenario files.

use dra_playground_core::workspace::report::{Expectation, Severity};

use crate::args::Args;
use crate::{Findings, files, output};

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    let (mut passed, mut failed) = (0, 0);
    let mut all: Vec<(String, Vec<Expectation>)> = Vec::new();
    for file in files::files(args)? {
        let analysis = files::analyze(file, args)?;
        let before = failed;
        for expectation in &analysis.expectations {
            if expectation.passed {
                passed += 1;
                continue;
            }
            failed += 1;
            let place =
                expectation.range.map_or_else(|| file.clone(), |range| output::place(file, range));
            let step = analysis.steps.get(expectation.step).map_or("", |step| step.name.as_str());
            all_lines(
                args,
                &[
                    format!("{place}: after step {} ({step})", expectation.step),
                    format!("  - {}", expectation.line),
                    format!("  + {}", expectation.found),
                ],
            );
        }
        let is_broken =
            |code: &str| code.starts_with("scenario-") || code.starts_with("expectation-");
        for diagnostic in &analysis.diagnostics {
            if diagnostic.severity == Severity::Error && is_broken(&diagnostic.code) {
                failed += 1;
                let place = output::place(file, diagnostic.range);
                all_lines(args, &[format!("{place}: {}", diagnostic.message)]);
            }
        }
        if analysis.expectations.is_empty() && failed == before {
            return Err(format!("{file} has no expectations, so that nothing was tested"));
        }
        all.push((file.clone(), analysis.expectations));
    }
    let expectations: std::collections::BTreeMap<_, _> = all.into_iter().collect();
    if !output::data(args.format, &expectations)? {
        output::line(&format!("{passed} passed, {failed} failed"));
    }
    Ok(Findings::when(failed > 0))
}

/// Prints lines unless the output is for machines.
fn all_lines(args: &Args, lines: &[String]) {
    if args.format == crate::args::Format::Text {
        for line in lines {
            output::line(line);
        }
    }
}
