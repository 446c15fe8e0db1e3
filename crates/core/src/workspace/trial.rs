//! A text read, admitted and run: for an analysis, and once more for each change that is tried.

use crate::api::{Object, validate};
use crate::apimachinery::ObjectRef;
use crate::cluster::Cluster;
use crate::diagnostic::Diagnostic;
use crate::scenario::{self, Opened, Overrides, Timeline};
use crate::scheduler::Env;
use crate::selector::Selectors;

use super::analysis::button;
use super::report::{Behavior, Options};
use super::selectors;

/// Search calls that one node may take while a change is tried.
const CALLS: u64 = 20_000;

/// A text as the API server of the release takes it.
pub(super) struct Prepared {
    pub opened: Opened,
    pub env: Env,
}

/// Reads a text and asks the API server of the wanted release about every object.
pub(super) fn prepare(text: &str, options: &Options) -> Prepared {
    let overrides = Overrides {
        kubernetes_version: options.kubernetes_version.clone(),
        feature_gates: options.feature_gates.clone(),
        fixed: options.behavior.map(|behavior| behavior == Behavior::Fixed),
    };
    let mut opened = scenario::open(text, &overrides);
    let env = Env::new(opened.behavior.clone(), Selectors::new(&opened.behavior.cel));
    let gates = opened.admission_gates.clone();
    let cel = |expression: &str| selectors::fault(env.selectors(), expression);
    let rules = validate::Rules::new(&gates, &cel, &opened.objects);
    let admit = |object: &mut Object, found: &mut Vec<Diagnostic>| {
        selectors::admit(text, env.selectors(), &rules, object, found);
    };
    opened.admit(&admit);
    Prepared { opened, env }
}

/// Errors that reading the text and the API server find.
pub(super) fn errors(text: &str, options: &Options) -> usize {
    prepare(text, options).opened.diagnostics.iter().filter(|found| found.is_error()).count()
}

/// What became of one Pod in a changed scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fits {
    /// The node that it is bound to.
    pub node: String,
    /// The devices of its claims.
    pub devices: Vec<String>,
}

/// Runs a changed text from its first object on; the devices of the Pod when it has a node after a
/// step, the last one when `step` is `None`.
pub(super) fn try_text(
    text: &str,
    options: &Options,
    pod: &ObjectRef,
    step: Option<usize>,
) -> Option<Fits> {
    let Prepared { opened, mut env } = prepare(text, options);
    env.budget = Some(CALLS);
    let buttons = options.extra_steps.iter().map(button).collect();
    let timeline = opened.run_plainly(&env, buttons);
    let record = match step {
        Some(step) => timeline.steps.get(step),
        None => timeline.steps.last(),
    };
    fits(&record?.cluster, pod)
}

/// The node and the devices of a Pod; `None` while it has no node.
pub(super) fn fits(cluster: &Cluster, pod: &ObjectRef) -> Option<Fits> {
    let found = &cluster.pods.get(&pod.namespace, &pod.name)?.value;
    let waiting = cluster.waiting.iter().find(|waiting| waiting.is(found));
    let node = found.node_name.clone().or_else(|| waiting.map(|waiting| waiting.node.clone()))?;
    let of_pod = cluster.claims.iter().map(|claim| &claim.value).filter(|claim| {
        claim.metadata.namespace == pod.namespace
            && claim.status.reserved_for.iter().any(|user| user.name == pod.name)
    });
    let allocations = of_pod.filter_map(|claim| claim.status.allocation.as_ref());
    let devices = allocations.flat_map(|allocation| &allocation.results);
    Some(Fits { node, devices: devices.map(|result| result.device.clone()).collect() })
}

/// About how much work it is to run a scenario once more, in steps of some tens of nanoseconds.
pub(super) fn cost(text: &str, timeline: &Timeline) -> u64 {
    let attempts = timeline.steps.iter().flat_map(|step| &step.attempts);
    let searched = attempts.map(|attempt| {
        let slices = attempt.before.slices.iter();
        let devices: usize = slices.map(|slice| slice.value.devices.len() + 1).sum();
        let looked = devices.saturating_mul(attempt.nodes.len().max(1)) as u64;
        let calls = attempt.nodes.iter().filter_map(|node| node.search_calls);
        calls.fold(looked, |sum, calls| sum.saturating_add(calls.saturating_mul(8)))
    });
    let reading = (text.len() as u64).saturating_mul(2);
    searched.fold(reading, u64::saturating_add)
}
