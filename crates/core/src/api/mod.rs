//! The Kubernetes objects of DRA as plain data, one file per kind, in the shape of `resource.k8s.io/v1`.
//!
//! `decode` turns YAML nodes into these objects and keeps a map from field path to span beside
//! each. Must not know how a claim is allocated, nor how CEL works.
//! Upstream counterpart: `k8s.io/api/resource/v1`, `k8s.io/api/core/v1`.

mod claim;
mod class;
mod node;
mod pod;
mod slice;
mod taint_rule;

pub use claim::*;
pub use class::*;
pub use node::*;
pub use pod::*;
pub use slice::*;
pub use taint_rule::*;
