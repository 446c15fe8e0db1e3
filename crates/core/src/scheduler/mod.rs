//! The scheduler's part: one attempt for one Pod, from PreEnqueue to PreBind.
//!
//! Must not know scenario files. Upstream counterpart: kube-scheduler with its plugin
//! `dynamicresources` and as much of the node plugins as a DRA scenario needs.

mod attempt;
mod binding;
mod claims;
mod devices;
mod env;
mod extended;
mod memory;
mod message;
mod node_filters;
mod run;
mod score;
#[cfg(test)]
mod tests;

pub use attempt::{
    Attempt, AttemptClaim, ClaimTask, Fatal, NodeAnswers, NodeAttempt, NodeStatus, Outcome,
    Rejection,
};
pub use binding::{
    BINDING_TIMEOUT_SECONDS, Readiness, has_binding_conditions, readiness, waits_for_conditions,
};
pub use claims::pod_claims;
pub(crate) use claims::{Generated, MAX_CONSUMERS, generated_claim, is_owned_by, is_reserved_for};
pub use devices::{Inputs, Replay, Replayed, allocate_alone};
pub(crate) use devices::{NO_EXECUTE, has_no_execute};
pub use env::{Env, SEARCH_BUDGET};
pub use extended::{
    EXTENDED_RESOURCES, RequestMapping, SPECIAL_CLAIM_NAME, is_special, special_request,
};
pub(crate) use node_filters::{CORDON_TAINT, is_terminal, pod_tolerates, untolerated};
pub use run::{Consequence, Plan, Tried, attempt_pod};
