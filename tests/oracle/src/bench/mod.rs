//! Times of the real code beside ours, measured in one run and in the same way.
//!
//! One module per subject. A subject sends the Go program records with `"bench": SUBJECT`, which
//! answers with `"measured"`, and measures ours between the answers, so that both meet the same
//! machine in the same state.

pub mod alloc;
mod cel;
mod yaml;

use std::fmt::Write as _;
use std::io;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::process::Session;
use crate::release::Release;

/// Something that is measured.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its word on the command line.
    pub name: &'static str,
    /// Measures both and writes a section of Markdown.
    run: fn(Release) -> io::Result<String>,
}

/// Every subject, in the order of the report.
pub const SUBJECTS: [Subject; 3] = [
    Subject { name: "alloc", run: alloc::run },
    Subject { name: "cel", run: cel::run },
    Subject { name: "yaml", run: yaml::run },
];

/// Measures the named subjects, or all when none is named, and gives the report as Markdown.
///
/// # Errors
/// When a subject is unknown, lacks its inputs or the Go program fails.
pub fn run(release: Release, names: &[String]) -> io::Result<String> {
    if cfg!(debug_assertions) {
        return Err(io::Error::other("times mean nothing without --release"));
    }
    for name in names {
        if SUBJECTS.iter().all(|subject| subject.name != name) {
            return Err(io::Error::other(format!("nothing is measured for `{name}`")));
        }
    }
    let mut report = String::new();
    for subject in SUBJECTS {
        if names.is_empty() || names.iter().any(|name| name == subject.name) {
            report.push_str(&(subject.run)(release)?);
        }
    }
    Ok(report)
}

/// What a clock can measure well.
const SHORTEST_BATCH: Duration = Duration::from_micros(200);
/// Batches of a measurement, and how long it goes on for more.
const FEWEST_BATCHES: usize = 11;
const LONGEST_MEASUREMENT: Duration = Duration::from_millis(40);

/// The median nanoseconds of one call, over batches of calls; the side in Go measures alike.
pub fn measure<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut timed = |size: u32| {
        let start = Instant::now();
        for _ in 0..size {
            std::hint::black_box(call());
        }
        start.elapsed()
    };
    let mut size = 1;
    while timed(size) < SHORTEST_BATCH {
        size *= 2;
    }
    let mut batches = Vec::new();
    let start = Instant::now();
    while batches.len() < FEWEST_BATCHES || start.elapsed() < LONGEST_MEASUREMENT {
        batches.push(timed(size).as_secs_f64() * 1e9 / f64::from(size));
    }
    median(&mut batches)
}

/// The middle value; 0 of nothing.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Asks the Go program to measure a record: the object below `measured`.
///
/// # Errors
/// When it ends instead of answering.
pub fn ask(session: &mut Session, record: &Value) -> io::Result<Value> {
    let answer = session.ask(&record.to_string());
    let answer = answer.and_then(|line| serde_json::from_str::<Value>(&line).ok());
    let measured = answer.and_then(|mut answer| answer.get_mut("measured").map(Value::take));
    measured.ok_or_else(|| io::Error::other(format!("no measurement of {record}")))
}

/// A measured thing: nanoseconds of the real code and of ours.
#[derive(Debug, Clone)]
pub struct Row {
    /// What was measured.
    pub name: String,
    /// Nanoseconds of the real code.
    pub real: f64,
    /// Nanoseconds of ours.
    pub ours: f64,
}

impl Row {
    /// How many times faster ours is.
    pub fn ratio(&self) -> f64 {
        self.real / self.ours.max(0.1)
    }
}

/// A table of rows, for Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut out = String::from("| | Kubernetes | ours | times faster |\n|---|--:|--:|--:|\n");
    for row in rows {
        let (real, ours) = (time(row.real), time(row.ours));
        // Writing into a string cannot fail.
        let _ = writeln!(out, "| {} | {real} | {ours} | {:.1} |", row.name, row.ratio());
    }
    out.push('\n');
    out
}

/// Nanoseconds with the unit that reads best.
pub fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.2} µs", n / 1e3),
        n if n < 1e9 => format!("{:.2} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}
