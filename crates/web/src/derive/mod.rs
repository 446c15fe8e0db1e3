//! Views of the answer as plain data: what panels draw, computed without the browser.

pub(crate) mod admin;
pub(crate) mod edit;
pub(crate) mod format;
pub(crate) mod matrix;
pub(crate) mod names;
pub(crate) mod places;
pub(crate) mod pods;
pub(crate) mod racks;
pub(crate) mod report;
pub(crate) mod shapes;
pub(crate) mod sketch;
pub(crate) mod strands;
pub(crate) mod typeset;
#[cfg(test)]
mod tests;
