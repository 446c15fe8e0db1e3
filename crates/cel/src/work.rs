//! Limits on what the cost model does not see.

use crate::value::{Error, Undo};

/// Steps of work that one evaluation may take beside its cost.
const MAX_STEPS: usize = 20_000_000;
/// Elements of a list or bytes of a text.
const MAX_SIZE: usize = 4_000_000;

/// What an evaluation has used, and what it must put back.
#[derive(Debug, Default)]
pub(crate) struct Work {
    steps: usize,
    pub(crate) undo: Vec<Undo>,
    pub(crate) quantity_add_mutates: bool,
    pub(crate) newer_cel_go: bool,
    pub(crate) strict_hosts: bool,
    pub(crate) includes_limit: Option<usize>,
}

impl Work {
    /// Takes steps from what is left.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Error> {
        self.steps = self.steps.saturating_add(steps).saturating_add(1);
        if self.steps > MAX_STEPS { Err(Error::too_large()) } else { Ok(()) }
    }

    /// Checks the size of a value before it is made.
    pub(crate) fn allow(&mut self, size: usize) -> Result<(), Error> {
        if size > MAX_SIZE { Err(Error::too_large()) } else { self.spend(size / 16) }
    }
}
