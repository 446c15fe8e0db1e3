//! Changes with which a Pod that waits would fit: found by scheduling it in the changed scenario.
//!
//! Nothing here is guessed: a change is offered only when the Pod got a node with it.

mod changes;

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::allocator::SkipReason;
use crate::api::{ConsumerReference, Pod, ResourceClaim};
use crate::apimachinery::ObjectRef;
use crate::cluster::{Cluster, Made, Object};
use crate::explain::words::{Catalogue, Key};
use crate::explain::{Cause, Explanation, Facts, Phrase, RequestExplanation, object};
use crate::features::{Behavior, BehaviorMode, Gates, Release};
use crate::scheduler::{Attempt, Consequence, Env, Outcome, Plan, attempt_pod};
use crate::selector::Selectors;

use super::report::{self, ExtraStep, Setting};
use super::{edits, phrases::object_key_of};
use changes::Change;

/// Schedulings that are tried for one Pod.
const TRIES: usize = 64;
/// Search calls that one node may take while a change is tried.
const CALLS: u64 = 20_000;
/// Pods that wait before the Pod in question and are scheduled before it.
const BEFORE: usize = 16;
/// Holders that are tried one by one.
const HOLDERS: usize = 8;

/// A change that helps.
pub(super) struct Found {
    pub kind: &'static str,
    pub sentence: Phrase,
    pub outcome: Phrase,
    pub edits: Vec<report::Edit>,
    pub setting: Option<Setting>,
}

/// Everything that was tried.
#[derive(Default)]
pub(super) struct Tried {
    pub found: Vec<Found>,
    pub in_vain: Vec<Phrase>,
}

/// What changes are tried on.
pub(super) struct Case<'a> {
    pub attempt: &'a Attempt,
    pub explanation: &'a Explanation,
    pub causes: &'a [Cause],
    pub facts: &'a dyn Facts,
    pub env: &'a Env,
    pub words: &'a Catalogue,
    /// The text, and where requests are written in it.
    pub text: &'a str,
    pub writer: &'a dyn Writer,
}

/// Writes changes of a claim into the text.
pub(super) trait Writer {
    /// Replaces the value of a field; `None` when it is not written.
    fn replace(&self, claim: &ObjectRef, path: &str, value: &str) -> Option<Vec<report::Edit>>;

    /// Adds lines at the end of a mapping; `None` when it is not written as a block.
    fn append(&self, claim: &ObjectRef, path: &str, lines: &[&str]) -> Option<Vec<report::Edit>>;

    /// Replaces a part of an expression, in bytes.
    fn cut(
        &self,
        claim: &ObjectRef,
        path: &str,
        expression: &str,
        part: (usize, usize),
    ) -> Option<Vec<report::Edit>>;
}

struct Search<'a> {
    case: &'a Case<'a>,
    pod: Rc<Pod>,
    /// Pods that wait and are tried before it.
    before: Vec<Rc<Pod>>,
    left: usize,
    tried: Tried,
}

/// Tries changes until enough is known. Empty when the Pod is gone.
pub(super) fn what_ifs(case: &Case<'_>) -> Tried {
    let key = &case.attempt.pod;
    let Some(pod) = case.attempt.before.pods.get(&key.namespace, &key.name) else {
        return Tried::default();
    };
    // Pods of ours yield to all that are written.
    let is_ours = |pod: &Object<Pod>| pod.origin.made == Made::Hypothetical;
    let yields = is_ours(pod);
    let pod = Rc::clone(&pod.value);
    let before = case
        .attempt
        .before
        .pods
        .iter()
        .take_while(|other| yields || !Rc::ptr_eq(&other.value, &pod))
        .filter(|other| !is_ours(other) && waits(&other.value))
        .take(BEFORE)
        .map(|other| Rc::clone(&other.value))
        .collect();
    let mut search = Search { case, pod, before, left: TRIES, tried: Tried::default() };
    search.deleted_pods();
    search.changed_requests();
    search.fixed();
    search.gates();
    search.releases();
    search.tried
}

