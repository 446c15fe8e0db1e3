//! Two runs side by side.

use serde::{Deserialize, Serialize};

use super::text::{Family, ObjectKey};

/// What became of the Pods of two scenarios, or of one under two settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// What decides on the left: release, behavior, allocator.
    pub left: String,
    /// What decides on the right.
    pub right: String,
    /// A row for each Pod and each refused object, those of the left first.
    pub rows: Vec<CompareRow>,
    /// How many rows differ.
    pub differences: usize,
    /// Accounts that differ: account and counter or capacity, what is left on the left, on the right;
    /// empty where the account is not there.
    pub balances: Vec<[String; 3]>,
}

/// One Pod on both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompareRow {
    /// The Pod.
    pub object: ObjectKey,
    /// On the left; `None` when it is not there.
    pub left: Option<CompareCell>,
    /// On the right; `None` when it is not there.
    pub right: Option<CompareCell>,
    /// Whether status, node or devices differ.
    pub differs: bool,
}

/// What became of a Pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompareCell {
    /// Status as `kubectl get pods` shows it.
    pub status: String,
    /// Node, once scheduled.
    pub node: Option<String>,
    /// Its devices with what is consumed of them, e.g. `gpu-0 (memory 20Gi)`.
    pub devices: Vec<String>,
    /// Why it waits, in one sentence; empty for a Pod that runs.
    pub cause: String,
    /// Family for color and silhouette.
    pub family: Family,
}
