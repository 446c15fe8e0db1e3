//! The words all Kubernetes objects share: quantities, names, labels, node selectors, metadata.
//!
//! Must not know DRA or CEL. Upstream counterpart: `k8s.io/apimachinery`.

mod meta;
mod node_selector;

pub use dra_playground_cel::quantity;
pub use meta::{Condition, ObjectMeta, ObjectRef, OwnerReference};
pub use node_selector::{
    NodeSelector, NodeSelectorOperator, NodeSelectorRequirement, NodeSelectorTerm,
};
