//! From text and options to the report.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::api::{Node, ResourceClaim};
use crate::apimachinery::ObjectRef;
use crate::cluster::Cluster;
use crate::diagnostic::translate;
use crate::explain::words::{Catalogue, Key};
use crate::explain::{SelectorOf, Speaker};
use crate::pool::{DeviceId, PoolState, SliceIndex};
use crate::scenario::{self, Button, EventKind, RemarkKind, StepRecord, Timeline};
use crate::scheduler::{Attempt, Env, NodeStatus, Outcome};
use crate::source::LineIndex;

use super::diagnosis::Diagnosis;
use super::explained::{Explained, explain_attempt, is_allocators};
use super::facts::ClusterFacts;
use super::phrases::{Wording, family, object_key_of, object_ref};
use super::places::{Scenery, TextPlaces};
use super::pods::{Said, why};
use super::ranges::range;
use super::report::{
    Diagnostic, Expectation, ExtraStep, Family, NodeVerdict, ObjectKey, Options, Phrase, Piece,
    PodView, Remark, RequestVerdicts, Snapshot, Step, StepOutcome, Target, Thing,
};
use super::selectors::{check_selector, false_part, selector_hint};
use super::sight::{Scene, slices_of_node};
use super::snapshot::{Places, Published, Reach, World, snapshot};
use super::verdicts::{Source, verdicts};
use super::what_if::Known;
use super::written::Written;

/// Nodes that are explained for one Pod without being asked for.
const NODES_PER_POD: usize = 8;
/// Nodes that are named of those with the same answer.
const NODES_LISTED: usize = 64;
/// Devices times requests that a snapshot explains without being asked for.
const CELLS: usize = 20_000;
/// Pending Pods whose cause is looked for.
const PENDING_PODS: usize = 64;

/// Pods for which changes are tried without being asked for.
const CHANGED_PODS: usize = 4;

/// A scenario that was run, with what is needed to show it.
pub(super) struct Shown<'a> {
    pub lines: &'a LineIndex,
    pub env: &'a Env,
    pub timeline: &'a Timeline,
    pub words: &'a Catalogue,
    pub memo: &'a Memo,
    pub text: &'a str,
    pub options: &'a Options,
    pub diagnostics: &'a [Diagnostic],
}

/// Step and attempt.
type At = (usize, usize);

/// Sentences that were found already, by step and attempt.
#[derive(Debug, Default)]
pub(super) struct Memo {
    said: RefCell<BTreeMap<At, Option<Said>>>,
    /// The devices of the last cluster that was asked about.
    published: RefCell<Option<(Rc<Cluster>, Rc<Published>)>>,
    /// The last scene: attempts that change nothing share it.
    scene: RefCell<Option<(Rc<Cluster>, Rc<Scene>)>>,
    /// What stands in the way, found already.
    pub diagnoses: RefCell<BTreeMap<At, Option<Rc<Diagnosis>>>>,
    /// Changes that were tried already.
    pub what_ifs: RefCell<Known>,
}

/// An attempt and the step in which it was made.
#[derive(Clone)]
pub(super) struct Tried<'a> {
    pub step: usize,
    pub index: usize,
    pub attempt: &'a Rc<Attempt>,
}

impl<'a> Shown<'a> {
    /// The cluster after a step, with what the scheduler said.
    pub(super) fn outcome(&self, step: usize) -> Snapshot {
        self.told(step).map(|(view, _)| view).unwrap_or_default()
    }

    fn told(&self, step: usize) -> Option<(Snapshot, World)> {
        let record = self.timeline.steps.get(step)?;
        let cluster = &record.cluster;
        let world = self.world(cluster);
        let slices = cluster.effective_slices(self.env.behavior());
        let index = SliceIndex::new(&slices);
        let reached = |node: &Node| {
            let Ok(gathered) = index.gather(node, self.env.behavior()) else { return 0 };
            let usable = gathered.pools.iter().filter(|pool| pool.state == PoolState::Usable);
            let slices = usable.flat_map(|pool| &pool.slices);
            slices.filter_map(|slice| index.slice(*slice)).map(|slice| slice.devices.len()).sum()
        };
        let places = self.places();
        let behavior = self.env.behavior();
        // Only where generations differ is it asked who goes by which.
        let nodes = cluster.nodes.iter().filter(|_| world.is_ambiguous());
        let used: BTreeSet<String> =
            nodes.flat_map(|node| slices_of_node(&index, &node.value, behavior)).collect();
        let reach = Reach { devices: &reached, slices: &used };
        let mut view = snapshot(cluster, &world, &slices, &places, self.words, behavior, &reach);
        let latest = self.latest(step);
        for pod in &mut view.pods {
            if let Some(tried) = latest.get(&object_ref(&pod.object)) {
                self.tell(pod, tried);
            }
        }
        self.tell_claims(&mut view);
        self.add_refused(&mut view);
        Some((view, world))
    }

