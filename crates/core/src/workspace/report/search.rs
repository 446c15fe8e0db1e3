//! A search for devices, call by call.

use serde::{Deserialize, Serialize};

use super::text::{ObjectKey, Phrase};

/// What the allocator did for a Pod on one node. Of a long search only a part is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchTree {
    /// The Pod.
    pub pod: ObjectKey,
    /// The node.
    pub node: String,
    /// Search calls in all.
    pub calls: u64,
    /// Entries that were left out; 0 for a short search.
    pub left_out: u64,
    /// What it did, in order.
    pub entries: Vec<SearchEntry>,
    /// Index of the entry at which most was had.
    pub deepest: usize,
    /// What was taken, left and remembered, for [`SearchEntry::state`].
    pub states: Vec<SearchState>,
}

/// One thing that the search did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchEntry {
    /// `enter`, `skip`, `take`, `undo`, `choose`, `prune`, `found`, `fail`, `too-many`, or `gap`.
    pub kind: String,
    /// Open calls around it.
    pub depth: usize,
    /// Number of the call that it belongs to, or that begins here.
    pub call: u64,
    /// What it says.
    pub text: Phrase,
    /// Index into the tree's states: how things stand after it.
    pub state: usize,
}

/// How things stand at one point of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchState {
    /// Devices that are taken, each with its request.
    pub taken: Vec<Phrase>,
    /// What is left of the counters that they draw from, and of shared capacities.
    pub left: Vec<String>,
    /// What the constraints remember.
    pub constraints: Vec<String>,
}
