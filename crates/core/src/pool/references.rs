use super::InvalidReason;
use super::names::same;
use crate::api::{CounterSet, Device};

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

    /// The first reference of a device that leads nowhere.
    pub(super) fn fault(&mut self, device: &Device) -> Option<InvalidReason> {
        device.consumes_counters.iter().find_map(|consumption| {
            let name = &consumption.counter_set;
            let Some(set) = self.set(name) else {
                return Some(InvalidReason::CounterSetNotFound(name.clone()));
            };
            // Both are sorted by name.
            let mut provided = set.counters.keys();
            let missing =
                consumption.counters.keys().find(|c| !provided.any(|name| same(name, c)))?;
            let (counter, set) = (missing.clone(), set.name.clone());
            Some(InvalidReason::CounterNotFound { counter, set })
        })
    }
}
