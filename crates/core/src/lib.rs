//! DRA Playground's core: text in, report out.
//!
//! It reads Kubernetes objects for Dynamic Resource Allocation from YAML or JSON text, allocates
//! devices as kube-scheduler of a chosen release would, and explains every decision. It has no IO,
//! no clock, no randomness, and does not panic: the same input gives the same bytes.
//!
//! The modules stand in reading order; a module may use the ones above it and none below.

pub mod allocator;
pub mod api;
pub mod apimachinery;
pub mod cluster;
pub mod conformance;
pub mod diagnostic;
pub mod explain;
pub mod features;
pub mod pool;
pub mod scenario;
pub mod scheduler;
pub mod selector;
pub mod source;
pub mod workspace;
pub mod yaml;
