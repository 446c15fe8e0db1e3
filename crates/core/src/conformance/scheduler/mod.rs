//! What kube-scheduler and the controllers do with a scenario: recorded answers and ours.
//!
//! A record has objects, gates, the time at the beginning and steps; its `expected` has the
//! attempts of every step and what is there after it. Both sides are told as lines, so that the
//! first one that differs says where they part.

mod effects;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Value, json};

use crate::allocator::Outcome as Allocation;
use crate::api::{AllocationResult, DeviceRequest, Pod};
use crate::cluster::{Cluster, Made, format_time, parse_time};
use crate::features::VisitOrder;
use crate::scenario::{self, EventKind, LOOK_SECONDS, Overrides, StepRecord, Timeline};
use crate::scheduler::{
    Attempt, ClaimTask, Env, Inputs, NodeAttempt, NodeStatus, Outcome, Rejection, Replay,
    is_terminal,
};
use crate::selector::Selectors;

use self::effects::{Known, named_claims};
use super::alloc::result_json;
use super::{Difference, Verdict};

/// The highest score of a plugin after normalization.
const MAX_NODE_SCORE: i64 = 100;

/// The weight of the plugin in the default profile.
const WEIGHT: i64 = 2;

/// Whether the line is a record of this kind.
pub fn is_scheduling(line: &str) -> bool {
    line.contains("\"objects\":") && line.contains("\"now\":")
}

/// Compares one record; `None` when it is of another kind.
pub fn compare(line: &str) -> Option<Verdict> {
    let record: Value = serde_json::from_str(line).ok()?;
    let expected = record.get("expected")?;
    // Where controllers answer each other for ever, there is nothing to compare.
    if expected.get("gatesRefused").or_else(|| expected.get("noEnd")).is_some() {
        return Some(Verdict::Skipped);
    }
    let played = Played::run(&record)?;
    if expected.get("crash").is_some() {
        return Some(played.crash(&record));
    }
    let is_ours = |pod: &crate::cluster::Object<Pod>| pod.origin.made == Made::Hypothetical;
    let steps = &played.timeline.steps;
    if steps.iter().any(|step| step.cluster.pods.iter().any(is_ours)) {
        return Some(Verdict::Skipped);
    }
    let name = record.get("name").and_then(Value::as_str).unwrap_or("?");
    let real = expected.get("steps").and_then(Value::as_array)?;
    let operations: Vec<&Value> = list(&record, "steps").collect();
    let mut before: Vec<(&Value, &StepRecord)> = Vec::new();
    let mut seen_early: Vec<i64> = Vec::new();
    let mut known = Known::default();
    for (at, (real, ours)) in real.iter().zip(steps).enumerate() {
        before.push((real, ours));
        // Ours sees new conditions at once, the real scheduler at its next look, which the next step
        // brings: both steps are judged together.
        let sets_conditions = |at: usize| operations.get(at)?.get("setConditions");
        if at.checked_sub(1).and_then(sets_conditions).is_some() {
            seen_early.push(ours.cluster.now());
            continue;
        }
        let mut told = Told { seen_early: seen_early.clone(), ..Told::default() };
        told.steps(&before, &played.env);
        for (real, ours) in std::mem::take(&mut before) {
            told.evictions(real, ours);
            told.extended(real, ours, &mut known);
            told.rules(real, ours, &mut known, &played.env);
            known.before = Some(ours);
        }
        if told.real != told.ours {
            let until = steps.iter().take(at + 1);
            let early = told.is_merged && told.ours.iter().any(|line| line.starts_with("failed "));
            // Which pool comes first is random then, in each attempt anew.
            let random = played.env.behavior().pool_order == VisitOrder::Random
                && ours.cluster.slices.iter().count() > 1;
            let chance = || until.flat_map(|step| &step.attempts).any(is_left_to_chance);
            if early || random || chance() {
                return Some(Verdict::Skipped);
            }
            return Some(Verdict::Different(Difference {
                name: format!("{name}, step {at}"),
                expected: told.real.join("\n"),
                found: told.ours.join("\n"),
            }));
        }
    }
    Some(Verdict::Equal)
}

