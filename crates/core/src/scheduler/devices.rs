//! The allocator at work for one attempt: over all nodes with one memory, as upstream does.

use std::rc::Rc;

use crate::allocator::{Observer, ShareIds};
use crate::api::{AllocationResult, Node, ResourceClaim};
use crate::cluster::{Cluster, stable_uuid};

use super::attempt::{Attempt, Fatal, Rejection};
use super::env::Env;

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

#[derive(Debug)]
pub(super) struct Devices<'a> {
    env: &'a mut Env,
}

impl<'a> Devices<'a> {
    pub(super) fn new(_cluster: &Cluster, _attempt: &Attempt, env: &'a mut Env) -> Self {
        Self { env }
    }

    pub(super) fn env(&self) -> &Env {
        self.env
    }

    pub(super) fn allocate(
        &mut self,
        _node: &Node,
        _claims: &[Rc<ResourceClaim>],
        _observer: &mut dyn Observer,
    ) -> NodeAnswer {
        NodeAnswer {
            answer: Answer::Refused(
                Rejection::CannotAllocate,
                "cannot allocate all claims".to_owned(),
            ),
            search_calls: None,
        }
    }
}

/// Share IDs that depend on the claims being allocated and nothing else.
#[derive(Debug)]
pub(super) struct StableShareIds {
    key: String,
    next: u64,
}

impl StableShareIds {
    pub(super) fn new(claims: &[Rc<ResourceClaim>]) -> Self {
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
