//! What must hold for any bytes that reach the playground, one function for each way in.
//!
//! A target returns, or panics when a law is broken. libFuzzer calls it from `libfuzzer/`, the plain
//! tests with the kept corpus and with changes of it. Bytes that are no UTF-8 are read as the page
//! reads them: with replacement characters.

mod corpus;
mod expressions;
mod reading;
mod sharing;
mod whole;

use std::borrow::Cow;

pub use corpus::{corpus, pack};
pub use reading::{inside, read_all};

/// One way in.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, also that of its corpus.
    pub name: &'static str,
    /// Runs it.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 7] = [
    Target { name: "yaml", run: reading::yaml },
    Target { name: "documents", run: reading::documents },
    Target { name: "cel", run: expressions::cel },
    Target { name: "quantity", run: expressions::quantity },
    Target { name: "regex", run: expressions::regex },
    Target { name: "link", run: sharing::link },
    Target { name: "analysis", run: whole::analysis },
];

/// Runs the target of a name, for libFuzzer.
pub fn run(name: &str, bytes: &[u8]) {
    for target in TARGETS.iter().filter(|target| target.name == name) {
        (target.run)(bytes);
    }
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The bytes cut in two at the first line feed, for targets that take two texts.
fn two_texts(bytes: &[u8]) -> (Cow<'_, str>, Cow<'_, str>) {
    let cut = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (first, rest) = bytes.split_at(cut);
    (text(first), text(rest.get(1..).unwrap_or_default()))
}
