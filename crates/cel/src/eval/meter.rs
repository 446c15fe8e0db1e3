//! The runtime cost, with upstream's stack of values.
//!
//! Upstream finds the arguments of a call on a stack of values by their ids, and a call whose
//! arguments are not all there costs nothing. Only ids are kept here: the values are at hand.

use crate::plan::Step;
use crate::syntax::ExprId;
use crate::value::Error;

#[derive(Debug, Default)]
pub(super) struct Meter {
    cost: u64,
    limit: u64,
    stack: Vec<ExprId>,
    /// How often each id is on the stack.
    counts: Vec<u32>,
}

impl Meter {
    /// An empty meter in the memory of one that was used.
    pub(super) fn renewed(mut self, limit: u64) -> Self {
        self.cost = 0;
        self.limit = limit;
        self.stack.clear();
        self.counts.fill(0);
        self
    }

    pub(super) fn cost(&self) -> u64 {
        self.cost
    }

    pub(super) fn charge(&mut self, cost: u64) {
        self.cost = self.cost.wrapping_add(cost);
    }

    pub(super) fn refund(&mut self, cost: u64) {
        self.cost = self.cost.wrapping_sub(cost);
    }

    /// Puts a value on the stack.
    pub(super) fn push(&mut self, id: ExprId) -> Result<(), Error> {
        let index = id as usize;
        if index >= self.counts.len() {
            self.counts.resize(index + 32, 0);
        }
        if let Some(count) = self.counts.get_mut(index) {
            *count += 1;
        }
        self.stack.push(id);
        if self.cost > self.limit { Err(Error::over_limit()) } else { Ok(()) }
    }

    /// Takes the topmost value of an id from the stack, with all above it.
    pub(super) fn drop(&mut self, id: ExprId) -> bool {
        if self.counts.get(id as usize).is_none_or(|count| *count == 0) {
            return false;
        }
        while let Some(top) = self.stack.pop() {
            if let Some(count) = self.counts.get_mut(top as usize) {
                *count = count.saturating_sub(1);
            }
            if top == id {
                return true;
            }
        }
        false
    }

    /// Takes the values of arguments from the stack, the last first; whether all were there.
    pub(super) fn drop_args(&mut self, args: &[Step]) -> bool {
        args.iter().rev().all(|arg| self.drop(arg.id))
    }
}
