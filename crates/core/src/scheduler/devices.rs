//! The allocator at work for one attempt: over all nodes with one memory, as upstream does.

use std::rc::Rc;

use crate::allocator::{self, AllocatedState, Allocator, Context, Observer, Pruning, ShareIds};
use crate::api::{AllocationResult, Node, ResourceClaim, ResourceSlice};
use crate::cluster::{Cluster, stable_uuid};
use crate::features::Behavior;
use crate::pool::{Gathered, NodeMatchFault, SliceIndex};

use super::attempt::{Attempt, ClaimTask, Fatal, Rejection};
use super::env::Env;
use super::memory::{Reach, Terrain};

/// The effect of taints that evict Pods.
pub(crate) const NO_EXECUTE: &str = "NoExecute";

/// What the allocator sees of a cluster.
#[derive(Debug)]
pub struct Inputs {
    terrain: Rc<Terrain>,
    allocated: Rc<AllocatedState>,
}

impl Inputs {
    /// Slices with the taints of rules, classes, and what claims have.
    pub fn of(cluster: &Cluster, env: &Env) -> Self {
        let mut memory = env.memory.borrow_mut();
        let terrain = memory.terrain(cluster, env.behavior());
        Self { terrain, allocated: memory.allocated(cluster, env.behavior()) }
    }

    /// The slices, in text order.
    pub fn slices(&self) -> &[Rc<ResourceSlice>] {
        self.terrain.ground.slices()
    }

    /// Whether any taint evicts Pods.
    pub fn evicts(&self) -> bool {
        self.terrain.evicts
    }

    /// The slices by pool and node.
    pub fn index(&self) -> &SliceIndex {
        self.terrain.ground.index()
    }

    /// What claims have.
    pub fn allocated(&self) -> &AllocatedState {
        &self.allocated
    }

    pub(super) fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    pub(super) fn allocator<'a>(&'a self, env: &'a Env) -> Allocator<'a> {
        Allocator::new(self.context(env))
    }

    fn context<'a>(&'a self, env: &'a Env) -> Context<'a> {
        Context {
            behavior: env.behavior(),
            ground: &self.terrain.ground,
            classes: &self.terrain.classes,
            allocated: &self.allocated,
            selectors: env.selectors(),
            pruning: Pruning::Proven,
            budget: env.budget,
            pool_order: None,
        }
    }
}

/// Whether a device of the slice has a taint that evicts Pods.
pub(crate) fn has_no_execute(slice: &ResourceSlice) -> bool {
    slice.devices.iter().flat_map(|device| &device.taints).any(|taint| taint.effect == NO_EXECUTE)
}

/// What the allocator answered for one node.
#[derive(Debug)]
pub(super) struct NodeAnswer {
    pub(super) answer: Answer,
    pub(super) search_calls: Option<u64>,
}

/// The allocator's answer in the plugin's words.
#[derive(Debug)]
pub(super) enum Answer {
    /// One result for each claim.
    Allocated(Vec<AllocationResult>),
    /// The node is out.
    Refused(Rejection, String),
    /// The attempt is over.
    Fatal(Fatal, String),
}

/// Allocates claims for a node with what it reaches; share IDs depend on the claims only.
pub(super) fn allocate(
    allocator: &mut Allocator<'_>,
    node: &Node,
    reach: &Reach,
    claims: &[Rc<ResourceClaim>],
    observer: &mut dyn Observer,
) -> allocator::Attempt {
    let mut share_ids = StableShareIds::new(claims);
    let claims: Vec<&ResourceClaim> = claims.iter().map(Rc::as_ref).collect();
    match &reach.gathered {
        Ok(gathered) => allocator.allocate_in(node, gathered, &claims, &mut share_ids, observer),
        Err(_) => allocator.allocate(node, &claims, &mut share_ids, observer),
    }
}

/// Gives the shares of results the IDs that they have for these claims.
pub(super) fn name_shares(results: &mut [AllocationResult], claims: &[Rc<ResourceClaim>]) {
    let mut share_ids = StableShareIds::new(claims);
    for result in results.iter_mut().flat_map(|result| &mut result.results) {
        if result.share_id.is_some() {
            result.share_id = Some(share_ids.next_share_id());
        }
    }
}

/// The allocator's answer as the plugin's Filter passes it on.
pub(super) fn node_answer(attempt: allocator::Attempt) -> NodeAnswer {
    let answer = match attempt.outcome {
        allocator::Outcome::Allocated(results) => Answer::Allocated(results),
        allocator::Outcome::NotAllocated => {
            Answer::Refused(Rejection::CannotAllocate, "cannot allocate all claims".to_owned())
        }
        allocator::Outcome::NodeError(fault) => {
            Answer::Refused(Rejection::AllocatorError, fault.to_string())
        }
        allocator::Outcome::Fatal(fault) => Answer::Fatal(Fatal::AllocatorError, fault.to_string()),
        allocator::Outcome::Exhausted { search_calls } => {
            Answer::Fatal(Fatal::Budget, format!("stopped after {search_calls} search calls"))
        }
        allocator::Outcome::Crash(crash) => {
            Answer::Fatal(Fatal::Crash, format!("the scheduler crashes here: {crash}"))
        }
    };
    NodeAnswer { answer, search_calls: attempt.search_calls }
}

