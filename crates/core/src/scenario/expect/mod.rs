//! Expectation lines: what a scenario says should come out, and whether it does.

mod check;
mod comments;
mod findings;
mod line;
mod reasons;
#[cfg(test)]
mod tests;

pub(in crate::scenario) use check::Checker;
pub use comments::{LeadingComment, leading_comment};
pub(in crate::scenario) use findings::Findings;
