//! What really stands in the way of a Pod: found by leaving out parts of its claims, and what other
//! claims hold, until the rest fits.

use std::rc::Rc;

use crate::allocator::{self, Place};
use crate::api::{Node, ResourceClaim};
use crate::cluster::Cluster;
use crate::explain::{
    Agreement, Cause, CauseKind, Conflict, Explanation, Facts, Recorder, candidates, causes,
    claim_ref,
};
use crate::scheduler::{Attempt, Env, Inputs, allocate_alone};

use super::analysis::{Shown, Tried};
use super::explained::{ELSEWHERE, Explained, name_resources, selector_refusal};
use super::sight::{Scene, world_of_node};
use super::snapshot::World;

/// Search calls for one question.
const CALLS: u64 = 20_000;
/// Requests and constraints that are told apart.
const PARTS: usize = 24;
/// Devices times parts up to which the questions are asked.
const CELLS: usize = 40_000;
/// Requests of which each fails alone that are named.
const NAMED: usize = 3;

/// What stands in the way on the most telling node.
#[derive(Debug)]
pub(super) struct Diagnosis {
    /// The search over just those parts that cannot be met together.
    pub explained: Explained,
    pub causes: Vec<Cause>,
    /// Whether other claims have devices, and the parts could not be met without these claims either.
    pub never: bool,
    /// The devices as that search saw them.
    pub scene: Rc<Scene>,
}

/// A request by the indexes of claim and request.
type Request = (usize, usize);

/// Parts of claims that cannot be met.
#[derive(Clone, Debug, Default)]
struct Core {
    requests: Vec<Request>,
    constraints: Vec<Request>,
}

struct Questions<'a> {
    attempt: &'a Attempt,
    env: &'a Env,
    node: &'a Node,
    claims: &'a [Rc<ResourceClaim>],
    inputs: Inputs,
}

/// The cluster without what the claims of other Pods hold.
pub(super) fn emptied(attempt: &Attempt) -> Cluster {
    let mut cluster = attempt.before.as_ref().clone();
    let own = |claim: &ResourceClaim| {
        attempt.claims.iter().any(|it| claim_ref(&it.claim) == claim_ref(claim))
    };
    let held: Vec<_> = cluster
        .claims
        .iter()
        .map(|claim| &claim.value)
        .filter(|claim| claim.status.allocation.is_some() && !own(claim))
        .map(|claim| claim.metadata.clone())
        .collect();
    for meta in held {
        cluster.claims.update(&meta.namespace, &meta.name, |claim| {
            claim.status.allocation = None;
        });
    }
    cluster
}

