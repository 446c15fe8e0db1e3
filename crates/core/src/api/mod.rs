//! The Kubernetes objects of DRA as plain data, one file per kind, in the shape of `resource.k8s.io/v1`.
//!
//! [`decode`] turns YAML nodes into these objects and keeps a map from field path to span beside
//! each; [`schema`] has the tables of fields. Must not know how a claim is allocated, nor how CEL
//! works. Upstream counterpart: `k8s.io/api/resource/v1`, `k8s.io/api/core/v1`.

pub mod check;
mod claim;
mod class;
pub mod codes;
pub mod decode;
mod devices;
mod encode;
pub(crate) mod names;
mod node;
mod object;
mod pod;
pub mod schema;
mod slice;
mod taint_rule;
pub mod validate;

pub use claim::*;
pub use class::*;
pub use decode::{Options, Read, read, read_with};
pub use devices::*;
pub use encode::{allocation_json, status_json};
pub use node::*;
pub use object::{Defaulted, FieldSpan, FieldSpans, Kind, Object, ObjectValue, Refusal};
pub use pod::*;
pub use slice::*;
pub use taint_rule::*;
