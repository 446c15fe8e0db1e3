//! Pods, claims, nodes and pools after a step.

use serde::{Deserialize, Serialize};

use super::pool_status::PoolStatus;
use super::text::{DeviceKey, Family, ObjectKey, Phrase, Range};
use super::what_if::WhatIf;

/// A Pod as `kubectl get pods` shows it, and why it waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PodView {
    /// The Pod.
    pub object: ObjectKey,
    /// Where it is written.
    pub range: Option<Range>,
    /// Whether we made it up to show an unused template or claim at work.
    pub hypothetical: bool,
    /// `READY`, e.g. `1/1`.
    pub ready: String,
    /// `STATUS`, e.g. `Running`.
    pub status: String,
    /// Whether the text says that it is Pending (`status.phase`).
    pub said_pending: bool,
    /// Seconds since it was created, on the scenario's clock.
    pub age_seconds: u64,
    /// Node, once scheduled.
    pub node: Option<String>,
    /// Keys of its claims in order of allocation.
    pub claims: Vec<ObjectKey>,
    /// Family of the deepest reason.
    pub family: Family,
    /// A few words beside the status, e.g. `counters short`.
    pub reason: String,
    /// Stable code of the cause, e.g. `counters-short`; empty for a Pod that runs.
    pub code: String,
    /// The line that the sentence is about.
    pub place: Option<Range>,
    /// The cause in one sentence; empty for a Pod that runs.
    pub cause: Phrase,
    /// A second sentence of context; may be empty.
    pub context: Phrase,
    /// The scheduler's message, verbatim.
    pub message: Option<String>,
    /// Changes with which it fits, each one tried, the least change first. Empty for a Pod that runs,
    /// and when the scenario is so large that they have to be asked for, see [`super::Query::WhatIfs`].
    pub what_ifs: Vec<WhatIf>,
    /// Changes that were tried without success, e.g. `every feature gate`.
    pub tried_in_vain: Vec<Phrase>,
    /// What the nodes answered, those with the same answer together, in the order of their first
    /// node by name. Of the nodes that fit, the first by name is taken unless scores differ.
    pub node_verdicts: Vec<NodeVerdict>,
    /// Number of the step at which the last attempt was made.
    pub step: usize,
}

/// What some nodes answered to a Pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeVerdict {
    /// The first of the nodes by name, at most 64; of those that fit, the best first.
    pub nodes: Vec<String>,
    /// How many nodes there are.
    pub count: usize,
    /// The scheduler's words, verbatim; empty when the nodes fit.
    pub message: String,
    /// Family of the reason.
    pub family: Family,
    /// Search calls made for these nodes; `None` when there was no search.
    pub search_calls: Option<u64>,
}

/// A claim, its requests and its result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimView {
    /// The claim.
    pub object: ObjectKey,
    /// Where it, or the template it was generated from, is written.
    pub range: Option<Range>,
    /// The template it was generated from.
    pub template: Option<ObjectKey>,
    /// Whether we made it up.
    pub hypothetical: bool,
    /// `refused`, or `pending`, `allocated,reserved` or `allocated`, as `kubectl get resourceclaims` says it.
    pub state: String,
    /// Pods it is reserved for.
    pub reserved_for: Vec<String>,
    /// Its requests.
    pub requests: Vec<RequestView>,
    /// Its devices, in the order in which they were taken.
    pub devices: Vec<AllocatedDevice>,
    /// The whole `status` as YAML; empty while there is none.
    pub status_yaml: String,
    /// The cause in one sentence when it is not allocated although somebody wants it.
    pub cause: Phrase,
}

/// One request of a claim, in short.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestView {
    /// Name.
    pub name: String,
    /// What it wants, e.g. `1 × gpu.example.com` or `all × nic.example.com`.
    pub wants: String,
    /// Capacity asked, by name, as written.
    pub capacity: Vec<(String, String)>,
    /// Whether it wants admin access only.
    pub admin_access: bool,
    /// Where it is written.
    pub range: Option<Range>,
}

/// One device of a claim's result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AllocatedDevice {
    /// `request` or `request/subrequest`.
    pub request: String,
    /// The device.
    pub device: DeviceKey,
    /// Share, for a shared device.
    pub share_id: Option<String>,
    /// Amounts consumed by capacity name, canonical notation.
    pub consumed: Vec<(String, String)>,
    /// Whether it is only admin access.
    pub admin_access: bool,
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeView {
    /// Name.
    pub name: String,
    /// Where it is written; `None` when it is only named by slices or Pods.
    pub range: Option<Range>,
    /// Devices that can be reached from it.
    pub devices: usize,
}

/// A pool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolView {
    /// Driver.
    pub driver: String,
    /// Name.
    pub pool: String,
    /// Newest generation.
    pub generation: i64,
    /// Slices present at that generation.
    pub slices: usize,
    /// Slices announced.
    pub expected_slices: i64,
    /// `complete`, `incomplete`, `invalid`.
    pub state: String,
    /// Why it is invalid; empty when it is not.
    pub detail: String,
    /// Counter sets in it.
    pub counter_sets: usize,
    /// Devices in it.
    pub devices: usize,
    /// Where its first slice is written.
    pub range: Option<Range>,
    /// What a `ResourcePoolStatusRequest` would answer.
    pub status: PoolStatus,
}
