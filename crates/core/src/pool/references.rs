use std::fmt;

use crate::api::CounterSet;
use crate::api::names::same;

/// Why a pool is invalid. `Display` gives upstream's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidReason {
    /// Two devices have one name.
    DuplicateDevice(String),
    /// Two counter sets have one name.
    DuplicateCounterSet(String),
    /// A device consumes from a counter set that does not exist.
    CounterSetNotFound(String),
    /// A device consumes from a counter that does not exist.
    CounterNotFound {
        /// The counter.
        counter: String,
        /// Its set.
        set: String,
    },
    /// Slices of one generation announce different numbers of slices.
    SliceCountInconsistent,
}

impl fmt::Display for InvalidReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateDevice(name) => write!(f, "duplicate device name {name}"),
            Self::DuplicateCounterSet(name) => write!(f, "duplicate counter set name {name}"),
            Self::CounterSetNotFound(name) => write!(f, "counter set {name} not found"),
            Self::CounterNotFound { counter, set } => {
                write!(f, "counter {counter} not found in counter set {set}")
            }
            Self::SliceCountInconsistent => f.write_str(
                "ResourceSlices in the pool generation declare inconsistent resourceSliceCount",
            ),
        }
    }
}

/// Looks up what devices refer to.
pub(super) struct References<'s> {
    /// Sorted by name.
    sets: &'s [&'s CounterSet],
    /// The place of the one that was found last: neighbors draw from the same, or from the next.
    last: usize,
}

impl<'s> References<'s> {
    /// For sets that are sorted by name.
    pub(super) fn new(sets: &'s [&'s CounterSet]) -> Self {
        Self { sets, last: 0 }
    }

    fn set(&mut self, name: &str) -> Option<&'s CounterSet> {
        let near = (self.last..self.last.saturating_add(2))
            .find(|place| self.sets.get(*place).is_some_and(|set| same(&set.name, name)));
        let found = || self.sets.binary_search_by(|set| set.name.as_str().cmp(name)).ok();
        self.last = near.or_else(found)?;
        self.sets.get(self.last).copied()
    }

    /// What is wrong with a reference to a counter, or to a set alone.
    pub(super) fn fault(&mut self, name: &str, counter: Option<&String>) -> Option<InvalidReason> {
        let Some(set) = self.set(name) else {
            return Some(InvalidReason::CounterSetNotFound(name.to_owned()));
        };
        let counter = counter.filter(|counter| !set.counters.contains_key(*counter))?;
        let (counter, set) = (counter.clone(), set.name.clone());
        Some(InvalidReason::CounterNotFound { counter, set })
    }
}
