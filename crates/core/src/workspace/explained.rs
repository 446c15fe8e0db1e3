//! Attempts explained: the allocator's part is run again with an observer.

use std::rc::Rc;

use crate::allocator::{self, Fault, SkipReason};
use crate::api::{Pod, ResourceClaim};
use crate::apimachinery::ObjectRef;
use crate::explain::{Explanation, Recorder, RequestExplanation, Subject, candidates};
use crate::pool::DeviceId;
use crate::scheduler::{
    Attempt, Env, Inputs, NodeStatus, Rejection, Replay, is_special, special_request,
};
use crate::selector::DeviceInput;

use super::facts::key;
use super::sight::world_of_node;
use super::snapshot::World;
use super::verdicts::exact_request;

/// Devices of other nodes that are listed in an explanation.
pub(super) const ELSEWHERE: usize = 256;

/// What the allocator did for one attempt on one node.
#[derive(Clone, Debug)]
pub(super) struct Explained {
    /// Index into [`Attempt::nodes`].
    pub node: usize,
    pub claims: Vec<Rc<ResourceClaim>>,
    pub explanation: Explanation,
    pub outcome: allocator::Outcome,
}

impl Explained {
    /// The fault that ended the attempt or ruled out the node.
    pub(super) fn fault(&self) -> Option<&Fault> {
        match &self.outcome {
            allocator::Outcome::NodeError(fault) | allocator::Outcome::Fatal(fault) => Some(fault),
            allocator::Outcome::Allocated(_)
            | allocator::Outcome::NotAllocated
            | allocator::Outcome::Exhausted { .. }
            | allocator::Outcome::Crash(_) => None,
        }
    }

    /// How far the search got: the further, the more telling.
    pub(super) fn depth(&self) -> (bool, Option<crate::explain::Depth>, usize) {
        let accepted = self.explanation.requests.iter().flat_map(|request| &request.verdicts);
        let accepted = accepted.filter(|verdict| verdict.accepted == Some(true)).count();
        (accepted > 0, self.explanation.deepest, accepted)
    }
}

/// Explains an attempt on the nodes that `wanted` chooses, at most `limit` of them.
pub(super) fn explain_attempt(
    attempt: &Attempt,
    env: &Env,
    world: &World,
    limit: usize,
    wanted: impl Fn(usize, &str) -> bool,
) -> Vec<Explained> {
    let chosen: Vec<usize> = attempt
        .nodes
        .iter()
        .enumerate()
        .filter(|(index, node)| node.searched && wanted(*index, &node.node))
        .map(|(index, _)| index)
        .take(limit)
        .collect();
    if chosen.is_empty() {
        return Vec::new();
    }
    let inputs = Inputs::of(&attempt.before, env);
    let mut replay = Replay::new(&inputs, attempt, env);
    chosen
        .into_iter()
        .filter_map(|node| explain_node(attempt, env, world, &mut replay, node))
        .collect()
}

fn explain_node(
    attempt: &Attempt,
    env: &Env,
    world: &World,
    replay: &mut Replay<'_>,
    index: usize,
) -> Option<Explained> {
    let name = &attempt.nodes.get(index)?.node;
    let node = &attempt.before.nodes.get("", name)?.value;
    let mut recorder = Recorder::new();
    let replayed = replay.run(index, &mut recorder)?;
    let gathered = replay.gather(node).unwrap_or_default();
    let seen = candidates(replay.index(), &gathered, node, env.behavior(), ELSEWHERE);
    let claims: Vec<&ResourceClaim> = replayed.claims.iter().map(Rc::as_ref).collect();
    let answer = replayed.answer;
    let own = world_of_node(world, &attempt.before, name, env.behavior());
    let world = own.as_ref().unwrap_or(world);
    let mut explanation =
        Explanation::new(&recorder, &claims, &seen, &answer.outcome, answer.search_calls);
    name_resources(&mut explanation, attempt, &replayed.claims);
    if !explanation.allocated {
        explanation.fill_accepted(|request, device| {
            let claim = claims.get(request.place.claim)?;
            selector_refusal(attempt, env, world, claim, request, device)
        });
    }
    Some(Explained { node: index, claims: replayed.claims, explanation, outcome: answer.outcome })
}

/// Notes which requests stand for extended resources of the Pod's containers.
pub(super) fn name_resources(
    explanation: &mut Explanation,
    attempt: &Attempt,
    claims: &[Rc<ResourceClaim>],
) {
    let key = &attempt.pod;
    let Some(pod) = attempt.before.pods.get(&key.namespace, &key.name) else { return };
    for request in &mut explanation.requests {
        if claims.get(request.place.claim).is_some_and(|claim| is_special(claim)) {
            request.resource = resource(key, &pod.value, &request.name);
        }
    }
}

/// The extended resource that a request of the special claim stands for, and where the Pod asks it.
fn resource(key: &ObjectRef, pod: &Pod, request: &str) -> Option<(String, Subject)> {
    let (index, position) = special_request(request)?;
    let init = pod.init_containers.len();
    let (list, at) =
        if index < init { ("initContainers", index) } else { ("containers", index - init) };
    let container = pod.init_containers.iter().chain(&pod.containers).nth(index)?;
    let name = container.requests.keys().nth(position)?;
    let path = format!("spec.{list}[{at}].resources.requests[{name}]");
    Some((name.clone(), Subject::Field { object: key.clone(), path }))
}

/// Whether the selectors of class and request would accept a device, else the one that would not.
pub(super) fn selector_refusal(
    attempt: &Attempt,
    env: &Env,
    world: &World,
    claim: &ResourceClaim,
    request: &RequestExplanation,
    device: &DeviceId,
) -> Option<Result<(), Rc<SkipReason>>> {
    let class = &attempt.before.classes.get("", &request.class)?.value;
    let exact = exact_request(claim, request)?;
    let entry = world.devices.get(world.find(&key(device))?)?;
    let device = entry.device()?;
    let input = DeviceInput::of(&entry.key.driver, device);
    let of_class = class.selectors.iter().enumerate().map(|(at, it)| (true, at, it));
    let of_request = exact.selectors.iter().enumerate().map(|(at, it)| (false, at, it));
    for (of_class, selector, written) in of_class.chain(of_request) {
        let compiled = env.selectors().compile(written.cel_expression.as_ref()?);
        if compiled.error().is_some() {
            return None;
        }
        if !compiled.matches(&input).ok()? {
            let reason = if of_class {
                SkipReason::ClassSelectorFalse { selector }
            } else {
                SkipReason::RequestSelectorFalse { selector }
            };
            return Some(Err(Rc::new(reason)));
        }
    }
    Some(Ok(()))
}

/// Whether a node was refused by the allocator.
pub(super) fn is_allocators(status: NodeStatus) -> bool {
    matches!(
        status,
        NodeStatus::Rejected(Rejection::CannotAllocate | Rejection::AllocatorError)
            | NodeStatus::Fatal(_)
    )
}
