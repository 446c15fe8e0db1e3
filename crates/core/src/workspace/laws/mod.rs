//! What the page says of any scenario, held on random ones.

mod scenes;

use std::collections::BTreeMap;
use std::rc::Rc;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::allocator::{AllocatedState, SkipReason, tolerates};
use crate::api::{AllocationMode, Device, ExactRequest};
use crate::explain::{RequestExplanation, Verdict};
use crate::scheduler::Attempt;
use crate::selector::DeviceInput;

use super::edits::apply;
use super::explained::{ELSEWHERE, explain_attempt};
use super::facts::key;
use super::pods::tests::{flat, without};
use super::report::{Analysis, Options, PodView, Setting, Severity, Thing, WhatIf};
use super::snapshot::World;
use super::trial::{Prepared, prepare};
use super::verdicts::exact_request;
use super::{Last, Workspace};

use scenes::scenes;

/// A text read, checked and run, without any change tried: what comes out after a step, the last one
/// when none is named.
pub(super) fn came_out(text: &str, options: &Options) -> Analysis {
    let last = Last::new(&text.into(), Options { step: None, ..options.clone() });
    let newest = last.timeline.steps.len().saturating_sub(1);
    let step = options.step.unwrap_or(newest).min(newest);
    Analysis { step, snapshot: last.outcome(step), ..last.report }
}

/// Whether a Pod has what it needs.
pub(super) fn runs(pod: &PodView) -> bool {
    pod.node.is_some() || pod.reason == "binding"
}

/// Every device has one verdict for each request, and the sieve counts them all.
pub(super) fn one_verdict_each(name: &str, analysis: &Analysis) -> usize {
    let devices = analysis.snapshot.devices.len();
    // Earlier attempts may have seen devices that are gone.
    let now = analysis.snapshot.verdicts.iter().filter(|it| it.step == analysis.step);
    let mut checked = 0;
    for request in now {
        let what = format!("{name}: {} on {}", request.request, request.node);
        let groups = request.groups.iter();
        let mut seen: Vec<usize> = groups.flat_map(|group| group.devices.clone()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..devices).collect::<Vec<_>>(), "{what}");
        let refused = request.groups.iter().filter(|group| group.code != "chosen");
        let refused: usize = refused.map(|group| group.devices.len()).sum();
        assert_eq!(refused + request.sieve.last().unwrap().left, devices, "{what}");
        checked += devices;
    }
    checked
}

/// The checks that depend on nothing but the state before the attempt, in upstream's order
/// (`allocateDevice` and what leads to it in `dynamicresources/structured`).
const ORDER: [&str; 11] = [
    "slice-other-node",
    "pool-obsolete",
    "pool-incomplete",
    "in-use-committed",
    "in-use-this-pod",
    "class-selector-false",
    "request-selector-false",
    "capacity-unknown",
    "capacity-short",
    "counters-short",
    "tainted",
];

/// What is known of a device before the attempt.
struct Facts<'a> {
    attempt: &'a Attempt,
    world: &'a World,
    allocated: &'a AllocatedState,
    env: &'a crate::scheduler::Env,
    node: &'a str,
}

