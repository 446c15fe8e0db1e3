use std::collections::BTreeMap;

use crate::apimachinery::ObjectMeta;
use crate::apimachinery::quantity::Quantity;

/// A node, as far as scheduling of DRA scenarios needs it. Source: `core/v1 Node`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Metadata; labels decide node selection.
    pub metadata: ObjectMeta,
    /// `spec.unschedulable`.
    pub unschedulable: bool,
    /// `spec.taints`.
    pub taints: Vec<NodeTaint>,
    /// `status.declaredFeatures`.
    pub declared_features: Vec<String>,
    /// `status.allocatable`.
    pub allocatable: BTreeMap<String, Quantity>,
}

/// Source: `core/v1 Taint`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeTaint {
    /// Key.
    pub key: String,
    /// Value.
    pub value: String,
    /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
    pub effect: String,
}

impl NodeTaint {
    /// Whether Pods that do not tolerate it are kept away.
    pub fn keeps_away(&self) -> bool {
        keeps_away(&self.effect)
    }
}

/// Whether a taint of this effect, of a node or of a device, keeps away who does not tolerate it.
pub(super) fn keeps_away(effect: &str) -> bool {
    matches!(effect, "NoSchedule" | "NoExecute")
}

/// A namespace; its labels gate admin access. Source: `core/v1 Namespace`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Namespace {
    /// Metadata.
    pub metadata: ObjectMeta,
}