/// The text of a record: its objects and a scenario document with its steps.
pub fn text(record: &Value) -> String {
    let mut spec = json!({ "kubernetesVersion": record.get("kubernetes") });
    for (from, to) in [("gates", "featureGates"), ("steps", "steps")] {
        if let (Some(found), Some(spec)) = (record.get(from), spec.as_object_mut()) {
            spec.insert(to.to_owned(), found.clone());
        }
    }
    let document = json!({
        "apiVersion": scenario::API_VERSION, "kind": "Scenario",
        "metadata": { "name": "recorded" }, "spec": spec,
    });
    let objects = record.get("objects").and_then(Value::as_array).into_iter().flatten();
    let texts: Vec<String> = objects.chain([&document]).map(ToString::to_string).collect();
    texts.join("\n---\n")
}

/// A record that was run by us.
struct Played {
    timeline: Timeline,
    env: Env,
}

impl Played {
    fn run(record: &Value) -> Option<Self> {
        let opened = scenario::open(&text(record), &Overrides::default());
        let env = Env::new(opened.behavior.clone(), Selectors::new(&opened.behavior.cel));
        let timeline = opened.run_plainly(&env, Vec::new());
        (!timeline.steps.is_empty()).then_some(Self { timeline, env })
    }

    /// Whether ours tells of the crash in which the real scheduler ended.
    fn crash(&self, record: &Value) -> Verdict {
        let attempts = self.timeline.steps.iter().flat_map(|step| &step.attempts);
        let messages = attempts.filter_map(|attempt| attempt.message.as_deref());
        if messages.clone().any(|text| text.contains("the scheduler crashes")) {
            return Verdict::Equal;
        }
        Verdict::Different(Difference {
            name: text_of(record, "name").to_owned(),
            expected: "the scheduler crashes".to_owned(),
            found: messages.collect::<Vec<_>>().join("\n"),
        })
    }
}

/// A step as both sides tell it.
#[derive(Default)]
struct Told {
    real: Vec<String>,
    ours: Vec<String>,
    /// Times at which ours saw conditions that the real scheduler saw at its next look.
    seen_early: Vec<i64>,
    /// Whether it is several steps: Pods that give up are then tried in another order.
    is_merged: bool,
}

/// Whether two claims of the text have one device for themselves. The scheduler counts it as free
/// when one of them is deallocated; ours has an eye on both.
fn has_twice(cluster: &Cluster) -> bool {
    let claims = cluster.claims.iter().map(|claim| &claim.value.status);
    let results = claims.flat_map(|status| &status.allocation).flat_map(|found| &found.results);
    let own =
        results.filter(|result| result.admin_access != Some(true) && result.share_id.is_none());
    let mut known = BTreeSet::new();
    own.into_iter().any(|result| !known.insert((&result.driver, &result.pool, &result.device)))
}

/// Whether the attempt takes back one of several claims, which one is random upstream, or meets a
/// device that two claims have.
fn is_left_to_chance(attempt: &Rc<Attempt>) -> bool {
    let message = attempt.message.as_deref().unwrap_or_default();
    let used = attempt.claims.iter().filter(|claim| claim.task == ClaimTask::UseAllocated);
    message.contains("of ResourceClaim completed") && used.count() > 1 || has_twice(&attempt.before)
}

impl Told {
    fn steps(&mut self, steps: &[(&Value, &StepRecord)], env: &Env) {
        let mut real: Vec<&Value> =
            steps.iter().flat_map(|(real, _)| list(real, "attempts")).collect();
        let mut ours: Vec<&Rc<Attempt>> =
            steps.iter().flat_map(|(_, ours)| &ours.attempts).collect();
        // Pods that stop waiting at the same time do so in random order, and all are tried each time.
        let failures = steps.iter().map(|(real, _)| list(real, "failures").count());
        self.is_merged = steps.len() > 1;
        if self.is_merged || failures.max() > Some(1) {
            real = last_of_each(real, |attempt| text_of(attempt, "pod").to_owned());
            ours = last_of_each(ours, |attempt| {
                format!("{}/{}", attempt.pod.namespace, attempt.pod.name)
            });
        }
        for at in 0..real.len().max(ours.len()) {
            self.attempt(real.get(at).copied(), ours.get(at).copied(), env);
        }
        for (real, ours) in steps {
            self.failures(real, ours);
        }
        if let Some((real, ours)) = steps.last() {
            self.pods(real, ours);
            self.claims(real, ours);
        }
    }

