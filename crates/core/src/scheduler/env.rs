use std::cell::RefCell;
use std::rc::Rc;

use crate::allocator::AllocatedState;
use crate::api::ResourceClaim;
use crate::cluster::{Cluster, Objects, parse_time};
use crate::features::Behavior;
use crate::selector::Selectors;

use super::binding::{BINDING_TIMEOUT_SECONDS, has_binding_conditions};

/// Search calls allowed for one node: about what the real scheduler does before its timeout.
pub const SEARCH_BUDGET: u64 = 1_000_000;

/// What every attempt needs besides the cluster: the release and what is kept between attempts.
#[derive(Debug)]
pub struct Env {
    behavior: Behavior,
    selectors: Selectors,
    /// What the claims of the last attempt had.
    allocated: RefCell<Option<(Objects<ResourceClaim>, Rc<AllocatedState>)>>,
    /// Search calls that one attempt may make for one node; `None` for no limit.
    pub budget: Option<u64>,
}

impl Env {
    /// For a release with its gates.
    pub fn new(behavior: Behavior, selectors: Selectors) -> Self {
        let allocated = RefCell::default();
        Self { behavior, selectors, allocated, budget: Some(SEARCH_BUDGET) }
    }

    /// The release and its switches.
    pub fn behavior(&self) -> &Behavior {
        &self.behavior
    }

    /// Compiled selectors.
    pub fn selectors(&self) -> &Selectors {
        &self.selectors
    }

    /// What claims have. Consecutive attempts see the same claims, or a few more allocated ones, so
    /// the last answer is kept.
    pub(super) fn allocated(&self, claims: &Objects<ResourceClaim>) -> Rc<AllocatedState> {
        let mut kept = self.allocated.borrow_mut();
        if let Some((known, state)) = kept.as_ref()
            && known.same(claims)
        {
            return Rc::clone(state);
        }
        let all = claims.iter().map(|claim| claim.value.as_ref());
        let state = Rc::new(AllocatedState::from_claims(all, &self.behavior));
        *kept = Some((claims.clone(), Rc::clone(&state)));
        state
    }

    /// Takes note that nothing but these claims were allocated since `before`.
    pub fn claims_allocated(
        &self,
        before: &Objects<ResourceClaim>,
        after: &Objects<ResourceClaim>,
        allocated: &[Rc<ResourceClaim>],
    ) {
        let mut kept = self.allocated.borrow_mut();
        let Some((known, mut state)) = kept.take() else { return };
        if known.same(before) {
            let changed = Rc::make_mut(&mut state);
            for claim in allocated {
                changed.add_claim(claim, &self.behavior);
            }
            *kept = Some((after.clone(), state));
        }
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