impl Search<'_> {
    fn say(&self, key: Key, values: &[(&str, Phrase)]) -> Phrase {
        self.case.words.say(key, values)
    }

    /// Schedules the Pod in a changed cluster, after those that wait before it; gives the devices
    /// that it gets.
    fn fits(&mut self, mut cluster: Cluster, env: &Env) -> Option<Vec<String>> {
        self.left = self.left.checked_sub(1)?;
        for pod in &self.before {
            let tried = attempt_pod(&Rc::new(cluster.clone()), pod, env);
            if let Consequence::Bind(plan) = tried.consequence {
                take(&mut cluster, pod, plan);
            }
        }
        let tried = attempt_pod(&Rc::new(cluster), &self.pod, env);
        let bound = matches!(
            tried.attempt.outcome,
            Outcome::Bound { .. } | Outcome::WaitingForConditions { .. }
        );
        match tried.consequence {
            Consequence::Bind(plan) if bound => {
                let results = plan.allocations.iter().flat_map(|(_, result)| &result.results);
                Some(results.map(|result| result.device.clone()).collect())
            }
            _ => None,
        }
    }

    /// The outcome in words: `pod2 gets gpu-7-partition-0`.
    fn outcome(&self, devices: &[String]) -> Phrase {
        let devices: Vec<Phrase> = devices.iter().map(|name| name.as_str().into()).collect();
        let devices = self.case.words.list(&devices, 4);
        let who = object(&self.case.attempt.pod);
        if devices.is_empty() {
            return self.say(Key::OutcomeRuns, &[("who", who)]);
        }
        self.say(Key::OutcomeGets, &[("who", who), ("devices", devices)])
    }

    fn cluster(&self) -> Cluster {
        self.case.attempt.before.as_ref().clone()
    }

    /// Pods that hold what the Pod needs, deleted one by one, then all together.
    fn deleted_pods(&mut self) {
        let holders = self.holders();
        let env = trial_env(self.case.env.behavior().clone());
        let mut found_one = false;
        for holder in holders.iter().take(HOLDERS) {
            let mut cluster = self.cluster();
            delete_pod(&mut cluster, holder);
            if let Some(devices) = self.fits(cluster, &env) {
                found_one = true;
                let sentence = self.say(Key::FitsIfDeleted, &[("pods", object(holder))]);
                self.found("delete-pod", sentence, &devices, self.delete_edits(holder), None);
            }
        }
        if found_one || holders.len() < 2 {
            return;
        }
        let mut cluster = self.cluster();
        for holder in &holders {
            delete_pod(&mut cluster, holder);
        }
        let names: Vec<Phrase> = holders.iter().map(object).collect();
        let names = self.case.words.list(&names, 4);
        match self.fits(cluster, &env) {
            Some(devices) => {
                let sentence = self.say(Key::FitsIfDeletedMany, &[("pods", names)]);
                self.found("delete-pod", sentence, &devices, Vec::new(), None);
            }
            None => self.in_vain(Key::VainDeleted, &[("pods", names)]),
        }
    }

    /// Pods that hold accepted devices or draw from their counters, in order of devices.
    fn holders(&self) -> Vec<ObjectRef> {
        let mut seen = BTreeSet::new();
        let mut holders = Vec::new();
        for request in self.failing() {
            for verdict in request.verdicts.iter().filter(|v| v.accepted == Some(true)) {
                let of_device = match verdict.reason.told() {
                    Some(SkipReason::InUseCommitted | SkipReason::CapacityShort { .. }) => {
                        self.case.facts.holders(&verdict.device)
                    }
                    Some(SkipReason::CountersShort { set, counter, .. }) => {
                        self.case.facts.counter_holders(&verdict.device.pool_id(), set, counter)
                    }
                    _ => Vec::new(),
                };
                for pod in of_device.into_iter().filter_map(|holder| holder.pod) {
                    if pod != self.case.attempt.pod && seen.insert(pod.clone()) {
                        holders.push(pod);
                    }
                }
            }
        }
        holders
    }

    fn failing(&self) -> impl Iterator<Item = &RequestExplanation> {
        let causes = self.case.causes.iter();
        causes.filter_map(|cause| self.case.explanation.requests.get(cause.request))
    }

    fn delete_edits(&self, pod: &ObjectRef) -> Vec<report::Edit> {
        edits::write_step(self.case.text, &ExtraStep::Delete(object_key_of(pod)))
    }

    /// Requests that ask for less or accept more.
    fn changed_requests(&mut self) {
        let env = trial_env(self.case.env.behavior().clone());
        let mut changes: Vec<(ObjectRef, Change)> = Vec::new();
        for request in self.failing() {
            let Some(claim) = self.claim(&request.claim) else { continue };
            for change in changes::changes(request, &claim, self.case.env) {
                changes.push((request.claim.clone(), change));
            }
        }
        for (claim, change) in changes {
            let mut cluster = self.cluster();
            let done = cluster.claims.update(&claim.namespace, &claim.name, |claim| {
                change.apply(claim);
            });
            if !done {
                continue;
            }
            match self.fits(cluster, &env) {
                Some(devices) => {
                    let sentence = change.sentence(self.case.words, &claim);
                    let edits = change.edits(&claim, self.case.writer).unwrap_or_default();
                    self.found(change.kind(), sentence, &devices, edits, None);
                }
                None => self.tried.in_vain.push(change.in_vain(self.case.words)),
            }
        }
    }

    fn claim(&self, key: &ObjectRef) -> Option<Rc<ResourceClaim>> {
        let claims = &self.case.attempt.before.claims;
        claims.get(&key.namespace, &key.name).map(|claim| Rc::clone(&claim.value))
    }

    /// The release without its known bugs.
    fn fixed(&mut self) {
        let behavior = self.case.env.behavior();
        if behavior.mode == BehaviorMode::Fixed {
            return;
        }
        let Ok(fixed) = Behavior::new(behavior.gates.clone(), BehaviorMode::Fixed) else { return };
        let (cluster, env) = (self.cluster(), trial_env(fixed));
        if let Some(devices) = self.fits(cluster, &env) {
            let sentence = self.case.words.word(Key::FitsIfFixed).into();
            let setting = Setting::Behavior(report::Behavior::Fixed);
            self.found("fixed", sentence, &devices, Vec::new(), Some(setting));
        }
    }

    /// Every feature gate switched.
    fn gates(&mut self) {
        let behavior = self.case.env.behavior();
        let (mut tried, before) = (0, self.tried.found.len());
        for info in behavior.gates.known().filter(|info| !info.locked) {
            let enabled = !behavior.gates.enabled(info.gate);
            let mut gates = behavior.gates.clone();
            gates.set(info.gate, enabled);
            let Ok(changed) = Behavior::new(gates, behavior.mode) else { continue };
            tried += 1;
            let (cluster, env) = (self.cluster(), trial_env(changed));
            if let Some(devices) = self.fits(cluster, &env) {
                let key = if enabled { Key::FitsWithGate } else { Key::FitsWithoutGate };
                let sentence = self.say(key, &[("gate", info.gate.name().into())]);
                let setting = Setting::FeatureGate(info.gate.name().to_owned(), enabled);
                self.found("gate", sentence, &devices, Vec::new(), Some(setting));
            }
        }
        if tried > 0 && self.tried.found.len() == before {
            self.in_vain(Key::VainGates, &[]);
        }
    }

    /// Every other release that is offered.
    fn releases(&mut self) {
        let behavior = self.case.env.behavior();
        let mut in_vain = Vec::new();
        for release in Release::OFFERED.into_iter().filter(|other| *other != behavior.release) {
            let Ok(changed) = Behavior::new(Gates::defaults(release), behavior.mode) else {
                continue;
            };
            let (cluster, env) = (self.cluster(), trial_env(changed));
            let name = release.to_string();
            match self.fits(cluster, &env) {
                Some(devices) => {
                    let values = [("release", Phrase::from(name.clone()))];
                    let sentence = self.say(Key::FitsInRelease, &values);
                    let setting = Setting::KubernetesVersion(name);
                    self.found("release", sentence, &devices, Vec::new(), Some(setting));
                }
                None => in_vain.push(Phrase::from(name)),
            }
        }
        if !in_vain.is_empty() {
            let releases = self.case.words.list(&in_vain, in_vain.len());
            self.in_vain(Key::VainReleases, &[("releases", releases)]);
        }
    }

    fn found(
        &mut self,
        kind: &'static str,
        sentence: Phrase,
        devices: &[String],
        edits: Vec<report::Edit>,
        setting: Option<Setting>,
    ) {
        let outcome = self.outcome(devices);
        self.tried.found.push(Found { kind, sentence, outcome, edits, setting });
    }

    fn in_vain(&mut self, key: Key, values: &[(&str, Phrase)]) {
        let phrase = self.say(key, values);
        self.tried.in_vain.push(phrase);
    }
}

