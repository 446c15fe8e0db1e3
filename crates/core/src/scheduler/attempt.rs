use std::cmp::Reverse;
use std::rc::Rc;

use dra_playground_cel::order::Order;

use crate::api::ResourceClaim;
use crate::apimachinery::ObjectRef;
use crate::cluster::{Cluster, generated_claim_name};

use super::extended::EXTENDED_RESOURCES;

/// One scheduling try of one Pod.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The Pod.
    pub pod: ObjectRef,
    /// The cluster at the moment of the attempt: running it again on this gives the same answer.
    pub before: Rc<Cluster>,
    /// The Pod's claims in allocation order, without the special claim for extended resources.
    pub claims: Vec<AttemptClaim>,
    /// What each node answered, in name order. Empty when the attempt ended before any node.
    pub nodes: NodeAnswers,
    /// How it ended.
    pub outcome: Outcome,
    /// The scheduler's message: text of the event and of the Pod's condition. `None` after success
    /// and for a Pod that was not tried at all.
    pub message: Option<String>,
}

/// Answers that attempts share as long as they are the same.
const CHUNK: usize = 64;

/// What the nodes answered. Many Pods ask many nodes, and from one Pod to the next few answers change:
/// what did not change is there once.
#[derive(Clone, Debug, Default)]
pub struct NodeAnswers {
    /// All but the last one hold [`CHUNK`].
    pub(super) chunks: Vec<Chunk>,
}

/// Some answers.
type Chunk = Rc<[Rc<NodeAttempt>]>;

impl NodeAnswers {
    /// Answers of which those are shared that are the same as `known` at their place.
    pub(super) fn new(answers: &[Rc<NodeAttempt>], known: &[Chunk]) -> Self {
        let mut known = known.iter();
        let share = |chunk: &[Rc<NodeAttempt>]| {
            let is_same = |known: &&Chunk| {
                known.len() == chunk.len() && known.iter().zip(chunk).all(|(a, b)| Rc::ptr_eq(a, b))
            };
            known.next().filter(is_same).map_or_else(|| chunk.into(), Rc::clone)
        };
        Self { chunks: answers.chunks(CHUNK).map(share).collect() }
    }

    /// The answer at a position.
    pub fn get(&self, at: usize) -> Option<&Rc<NodeAttempt>> {
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    /// All answers.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<NodeAttempt>> + Clone {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// Whether no node was asked.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }
}

/// A claim of the Pod at the moment of the attempt.
#[derive(Clone, Debug)]
pub struct AttemptClaim {
    /// The claim.
    pub claim: Rc<ResourceClaim>,
    /// What the attempt had to do with it.
    pub task: ClaimTask,
}

/// What an attempt has to do with a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimTask {
    /// It is to be allocated.
    Allocate,
    /// It is allocated already; the node must be able to use it.
    UseAllocated,
}

/// What one node answered.
#[derive(Clone, Debug)]
pub struct NodeAttempt {
    /// The node.
    pub node: String,
    /// The answer.
    pub status: NodeStatus,
    /// The scheduler's words, verbatim; empty when the node fits or was not asked.
    pub text: String,
    /// Whether the allocator was asked.
    pub searched: bool,
    /// Search calls made for this node; `None` when there was no search.
    pub search_calls: Option<u64>,
    /// The special claim for extended resources as this node would need it.
    pub extended_claim: Option<Rc<ResourceClaim>>,
    /// Score before normalization: the sum over prioritized lists.
    pub score: i64,
}

/// A node's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeStatus {
    /// The Pod fits.
    Fits,
    /// Only this node is out.
    Rejected(Rejection),
    /// The whole attempt is aborted here.
    Fatal(Fatal),
    /// The attempt was over before the node was asked.
    NotAsked,
}

/// Why a node is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// `spec.nodeName` names another node.
    NodeName,
    /// `spec.unschedulable` without toleration.
    NodeUnschedulable,
    /// An untolerated taint of the node.
    NodeTaint,
    /// `nodeSelector` or required node affinity.
    NodeAffinity,
    /// cpu, memory, number of Pods, or another node resource is short.
    NodeResources,
    /// An extended resource that neither a class nor the node offers.
    UnknownResource,
    /// The allocator found no devices for all claims.
    CannotAllocate,
    /// The allocator ran into a fault that concerns only this node.
    AllocatorError,
    /// An allocated claim cannot be used from here.
    ClaimNotAvailable,
}

