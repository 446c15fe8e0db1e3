//! Positions in the text: spans in bytes inside the core, lines and columns at the boundary.
//!
//! Must not know what the text means.

/// A half-open range of bytes in the scenario text, always on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}
