//! `test`: the expectations of scenario files.

use std::collections::BTreeMap;

use dra_playground_core::workspace::report::{Analysis, Expectation, Severity};

use crate::args::Args;
use crate::{Findings, files, folder, output};

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    let mut counts = Counts::default();
    let mut all: BTreeMap<String, Vec<Expectation>> = BTreeMap::new();
    for operand in files::files(args)? {
        let before = counts;
        for file in folder::expand(operand)? {
            let analysis = files::analyze(&file, args)?;
            let earlier = counts;
            counts.judge(&file, &analysis, args);
            // A folder holds other files, too.
            if counts != earlier {
                all.insert(file, analysis.expectations);
            }
        }
        if counts == before {
            return Err(format!("{operand} has no expectations, so that nothing was tested"));
        }
    }
    let Counts { passed, failed } = counts;
    if !output::data(args.format, &all)? {
        output::line(&format!("{passed} passed, {failed} failed"));
    }
    Ok(Findings::when(failed > 0))
}

/// Expectations, and what keeps some from being read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
}

impl Counts {
    fn judge(&mut self, file: &str, analysis: &Analysis, args: &Args) {
        for expectation in &analysis.expectations {
            if expectation.passed {
                self.passed += 1;
                continue;
            }
            self.failed += 1;
            let place = expectation
                .range
                .map_or_else(|| file.to_owned(), |range| output::place(file, range));
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
                self.failed += 1;
                let place = output::place(file, diagnostic.range);
                all_lines(args, &[format!("{place}: {}", diagnostic.message)]);
            }
        }
    }
}

/// Prints lines unless the output is for machines.
fn all_lines(args: &Args, lines: &[String]) {
    if args.format == crate::args::Format::Text {
        for line in lines {
            output::line(line);
        }
    }
}
