//! The scheduler's part: one attempt for one Pod, from PreEnqueue to PreBind.
//!
//! Must not know scenario files. Upstream counterpart: kube-scheduler with its plugin
//! `dynamicresources` and as much of the node plugins as a DRA scenario needs.

mod attempt;
mod extended;
mod message;
mod node_filters;
mod selection;

pub use attempt::{
    Attempt, AttemptClaim, ClaimTask, Fatal, NodeAttempt, NodeStatus, Outcome, Rejection,
};
