//! Expectation lines: what a scenario says should come out, and whether it does.

mod comments;
mod line;

pub use comments::{LeadingComment, leading_comment};