impl Facts<'_> {
    /// The first check that refuses a device whatever else the attempt takes, worked out anew.
    fn refusal(
        &self,
        request: &RequestExplanation,
        exact: &ExactRequest,
        verdict: &Verdict,
    ) -> Option<&'static str> {
        let at = self.world.find_in(&key(&verdict.device), &verdict.slice).unwrap();
        let entry = &self.world.devices[at];
        let (slice, device) = (&entry.slice, entry.device().unwrap());
        if slice.node_name.as_deref().is_some_and(|node| node != self.node) {
            return Some("slice-other-node");
        }
        let pool: Vec<_> =
            self.world.devices.iter().filter(|it| it.key.pool == entry.key.pool).collect();
        if pool.iter().any(|it| it.slice.pool.generation > slice.pool.generation) {
            return Some("pool-obsolete");
        }
        let slices = self.world.pools[entry.pool].slices.len();
        if i64::try_from(slices) != Ok(slice.pool.resource_slice_count) {
            return Some("pool-incomplete");
        }
        let used = self.allocated.device(&verdict.device);
        let in_use = used.is_some_and(|used| used.dedicated).then_some("in-use-committed");
        // The list of all devices is made before it is asked who has them.
        let all = exact.allocation_mode == AllocationMode::All;
        if let (Some(in_use), false) = (in_use, all) {
            return Some(in_use);
        }
        let class = self.attempt.before.classes.get("", &request.class).unwrap();
        let input = DeviceInput::of(&entry.key.driver, device);
        let is_false = |it: &crate::api::DeviceSelector| {
            let compiled = self.env.selectors().compile(it.cel_expression.as_ref().unwrap());
            !compiled.matches(&input).unwrap()
        };
        if class.value.selectors.iter().any(is_false) {
            return Some("class-selector-false");
        }
        if exact.selectors.iter().any(is_false) {
            return Some("request-selector-false");
        }
        in_use.or_else(|| self.amount_or_taint(exact, device, verdict))
    }

    fn amount_or_taint(
        &self,
        exact: &ExactRequest,
        device: &Device,
        verdict: &Verdict,
    ) -> Option<&'static str> {
        let asked = exact.capacity_requests.as_ref().and_then(|asked| asked.get("bw"));
        let bw = device.capacity.get("bw");
        if asked.is_some() && bw.is_none() {
            return Some("capacity-unknown");
        }
        if let Some(bw) = bw {
            // The policies of the scenes round neither 3 nor the default.
            let wanted = asked.cloned().unwrap_or_else(|| "1".parse().unwrap());
            let used = self.allocated.device(&verdict.device);
            let consumed = used.and_then(|used| used.consumed.as_ref()?.get("bw").cloned());
            if consumed.unwrap_or_default().add(&wanted) > bw.value {
                return Some("capacity-short");
            }
        }
        let draws = |device: &Device| {
            let uses = device.consumes_counters.first();
            uses.map(|uses| uses.counters["mem"].to_f64())
        };
        if let Some(wanted) = draws(device) {
            let held = self.allocated.devices().filter(|(id, _)| id.pool == verdict.device.pool);
            let held = held.filter_map(|(id, _)| {
                draws(self.world.devices[self.world.find(&key(&id))?].device()?)
            });
            if held.sum::<f64>() + wanted > 5.0 {
                return Some("counters-short");
            }
        }
        let tolerated = |taint| exact.tolerations.iter().any(|it| tolerates(it, taint));
        (!device.taints.iter().all(tolerated)).then_some("tainted")
    }
}

/// The reason of every refused device is the first one in upstream's order. Gives the codes seen.
fn first_in_order(text: &str, seen: &mut BTreeMap<&'static str, usize>) {
    let Prepared { opened, env } = prepare(text, &Options::default());
    let timeline = opened.run_plainly(&env, Vec::new());
    for attempt in timeline.steps.iter().flat_map(|step| &step.attempts) {
        let world = World::of(&attempt.before);
        let claims = attempt.before.claims.iter().map(|claim| claim.value.as_ref());
        let allocated = AllocatedState::from_claims(claims, env.behavior());
        for explained in explain_attempt(attempt, &env, &world, ELSEWHERE, |_, _| true) {
            let node = &attempt.nodes.get(explained.node).unwrap().node;
            let facts = Facts { attempt, world: &world, allocated: &allocated, env: &env, node };
            for request in &explained.explanation.requests {
                let claim = Rc::clone(&explained.claims[request.place.claim]);
                let exact = exact_request(&claim, request).unwrap();
                for verdict in &request.verdicts {
                    let code = verdict.reason.code();
                    *seen.entry(code).or_default() += 1;
                    let first = facts.refusal(request, exact, verdict);
                    let what = format!(
                        "{} {} on {node}: {first:?}, {verdict:?}\n{text}",
                        attempt.pod.name, request.name
                    );
                    assert!(is_first(first, verdict), "{what}");
                }
            }
        }
    }
}

/// Whether a verdict is right where `first` refuses the device in any case.
fn is_first(first: Option<&'static str>, verdict: &Verdict) -> bool {
    let code = verdict.reason.code();
    let rank = |code: &str| ORDER.iter().position(|it| *it == code).unwrap_or(ORDER.len());
    let by_this_attempt = match verdict.reason.told() {
        // The search ended before it.
        None | Some(SkipReason::NotNeeded) => {
            return first.is_none_or(|first| rank(first) > rank("pool-incomplete"));
        }
        Some(SkipReason::CapacityShort { tentative, .. }) => tentative.sign() > 0,
        Some(SkipReason::CountersShort { used, .. }) => used.sign() > 0,
        Some(reason) => matches!(
            reason,
            SkipReason::InUseThisPod { .. }
                | SkipReason::Undone
                | SkipReason::Chosen
                | SkipReason::ConstraintMissing { .. }
                | SkipReason::ConstraintDifferent { .. }
                | SkipReason::ConstraintDuplicate { .. }
        ),
    };
    match first {
        Some(first) => code == first || by_this_attempt && rank(code) < rank(first),
        None => by_this_attempt,
    }
}

