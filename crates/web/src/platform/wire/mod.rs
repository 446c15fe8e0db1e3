//! How worker and page write to each other: without the names of fields, and no text twice.
//!
//! Both ends are the same program, so that the types say what comes next. Numbers take seven bits
//! a byte, the smallest first; a text that was there before is its number.

mod read;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;

use serde::{de, ser};

pub(crate) use read::from_bytes;
pub(crate) use write::to_bytes;

/// Before a text that is referred to later.
const KEPT: u64 = 0;
/// Before a text that is not.
const PASSING: u64 = 1;
/// The first text that was kept; the others follow.
const KNOWN: u64 = 2;

/// Bytes that do not say what was expected, or a type that cannot be written.
#[derive(Debug)]
pub(crate) struct Garbled;

impl fmt::Display for Garbled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("garbled")
    }
}

impl std::error::Error for Garbled {}

impl ser::Error for Garbled {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl de::Error for Garbled {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}
