//! One attempt: PreEnqueue, PreFilter, Filter per node, Score, PostFilter.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::allocator::{Allocator, OPTIONAL_NODE_OPERATIONS};
use crate::api::{AllocationResult, DeviceClaim, Node, Pod, ResourceClaim};
use crate::apimachinery::{ObjectMeta, ObjectRef};
use crate::cluster::Cluster;
use crate::features::Gate;

use super::attempt::{
    Attempt, AttemptClaim, ClaimTask, Fatal, NodeAnswers, NodeAttempt, NodeStatus, Outcome,
    Rejection,
};
use super::binding::{Readiness, readiness, waits_for_conditions};
use super::claims::{PreFilterRefusal, is_owned_by, pod_claims, pre_filter};
use super::devices::{Answer, Inputs, allocate, name_shares, node_answer};
use super::env::Env;
use super::extended::{
    ClassResolver, RequestMapping, SPECIAL_CLAIM_ANNOTATION, SPECIAL_CLAIM_NAME, is_special,
    pod_requests, special_requests,
};
use super::memory::Reach;
use super::message::{self, Refusals};
use super::node_filters::{NamedNodes, NodeFilters, NodeRefusal, named_nodes};
use super::score::score;

/// An attempt together with what has to change when it succeeds.
#[derive(Debug)]
pub struct Tried {
    /// What happened.
    pub attempt: Attempt,
    /// What follows from it.
    pub consequence: Consequence,
    /// Devices and search calls that were looked at.
    pub work: u64,
}

/// What follows from an attempt.
#[derive(Debug)]
pub enum Consequence {
    /// Nothing.
    Nothing,
    /// The Pod's claims get these allocations and the Pod goes to the node.
    Bind(Plan),
    /// PostFilter takes the devices away from an unused claim that is in the way.
    Deallocate(Rc<ResourceClaim>),
    /// PostFilter deletes a special claim that an earlier attempt left behind.
    DeleteSpecial(Rc<ResourceClaim>),
}

/// The outcome of a successful attempt.
#[derive(Debug)]
pub struct Plan {
    /// The node.
    pub node: String,
    /// Claims to be allocated, with their results; the special claim comes last.
    pub allocations: Vec<(Rc<ResourceClaim>, AllocationResult)>,
    /// All claims of the Pod that existed before, in order.
    pub claims: Vec<Rc<ResourceClaim>>,
    /// For the special claim: which container uses which request.
    pub mappings: Vec<RequestMapping>,
}

/// Tries to schedule one Pod.
pub fn attempt_pod(cluster: &Rc<Cluster>, pod: &Pod, env: &Env) -> Tried {
    let subject = ObjectRef {
        kind: "Pod".to_owned(),
        namespace: pod.metadata.namespace.clone(),
        name: pod.metadata.name.clone(),
    };
    let mut attempt = Attempt {
        pod: subject,
        before: Rc::clone(cluster),
        claims: Vec::new(),
        nodes: NodeAnswers::default(),
        outcome: Outcome::Unschedulable,
        message: None,
    };
    if !pod.scheduling_gates.is_empty() {
        let reason = format!("waiting for scheduling gates: [{}]", pod.scheduling_gates.join(" "));
        attempt.outcome = Outcome::NotQueued { reason };
        return Tried { attempt, consequence: Consequence::Nothing, work: 0 };
    }
    let claims = match pod_claims(cluster, pod, env.behavior()) {
        Ok(claims) => claims,
        Err(reason) => {
            attempt.outcome = Outcome::NotQueued { reason };
            return Tried { attempt, consequence: Consequence::Nothing, work: 0 };
        }
    };
    attempt.claims = claims.iter().map(attempt_claim).collect();
    let named = named_nodes(pod);
    if named == NamedNodes::Conflict {
        let refusal = PreFilterRefusal::Unschedulable("pod affinity terms conflict".to_owned());
        return refused_by_pre_filter(attempt, refusal, env);
    }
    let resolver = env
        .behavior()
        .gates
        .enabled(Gate::ExtendedResource)
        .then(|| ClassResolver::new(cluster, env.behavior()));
    let special = resolver.as_ref().and_then(|resolver| special_claim(cluster, pod, resolver));
    for claim in &claims {
        match pre_filter(cluster, claim, env.behavior()) {
            Ok(()) => {}
            Err(refusal) => return refused_by_pre_filter(attempt, refusal, env),
        }
    }
    let run = Run { cluster, pod, claims, special, resolver, named };
    run.filter(attempt, env)
}