/// Why an attempt was aborted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fatal {
    /// The allocator reported an error, e.g. a failing CEL expression.
    AllocatorError,
    /// The release crashes at this point.
    Crash,
    /// The budget of search calls is used up; the real scheduler would search on until its timeout.
    Budget,
    /// PreBind: the API server refuses what the scheduler writes, the devices being there.
    PreBind {
        /// A claim has too many consumers.
        claim_full: bool,
    },
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The Pod is bound and runs.
    Bound {
        /// The node.
        node: String,
    },
    /// Devices are allocated; the Pod waits for binding conditions (KEP-5007).
    WaitingForConditions {
        /// The node.
        node: String,
        /// Clock time at which waiting ends.
        deadline_seconds: u64,
    },
    /// No node would do.
    Unschedulable,
    /// The attempt was aborted with an error.
    Error(Fatal),
    /// PreFilter refused the Pod on all nodes.
    PreFilter,
    /// PreEnqueue holds the Pod back: no attempt was made and there is no event. The text says why.
    NotQueued {
        /// Upstream's words.
        reason: String,
    },
}

impl Attempt {
    /// The nodes on which the Pod fits, best first; the first one is taken. An attempt that a node
    /// ended with an error scores none.
    pub fn feasible_nodes(&self) -> Vec<&NodeAttempt> {
        let mut nodes: Vec<&NodeAttempt> = Vec::new();
        for node in self.nodes.iter() {
            match node.status {
                NodeStatus::Fits => nodes.push(node),
                NodeStatus::Fatal(_) => return Vec::new(),
                NodeStatus::Rejected(_) | NodeStatus::NotAsked => {}
            }
        }
        // A stable sort keeps name order among equals; mostly all are.
        if !nodes.is_sorted_by_key(|node| Reverse(node.score)) {
            nodes.order_by_key(|node| Reverse(node.score));
        }
        nodes
    }

    /// The claims that the attempt tried to allocate. The special claim goes by the name that it
    /// gets when it is created.
    pub fn allocated_claims(&self) -> Vec<ObjectRef> {
        let reference = |name: String| ObjectRef {
            kind: "ResourceClaim".to_owned(),
            namespace: self.pod.namespace.clone(),
            name,
        };
        let mut claims: Vec<ObjectRef> = self
            .claims
            .iter()
            .filter(|claim| claim.task == ClaimTask::Allocate)
            .map(|claim| reference(claim.claim.metadata.name.clone()))
            .collect();
        if self.nodes.iter().any(|node| node.extended_claim.is_some()) {
            claims.push(reference(generated_claim_name(&self.pod.name, EXTENDED_RESOURCES)));
        }
        claims
    }
}

impl Outcome {
    /// The node that was chosen, if any.
    pub fn node(&self) -> Option<&str> {
        match self {
            Self::Bound { node } | Self::WaitingForConditions { node, .. } => Some(node),
            Self::Unschedulable | Self::Error(_) | Self::PreFilter | Self::NotQueued { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_stay_are_shared() {
        let answer = |at: usize| Rc::new(NodeAttempt::not_asked(&format!("node-{at}")));
        let mut answers: Vec<_> = (0..=2 * CHUNK).map(answer).collect();
        let first = NodeAnswers::new(&answers, &[]);
        answers[CHUNK] = answer(CHUNK);
        let second = NodeAnswers::new(&answers, &first.chunks);
        let shared: Vec<bool> =
            first.chunks.iter().zip(&second.chunks).map(|(a, b)| Rc::ptr_eq(a, b)).collect();
        assert_eq!(shared, [true, false, true]);
        assert_eq!((second.len(), second.iter().count()), (answers.len(), answers.len()));
        for (at, answer) in answers.iter().enumerate() {
            assert!(Rc::ptr_eq(second.get(at).unwrap(), answer));
        }
        assert!(second.get(answers.len()).is_none());
        // Fewer nodes: nothing of the longer list is taken for theirs.
        let fewer = NodeAnswers::new(&answers[..CHUNK / 2], &second.chunks);
        assert_eq!(fewer.len(), CHUNK / 2);
    }
}