    fn attempt(&mut self, real: Option<&Value>, ours: Option<&Rc<Attempt>>, env: &Env) {
        let mut wanted = real.map(real_attempt).unwrap_or_default();
        let mut found = ours.map(|ours| our_attempt(ours, env)).unwrap_or_default();
        wanted.leave_out_what_was_not_asked(&mut found);
        self.real.append(&mut wanted.lines());
        self.ours.append(&mut found.lines());
    }

    fn failures(&mut self, real: &Value, ours: &StepRecord) {
        let is_there = |failure: &&Value| {
            list(real, "pods").any(|pod| text_of(pod, "pod") == text_of(failure, "pod"))
        };
        let failures = list(real, "failures").filter(is_there);
        let told = |failure: &Value| {
            format!("failed {} {}", text_of(failure, "pod"), text_of(failure, "text"))
        };
        let mut failed: Vec<String> = failures.map(told).collect();
        failed.sort_unstable();
        self.real.append(&mut failed);
        let events = ours.events.iter().filter(|event| {
            event.kind == EventKind::Failed && event.text.starts_with("running PreBind")
        });
        failed.extend(events.map(|event| {
            format!("failed {}/{} {}", event.object.namespace, event.object.name, event.text)
        }));
        failed.sort_unstable();
        self.ours.append(&mut failed);
    }

    fn pods(&mut self, real: &Value, ours: &StepRecord) {
        // The controller of 1.36 may write less again once a claim is gone
        // (kubernetes/kubernetes#138408).
        let is_done = |name: &str| {
            let (namespace, name) = name.split_once('/').unwrap_or_default();
            ours.cluster.pods.get(namespace, name).is_none_or(|pod| is_terminal(&pod.value))
        };
        self.real.extend(list(real, "pods").map(|pod| {
            let waiting = if is_true(pod, "waiting") { ", waiting" } else { "" };
            let statuses = list(pod, "resourceClaimStatuses");
            let named = statuses.map(|s| (text_of(s, "name"), text_of(s, "resourceClaimName")));
            let name = text_of(pod, "pod");
            let named = if is_done(name) { String::new() } else { named_claims(named.collect()) };
            format!("pod {name} on `{}`{waiting}{named}", text_of(pod, "node"))
        }));
        self.ours.extend(ours.cluster.pods.iter().map(|pod| {
            let (pod, meta) = (&pod.value, &pod.value.metadata);
            let is_waiting = ours.cluster.waiting.iter().any(|waiting| waiting.is(pod));
            let waiting = if is_waiting { ", waiting" } else { "" };
            let node = pod.node_name.as_deref().unwrap_or_default();
            let named = pod.resource_claim_statuses.iter().map(|status| {
                (status.name.as_str(), status.resource_claim_name.as_deref().unwrap_or_default())
            });
            let named =
                if is_terminal(pod) { String::new() } else { named_claims(named.collect()) };
            format!("pod {}/{} on `{node}`{waiting}{named}", meta.namespace, meta.name)
        }));
    }

    /// A time of the real scheduler, as ours has it that did not wait for a look.
    fn time(&self, text: &str) -> String {
        let early = parse_time(text).and_then(|time| {
            let looked =
                |seen: &&i64| (**seen..=seen.saturating_add_unsigned(LOOK_SECONDS)).contains(&time);
            self.seen_early.iter().find(looked)
        });
        early.map_or_else(|| text.to_owned(), |seen| format_time(*seen))
    }

