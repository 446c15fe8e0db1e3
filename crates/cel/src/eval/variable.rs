//! Where the values of variables come from.

use crate::value::Value;

/// A variable whose parts are made when something reads them.
///
/// The value must not change while it is alive.
pub trait Variable {
    /// The whole value.
    fn whole(&self) -> &Value;

    /// What a chain of constant keys leads to, where that is known without the whole value: how
    /// many of the keys, at least one, and the value of the last of those; none when it is missing
    /// there. It must be what the same keys lead to in the whole.
    fn part(&self, keys: &[&str]) -> Option<(usize, Option<Value>)>;
}

/// The longest chain of keys that a variable is asked for at once.
pub(super) const LONGEST_PART: usize = 3;

/// The variables of an evaluation.
#[derive(Clone, Copy)]
pub(crate) enum Variables<'a> {
    /// Ready values, by index.
    Values(&'a [Value]),
    /// The only variable.
    Single(&'a dyn Variable),
}

impl<'a> Variables<'a> {
    pub(super) fn whole(self, index: usize) -> Option<&'a Value> {
        match self {
            Self::Values(values) => values.get(index),
            Self::Single(variable) => (index == 0).then(|| variable.whole()),
        }
    }
}
