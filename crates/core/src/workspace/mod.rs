//! The API boundary: text and options in, a report of plain data out.
//!
//! [`Workspace::analyze`] is what the page runs on every settled keystroke and the command line
//! once. [`edits`] holds the changes of the text that buttons make, [`link`] the codec of the URL
//! fragment. Browser and command line use this module only; it must not know which of them is
//! calling.

mod analysis;
mod compare;
mod diagnosis;
mod assist;
pub mod edits;
mod explained;
mod facts;
mod gallery;
mod kubernetes;
#[cfg(test)]
mod laws;
pub mod link;
mod outline;
mod phrases;
mod places;
mod pods;
mod ranges;
mod refused;
pub mod report;
mod search_tree;
mod selectors;
mod sight;
mod snapshot;
mod status;
mod trial;
mod verdicts;
mod what_if;
mod writer;
mod written;

mod translated;
mod vectors;
mod visible;

pub use assist::{complete, hover};
pub use gallery::{Example, fill_gallery, gallery, gallery_words};
pub use kubernetes::check_options;
pub use vectors::{VectorFailure, Vectors, vectors};
pub use visible::{made_visible, text_of, visible};

pub use crate::language;

pub use dra_playground_cel::order::Order;
pub use dra_playground_cel::tables::fetch_by as fetch_tables_by;

use std::fmt;
use std::rc::Rc;

use crate::api::{Object, check, codes};
use crate::diagnostic::{self, Diagnostic};
use crate::explain::words::{Catalogue, catalogue};
use crate::scenario::{self, Timeline};
use crate::scheduler::Env;
use crate::source::LineIndex;

use analysis::{Memo, Shown};
use report::{Analysis, Answer, Options, Query};
use snapshot::World;
use trial::{Prepared, prepare};

/// One text under analysis. It keeps what the last analysis found, so that another step or a
/// question about a detail does not run everything again.
#[derive(Default)]
pub struct Workspace {
    last: Option<Last>,
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").field("has_text", &self.last.is_some()).finish()
    }
}

/// What is kept of an analysis.
struct Last {
    text: Rc<str>,
    /// The options that decide what happens; step and language only decide what is shown.
    options: Options,
    lines: LineIndex,
    env: Env,
    timeline: Timeline,
    /// The part of the report that does not depend on the step.
    report: Analysis,
    memo: Memo,
    step: usize,
    world: World,
}

impl Workspace {
    /// An empty workspace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads, checks and runs the text and reports everything that can be shown of one step.
    pub fn analyze(&mut self, text: &str, options: &Options) -> Analysis {
        self.analyze_shared(&text.into(), options)
    }

    /// The same for a text that the caller holds: it is not there twice.
    pub fn analyze_shared(&mut self, text: &Rc<str>, options: &Options) -> Analysis {
        let decides = Options { step: None, ..options.clone() };
        let kept = self.last.take().filter(|last| last.text == *text && last.options == decides);
        let mut last = kept.unwrap_or_else(|| Last::new(text, decides));
        let analysis = last.show(options.step);
        self.last = Some(last);
        translated::translated(analysis, &options.language)
    }

    /// Answers a question about a detail of the last analysis.
    pub fn query(&self, query: &Query) -> Answer {
        match (query, &self.last) {
            (Query::Verdicts { pod, node }, Some(last)) => {
                let words = catalogue(&last.options.language);
                let verdicts = last.shown(&words).verdicts_on(last.step, pod, node, &last.world);
                Answer::Verdicts(verdicts)
            }
            (Query::WhatIfs { pod }, Some(last)) => {
                let words = catalogue(&last.options.language);
                let (helps, in_vain) = last.shown(&words).what_ifs_of(last.step, pod);
                Answer::WhatIfs(helps, in_vain)
            }
            (Query::Compare { text, options }, Some(last)) => {
                Answer::Compare(last.compare(text.as_deref(), options))
            }
            (Query::Search { pod, node }, Some(last)) => {
                let words = catalogue(&last.options.language);
                let found = last.shown(&words).search(last.step, pod, node);
                found.map_or(Answer::Outdated, Answer::Search)
            }
            (Query::Trace { expression, devices }, Some(last)) => {
                Answer::Trace(selectors::trace_table(&last.env, &last.world, expression, devices))
            }
            _ => Answer::Outdated,
        }
    }
}

impl Last {
    fn new(text: &Rc<str>, options: Options) -> Self {
        let lines = LineIndex::new(text);
        let Prepared { mut opened, env } = prepare(text, &options);
        let later: Vec<Rc<Object>> = opened.applied.iter().flatten().cloned().collect();
        opened.diagnostics.extend(check::check(text, &opened.objects, &later));
        opened.diagnostics.extend(selectors::remarks(text, env.selectors(), &opened.objects));
        diagnostic::sort(&mut opened.diagnostics);
        diagnostic::look_alikes(text, &mut opened.diagnostics);
        let buttons = options.extra_steps.iter().map(analysis::button).collect();
        let timeline = opened.run(&env, buttons);
        let mut diagnostics = opened.diagnostics;
        diagnostics.extend(timeline.diagnostics.iter().cloned());
        say_once(&mut diagnostics);
        diagnostic::sort(&mut diagnostics);
        let first = timeline.steps.first().map(|step| step.cluster.as_ref());
        let report = Analysis {
            diagnostics: diagnostics.iter().map(|d| ranges::diagnostic(&lines, d)).collect(),
            outline: outline::outline(&lines, &opened.objects, first),
            kubernetes: kubernetes::kubernetes(&opened.behavior),
            scenario: opened.document.map(|document| report::ScenarioInfo {
                name: document.name,
                title: document.title,
                description: document.description,
            }),
            presets: edits::presets_of(text, &opened.objects),
            ..Analysis::default()
        };
        let mut last = Self {
            text: Rc::clone(text),
            options,
            lines,
            env,
            timeline,
            report,
            memo: Memo::default(),
            step: 0,
            world: World::default(),
        };
        let words = catalogue(&last.options.language);
        last.report.steps = last.shown(&words).steps();
        last.report.expectations = last.shown(&words).expectations();
        last.report.remarks = last.shown(&words).remarks();
        last
    }

    fn shown<'a>(&'a self, words: &'a Catalogue) -> Shown<'a> {
        Shown {
            lines: &self.lines,
            env: &self.env,
            timeline: &self.timeline,
            words,
            memo: &self.memo,
            text: &self.text,
            options: &self.options,
            diagnostics: &self.report.diagnostics,
        }
    }

    /// The report for one step; the last one when there is none of that number.
    fn show(&mut self, step: Option<usize>) -> Analysis {
        let newest = self.timeline.steps.len().saturating_sub(1);
        self.step = step.unwrap_or(newest).min(newest);
        let words = catalogue(&self.options.language);
        let (snapshot, world) = self.shown(&words).snapshot(self.step);
        self.world = world;
        Analysis { step: self.step, snapshot, ..self.report.clone() }
    }
}

/// What a taint rule without selector does in the release says more than what the API means by it.
fn say_once(diagnostics: &mut Vec<Diagnostic>) {
    let everything = scenario::codes::TAINT_RULE_SELECTS_EVERYTHING;
    let rules = diagnostics.iter().filter(|found| found.code == everything);
    let rules: Vec<_> = rules.map(|found| found.primary.span).collect();
    diagnostics.retain(|found| {
        found.code != codes::TAINT_RULE_WITHOUT_SELECTOR || !rules.contains(&found.primary.span)
    });
}

#[cfg(test)]
mod tests;
