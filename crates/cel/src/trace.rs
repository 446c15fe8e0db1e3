//! What happened while evaluating, node by node.

use crate::syntax::ExprId;
use crate::value::{Outcome, show};

/// More events than this are not kept.
const MAX_EVENTS: usize = 20_000;

/// Why a node was not evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// A term before it was true and decides an `||`.
    LeftTrue,
    /// A term before it was false and decides an `&&`.
    LeftFalse,
    /// The condition chose the other branch.
    BranchNotTaken,
    /// The loop had its answer.
    LoopEnded,
    /// Nothing read the variable that it was bound to.
    BindUnused,
    /// It is part of a constant.
    Folded,
    /// The optional before it had a value.
    NotNeeded,
}

/// What came of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// It has a value, shown as text.
    Value(String),
    /// It failed, with this text.
    Error(String),
    /// It was not evaluated.
    Skipped(Skip),
}

/// One event, in the order of evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The node.
    pub id: ExprId,
    /// Indexes of the loop rounds around it, outermost first.
    pub iteration: Vec<u32>,
    /// What came of it.
    pub kind: EventKind,
}

/// Collects events.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) events: Vec<Event>,
    path: Vec<u32>,
    hidden: Vec<bool>,
}

impl Recorder {
    /// A recorder that leaves out nodes that are not in the text.
    pub(crate) fn new(hidden: Vec<bool>) -> Self {
        Self { hidden, ..Self::default() }
    }

    fn is_hidden(&self, id: ExprId) -> bool {
        self.hidden.get(id as usize).copied().unwrap_or(true)
    }

    fn push(&mut self, id: ExprId, kind: EventKind) {
        if self.is_hidden(id) || self.events.len() >= MAX_EVENTS {
            return;
        }
        let event = Event { id, iteration: self.path.clone(), kind };
        // The last link of a chain and the chain are the same node.
        if self.events.last() != Some(&event) {
            self.events.push(event);
        }
    }

    pub(crate) fn value(&mut self, id: ExprId, outcome: &Outcome) {
        // Writing a value as text is most of the work.
        if self.is_hidden(id) || self.events.len() >= MAX_EVENTS {
            return;
        }
        let kind = match outcome {
            Ok(value) => EventKind::Value(show(value)),
            Err(error) => EventKind::Error(error.text().to_owned()),
        };
        self.push(id, kind);
    }

    pub(crate) fn skip(&mut self, id: ExprId, reason: Skip) {
        self.push(id, EventKind::Skipped(reason));
    }

    pub(crate) fn enter(&mut self, index: usize) {
        self.path.push(u32::try_from(index).unwrap_or(u32::MAX));
    }

    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }
}