/// Share IDs that depend on the claims being allocated and nothing else.
#[derive(Debug)]
struct StableShareIds {
    key: String,
    next: u64,
}

impl StableShareIds {
    fn new(claims: &[Rc<ResourceClaim>]) -> Self {
        let mut key = String::new();
        for claim in claims {
            key.push_str(&claim.metadata.namespace);
            key.push('/');
            key.push_str(&claim.metadata.name);
            key.push('\n');
        }
        Self { key, next: 0 }
    }
}

impl ShareIds for StableShareIds {
    fn next_share_id(&mut self) -> String {
        self.next += 1;
        stable_uuid(&["share", &self.key, &self.next.to_string()])
    }
}

/// Allocates claims for one node with a fresh memory: for questions beside an attempt, such as
/// whether fewer requests would fit. `budget` limits the search calls.
pub fn allocate_alone(
    inputs: &Inputs,
    env: &Env,
    node: &Node,
    claims: &[Rc<ResourceClaim>],
    budget: u64,
    observer: &mut dyn Observer,
) -> allocator::Attempt {
    let mut allocator = Allocator::new(Context { budget: Some(budget), ..inputs.context(env) });
    let mut share_ids = StableShareIds::new(claims);
    let claims: Vec<&ResourceClaim> = claims.iter().map(Rc::as_ref).collect();
    allocator.allocate(node, &claims, &mut share_ids, observer)
}

/// An attempt that is run again, node by node, to see what the allocator does.
///
/// ```text
/// let inputs = Inputs::of(&attempt.before, &env);
/// let mut replay = Replay::new(&inputs, &attempt, &env);
/// let replayed = replay.run(node_index, &mut observer);
/// ```
#[derive(Debug)]
pub struct Replay<'a> {
    allocator: Allocator<'a>,
    inputs: &'a Inputs,
    behavior: &'a Behavior,
    attempt: &'a Attempt,
    next: usize,
}

/// The allocator's part of an attempt on one node, run again.
#[derive(Debug)]
pub struct Replayed {
    /// The claims that were to be allocated, in order; the special claim comes last.
    pub claims: Vec<Rc<ResourceClaim>>,
    /// The same answer as in the attempt.
    pub answer: allocator::Attempt,
}

impl<'a> Replay<'a> {
    /// `inputs` must be those of [`Attempt::before`].
    pub fn new(inputs: &'a Inputs, attempt: &'a Attempt, env: &'a Env) -> Self {
        let (allocator, behavior) = (inputs.allocator(env), env.behavior());
        Self { allocator, inputs, behavior, attempt, next: 0 }
    }

    /// Runs the node with that index in [`Attempt::nodes`] and shows the observer what happens.
    ///
    /// Nodes must be asked in ascending order; those left out are run unobserved where the allocator
    /// remembers what it learned on them. `None` when nothing was allocated on the node.
    pub fn run(&mut self, node: usize, observer: &mut dyn Observer) -> Option<Replayed> {
        while self.next < node {
            let skipped = self.next;
            self.next += 1;
            if self.reach(skipped).is_some_and(|reach| !reach.is_separate) {
                self.run_one(skipped, &mut ());
            }
        }
        self.next = node.saturating_add(1);
        self.run_one(node, observer)
    }

    /// The slices by pool and node.
    pub fn index(&self) -> &SliceIndex {
        self.inputs.index()
    }

    fn reach(&self, node: usize) -> Option<Rc<Reach>> {
        let terrain = self.inputs.terrain();
        let position = terrain.position(&self.attempt.nodes.get(node)?.node)?;
        Some(terrain.reach(position, self.behavior))
    }

    /// The pools that a node can reach.
    ///
    /// # Errors
    /// A node selector cannot be read.
    pub fn gather(&self, node: &Node) -> Result<Gathered, NodeMatchFault> {
        self.allocator.gather(node)
    }

    fn run_one(&mut self, at: usize, observer: &mut dyn Observer) -> Option<Replayed> {
        let node_attempt = self.attempt.nodes.get(at)?;
        if !node_attempt.searched {
            return None;
        }
        let node = self.attempt.before.nodes.get("", &node_attempt.node)?;
        let mut claims: Vec<Rc<ResourceClaim>> = self
            .attempt
            .claims
            .iter()
            .filter(|claim| claim.task == ClaimTask::Allocate)
            .map(|claim| Rc::clone(&claim.claim))
            .collect();
        claims.extend(node_attempt.extended_claim.clone());
        let reach = self.reach(at)?;
        let answer = allocate(&mut self.allocator, &node.value, &reach, &claims, observer);
        Some(Replayed { claims, answer })
    }
}