impl Shown<'_> {
    /// What stands in the way of a Pod; `None` when no node was searched.
    pub(super) fn diagnosis(&self, tried: &Tried<'_>) -> Option<Rc<Diagnosis>> {
        let at = (tried.step, tried.index);
        if let Some(known) = self.memo.diagnoses.borrow().get(&at) {
            return known.clone();
        }
        let scene = self.scene(tried.attempt);
        let explained = self.explained(tried.attempt, &scene);
        let found = self.diagnose(tried.attempt, &scene, &explained).map(Rc::new);
        self.memo.diagnoses.borrow_mut().insert(at, found.clone());
        found
    }

    fn diagnose(
        &self,
        attempt: &Attempt,
        scene: &Rc<Scene>,
        explained: &[Explained],
    ) -> Option<Diagnosis> {
        let best = explained.iter().rev().max_by_key(|explained| explained.depth())?;
        let name = &attempt.nodes.get(best.node)?.node;
        let node = attempt.before.nodes.get("", name).map(|node| Rc::clone(&node.value))?;
        let scene = &self.scene_on(attempt, scene, name);
        let parts: usize = best
            .claims
            .iter()
            .map(|claim| claim.spec.requests.len() + claim.spec.constraints.len())
            .sum();
        let is_large = parts > PARTS || parts.saturating_mul(scene.world.devices.len()) > CELLS;
        let searched = matches!(best.outcome, allocator::Outcome::NotAllocated);
        if !best.explanation.allocated && searched && !is_large {
            let found = self.told_apart(attempt, scene, best, &node);
            if found.is_some() {
                return found;
            }
        }
        Some(self.with_speaker(attempt, &best.claims, scene, "", |speaker| Diagnosis {
            causes: causes(&best.explanation, speaker.facts),
            explained: best.clone(),
            never: false,
            scene: Rc::clone(scene),
        }))
    }

    fn told_apart(
        &self,
        attempt: &Attempt,
        scene: &Rc<Scene>,
        best: &Explained,
        node: &Node,
    ) -> Option<Diagnosis> {
        let ask = |cluster: &Cluster| {
            let inputs = Inputs::of(cluster, self.env);
            Questions { attempt, env: self.env, node, claims: &best.claims, inputs }
        };
        let now = ask(&attempt.before);
        let behavior = self.env.behavior();
        let mut cores = now.cores();
        let emptied = Rc::new(emptied(attempt));
        let empty = ask(&emptied);
        let others_hold = !emptied.claims.same(&attempt.before.claims);
        // What can never be met is told first, and alone.
        let never = cores.iter().position(|core| !empty.fits(core));
        let (questions, scene) = match never {
            Some(at) => {
                cores = cores.into_iter().skip(at).take(1).collect();
                let alone = self.world(&emptied);
                let seen = world_of_node(&alone, &emptied, &node.metadata.name, behavior);
                let scene = Scene::new(seen.unwrap_or(alone), self.places(), self.words);
                (&empty, Rc::new(scene))
            }
            None => (&now, Rc::clone(scene)),
        };
        let mut whole: Option<Diagnosis> = None;
        for core in cores.iter().take(NAMED) {
            let explained = questions.explain(core, &scene.world, best.node)?;
            let causes = self.with_speaker(attempt, &explained.claims, &scene, "", |speaker| {
                core_causes(core, &explained, speaker.facts)
            });
            match &mut whole {
                None => {
                    let (never, scene) = (never.is_some() && others_hold, Rc::clone(&scene));
                    whole = Some(Diagnosis { explained, causes, never, scene });
                }
                Some(whole) => whole.add(explained, causes),
            }
        }
        whole
    }
}

impl Diagnosis {
    /// Adds what another part of the claims fails at.
    fn add(&mut self, explained: Explained, causes: Vec<Cause>) {
        let before = self.explained.explanation.requests.len();
        self.explained.explanation.requests.extend(explained.explanation.requests);
        self.causes.extend(causes.into_iter().map(|mut cause| {
            cause.request += before;
            if let CauseKind::Conflict(conflict) = &mut cause.kind {
                conflict.requests.iter_mut().for_each(|index| *index += before);
            }
            cause
        }));
    }
}

/// The causes of a core: those of its only request, or the conflict between its parts.
fn core_causes(core: &Core, explained: &Explained, facts: &dyn Facts) -> Vec<Cause> {
    let explanation = &explained.explanation;
    if core.requests.len() == 1 && core.constraints.is_empty() {
        return causes(explanation, facts);
    }
    let agreement = core.constraints.first().and_then(|(claim, index)| {
        let claim = explained.claims.get(*claim)?;
        let constraint = claim.spec.constraints.get(*index)?;
        let distinct = constraint.match_attribute.is_none();
        let attribute =
            constraint.match_attribute.as_ref().or(constraint.distinct_attribute.as_ref())?;
        let attribute = attribute.clone();
        Some(Agreement { claim: claim_ref(claim), index: *index, attribute, distinct })
    });
    let requests = (0..explanation.requests.len()).collect();
    let conflict = Conflict::of(explanation, requests, agreement);
    let accepted = conflict.devices().into_iter().cloned().collect();
    vec![Cause { request: 0, kind: CauseKind::Conflict(conflict), accepted, others_in_use: false }]
}

