//! Sets of characters.

use std::rc::Rc;

use super::unicode::{Ranges, circle};

/// Whether a character belongs to a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) negated: bool,
    /// Whether a character counts as all that differ from it by case only.
    pub(super) fold: bool,
    pub(super) ranges: Vec<(char, char)>,
    pub(super) sets: Vec<Set>,
}

/// A set that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set {
    /// In order; shared by the copies that repetitions make.
    ranges: Rc<Ranges>,
    /// Whether case can be folded.
    folds: bool,
    negated: bool,
}

impl Set {
    pub(super) fn of(ranges: Ranges, folds: bool, negated: bool) -> Self {
        Self { ranges: ranges.into(), folds, negated }
    }

    fn contains(&self, c: u32) -> bool {
        let after = self.ranges.partition_point(|(from, _)| *from <= c);
        let range = after.checked_sub(1).and_then(|at| self.ranges.get(at));
        range.is_some_and(|(_, to)| c <= *to)
    }
}

impl Class {
    pub(super) fn contains(&self, c: char) -> bool {
        let c = u32::from(c);
        let any = |folds: bool, holds: &dyn Fn(u32) -> bool| {
            if folds { circle(c).any(holds) } else { holds(c) }
        };
        let in_ranges = |c: u32| {
            let mut ranges = self.ranges.iter();
            ranges.any(|(low, high)| (u32::from(*low)..=u32::from(*high)).contains(&c))
        };
        // UPSTREAM: case is folded before a set is negated.
        let mut sets = self.sets.iter();
        let found = any(self.fold, &in_ranges)
            || sets.any(|set| any(self.fold && set.folds, &|c| set.contains(c)) != set.negated);
        found != self.negated
    }
}

/// The representative of the characters that differ from one only by case.
pub(super) fn fold(c: char) -> char {
    // All circles with a letter of ASCII begin with a capital.
    if c.is_ascii() {
        return c.to_ascii_uppercase();
    }
    circle(c.into()).min().and_then(char::from_u32).unwrap_or(c)
}
