//! Verdicts: why each device was or was not chosen, as data with wording last.
//!
//! Must not know how the search is coded beyond its events, nor Pods' scheduling and steps.

mod phrase;
pub mod words;

pub use phrase::{Phrase, Piece, Subject};