    fn claims(&mut self, real: &Value, ours: &StepRecord) {
        let told = |name: &str, deleting: bool, allocation: &Value, consumers: Vec<&str>| {
            let deleting = if deleting { " (being deleted)" } else { "" };
            format!("claim {name}{deleting} {allocation} for [{}]", consumers.join(" "))
        };
        let told_real = list(real, "claims").map(|claim| {
            let mut allocation = claim.get("allocation").cloned().unwrap_or_default();
            if let Some(Value::String(time)) = allocation.get_mut("allocationTimestamp") {
                *time = self.time(time);
            }
            let mut consumers: Vec<&str> =
                list(claim, "reservedFor").filter_map(Value::as_str).collect();
            // Controllers add them in random order.
            consumers.sort_unstable();
            told(text_of(claim, "claim"), is_true(claim, "deleting"), &allocation, consumers)
        });
        let mut told_real: Vec<String> = told_real.collect();
        self.real.append(&mut told_real);
        let mut claims: Vec<String> = Vec::new();
        for claim in ours.cluster.claims.iter() {
            let (status, meta) = (&claim.value.status, &claim.value.metadata);
            let allocation = status.allocation.as_ref().map(|allocation| {
                let mut value = plain(allocation);
                if let (Some(time), Some(fields)) =
                    (&allocation.allocation_timestamp, value.as_object_mut())
                {
                    fields.insert("allocationTimestamp".to_owned(), json!(self.time(time)));
                }
                value
            });
            let consumers = status.reserved_for.iter().map(|consumer| consumer.name.as_str());
            let mut consumers: Vec<&str> = consumers.collect();
            consumers.sort_unstable();
            claims.push(told(
                &format!("{}/{}", meta.namespace, meta.name),
                meta.deletion_timestamp.is_some(),
                &allocation.unwrap_or_default(),
                consumers,
            ));
        }
        claims.sort();
        self.ours.append(&mut claims);
    }
}

/// An attempt in the form in which both sides are compared.
#[derive(Default)]
struct ToldAttempt {
    head: String,
    nodes: BTreeMap<String, String>,
    end: String,
    /// Whether the scheduler itself failed: which node's failure ends the attempt is left to chance.
    aborted: bool,
}