impl Questions<'_> {
    /// Smallest sets of parts that cannot be met: each request that fails alone, or one set of parts
    /// of which no one can be left out.
    fn cores(&self) -> Vec<Core> {
        let all = self.whole();
        let alone: Vec<Core> = all
            .requests
            .iter()
            .map(|request| Core { requests: vec![*request], constraints: Vec::new() })
            .filter(|core| !self.fits(core))
            .collect();
        if !alone.is_empty() {
            return alone;
        }
        if self.fits(&all) {
            return Vec::new();
        }
        let mut core = all.clone();
        for constraint in &all.constraints {
            let mut without = core.clone();
            without.constraints.retain(|it| it != constraint);
            if !self.fits(&without) {
                core = without;
            }
        }
        for request in all.requests.iter().rev() {
            let mut without = core.clone();
            without.requests.retain(|it| it != request);
            if !without.requests.is_empty() && !self.fits(&without) {
                core = without;
            }
        }
        vec![core]
    }

    /// All parts.
    fn whole(&self) -> Core {
        let mut core = Core::default();
        for (index, claim) in self.claims.iter().enumerate() {
            core.requests.extend((0..claim.spec.requests.len()).map(|it| (index, it)));
            core.constraints.extend((0..claim.spec.constraints.len()).map(|it| (index, it)));
        }
        core
    }

    /// Whether the parts can be met; also when that is not known.
    fn fits(&self, core: &Core) -> bool {
        let (claims, _) = self.reduced(core);
        let answer = allocate_alone(&self.inputs, self.env, self.node, &claims, CALLS, &mut ());
        !matches!(answer.outcome, allocator::Outcome::NotAllocated)
    }

    /// The claims with some of their parts only, and the claim of each.
    fn reduced(&self, core: &Core) -> (Vec<Rc<ResourceClaim>>, Vec<usize>) {
        let mut claims = Vec::new();
        let mut origins = Vec::new();
        for (index, claim) in self.claims.iter().enumerate() {
            let has = |list: &[Request], part: usize| list.contains(&(index, part));
            let mut kept = 0;
            let mut reduced = claim.as_ref().clone();
            reduced.spec.requests.retain(|_| {
                kept += 1;
                has(&core.requests, kept - 1)
            });
            if reduced.spec.requests.is_empty() {
                continue;
            }
            let mut kept = 0;
            let requests = reduced.spec.requests.clone();
            let is_there = |name: &String| {
                let parent = name.split('/').next().unwrap_or_default();
                requests.iter().any(|request| request.name == parent)
            };
            reduced.spec.constraints.retain_mut(|constraint| {
                kept += 1;
                let named = !constraint.requests.is_empty();
                constraint.requests.retain(is_there);
                has(&core.constraints, kept - 1) && !(named && constraint.requests.is_empty())
            });
            // Configuration plays no part in the search.
            reduced.spec.config.clear();
            claims.push(Rc::new(reduced));
            origins.push(index);
        }
        (claims, origins)
    }

    /// The search over some parts, told by their places in the whole claims.
    fn explain(&self, core: &Core, world: &World, node: usize) -> Option<Explained> {
        let (claims, origins) = self.reduced(core);
        let mut recorder = Recorder::new();
        let answer =
            allocate_alone(&self.inputs, self.env, self.node, &claims, CALLS, &mut recorder);
        let behavior = self.env.behavior();
        let index = self.inputs.index();
        let gathered = index.gather(self.node, behavior).unwrap_or_default();
        let seen = candidates(index, &gathered, self.node, behavior, ELSEWHERE);
        let borrowed: Vec<&ResourceClaim> = claims.iter().map(Rc::as_ref).collect();
        let mut explanation =
            Explanation::new(&recorder, &borrowed, &seen, &answer.outcome, answer.search_calls);
        let whole = |place: Place| -> Option<Place> {
            let claim = *origins.get(place.claim)?;
            let mut kept = core.requests.iter().filter(|(of, _)| *of == claim);
            let (_, request) = kept.nth(place.request)?;
            Some(Place { claim, request: *request, subrequest: place.subrequest })
        };
        for request in &mut explanation.requests {
            request.place = whole(request.place)?;
        }
        if let Some(deepest) = &mut explanation.deepest {
            // Behind the last claim there is no request: the last one is meant.
            let last = explanation.requests.last().map(|request| request.place);
            deepest.place = whole(deepest.place).or(last)?;
        }
        name_resources(&mut explanation, self.attempt, self.claims);
        explanation.has_more = core.requests.len() < self.whole().requests.len();
        explanation.fill_accepted(|request, device| {
            let claim = self.claims.get(request.place.claim)?;
            selector_refusal(self.attempt, self.env, world, claim, request, device)
        });
        let claims = self.claims.to_vec();
        Some(Explained { node, claims, explanation, outcome: answer.outcome })
    }
}
