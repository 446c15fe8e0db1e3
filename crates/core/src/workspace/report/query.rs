//! Questions about details, and their answers.

use serde::{Deserialize, Serialize};

use super::compare::Comparison;
use super::options::Options;
use super::search::SearchTree;
use super::text::{ObjectKey, Phrase};
use super::verdicts::RequestVerdicts;
use super::what_if::WhatIf;

/// A question about a detail that the analysis does not carry; answered by the same worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Query {
    /// The trace of one expression on one device.
    Trace {
        /// The expression.
        expression: String,
        /// Indexes into the snapshot's `devices`.
        devices: Vec<usize>,
    },
    /// The verdicts of a Pod's last attempt on one node, when the snapshot leaves them out.
    Verdicts {
        /// The Pod.
        pod: ObjectKey,
        /// The node.
        node: String,
    },
    /// The search for a Pod's devices on one node, as the last attempt made it.
    Search {
        /// The Pod.
        pod: ObjectKey,
        /// The node; empty for the most telling one.
        node: String,
    },
    /// The last analysis beside another one, each after its own step.
    Compare {
        /// The other text; `None` for the same.
        text: Option<String>,
        /// What is set beside it.
        options: Options,
    },
    /// Changes with which a Pod that waits would fit.
    WhatIfs {
        /// The Pod.
        pod: ObjectKey,
    },
}

/// An answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// For [`Query::Trace`].
    Trace(TraceTable),
    /// For [`Query::Verdicts`].
    Verdicts(Vec<RequestVerdicts>),
    /// For [`Query::Search`].
    Search(SearchTree),
    /// For [`Query::Compare`].
    Compare(Comparison),
    /// For [`Query::WhatIfs`]: what helps, and what was tried without success.
    WhatIfs(Vec<WhatIf>, Vec<Phrase>),
    /// What was asked about is gone.
    Outdated,
}

/// One expression on several devices: every sub-expression with its value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceTable {
    /// The expression.
    pub expression: String,
    /// Why the scheduler cannot evaluate it, verbatim.
    pub compile_error: Option<String>,
    /// Why the API server refuses it where it is new, verbatim.
    pub admission_error: Option<String>,
    /// What it probably means, from what devices publish.
    pub hints: Vec<TraceHint>,
    /// Sub-expressions, outermost first in source order.
    pub parts: Vec<TracePart>,
    /// One column for each device asked for.
    pub columns: Vec<TraceColumn>,
    /// Worst-case cost as the API server estimates it.
    pub max_cost: Option<u64>,
    /// Runtime cost limit.
    pub cost_limit: u64,
}

/// A remark about a part of an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceHint {
    /// Range inside the expression in UTF-16 units.
    pub from: u32,
    /// End of that range.
    pub to: u32,
    /// What to know.
    pub message: String,
    /// What to put in its place.
    pub replacement: Option<String>,
}

/// A sub-expression.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TracePart {
    /// Expression id as cel-go numbers it.
    pub id: u64,
    /// Range inside the expression in UTF-16 units.
    pub from: u32,
    /// End of that range.
    pub to: u32,
    /// Nesting depth, 0 for the whole.
    pub depth: u32,
    /// Type as the checker prints it.
    pub kind: String,
}

/// The values of one evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceColumn {
    /// Index into the snapshot's `devices`.
    pub device: usize,
    /// `true`, `false` or `error`.
    pub answer: String,
    /// Error text, verbatim.
    pub error: Option<String>,
    /// Runtime cost.
    pub cost: u64,
    /// What happened, in order.
    pub events: Vec<TraceEvent>,
}

/// One event of an evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceEvent {
    /// Expression id.
    pub id: u64,
    /// Indexes of the enclosing comprehension elements, outermost first.
    pub iteration: Vec<u32>,
    /// `value`, `error`, `skipped`, or `folded` for a part of a constant.
    pub outcome: String,
    /// The value, the error text, or why it was skipped.
    pub text: String,
}
