//! Score: nodes on which better alternatives of prioritized lists were chosen come first.

use std::rc::Rc;

use crate::api::{AllocationResult, ResourceClaim};

/// The most alternatives that a request can have; the first one scores this much.
const MAX_ALTERNATIVES: i64 = 8;

/// The sum over all requests with alternatives; `results` are those of the claims without
/// allocation, in order. Upstream normalizes it, which keeps the order of nodes.
pub(super) fn score(claims: &[Rc<ResourceClaim>], results: &[AllocationResult]) -> i64 {
    let mut fresh = results.iter();
    let mut score = 0;
    for claim in claims {
        let allocation = match &claim.status.allocation {
            Some(allocation) => Some(allocation),
            None => fresh.next(),
        };
        if let Some(allocation) = allocation {
            score += claim_score(claim, allocation);
        }
    }
    score
}

fn claim_score(claim: &ResourceClaim, allocation: &AllocationResult) -> i64 {
    let mut score = 0;
    for request in &claim.spec.requests {
        for (rank, subrequest) in (0..).zip(&request.first_available) {
            let name = format!("{}/{}", request.name, subrequest.name);
            if allocation.results.iter().any(|result| result.request == name) {
                score += MAX_ALTERNATIVES - rank;
            }
        }
    }
    score
}
