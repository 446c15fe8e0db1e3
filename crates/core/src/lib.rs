//! DRA Playground's core: text in, report out.
//!
//! It reads Kubernetes objects for Dynamic Resource Allocation from YAML or JSON text, allocates
//! devices as kube-scheduler of a chosen release would, and explains every decision. It has no IO,
//! no clock, no randomness, and does not panic: the same input gives the same bytes.
//!
//! The modules stand in reading order; a module may use the ones above it and none below.

pub mod source;
pub mod language;
pub mod diagnostic;
pub mod features;
pub mod yaml;
pub mod apimachinery;
pub mod api;
pub mod selector;
pub mod pool;
pub mod allocator;
pub mod explain;
pub mod cluster;
pub mod scheduler;
pub mod scenario;
pub mod conformance;
pub mod workspace;
