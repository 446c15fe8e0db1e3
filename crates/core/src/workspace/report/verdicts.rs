//! What happened to every device.

use serde::{Deserialize, Serialize};

use super::text::{Family, ObjectKey, Phrase, Range};

/// What happened to every device for one request on one node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestVerdicts {
    /// The Pod whose attempt it was; `None` for a claim without a Pod.
    pub pod: Option<ObjectKey>,
    /// The claim.
    pub claim: ObjectKey,
    /// `request` or `request/subrequest`.
    pub request: String,
    /// The node.
    pub node: String,
    /// Step at which the attempt was made.
    pub step: usize,
    /// How many devices it wanted; `None` for all.
    pub wanted: Option<u64>,
    /// The sieve: rows in the scheduler's order, also those that removed nothing.
    pub sieve: Vec<SieveRow>,
    /// Devices with the same first reason.
    pub groups: Vec<VerdictGroup>,
    /// Each selector with its answer for every device.
    pub selectors: Vec<SelectorTable>,
}

/// A stage of the sieve.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SieveRow {
    /// `devices`, `free`, `class`, `request`, `node`, `capacity`, `counters`, `taints`,
    /// `constraints`, `chosen`.
    pub stage: String,
    /// What was checked, in words.
    pub title: Phrase,
    /// Devices left after it.
    pub left: usize,
    /// Indexes into `groups` of those removed here.
    pub removed: Vec<usize>,
}

/// Devices with the same first reason.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VerdictGroup {
    /// Stable reason code, e.g. `counters-short`.
    pub code: String,
    /// Its family.
    pub family: Family,
    /// The code in words, e.g. `counters short`.
    pub label: String,
    /// The detail, e.g. `gpu-7-counters, memory: 40Gi asked, 0 left`.
    pub detail: Phrase,
    /// Indexes into `devices` of the snapshot.
    pub devices: Vec<usize>,
    /// Stage of the sieve at which they left.
    pub stage: String,
    /// What the request would consume of each of them, when they are shareable; for drawing what
    /// sticks out.
    pub asked: Vec<AskedAmount>,
}

/// What a request would consume of one capacity after the device's policy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedAmount {
    /// Capacity, key as published.
    pub name: String,
    /// Amount, canonical notation.
    pub amount: String,
    /// The same in base units.
    pub units: f64,
}

/// A selector and what it said of each device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectorTable {
    /// `class` or `request`.
    pub source: String,
    /// The class, or the claim (or template) it is written in.
    pub object: ObjectKey,
    /// Index in its list.
    pub index: usize,
    /// The expression.
    pub expression: String,
    /// Where it is written.
    pub range: Option<Range>,
    /// Compile error, verbatim.
    pub compile_error: Option<String>,
    /// What the API server would say of it when it is created; `None` when it accepts.
    pub admission_error: Option<String>,
    /// Worst-case cost as the API server estimates it.
    pub max_cost: Option<u64>,
    /// Devices by answer: answer, indexes into `devices`.
    pub answers: Vec<SelectorAnswer>,
}

/// Devices for which a selector gave the same answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectorAnswer {
    /// `true`, `false`, `error`, or `not run`: the scheduler never asked.
    pub answer: String,
    /// Error text, verbatim.
    pub error: Option<String>,
    /// Indexes into `devices`.
    pub devices: Vec<usize>,
}