/// Each change that is offered lets the Pod run when it is made, and makes no error. Gives the numbers
/// by kind.
pub(super) fn changes_hold(
    name: &str,
    text: &str,
    analysis: &Analysis,
    pod: &PodView,
    offered: &[WhatIf],
    kinds: &mut BTreeMap<String, usize>,
) {
    let errors = |analysis: &Analysis| {
        let found = analysis.diagnostics.iter();
        found.filter(|found| found.severity == Severity::Error).count()
    };
    for what_if in offered {
        let sentence = flat(&what_if.sentence);
        assert!(!what_if.edits.is_empty() || what_if.setting.is_some(), "{name}: {sentence}");
        let mut options = Options::default();
        // Deletions are steps behind all others.
        if !matches!(what_if.kind.as_str(), "delete-pod" | "together") {
            options.step = Some(analysis.step);
        }
        match &what_if.setting {
            Some(Setting::KubernetesVersion(version)) => {
                options.kubernetes_version = Some(version.clone());
            }
            Some(Setting::FeatureGate(gate, enabled)) => {
                options.feature_gates.insert(gate.clone(), *enabled);
            }
            Some(Setting::Behavior(behavior)) => options.behavior = Some(*behavior),
            Some(Setting::Step(step)) => options.step = Some(*step),
            None => {}
        }
        let changed = apply(text, &what_if.edits);
        let after = came_out(&changed, &options);
        let what = format!("{name} step {}: {sentence}\n{changed}", analysis.step);
        let found = after.snapshot.pods.iter().find(|other| other.object == pod.object);
        assert!(found.is_some_and(runs), "{what}");
        assert!(errors(&after) <= errors(analysis), "{what}\n{:#?}", after.diagnostics);
        *kinds.entry(what_if.kind.clone()).or_default() += 1;
    }
}

/// Whoever and whatever a sentence names is a cause: without it another answer comes out.
fn named_causes_matter(text: &str, pod: &PodView, codes: &mut BTreeMap<String, usize>) {
    let Some(place) = pod.place else { return };
    let mut others = without(&pod.code, text, place.from as usize, place.to as usize);
    let named = pod.cause.0.iter().filter_map(|piece| piece.target.as_ref());
    let named: Vec<String> = named
        .filter_map(|target| match &target.thing {
            Thing::Object(key) if key.kind == "Pod" && *key != pod.object => Some(key.name.clone()),
            _ => None,
        })
        .collect();
    if !named.is_empty() {
        let is_named = |document: &&str| {
            let pod = document.contains("kind: Pod\n");
            pod && named.iter().any(|name| document.contains(&format!("{{name: {name},")))
        };
        let rest: Vec<&str> = text.split("---\n").filter(|it| !is_named(it)).collect();
        others.push(rest.join("---\n"));
    }
    if others.is_empty() {
        return;
    }
    let cause = flat(&pod.cause);
    let is_other = others.iter().any(|text| {
        let pods = came_out(text, &Options::default()).snapshot.pods;
        pods.iter().find(|it| it.object == pod.object).is_some_and(|it| flat(&it.cause) != cause)
    });
    assert!(is_other, "{}: {cause}\n{text}", pod.object.name);
    *codes.entry(pod.code.clone()).or_default() += 1;
}

/// So many scenarios, always the same.
fn samples(count: usize) -> impl Iterator<Item = String> {
    let mut runner = TestRunner::deterministic();
    (0..count).map(move |_| scenes().new_tree(&mut runner).unwrap().current())
}

#[test]
fn what_is_said_of_random_scenarios_holds() {
    let (mut verdicts, mut kinds, mut codes) = (0, BTreeMap::new(), BTreeMap::new());
    for text in samples(24) {
        let analysis = Workspace::new().analyze(&text, &Options::default());
        verdicts += one_verdict_each(&text, &analysis);
        for pod in &analysis.snapshot.pods {
            changes_hold("random", &text, &analysis, pod, &pod.what_ifs, &mut kinds);
            named_causes_matter(&text, pod, &mut codes);
        }
    }
    assert!(kinds.contains_key("delete-pod"), "{kinds:?}");
    assert!(verdicts > 100 && kinds.len() > 6 && codes.len() > 6, "{kinds:?} {codes:?}");
}

#[test]
fn random_scenarios_meet_every_check() {
    let mut seen = BTreeMap::new();
    samples(200).for_each(|text| first_in_order(&text, &mut seen));
    let more = ["constraint", "undone", "chosen"];
    for code in ORDER.iter().chain(&more) {
        assert!(seen.contains_key(code), "{code}: {seen:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_refused_device_has_the_first_reason_in_order(text in scenes()) {
        first_in_order(&text, &mut BTreeMap::new());
    }

    #[test]
    fn balances_are_those_of_the_allocator(text in scenes()) {
        super::snapshot::tests::check_balances("random", &text);
    }
}