fn attempt_claim(claim: &Rc<ResourceClaim>) -> AttemptClaim {
    let task = if claim.status.allocation.is_some() {
        ClaimTask::UseAllocated
    } else {
        ClaimTask::Allocate
    };
    AttemptClaim { claim: Rc::clone(claim), task }
}

fn refused_by_pre_filter(mut attempt: Attempt, refusal: PreFilterRefusal, env: &Env) -> Tried {
    match refusal {
        PreFilterRefusal::Unschedulable(text) => {
            let refusals = Refusals { nodes: attempt.before.nodes.len(), ..Refusals::default() };
            // The plugin forgets the claims when PreFilter fails.
            let post_filter = message::nothing_to_deallocate(env.behavior(), false);
            attempt.message = Some(message::fit_error(&refusals, Some(&text), post_filter));
            attempt.outcome = Outcome::PreFilter;
        }
        PreFilterRefusal::Error(text) => {
            attempt.message =
                Some(format!("running PreFilter plugin \"DynamicResources\": {text}"));
            attempt.outcome = Outcome::Error(Fatal::AllocatorError);
        }
    }
    Tried { attempt, consequence: Consequence::Nothing, work: 0 }
}

/// The special claim for a Pod that asks for an extended resource which a class offers: one left
/// over from an earlier attempt, or an empty one.
fn special_claim(
    cluster: &Cluster,
    pod: &Pod,
    resolver: &ClassResolver,
) -> Option<Rc<ResourceClaim>> {
    let wanted = pod_requests(pod).into_iter().any(|(resource, amount)| {
        !amount.is_zero() && resolver.is_extended(&resource) && resolver.class(&resource).is_some()
    });
    if !wanted {
        return None;
    }
    let left_over = cluster.claims.iter().map(|claim| &claim.value).find(|claim| {
        claim.metadata.namespace == pod.metadata.namespace
            && is_special(claim)
            && is_owned_by(claim, pod)
    });
    Some(left_over.map_or_else(
        || {
            Rc::new(ResourceClaim {
                metadata: ObjectMeta {
                    name: SPECIAL_CLAIM_NAME.to_owned(),
                    namespace: pod.metadata.namespace.clone(),
                    annotations: BTreeMap::from([(
                        SPECIAL_CLAIM_ANNOTATION.to_owned(),
                        "true".to_owned(),
                    )]),
                    ..ObjectMeta::default()
                },
                ..ResourceClaim::default()
            })
        },
        Rc::clone,
    ))
}

/// What the special claim is on one node.
enum Special {
    /// The node needs none.
    None,
    /// The node needs this one.
    Claim(Rc<ResourceClaim>, Vec<RequestMapping>),
    /// The node is refused.
    Refused(Rejection, &'static str),
}

/// What a node answered, with what follows from it.
#[derive(Debug)]
pub(super) struct Judged {
    attempt: Rc<NodeAttempt>,
    /// For the event text: one reason, or several for short node resources.
    reasons: Vec<String>,
    /// Whether removing Pods from the node could help in principle.
    resolvable: bool,
    /// Indexes of allocated claims that are not available on the node.
    unavailable: Vec<usize>,
    /// The results of the claims to allocate, the special claim's last.
    results: Vec<AllocationResult>,
    /// For the special claim: which container uses which request.
    mappings: Vec<RequestMapping>,
}

struct Run<'a> {
    cluster: &'a Rc<Cluster>,
    pod: &'a Pod,
    claims: Vec<Rc<ResourceClaim>>,
    special: Option<Rc<ResourceClaim>>,
    resolver: Option<ClassResolver>,
    named: NamedNodes<'a>,
}

