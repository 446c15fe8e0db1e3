//! Changes with which a Pod would fit.

use serde::{Deserialize, Serialize};

use super::options::Behavior;
use super::text::{Edit, Phrase};

/// A change with which a Pod that waits would fit: made in the text or beside it, the scenario was
/// read and run again from its first object on, and the Pod had a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WhatIf {
    /// Stable kind: `fix` (of a diagnostic), `delete-pod`, `tolerate`, `ask-less`, `fewer-devices`,
    /// `drop-term`, `drop-constraint`, `other-node`, `order`, `together` (two of these), `fixed`,
    /// `gate`, `release`.
    pub kind: String,
    /// The change, e.g. `Fits if pod1 is deleted`.
    pub sentence: Phrase,
    /// What comes of it, e.g. `pod2 gets gpu-7-partition-0`.
    pub outcome: Phrase,
    /// The change as edits of the text; empty when it is a setting.
    pub edits: Vec<Edit>,
    /// The change as a setting beside the text.
    pub setting: Option<Setting>,
}

/// A setting beside the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Setting {
    /// A Kubernetes release.
    KubernetesVersion(String),
    /// A feature gate.
    FeatureGate(String, bool),
    /// Released or corrected behavior.
    Behavior(Behavior),
    /// A later step of the timeline, which makes the change.
    Step(usize),
}
