//! The words all Kubernetes objects share: quantities, names, labels, node selectors, metadata.
//!
//! Must not know DRA or CEL. Upstream counterpart: `k8s.io/apimachinery`.

mod entries;
mod field_error;
mod meta;
pub mod names;
mod node_selector;

pub use dra_playground_cel::quantity;
pub use entries::Entries;
pub(crate) use field_error::go_json;
pub use field_error::{FieldError, FieldErrorKind, aggregate, quote};
pub use meta::{Condition, ObjectMeta, ObjectRef, OwnerReference};
pub use node_selector::{
    NodeSelector, NodeSelectorOperator, NodeSelectorRequirement, NodeSelectorTerm,
};

#[cfg(test)]
mod tests;