impl Run<'_> {
    fn filter(&self, mut attempt: Attempt, env: &Env) -> Tried {
        let inputs = Inputs::of(self.cluster, env);
        let used = env.memory.borrow_mut().used(self.cluster);
        let filters = NodeFilters::new(&used, self.pod, self.resolver.as_ref(), env.behavior());
        let mut allocator = inputs.allocator(env);
        let remembers = self.special.is_none()
            && self.claims.iter().all(|claim| claim.status.allocation.is_none());
        if remembers {
            env.memory.borrow_mut().begin(self.pod, &self.claims);
        }
        let terrain = inputs.terrain();
        let mut all: Vec<Rc<Judged>> = Vec::with_capacity(terrain.nodes.len());
        let mut answers = Vec::with_capacity(terrain.nodes.len());
        let mut work = 0;
        for (position, node) in terrain.nodes.iter().enumerate() {
            if matches!(attempt.outcome, Outcome::Error(_)) {
                answers.push(Rc::new(NodeAttempt::not_asked(&node.metadata.name)));
                continue;
            }
            let reach = terrain.reach(position, env.behavior());
            let remembers = remembers && reach.is_separate;
            let known = if remembers { env.memory.borrow().recall(position, &reach) } else { None };
            let judged = known.unwrap_or_else(|| {
                let judged = Rc::new(self.judge(node, &reach, &filters, &mut allocator, env));
                let calls = judged.attempt.search_calls.unwrap_or_default();
                work += calls.saturating_add(1 + reach.devices as u64);
                if remembers && !names_a_claim(judged.attempt.status) {
                    env.memory.borrow_mut().remember(position, &reach, &judged);
                }
                judged
            });
            if let NodeStatus::Fatal(fatal) = judged.attempt.status {
                attempt.outcome = Outcome::Error(fatal);
                attempt.message = Some(fatal_message(fatal, &judged.attempt.text));
            }
            answers.push(Rc::clone(&judged.attempt));
            all.push(judged);
        }
        attempt.nodes = if remembers {
            env.memory.borrow_mut().share(&answers)
        } else {
            NodeAnswers::new(&answers, &[])
        };
        let mut tried = self.conclude(attempt, &all, env);
        tried.work = work;
        tried
    }

    fn judge(
        &self,
        node: &Node,
        reach: &Reach,
        filters: &NodeFilters<'_>,
        allocator: &mut Allocator<'_>,
        env: &Env,
    ) -> Judged {
        match self.not_named(node).or_else(|| filters.check(node)) {
            Some(refusal) => {
                let text = refusal.reasons.join(", ");
                let attempt = NodeAttempt::rejected(node, refusal.rejection, text);
                let resolvable = refusal.resolvable;
                Judged { reasons: refusal.reasons, resolvable, ..Judged::of(attempt) }
            }
            None => self.plugin(node, reach, allocator, env),
        }
    }

    /// Nodes that PreFilter took out of consideration.
    fn not_named(&self, node: &Node) -> Option<NodeRefusal> {
        match &self.named {
            NamedNodes::Only(names) if !names.contains(node.metadata.name.as_str()) => {
                Some(NodeRefusal::of(
                    Rejection::NodeAffinity,
                    "node(s) didn't satisfy plugin(s) [NodeAffinity]",
                ))
            }
            NamedNodes::Only(_) | NamedNodes::Any | NamedNodes::Conflict => None,
        }
    }

    /// Filter of the plugin on one node.
    fn plugin(
        &self,
        node: &Node,
        reach: &Reach,
        allocator: &mut Allocator<'_>,
        env: &Env,
    ) -> Judged {
        let (special, mappings) = match self.special_on(node) {
            Special::None => (None, Vec::new()),
            Special::Claim(claim, mappings) => (Some(claim), mappings),
            Special::Refused(rejection, text) => {
                return Judged::refused(NodeAttempt::rejected(node, rejection, text.to_owned()));
            }
        };
        let to_allocate = self.to_allocate(special.as_ref());
        let mut answer = NodeAttempt::fits(node);
        answer.extended_claim = special;
        let mut results = Vec::new();
        if !to_allocate.is_empty() {
            answer.searched = true;
            let tried = node_answer(allocate(allocator, node, reach, &to_allocate, &mut ()));
            answer.search_calls = tried.search_calls;
            match tried.answer {
                Answer::Allocated(allocations) => results = allocations,
                Answer::Refused(rejection, text) => {
                    answer.status = NodeStatus::Rejected(rejection);
                    answer.text = text;
                    return Judged::refused(answer);
                }
                Answer::Fatal(fatal, text) => {
                    answer.status = NodeStatus::Fatal(fatal);
                    answer.text = text;
                    return Judged::of(answer);
                }
            }
        }
        let unavailable = self.unavailable_on(node, env);
        if !unavailable.is_empty() {
            answer.status = NodeStatus::Rejected(Rejection::ClaimNotAvailable);
            "resourceclaim not available on the node".clone_into(&mut answer.text);
            return Judged { unavailable, ..Judged::refused(answer) };
        }
        if env.behavior().alternatives_scored && !results.is_empty() {
            answer.score = score(&self.claims, &results);
        }
        Judged { results, mappings, ..Judged::of(answer) }
    }

    /// The Pod's claims without allocation, and the special claim.
    fn to_allocate(&self, special: Option<&Rc<ResourceClaim>>) -> Vec<Rc<ResourceClaim>> {
        let own = self.claims.iter().filter(|claim| claim.status.allocation.is_none());
        own.chain(special).map(Rc::clone).collect()
    }

    fn special_on(&self, node: &Node) -> Special {
        let (Some(claim), Some(resolver)) = (&self.special, &self.resolver) else {
            return Special::None;
        };
        if !claim.spec.requests.is_empty() {
            return Special::Refused(
                Rejection::ClaimNotAvailable,
                "cannot schedule extended resource claim",
            );
        }
        let (mut resources, mut is_needed) = (BTreeSet::new(), false);
        for (resource, amount) in pod_requests(self.pod) {
            if amount.is_zero() || !resolver.is_extended(&resource) {
                continue;
            }
            let is_backed = resolver.class(&resource).is_some();
            let is_delegated = resolver.is_delegated(node, &resource);
            if !is_backed && !node.allocatable.contains_key(&resource) {
                return Special::Refused(Rejection::UnknownResource, "cannot fit resource");
            }
            is_needed |= is_delegated;
            if is_delegated || is_backed && resolver.is_plain {
                resources.insert(resource);
            }
        }
        // UPSTREAM: beside claims of the Pod's own, the special claim is allocated and written even
        // when it is empty, because the node's device plugin offers everything.
        if !is_needed && self.claims.is_empty() {
            return Special::None;
        }
        let (requests, mappings) = special_requests(self.pod, &resources, resolver);
        let mut claim = claim.as_ref().clone();
        claim.spec = DeviceClaim { requests, ..DeviceClaim::default() };
        Special::Claim(Rc::new(claim), mappings)
    }

    /// Indexes of the allocated claims that cannot be used on the node.
    fn unavailable_on(&self, node: &Node, env: &Env) -> Vec<usize> {
        let waits = waits_for_conditions(env.behavior());
        let checks_operations = env.behavior().allocated_node_operations_checked;
        let is_unavailable = |claim: &ResourceClaim| {
            let Some(allocation) = &claim.status.allocation else { return false };
            // PreFilter refused selectors that cannot be read.
            let selected = allocation.node_selector.as_ref().is_none_or(|selector| {
                selector.matches(&node.metadata.name, &node.metadata.labels).unwrap_or(false)
            });
            if !selected || (checks_operations && needs_node_operations(allocation, node)) {
                return true;
            }
            waits
                && match readiness(claim) {
                    Readiness::Ready => false,
                    Readiness::Failed(_) => true,
                    Readiness::Waiting => env.is_timed_out(claim, self.cluster),
                }
        };
        (0..)
            .zip(&self.claims)
            .filter(|(_, claim)| is_unavailable(claim))
            .map(|(index, _)| index)
            .collect()
    }

    fn conclude(&self, mut attempt: Attempt, all: &[Rc<Judged>], env: &Env) -> Tried {
        if matches!(attempt.outcome, Outcome::Error(_)) {
            return Tried { attempt, consequence: Consequence::Nothing, work: 0 };
        }
        let fits = all.iter().filter(|judged| judged.attempt.status == NodeStatus::Fits);
        // Best score first, then name order.
        let better = |a: &Judged, b: &Judged| b.attempt.score > a.attempt.score;
        let best = fits.reduce(|a, b| if better(a, b) { b } else { a });
        if let Some(best) = best {
            let node = best.attempt.node.clone();
            attempt.outcome = Outcome::Bound { node: node.clone() };
            let to_allocate = self.to_allocate(best.attempt.extended_claim.as_ref());
            let mut results = best.results.clone();
            // The answer may be one to another Pod.
            name_shares(&mut results, &to_allocate);
            let plan = Plan {
                node,
                allocations: to_allocate.into_iter().zip(results).collect(),
                claims: self.claims.clone(),
                mappings: best.mappings.clone(),
            };
            return Tried { attempt, consequence: Consequence::Bind(plan), work: 0 };
        }
        if self.cluster.nodes.is_empty() {
            attempt.message = Some("no nodes available to schedule pods".to_owned());
            return Tried { attempt, consequence: Consequence::Nothing, work: 0 };
        }
        let refusals = Refusals {
            reasons: all
                .iter()
                .flat_map(|judged| judged.reasons.iter().map(String::as_str))
                .collect(),
            nodes: all.len(),
            resolvable: all.iter().filter(|judged| judged.resolvable).count(),
        };
        let unavailable = all.iter().flat_map(|judged| &judged.unavailable).copied().collect();
        let (post_filter, consequence) = self.post_filter(&unavailable, env);
        attempt.message = Some(message::fit_error(&refusals, None, post_filter));
        Tried { attempt, consequence, work: 0 }
    }

    /// What PostFilter does and says.
    ///
    /// DIFFERS: of several claims that could be deallocated upstream takes a random one; here it is
    /// the first one of the Pod.
    fn post_filter(
        &self,
        unavailable: &BTreeSet<usize>,
        env: &Env,
    ) -> (Option<&'static str>, Consequence) {
        let unused = (0..)
            .zip(&self.claims)
            .filter(|(index, _)| unavailable.contains(index))
            .map(|(_, claim)| claim)
            .find(|claim| match claim.status.reserved_for.as_slice() {
                [] => true,
                [only] => only.name == self.pod.metadata.name && only.resource == "pods",
                _ => false,
            });
        if let Some(claim) = unused {
            return (Some(message::DEALLOCATED), Consequence::Deallocate(Rc::clone(claim)));
        }
        if let Some(special) =
            self.special.as_ref().filter(|claim| claim.metadata.name != SPECIAL_CLAIM_NAME)
        {
            return (Some(message::DELETED), Consequence::DeleteSpecial(Rc::clone(special)));
        }
        let has_claims = !self.claims.is_empty() || self.special.is_some();
        (message::nothing_to_deallocate(env.behavior(), has_claims), Consequence::Nothing)
    }
}

