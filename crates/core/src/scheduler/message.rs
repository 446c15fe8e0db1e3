//! The scheduler's event texts, put together as upstream does.

use std::collections::BTreeMap;

use dra_playground_cel::order::Order;

use crate::features::Behavior;

/// What PostFilter says when it deallocated a claim.
pub(super) const DEALLOCATED: &str = "deallocation of ResourceClaim completed";

/// What PostFilter says when it deleted a special claim.
pub(super) const DELETED: &str = "deletion of ResourceClaim completed";

/// Why preemption does not help where waiting for Pods to go would not help either.
const NOT_HELPFUL: &str = "Preemption is not helpful for scheduling";

/// Why preemption does not help where it was tried.
const NO_VICTIMS: &str = "No preemption victims found for incoming pod";

/// What PostFilter says when there is nothing to deallocate.
pub(super) fn nothing_to_deallocate(behavior: &Behavior, has_claims: bool) -> Option<&'static str> {
    behavior.post_filter_speaks.then_some(if has_claims {
        "still not schedulable"
    } else {
        "no new claims to deallocate"
    })
}

/// The answers of all nodes that refused a Pod.
#[derive(Debug, Default)]
pub(super) struct Refusals<'a> {
    /// Reasons of each node: one, or several for short node resources.
    pub(super) reasons: Vec<&'a str>,
    /// Nodes in all.
    pub(super) nodes: usize,
    /// Nodes from which removing Pods could help in principle.
    pub(super) resolvable: usize,
}

/// `0/3 nodes are available: …`, from what each node said and what PostFilter said.
///
/// Source: `pkg/scheduler/framework` `FitError`.
pub(super) fn fit_error(
    refusals: &Refusals<'_>,
    pre_filter: Option<&str>,
    post_filter: Option<&str>,
) -> String {
    let mut text = format!("0/{} nodes are available:", refusals.nodes);
    if let Some(reason) = pre_filter {
        text += &[" ", reason, "."].concat();
    } else {
        let reasons = histogram(refusals.reasons.iter().copied());
        if !reasons.is_empty() {
            text += &[" ", &reasons.join(", "), "."].concat();
        }
    }
    let mut after: Vec<String> = post_filter.map(str::to_owned).into_iter().collect();
    after.push(preemption(refusals));
    text += &[" ", &after.join(", ")].concat();
    text
}

/// What the preemption plugin says: it never finds victims, because Pods have no priorities here.
fn preemption(refusals: &Refusals<'_>) -> String {
    let resolvable = refusals.resolvable.min(refusals.nodes);
    let others = refusals.nodes - resolvable;
    let mut reasons = Vec::new();
    for (count, reason) in [(resolvable, NO_VICTIMS), (others, NOT_HELPFUL)] {
        if count > 0 {
            reasons.push(format!("{count} {reason}"));
        }
    }
    reasons.order();
    let mut text = format!("preemption: 0/{} nodes are available:", refusals.nodes);
    if !reasons.is_empty() {
        text += &[" ", &reasons.join(", "), "."].concat();
    }
    text
}

/// `<count> <reason>` for each reason, sorted as strings.
fn histogram<'a>(reasons: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason).or_default() += 1;
    }
    let mut lines: Vec<String> =
        counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    lines.order();
    lines
}
