use std::cell::RefCell;
use std::rc::Rc;

use crate::api::{Pod, ResourceClaim};
use crate::cluster::{Cluster, Objects, parse_time};
use crate::features::Behavior;
use crate::selector::Selectors;

use super::binding::{BINDING_TIMEOUT_SECONDS, has_binding_conditions};
use super::memory::Memory;

/// Search calls allowed for one node: about what the real scheduler does before its timeout.
pub const SEARCH_BUDGET: u64 = 1_000_000;

/// What every attempt needs besides the cluster: the release and what is kept between attempts.
#[derive(Debug)]
pub struct Env {
    behavior: Behavior,
    selectors: Selectors,
    pub(super) memory: RefCell<Memory>,
    /// Search calls that one attempt may make for one node; `None` for no limit.
    pub budget: Option<u64>,
}

impl Env {
    /// For a release with its gates.
    pub fn new(behavior: Behavior, selectors: Selectors) -> Self {
        Self { behavior, selectors, memory: RefCell::default(), budget: Some(SEARCH_BUDGET) }
    }

    /// The release and its switches.
    pub fn behavior(&self) -> &Behavior {
        &self.behavior
    }

    /// Compiled selectors.
    pub fn selectors(&self) -> &Selectors {
        &self.selectors
    }

    /// Takes note that nothing but these claims were allocated since `before`, so that not all have
    /// to be looked at again.
    pub fn claims_allocated(
        &self,
        before: &Objects<ResourceClaim>,
        after: &Objects<ResourceClaim>,
        allocated: &[Rc<ResourceClaim>],
    ) {
        let mut memory = self.memory.borrow_mut();
        memory.claims_allocated(before, after, allocated, &self.behavior);
    }

    /// Takes note that nothing but this Pod was bound since `before`.
    pub fn pod_bound(&self, before: &Objects<Pod>, after: &Objects<Pod>, pod: &Pod, node: &str) {
        self.memory.borrow_mut().pod_bound(before, after, pod, node);
    }

    /// Whether a claim has waited too long for its binding conditions.
    pub fn is_timed_out(&self, claim: &ResourceClaim, cluster: &Cluster) -> bool {
        let Some(allocation) = &claim.status.allocation else { return false };
        let Some(since) = allocation.allocation_timestamp.as_deref().and_then(parse_time) else {
            return false;
        };
        has_binding_conditions(claim)
            // The attempt after the timeout comes a moment later.
            && since.saturating_add_unsigned(BINDING_TIMEOUT_SECONDS) <= cluster.now()
    }
}