    /// The cluster after a step.
    pub(super) fn snapshot(&self, step: usize) -> (Snapshot, World) {
        let Some((mut view, world)) = self.told(step) else {
            return (Snapshot::default(), World::default());
        };
        let latest = self.latest(step);
        let waits = |pod: &PodView| !pod.cause.0.is_empty();
        let waiting = view.pods.iter().filter(|pod| waits(pod)).take(CHANGED_PODS).count();
        if self.tries_at_once(waiting) {
            for pod in view.pods.iter_mut().filter(|pod| waits(pod)).take(CHANGED_PODS) {
                if let Some(tried) = latest.get(&object_ref(&pod.object)) {
                    (pod.what_ifs, pod.tried_in_vain) = self.what_ifs_at_once(step, tried);
                }
            }
        }
        view.verdicts = self.verdicts(&view, &latest, &world);
        (view, world)
    }

    pub(super) fn places(&self) -> TextPlaces<'a> {
        TextPlaces { lines: self.lines, sources: &self.timeline.sources }
    }

    /// Devices and holders of a cluster.
    pub(super) fn world(&self, cluster: &Rc<Cluster>) -> World {
        if let Some((known, published)) = self.memo.published.borrow().as_ref()
            && known.slices.same(&cluster.slices)
        {
            return World::with(Rc::clone(published), cluster);
        }
        let world = World::of(cluster);
        let published = Rc::clone(world.published());
        *self.memo.published.borrow_mut() = Some((Rc::clone(cluster), published));
        world
    }

    /// What the devices looked like when an attempt was made.
    pub(super) fn scene(&self, attempt: &Attempt) -> Rc<Scene> {
        let before = &attempt.before;
        if let Some((cluster, scene)) = self.memo.scene.borrow().as_ref()
            && cluster.slices.same(&before.slices)
            && cluster.claims.same(&before.claims)
        {
            return Rc::clone(scene);
        }
        let scene = Rc::new(Scene::new(self.world(before), self.places(), self.words));
        *self.memo.scene.borrow_mut() = Some((Rc::clone(before), Rc::clone(&scene)));
        scene
    }

    pub(super) fn scenery<'b>(
        &'b self,
        attempt: &'b Attempt,
        world: &'b World,
        claims: &'b [Rc<ResourceClaim>],
    ) -> Scenery<'b> {
        Scenery {
            places: self.places(),
            cluster: &attempt.before,
            world,
            claims,
            behavior: self.env.behavior(),
        }
    }

    /// The last attempt of each Pod up to a step.
    pub(super) fn latest(&self, step: usize) -> BTreeMap<ObjectRef, Tried<'a>> {
        let mut latest = BTreeMap::new();
        for (step, record) in self.timeline.steps.iter().enumerate().take(step + 1) {
            for (index, attempt) in record.attempts.iter().enumerate() {
                latest.insert(attempt.pod.clone(), Tried { step, index, attempt });
            }
        }
        latest
    }

    /// Adds the answer of the scheduler to a Pod.
    fn tell(&self, pod: &mut PodView, tried: &Tried<'_>) {
        let attempt = tried.attempt;
        pod.step = tried.step;
        pod.node_verdicts = node_verdicts(attempt);
        if pod.node.is_some() || pod.status != "Pending" && pod.status != "SchedulingGated" {
            pod.family = Family::Fit;
            return;
        }
        pod.message.clone_from(&attempt.message);
        let Some(said) = self.said(tried) else { return };
        let scene = self.scene(attempt);
        let scenery = self.scenery(attempt, &scene.world, &[]);
        pod.family = family(said.family);
        pod.reason.clone_from(&said.reason);
        said.code.clone_into(&mut pod.code);
        pod.cause = scenery.phrase(&said.cause);
        let mut points = said.cause.points().into_iter();
        pod.place = points.find_map(|subject| scenery.target(subject).range);
        pod.context = scenery.phrase(&said.context);
        for verdict in &mut pod.node_verdicts {
            if verdict.family == Family::None && !verdict.message.is_empty() {
                verdict.family = pod.family;
            }
        }
    }

    pub(super) fn written(&self) -> Written<'a> {
        let sources = &self.timeline.sources;
        Written { text: self.text, sources, diagnostics: self.diagnostics, lines: self.lines }
    }

    /// Claims that are wanted and not allocated share the sentence of their Pod.
    fn tell_claims(&self, view: &mut Snapshot) {
        for claim in &mut view.claims {
            if claim.state != "pending" {
                continue;
            }
            let user = view.pods.iter_mut().find(|pod| pod.claims.contains(&claim.object));
            claim.cause = match user {
                Some(pod) => {
                    if pod.node.is_some() && pod.cause.0.is_empty() {
                        let who = [("who", &pod.object), ("claim", &claim.object)];
                        pod.cause = self.plain(Key::PassedBy, &who);
                    }
                    pod.cause.clone()
                }
                None => self.plain(Key::Unused, &[("who", &claim.object)]),
            };
        }
    }

    /// A sentence that only names objects.
    fn plain(&self, key: Key, names: &[(&str, &ObjectKey)]) -> Phrase {
        let plain = |it: &ObjectKey| crate::explain::Phrase::plain(it.name.clone());
        let values: Vec<_> = names.iter().map(|(name, it)| (*name, plain(it))).collect();
        let said = self.words.sentence(self.words.say(key, &values));
        let pieces = said.pieces.into_iter();
        Phrase(pieces.map(|piece| Piece { text: piece.text, target: None }).collect())
    }

    /// Why the Pod of an attempt waits.
    fn said(&self, tried: &Tried<'_>) -> Option<Said> {
        let at = (tried.step, tried.index);
        if let Some(known) = self.memo.said.borrow().get(&at) {
            return known.clone();
        }
        let attempt = tried.attempt;
        let explain = self.memo.said.borrow().len() < PENDING_PODS;
        let scene = self.scene(attempt);
        let explained = if explain { self.explained(attempt, &scene) } else { Vec::new() };
        let diagnosis = if explain { self.diagnosis(tried) } else { None };
        let scene = diagnosis.as_ref().map_or(scene, |diagnosis| Rc::clone(&diagnosis.scene));
        let claims = match (&diagnosis, explained.first()) {
            (Some(diagnosis), _) => diagnosis.explained.claims.as_slice(),
            (None, Some(explained)) => explained.claims.as_slice(),
            (None, None) => &[],
        };
        let said = self.with_speaker(attempt, claims, &scene, "", |speaker| {
            why(attempt, &explained, diagnosis.as_deref(), self.written(), speaker)
        });
        self.memo.said.borrow_mut().insert(at, said.clone());
        said
    }

    pub(super) fn explained(&self, attempt: &Attempt, scene: &Scene) -> Vec<Explained> {
        let waiting = match &attempt.outcome {
            Outcome::WaitingForConditions { node, .. } => Some(node.as_str()),
            _ => None,
        };
        explain_attempt(attempt, self.env, &scene.world, NODES_PER_POD, |index, _| {
            attempt.nodes.get(index).is_some_and(|node| {
                is_allocators(node.status) || waiting == Some(node.node.as_str())
            })
        })
    }

    pub(super) fn with_speaker<T>(
        &self,
        attempt: &Attempt,
        claims: &[Rc<ResourceClaim>],
        scene: &Scene,
        node: &str,
        speak: impl FnOnce(Speaker<'_>) -> T,
    ) -> T {
        let part = |selector: &SelectorOf<'_>, device: &DeviceId| {
            false_part(self.env, &attempt.before, &attempt.claims, &scene.world, selector, device)
        };
        let hint = |selector: &SelectorOf<'_>| {
            let claims = &attempt.claims;
            let said = selector_hint(self.env, &attempt.before, claims, &scene.world, selector)?;
            Some(translate(&said, self.words.language()))
        };
        let facts = ClusterFacts {
            scene,
            claims,
            behavior: self.env.behavior(),
            false_part: &part,
            selector_hint: &hint,
        };
        speak(Speaker { words: self.words, facts: &facts, node, free_only: false })
    }

    /// Verdicts of the Pods' last attempts: those that wait first, as far as the limits go.
    fn verdicts(
        &self,
        view: &Snapshot,
        latest: &BTreeMap<ObjectRef, Tried<'_>>,
        world: &World,
    ) -> Vec<RequestVerdicts> {
        let mut cells = CELLS;
        let mut found: BTreeMap<usize, Vec<RequestVerdicts>> = BTreeMap::new();
        let is_waiting = |pod: &PodView| pod.node.is_none();
        let waiting = view.pods.iter().enumerate().filter(|(_, pod)| is_waiting(pod));
        let others = view.pods.iter().enumerate().filter(|(_, pod)| !is_waiting(pod));
        for (index, pod) in waiting.chain(others) {
            let Some(tried) = latest.get(&object_ref(&pod.object)) else { continue };
            let claims = tried.attempt.claims.iter();
            let requests: usize = claims.map(|claim| claim.claim.spec.requests.len().max(1)).sum();
            let nodes = if is_waiting(pod) { NODES_PER_POD } else { 1 };
            let cost = requests.max(1).saturating_mul(world.devices.len().max(1));
            let affordable = (cells / cost).min(nodes);
            if affordable == 0 {
                continue;
            }
            let chosen = |_: usize, name: &str| match &pod.node {
                Some(node) => name == node,
                None => true,
            };
            let made = self.attempt_verdicts(tried, world, affordable, &chosen);
            let nodes_made = made.len().div_ceil(requests.max(1));
            cells = cells.saturating_sub(cost.saturating_mul(nodes_made));
            found.insert(index, made);
        }
        found.into_values().flatten().collect()
    }

    /// Verdicts of a Pod's last attempt up to a step on one node, which a snapshot may leave out.
    pub(super) fn verdicts_on(
        &self,
        step: usize,
        pod: &ObjectKey,
        node: &str,
        world: &World,
    ) -> Vec<RequestVerdicts> {
        let latest = self.latest(step);
        let Some(tried) = latest.get(&object_ref(pod)) else { return Vec::new() };
        self.attempt_verdicts(tried, world, 1, &|_, name| name == node)
    }

    fn attempt_verdicts(
        &self,
        tried: &Tried<'_>,
        shown: &World,
        limit: usize,
        chosen: &dyn Fn(usize, &str) -> bool,
    ) -> Vec<RequestVerdicts> {
        let attempt = tried.attempt;
        let scene = self.scene(attempt);
        let explained = explain_attempt(attempt, self.env, &scene.world, limit, chosen);
        explained
            .iter()
            .flat_map(|explained| {
                let node = attempt.nodes.get(explained.node).map_or("", |node| node.node.as_str());
                let scene = self.scene_on(attempt, &scene, node);
                let scenery = self.scenery(attempt, &scene.world, &explained.claims);
                self.node_verdicts(tried, explained, &scene, &scenery, shown)
            })
            .collect()
    }

    fn node_verdicts(
        &self,
        tried: &Tried<'_>,
        explained: &Explained,
        scene: &Scene,
        scenery: &Scenery<'_>,
        shown: &World,
    ) -> Vec<RequestVerdicts> {
        let attempt = tried.attempt;
        let node = attempt.nodes.get(explained.node).map_or("", |node| node.node.as_str());
        let claims: Vec<&ResourceClaim> = explained.claims.iter().map(Rc::as_ref).collect();
        let class =
            |name: &str| attempt.before.classes.get("", name).map(|class| class.value.as_ref());
        let check = |expression: &str| check_selector(self.env, expression);
        self.with_speaker(attempt, &explained.claims, scene, node, |speaker| {
            verdicts(&Source {
                pod: Some(object_key_of(&attempt.pod)),
                node,
                step: tried.step,
                explanation: &explained.explanation,
                claims: &claims,
                world: shown,
                speaker,
                wording: scenery,
                class: &class,
                check: &check,
            })
        })
    }

    /// The timeline.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut states: BTreeMap<ObjectRef, String> = BTreeMap::new();
        let steps = self.timeline.steps.iter().enumerate();
        steps
            .map(|(index, record)| Step {
                name: record.name.clone(),
                operation: record.operation.name().to_owned(),
                outcomes: self.outcomes(index, record, &mut states),
                clock_seconds: record.clock_seconds,
                range: record.span.map(|span| range(self.lines, span)),
            })
            .collect()
    }

    /// Expectation lines that were checked.
    pub(super) fn expectations(&self) -> Vec<Expectation> {
        let lines = self.lines;
        let checked = self.timeline.expectations.iter();
        checked
            .map(|checked| Expectation {
                step: checked.step,
                line: checked.line.clone(),
                passed: checked.passed,
                found: checked.found.clone(),
                range: checked.span.map(|span| range(lines, span)),
            })
            .collect()
    }

    /// What a reader must know to trust the answer.
    pub(super) fn remarks(&self) -> Vec<Remark> {
        let remark = |remark: &scenario::Remark| {
            let cluster = self.timeline.steps.first().map(|step| step.cluster.as_ref());
            let target = remark.object.as_ref().map(|object| Target {
                thing: Thing::Object(object_key_of(object)),
                range: cluster.and_then(|cluster| self.places().object(cluster.origin(object)?)),
            });
            Remark {
                kind: match remark.kind {
                    RemarkKind::Hypothetical => "hypothetical",
                    RemarkKind::Choice => "random-order",
                    RemarkKind::NotModelled => "not-modelled",
                    RemarkKind::KnownBug => "known-bug",
                }
                .to_owned(),
                text: Phrase(vec![Piece { text: remark.text.clone(), target }]),
                reference: remark.reference.clone(),
                fixed_in: remark.fixed_in.clone(),
            }
        };
        self.timeline.remarks.iter().map(remark).collect()
    }

    /// Pods whose state changed in a step.
    fn outcomes(
        &self,
        step: usize,
        record: &StepRecord,
        states: &mut BTreeMap<ObjectRef, String>,
    ) -> Vec<StepOutcome> {
        let mut last: BTreeMap<ObjectRef, Tried<'_>> = BTreeMap::new();
        let mut order = Vec::new();
        for (index, attempt) in record.attempts.iter().enumerate() {
            if last.insert(attempt.pod.clone(), Tried { step, index, attempt }).is_none() {
                order.push(attempt.pod.clone());
            }
        }
        let mut outcomes = Vec::new();
        for pod in order {
            let Some(tried) = last.get(&pod) else { continue };
            let (text, kind) = match &tried.attempt.outcome {
                Outcome::Bound { .. } => (taken(record, tried.attempt), Family::Fit),
                _ => ("Pending".to_owned(), Family::None),
            };
            if states.get(&pod) == Some(&text) {
                continue;
            }
            let kind = match kind {
                Family::None => self.said(tried).map_or(Family::Rule, |said| family(said.family)),
                known => known,
            };
            states.insert(pod.clone(), text.clone());
            outcomes.push(StepOutcome { object: object_key_of(&pod), text, family: kind });
        }
        for event in &record.events {
            match event.kind {
                EventKind::Evicted | EventKind::Finished | EventKind::Failed => {
                    states.remove(&event.object);
                    outcomes.push(StepOutcome {
                        object: object_key_of(&event.object),
                        text: event.text.clone(),
                        family: if event.kind == EventKind::Failed {
                            Family::Fault
                        } else {
                            Family::Held
                        },
                    });
                }
                EventKind::Deleted => {
                    states.remove(&event.object);
                }
                EventKind::Created
                | EventKind::Updated
                | EventKind::Allocated
                | EventKind::Deallocated => {}
            }
        }
        outcomes
    }
}