/// Whether an allocation has devices that only nodes with the declared feature can do without
/// preparing.
fn needs_node_operations(allocation: &AllocationResult, node: &Node) -> bool {
    allocation.results.iter().any(|result| !result.skip_node_operations.is_empty())
        && !node.declared_features.iter().any(|feature| feature == OPTIONAL_NODE_OPERATIONS)
}

/// The event text of an aborted attempt.
fn fatal_message(fatal: Fatal, text: &str) -> String {
    match fatal {
        Fatal::AllocatorError => format!("running \"DynamicResources\" filter plugin: {text}"),
        Fatal::Crash | Fatal::Budget | Fatal::PreBind { .. } => text.to_owned(),
    }
}

/// Whether the words of an answer name a claim, which is another one for the next Pod of this shape.
fn names_a_claim(status: NodeStatus) -> bool {
    let refused = NodeStatus::Rejected(Rejection::AllocatorError);
    matches!(status, NodeStatus::Fatal(_)) || status == refused
}

impl Judged {
    fn of(attempt: NodeAttempt) -> Self {
        Self {
            attempt: Rc::new(attempt),
            reasons: Vec::new(),
            resolvable: false,
            unavailable: Vec::new(),
            results: Vec::new(),
            mappings: Vec::new(),
        }
    }

    fn refused(attempt: NodeAttempt) -> Self {
        let reasons = vec![attempt.text.clone()];
        Self { reasons, ..Self::of(attempt) }
    }
}

impl NodeAttempt {
    fn new(node: &str, status: NodeStatus, text: String) -> Self {
        Self {
            node: node.to_owned(),
            status,
            text,
            searched: false,
            search_calls: None,
            extended_claim: None,
            score: 0,
        }
    }

    fn fits(node: &Node) -> Self {
        Self::new(&node.metadata.name, NodeStatus::Fits, String::new())
    }

    fn rejected(node: &Node, rejection: Rejection, text: String) -> Self {
        Self::new(&node.metadata.name, NodeStatus::Rejected(rejection), text)
    }

    pub(super) fn not_asked(node: &str) -> Self {
        Self::new(node, NodeStatus::NotAsked, String::new())
    }
}