/// What a trial needs besides the cluster: fewer search calls than the real thing.
fn trial_env(behavior: Behavior) -> Env {
    let selectors = Selectors::new(&behavior.cel);
    let mut env = Env::new(behavior, selectors);
    env.budget = Some(CALLS);
    env
}

fn waits(pod: &Pod) -> bool {
    pod.node_name.is_none() && matches!(pod.phase.as_str(), "" | "Pending")
}

/// Gives a Pod what it was promised.
fn take(cluster: &mut Cluster, pod: &Pod, plan: Plan) {
    for (claim, allocation) in plan.allocations {
        cluster.claims.update(&claim.metadata.namespace, &claim.metadata.name, |claim| {
            claim.status.allocation = Some(allocation);
            claim.status.reserved_for.push(ConsumerReference {
                api_group: String::new(),
                resource: "pods".to_owned(),
                name: pod.metadata.name.clone(),
                uid: pod.metadata.uid.clone(),
            });
        });
    }
}

/// Deletes a Pod: claims that nobody else uses lose their devices.
fn delete_pod(cluster: &mut Cluster, pod: &ObjectRef) {
    cluster.pods.remove(&pod.namespace, &pod.name);
    let used: Vec<(String, bool)> = cluster
        .claims
        .iter()
        .map(|claim| &claim.value)
        .filter(|claim| claim.metadata.namespace == pod.namespace)
        .filter(|claim| {
            let mut users = claim.status.reserved_for.iter();
            users.any(|user| user.resource == "pods" && user.name == pod.name)
        })
        .map(|claim| (claim.metadata.name.clone(), claim.status.reserved_for.len() == 1))
        .collect();
    for (name, alone) in used {
        cluster.claims.update(&pod.namespace, &name, |claim| {
            claim.status.reserved_for.retain(|user| user.name != pod.name);
            if alone {
                claim.status.allocation = None;
                claim.status.devices.clear();
            }
        });
    }
}