impl ToldAttempt {
    fn lines(self) -> Vec<String> {
        let lines = [self.head].into_iter().chain(self.nodes.into_values()).chain([self.end]);
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// Real nodes are all asked. Ours are not after a failure, and those that PreFilter took out are
    /// not asked by the real code.
    fn leave_out_what_was_not_asked(&mut self, ours: &mut Self) {
        if self.aborted && ours.aborted {
            let known = self.nodes.values().any(|line| line.ends_with(ours.end.trim_start()));
            if known {
                self.end.clone_from(&ours.end);
            }
        }
        self.nodes.retain(|node, _| ours.nodes.get(node).is_none_or(|line| line != NOT_ASKED));
        ours.nodes.retain(|_, line| line != NOT_ASKED && !line.ends_with(TAKEN_OUT));
    }
}

const NOT_ASKED: &str = "not asked";

/// What ours says of a node that PreFilter took out.
const TAKEN_OUT: &str = "node(s) didn't satisfy plugin(s) [NodeAffinity]";

fn real_attempt(attempt: &Value) -> ToldAttempt {
    let mut told = ToldAttempt {
        head: format!("try {}", text_of(attempt, "pod")),
        aborted: attempt.get("message").is_some() && !is_true(attempt, "rejected"),
        ..ToldAttempt::default()
    };
    for node in list(attempt, "nodes") {
        let name = text_of(node, "node");
        told.nodes.insert(name.to_owned(), real_node(name, node));
    }
    told.end = if let Some(reason) = attempt.get("preEnqueue").and_then(Value::as_str) {
        format!("  not queued: {reason}")
    } else if let Some(message) = attempt.get("message").and_then(Value::as_str) {
        let kind = if told.aborted { "error" } else { "unschedulable" };
        format!("  {kind}: {message}")
    } else {
        format!("  goes to {}", text_of(attempt, "node"))
    };
    told
}

fn real_node(name: &str, node: &Value) -> String {
    if let Some(refusal) = node.get("refusal") {
        let mut reasons: Vec<&str> = list(refusal, "reasons").filter_map(Value::as_str).collect();
        // Extended resources come in random order.
        reasons.sort_unstable();
        let kind = if text_of(refusal, "code") == "Error" { "error" } else { "refuses" };
        return format!("  {name} {kind}: {}", reasons.join(", "));
    }
    let allocations: Vec<&Value> = list(node, "allocations").collect();
    let special: Vec<String> = list(node, "special")
        .map(|request| {
            let exactly = request.get("exactly").cloned().unwrap_or_default();
            let count = exactly.get("count").and_then(Value::as_i64).unwrap_or_default();
            format!("{} {} {count}", text_of(request, "name"), text_of(&exactly, "deviceClassName"))
        })
        .collect();
    let score = node.get("score").and_then(Value::as_i64).unwrap_or_default();
    fitting(name, &json!(allocations), &special, score)
}

fn fitting(name: &str, allocations: &Value, special: &[String], score: i64) -> String {
    let special =
        if special.is_empty() { String::new() } else { format!(" with [{}]", special.join(", ")) };
    format!("  {name} fits, score {score}{special} {allocations}")
}

/// Our attempt, with the allocations of every node found again.
fn our_attempt(attempt: &Attempt, env: &Env) -> ToldAttempt {
    let mut told = ToldAttempt {
        head: format!("try {}/{}", attempt.pod.namespace, attempt.pod.name),
        aborted: matches!(attempt.outcome, Outcome::Error(_)),
        ..ToldAttempt::default()
    };
    let inputs = Inputs::of(&attempt.before, env);
    let mut replay = Replay::new(&inputs, attempt, env);
    let fits = |node: &&Rc<NodeAttempt>| node.status == NodeStatus::Fits;
    let best = attempt.nodes.iter().filter(fits).map(|node| node.score).max().unwrap_or_default();
    for (at, node) in attempt.nodes.iter().enumerate() {
        let line = match node.status {
            NodeStatus::NotAsked => NOT_ASKED.to_owned(),
            NodeStatus::Rejected(Rejection::NodeResources) => {
                let mut reasons: Vec<&str> = node.text.split(", ").collect();
                reasons.sort_unstable();
                format!("  {} refuses: {}", node.node, reasons.join(", "))
            }
            NodeStatus::Rejected(_) => format!("  {} refuses: {}", node.node, node.text),
            NodeStatus::Fatal(_) => {
                let message = attempt.message.as_deref().unwrap_or_default();
                format!("  {} error: {message}", node.node)
            }
            NodeStatus::Fits => {
                let allocations =
                    match replay.run(at, &mut ()).map(|replayed| replayed.answer.outcome) {
                        Some(Allocation::Allocated(results)) => results.iter().map(plain).collect(),
                        _ => Vec::new(),
                    };
                let special = node.extended_claim.iter().flat_map(|claim| &claim.spec.requests);
                let special: Vec<String> = special.map(told_request).collect();
                let score = if best == 0 { 0 } else { node.score * MAX_NODE_SCORE / best * WEIGHT };
                fitting(&node.node, &json!(allocations), &special, score)
            }
        };
        told.nodes.insert(node.node.clone(), line);
    }
    let message = attempt.message.as_deref().unwrap_or_default();
    told.end = match &attempt.outcome {
        Outcome::Bound { node } | Outcome::WaitingForConditions { node, .. } => {
            format!("  goes to {node}")
        }
        Outcome::NotQueued { reason } => format!("  not queued: {reason}"),
        Outcome::Unschedulable | Outcome::PreFilter => format!("  unschedulable: {message}"),
        Outcome::Error(_) => format!("  error: {message}"),
    };
    told
}

fn told_request(request: &DeviceRequest) -> String {
    let exactly = request.exactly.clone().unwrap_or_default();
    format!("{} {} {}", request.name, exactly.device_class_name, exactly.count)
}

/// The last item of each key, in order of these.
fn last_of_each<T>(items: Vec<T>, key: impl Fn(&T) -> String) -> Vec<T> {
    let mut last: BTreeMap<String, usize> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        last.insert(key(item), at);
    }
    let is_last = |(at, item): (usize, T)| (last.get(&key(&item)) == Some(&at)).then_some(item);
    items.into_iter().enumerate().filter_map(is_last).collect()
}

/// A result in the API's form, without the random part of shares.
fn plain(allocation: &AllocationResult) -> Value {
    let mut allocation = allocation.clone();
    for result in &mut allocation.results {
        if let Some(share) = &mut result.share_id {
            "share".clone_into(share);
        }
    }
    result_json(&allocation)
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn is_true(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&Value::Bool(true))
}
