//! The API boundary: text and options in, a report of plain data out.
//!
//! [`Workspace::analyze`] is what the page runs on every settled keystroke and the command line
//! once. [`edits`] holds the changes of the text that buttons make, [`link`] the codec of the URL
//! fragment. Browser and command line use this module only; it must not know which of them is
//! calling.

pub mod edits;
mod facts;
mod gallery;
mod kubernetes;
pub mod link;
mod outline;
mod phrases;
mod ranges;
pub mod report;
#[expect(dead_code, unused_imports, reason = "the analysis that uses it is under way")]
mod snapshot;
#[cfg_attr(not(test), expect(dead_code, reason = "the analysis that uses it is under way"))]
mod status;

pub use gallery::{Example, gallery};

mod verdicts;

use std::rc::Rc;

use crate::api::{Object, decode};
use crate::features::{Behavior, BehaviorMode, Gate, Gates, Release};
use crate::source::LineIndex;

use report::{Analysis, Answer, Options, Query};

/// One text under analysis. It keeps what the last analysis found, so that another step or a
/// question about a detail does not run everything again.
#[derive(Debug, Default)]
pub struct Workspace {}

impl Workspace {
    /// An empty workspace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads, checks and runs the text and reports everything that can be shown of one step.
    pub fn analyze(&mut self, text: &str, options: &Options) -> Analysis {
        let lines = LineIndex::new(text);
        let read = decode::read(text);
        let objects: Vec<Rc<Object>> = read.objects.into_iter().map(Rc::new).collect();
        let release = options.kubernetes_version.as_deref().map(Release::parse);
        let mut gates = Gates::defaults(release.and_then(Result::ok).unwrap_or_default());
        for (name, enabled) in &options.feature_gates {
            if let Some(gate) = Gate::from_name(name) {
                gates.set(gate, *enabled);
            }
        }
        let behavior = Behavior::new(gates, BehaviorMode::AsReleased)
            .unwrap_or_else(|_| Behavior::default_release());
        Analysis {
            diagnostics: read.diagnostics.iter().map(|d| ranges::diagnostic(&lines, d)).collect(),
            outline: outline::outline(&lines, &objects, None),
            kubernetes: kubernetes::kubernetes(&behavior),
            presets: edits::presets(text),
            ..Analysis::default()
        }
    }

    /// Answers a question about a detail of the last analysis.
    pub fn query(&self, query: &Query) -> Answer {
        let _ = query;
        Answer::Outdated
    }
}
