use std::rc::Rc;

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
    pub nodes: Vec<Rc<NodeAttempt>>,
    /// How it ended.
    pub outcome: Outcome,
    /// The scheduler's message: text of the event and of the Pod's condition. `None` after success
    /// and for a Pod that was not tried at all.
    pub message: Option<String>,
    /// Indexes of the nodes on which the Pod fits, best first; the first one is taken.
    pub feasible: Vec<u32>,
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
    /// Names of the nodes on which the Pod fits, best first.
    pub fn feasible_nodes(&self) -> impl Iterator<Item = &str> {
        let nodes =
            self.feasible.iter().filter_map(|at| self.nodes.get(usize::try_from(*at).ok()?));
        nodes.map(|node| node.node.as_str())
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
