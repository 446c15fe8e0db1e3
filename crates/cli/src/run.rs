//! `run`: the outcome of a scenario.

use std::collections::BTreeMap;

use dra_playground_core::workspace::report::{Analysis, Diagnostic, Remark, Severity};

use crate::args::{Args, Format};
use crate::snapshot::{self, name};
use crate::{Findings, check, files, output};

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    let mut all = BTreeMap::new();
    let mut errors = false;
    for file in files::files(args)? {
        let analysis = files::analyze(file, args)?;
        errors |= analysis.diagnostics.iter().any(|found| found.severity == Severity::Error)
            || analysis.expectations.iter().any(|expectation| !expectation.passed);
        if args.format == Format::Text {
            print(file, &analysis);
        }
        all.insert(file.clone(), analysis);
    }
    output::data(args.format, &all)?;
    Ok(Findings::when(errors))
}

/// Where a remark comes from and what one can do about it.
fn more(remark: &Remark) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(remark.fixed_in.as_ref().map(|release| format!("fixed in {release}")));
    parts.extend(remark.reference.clone());
    if remark.kind == "known-bug" {
        parts.push("`--behavior fixed` answers without it".to_owned());
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

fn print(file: &str, analysis: &Analysis) {
    let kubernetes = &analysis.kubernetes;
    let title = analysis.scenario.as_ref().map_or("", |scenario| scenario.title.as_str());
    output::line(&format!("{file}  {title}  (Kubernetes {})", kubernetes.version));
    // Of the notes, what a rule would do is the one that says something of the outcome.
    let counts =
        |it: &&Diagnostic| it.severity != Severity::Note || it.code == "taint-rule-preview";
    for found in analysis.diagnostics.iter().filter(counts) {
        check::text(file, found);
    }
    for remark in &analysis.remarks {
        output::line(&format!("{}: {}{}", remark.kind, output::words(&remark.text), more(remark)));
    }
    output::line("");
    for (index, step) in analysis.steps.iter().enumerate() {
        let mark = if index == analysis.step { '>' } else { ' ' };
        let outcomes: Vec<String> = step
            .outcomes
            .iter()
            .map(|outcome| format!("{} {}", name(&outcome.object), outcome.text))
            .collect();
        output::line(&format!("{mark} step {index}: {}  {}", step.name, outcomes.join(", ")));
    }
    output::line("");
    snapshot::print(&analysis.snapshot);
    for expectation in analysis.expectations.iter().filter(|expectation| !expectation.passed) {
        output::line(&format!("- {}", expectation.line));
        output::line(&format!("+ {}", expectation.found));
    }
}
