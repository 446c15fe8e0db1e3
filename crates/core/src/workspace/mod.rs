//! The API boundary: text and options in, a report of plain data out.
//!
//! Browser and command line use this module only. Must not know which of them is calling.

pub mod report;
