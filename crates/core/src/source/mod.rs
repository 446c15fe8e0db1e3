//! Positions in the text: spans in bytes inside the core, lines and columns at the boundary.
//!
//! [`Span`] is a range of bytes of the whole scenario text, [`LineIndex`] turns offsets into lines
//! and UTF-16 columns, [`Origin`] maps offsets inside a decoded scalar back to the text.
//! Must not know what the text means.

mod line_index;
mod origin;
mod span;

pub use line_index::{LineColumn, LineIndex};
pub use origin::Origin;
pub use span::Span;

#[cfg(test)]
mod tests;
