//! Known bugs of a release that change what comes out of a scenario: found by running it without
//! them.

use crate::apimachinery::quantity::Quantity;
use crate::features::{Behavior, BehaviorMode, KnownBug};
use crate::scheduler::Env;
use crate::selector::Selectors;

use super::run::{Input, run_plainly};
use super::timeline::{Remark, RemarkKind, Timeline};

/// Search calls of a scenario up to which it is run again.
const MAX_SEARCH_CALLS: u64 = 5_000;
/// Attempts of a scenario up to which it is run again.
const MAX_ATTEMPTS: usize = 200;

/// Adds a remark for each known bug that changes the outcome.
pub(super) fn remark(input: &Input<'_>, env: &Env, timeline: &mut Timeline) {
    let released = env.behavior();
    if released.mode == BehaviorMode::Fixed {
        return;
    }
    let aliasing = released.known_bugs().find(|bug| bug.switch == "quantity_aliasing");
    if let Some(bug) = aliasing.filter(|_| has_large_counters(timeline)) {
        timeline.remarks.push(told(bug.summary.to_owned(), bug));
    }
    if !is_small(timeline) {
        return;
    }
    let Ok(fixed) = Behavior::new(released.gates.clone(), BehaviorMode::Fixed) else { return };
    // Another order is no bug.
    let Behavior { pool_order, slice_order, .. } = *released;
    let fixed = Behavior { pool_order, slice_order, ..fixed };
    let outcome = outcome(timeline);
    let differs = |behavior: Behavior| {
        let selectors = Selectors::new(&behavior.cel);
        outcome != self::outcome(&run_plainly(input, &Env::new(behavior, selectors)))
    };
    if !differs(fixed.clone()) {
        return;
    }
    let mut guilty: Vec<&'static KnownBug> = Vec::new();
    for bug in released.known_bugs() {
        let mut mended = released.clone();
        if mended.mend(bug, &fixed) && differs(mended) {
            guilty.push(bug);
        }
    }
    timeline.remarks.extend(guilty.iter().map(|bug| {
        told(format!("a known bug of this release changes the outcome: {}", bug.summary), bug)
    }));
    if guilty.is_empty() {
        timeline.remarks.push(Remark {
            kind: RemarkKind::KnownBug,
            text: "known bugs of this release together change the outcome".to_owned(),
            object: None,
            reference: None,
            fixed_in: None,
        });
    }
}

fn told(text: String, bug: &KnownBug) -> Remark {
    let known = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    Remark {
        kind: RemarkKind::KnownBug,
        text,
        object: None,
        reference: known(bug.reference),
        fixed_in: known(bug.fixed_in),
    }
}

/// Whether a device uses an amount of a counter that Go holds in decimal form.
fn has_large_counters(timeline: &Timeline) -> bool {
    let slices = timeline.steps.iter().flat_map(|step| step.cluster.slices.iter());
    let devices = slices.flat_map(|slice| slice.value.devices.iter());
    let amounts = devices.flat_map(|device| &device.consumes_counters);
    amounts.flat_map(|uses| uses.counters.values()).any(Quantity::is_decimal)
}

fn is_small(timeline: &Timeline) -> bool {
    let attempts = || timeline.steps.iter().flat_map(|step| &step.attempts);
    let calls: u64 = attempts()
        .flat_map(|attempt| attempt.nodes.iter())
        .filter_map(|node| node.search_calls)
        .fold(0, u64::saturating_add);
    calls <= MAX_SEARCH_CALLS && attempts().count() <= MAX_ATTEMPTS
}

/// What a reader sees of a timeline: who is where with which devices, after each step.
fn outcome(timeline: &Timeline) -> Vec<String> {
    let mut facts = Vec::new();
    for step in &timeline.steps {
        for pod in step.cluster.pods.iter() {
            facts.push(format!("{:?}", pod.value.node_name));
        }
        for claim in step.cluster.claims.iter() {
            let found = claim.value.status.allocation.iter();
            let entries = found.clone().flat_map(|found| &found.config);
            facts.extend(entries.map(|entry| {
                // Naming every request is as good as naming none.
                let requests = &claim.value.spec.requests;
                let all = requests.iter().all(|request| entry.requests.contains(&request.name));
                let named = if all { &[][..] } else { entry.requests.as_slice() };
                format!("{:?} {named:?}", entry.source)
            }));
            let results = found.flat_map(|found| &found.results);
            facts.extend(results.map(|result| {
                let consumed = result.consumed_capacity.iter().flatten();
                let amounts: Vec<String> =
                    consumed.map(|(name, amount)| format!("{name}={}", amount.to_f64())).collect();
                format!(
                    "{} {} {} {} {}",
                    result.request,
                    result.driver,
                    result.pool,
                    result.device,
                    amounts.join(" ")
                )
            }));
        }
        for attempt in &step.attempts {
            facts.push(format!("{:?}", attempt.outcome));
        }
    }
    facts
}

#[cfg(test)]
mod tests;
