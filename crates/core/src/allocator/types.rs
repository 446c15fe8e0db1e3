use crate::api::AllocationResult;

use super::{Crash, Fault};

/// How the answer of one allocation came out, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The answer.
    pub outcome: Outcome,
    /// Search calls made; `None` when it ended before the search.
    pub search_calls: Option<u64>,
}

/// The answer of one allocation for one node.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// One result for each claim, in order.
    Allocated(Vec<AllocationResult>),
    /// The node has not what the claims want.
    NotAllocated,
    /// A fault that rejects only this node.
    NodeError(Fault),
    /// A fault that aborts the scheduling attempt on all nodes.
    Fatal(Fault),
    /// The budget of search calls is used up; the real scheduler would search on until its timeout.
    Exhausted {
        /// Search calls made.
        search_calls: u64,
    },
    /// The release crashes here.
    Crash(Crash),
}

/// Whether the search may leave out what provably cannot change its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pruning {
    /// Every search call that upstream makes: call counts are comparable.
    Off,
    /// Same answers with fewer calls.
    #[default]
    Proven,
}

/// Gives the ids of new shares of shareable devices.
///
/// Upstream draws random UUIDs; the playground must give the same bytes every time.
pub trait ShareIds {
    /// The id for the next share in a result.
    fn next_share_id(&mut self) -> String;
}
