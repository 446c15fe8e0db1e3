//! Stacks of states to return to, many at once.

/// Stands on a stack for its unknown or empty rest.
pub(super) const REST: u16 = u16::MAX;

/// Number of a set of stacks: what may be on top, and the sets below each.
pub(super) type Stacks = u32;

/// The stack about which nothing is known, or the empty one.
pub(super) const EMPTY: Stacks = 0;

/// All sets of stacks that were met; equal ones have the same number.
#[derive(Debug)]
pub(super) struct Known {
    sets: Vec<Vec<(u16, Stacks)>>,
    /// Comparisons so far.
    pub(super) work: usize,
}

impl Known {
    pub(super) fn new() -> Self {
        Self { sets: vec![vec![(REST, EMPTY)]], work: 0 }
    }

    /// What may be on top, with what is below; sorted.
    pub(super) fn tops(&self, stacks: Stacks) -> &[(u16, Stacks)] {
        self.sets.get(stacks as usize).map_or(&[], Vec::as_slice)
    }

    /// Puts a state on top.
    pub(super) fn push(&mut self, below: Stacks, state: u16) -> Stacks {
        self.number(vec![(state, below)])
    }

    fn number(&mut self, set: Vec<(u16, Stacks)>) -> Stacks {
        let at = self.sets.iter().rposition(|known| *known == set);
        self.work += self.sets.len() - at.unwrap_or(0);
        let at = at.unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        });
        Stacks::try_from(at).unwrap_or(EMPTY)
    }

    /// Both; the unknown swallows what is known when `unknown` says that it may be anything.
    pub(super) fn merge(&mut self, a: Stacks, b: Stacks, unknown: bool) -> Stacks {
        if a == b {
            return a;
        }
        if unknown && (a == EMPTY || b == EMPTY) {
            return EMPTY;
        }
        let mut all = self.tops(a).to_vec();
        for (top, below) in self.tops(b).to_vec() {
            let at = all.partition_point(|(other, _)| *other < top);
            match all.get(at).copied() {
                Some((other, others)) if other == top => {
                    let below = self.merge(others, below, unknown);
                    if let Some(entry) = all.get_mut(at) {
                        entry.1 = below;
                    }
                }
                _ => all.insert(at, (top, below)),
            }
        }
        self.number(all)
    }
}
