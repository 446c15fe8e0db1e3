//! The search for devices: request expansion, candidates, constraints, counters, capacity, results.
//!
//! An [`Allocator`] serves one scheduling attempt of one Pod over all nodes, as upstream's does. It
//! tells an [`Observer`] what it does as [`Event`]s; reasons are [`SkipReason`]s, data without
//! sentences. The only texts here are those that the scheduler itself prints, see [`Fault`].
//!
//! Must not know sentences, time, nor who observes.
//! Upstream counterpart: `k8s.io/dynamic-resource-allocation/structured`.

mod accounts;
mod capacity;
mod constraint;
mod context;
mod event;
mod fault;
mod prepare;
mod prune;
mod result;
mod run;
mod search;
mod state;
mod take;
#[cfg(test)]
mod tests;
mod types;
mod verdicts;
mod verify;

pub use capacity::would_consume;
pub use context::{Allocator, Context, Ground};
pub use event::{CallOutcome, Event, Observer, Place, SkipReason};
pub use fault::{CapacityCheck, CapacityFault, Crash, Fault, SelectorOwner};
pub use state::{AllocatedState, DeviceUse, Holding};
pub use take::{OPTIONAL_NODE_OPERATIONS, tolerates};
pub use types::{Attempt, Outcome, Pruning, ShareIds};
pub use verify::{Violation, verify};