/// A step made by a button.
pub(super) fn button(step: &ExtraStep) -> Button {
    match step {
        ExtraStep::Delete(object) => Button::Delete(object_ref(object)),
        ExtraStep::PutBack(object) => Button::PutBack(object_ref(object)),
    }
}

/// The devices that a Pod's claims got.
fn taken(record: &StepRecord, attempt: &Attempt) -> String {
    let names: Vec<String> = attempt
        .claims
        .iter()
        .filter_map(|claim| {
            let metadata = &claim.claim.metadata;
            record.cluster.claims.get(&metadata.namespace, &metadata.name)
        })
        .filter_map(|claim| claim.value.status.allocation.clone())
        .flat_map(|allocation| allocation.results)
        .map(|result| result.device)
        .collect();
    if names.is_empty() { "Running".to_owned() } else { names.join(", ") }
}

fn node_verdicts(attempt: &Attempt) -> Vec<NodeVerdict> {
    let mut verdicts: Vec<NodeVerdict> = Vec::new();
    for node in attempt.nodes.iter() {
        let family = match node.status {
            NodeStatus::Fits => Family::Fit,
            NodeStatus::Fatal(_) => Family::Fault,
            NodeStatus::Rejected(_) if !is_allocators(node.status) => Family::Rule,
            NodeStatus::Rejected(_) | NodeStatus::NotAsked => Family::None,
        };
        let alike = |it: &NodeVerdict| it.family == family && it.message == node.text;
        let at = verdicts.iter().position(alike).unwrap_or_else(|| {
            let message = node.text.clone();
            verdicts.push(NodeVerdict { message, family, ..NodeVerdict::default() });
            verdicts.len() - 1
        });
        let Some(verdict) = verdicts.get_mut(at) else { continue };
        verdict.count += 1;
        if verdict.nodes.len() < NODES_LISTED {
            verdict.nodes.push(node.node.clone());
        }
        let calls = verdict.search_calls.into_iter().chain(node.search_calls);
        verdict.search_calls = calls.reduce(u64::saturating_add);
    }
    let best = attempt.feasible_nodes();
    let best: Vec<String> = best.iter().take(NODES_LISTED).map(|it| it.node.clone()).collect();
    // An attempt that an error ended scored no node.
    if let Some(fit) = verdicts.iter_mut().find(|it| it.family == Family::Fit && !best.is_empty()) {
        fit.nodes = best;
    }
    verdicts
}
