//! Documents judged by the API server's own code and by ours.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use dra_playground_core::conformance::{Verdict, admission};
use serde_json::{Value, json};

use crate::documents::document_case;
use crate::process::{self, Program, Session};
use crate::release::{Release, SERVERS};
use crate::shrink::shrink_freely;

/// Differences that are shrunk and printed.
const SHOWN: usize = 40;

/// Bytes of the longest case that is recorded.
const LONGEST: usize = 4500;

/// Generated cases, or the records of a file.
///
/// # Errors
/// When a file cannot be read.
pub fn cases(release: Release, seed: u64, count: u64, files: &[String]) -> io::Result<Vec<String>> {
    if files.is_empty() {
        return Ok((0..count)
            .map(|index| document_case(seed, index, release).to_string())
            .collect());
    }
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(file)?;
        if Path::new(file).extension().is_some_and(|ending| ending == "jsonl") {
            cases.extend(text.lines().map(str::to_owned));
        } else {
            let documents = text.split("\n---").filter(|text| text.contains("kind:"));
            cases.extend(documents.map(|text| json!({"name": file, "text": text}).to_string()));
        }
    }
    Ok(cases)
}

/// Compares and prints differences, the first ones made small.
///
/// # Errors
/// When the real code cannot be asked, or the answers differ.
pub fn compare(release: Release, cases: Vec<String>) -> io::Result<()> {
    let mut tally = Tally::default();
    let mut differing: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    process::answer_by(Program::Admission, release, cases, |line| {
        let record: Value = serde_json::from_str(&line)?;
        tally.add(&record);
        match admission::compare(&line) {
            Some(Verdict::Different(difference)) => {
                tally.different += 1;
                let topic = topic(&difference.expected, &difference.found);
                differing.entry(topic).or_default().push(record);
            }
            Some(Verdict::Skipped) | None => tally.left_out += 1,
            Some(Verdict::Equal) => tally.equal += 1,
        }
        Ok(())
    })?;
    let mut out = io::stdout().lock();
    let mut groups: Vec<_> = differing.into_iter().collect();
    groups.sort_by_key(|(_, records)| std::cmp::Reverse(records.len()));
    for (topic, records) in groups.iter().take(SHOWN) {
        writeln!(out, "== {} times: {topic}", records.len())?;
        if let Some(record) = records.iter().min_by_key(|record| record.to_string().len()) {
            writeln!(out, "{}\n", smallest(release, record)?)?;
        }
    }
    writeln!(out, "{}: {tally}", release.name)?;
    if tally.different == 0 { Ok(()) } else { Err(io::Error::other("the answers differ")) }
}

/// What a difference is about: the first lines that differ, without names and numbers.
fn topic(expected: &str, found: &str) -> String {
    let (mut left, mut right): (Vec<&str>, Vec<&str>) =
        (expected.lines().collect(), found.lines().collect());
    let same: Vec<&str> = left.iter().copied().filter(|line| right.contains(line)).collect();
    left.retain(|line| !same.contains(line));
    right.retain(|line| !same.contains(line));
    let plain = |lines: &[&str]| -> String {
        let line: String = lines.first().copied().unwrap_or("-").trim().chars().take(160).collect();
        line.chars().filter(|c| !c.is_ascii_digit()).collect()
    };
    format!("real {} | ours {}", plain(&left), plain(&right))
}

/// What came of a run.
#[derive(Default)]
struct Tally {
    equal: usize,
    different: usize,
    left_out: usize,
    outcomes: BTreeMap<&'static str, usize>,
}

impl Tally {
    fn add(&mut self, record: &Value) {
        let has = |name: &str| record.pointer(&format!("/expected/{name}")).is_some();
        let outcome = match () {
            () if has("unreadable") => "unreadable",
            () if has("strict") => "refused by strict decoding",
            () if has("invalid") => "invalid",
            () => "accepted",
        };
        *self.outcomes.entry(outcome).or_default() += 1;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (outcome, count) in &self.outcomes {
            write!(f, "{count} {outcome}, ")?;
        }
        write!(
            f,
            "\n{} equal, {} left out, {} different",
            self.equal, self.left_out, self.different
        )
    }
}

/// The smallest document of a difference, with both answers.
fn smallest(release: Release, record: &Value) -> io::Result<String> {
    let mut session = Session::start_by(Program::Admission, release)?;
    let text = record.get("text").and_then(Value::as_str).unwrap_or_default();
    let verdict = |line: &str| match admission::compare(line) {
        Some(Verdict::Different(difference)) => Some(difference),
        _ => None,
    };
    let Some(first) = verdict(&record.to_string()) else { return Ok(String::new()) };
    let wanted = topic(&first.expected, &first.found);
    let mut best = (text.to_owned(), first);
    let as_json = serde_json::from_str::<Value>(text);
    let object = as_json.as_ref().ok().cloned().or_else(|| serde_yaml::from_str(text).ok());
    if let Some(object) = object {
        shrink_freely(&object, |case| {
            let text = match &as_json {
                Ok(_) => case.to_string(),
                Err(_) => serde_yaml::to_string(case).unwrap_or_default(),
            };
            let mut asked = record.clone();
            if let Some(fields) = asked.as_object_mut() {
                fields.insert("text".into(), json!(text));
            }
            let Some(line) = session.ask(&asked.to_string()) else { return false };
            match verdict(&line) {
                Some(difference) if topic(&difference.expected, &difference.found) == wanted => {
                    best = (text, difference);
                    true
                }
                _ => false,
            }
        });
    }
    let gates = record.get("gates").map(|gates| format!("gates {gates}\n")).unwrap_or_default();
    let (text, difference) = best;
    Ok(format!(
        "{gates}{}\nreal {}\nours {}",
        text.trim_end(),
        differing_lines(&difference.expected, &difference.found),
        differing_lines(&difference.found, &difference.expected)
    ))
}

/// The lines that the other side does not have; all of a short text.
fn differing_lines(text: &str, other: &str) -> String {
    if text.lines().count() < 12 {
        return text.to_owned();
    }
    let other: Vec<&str> = other.lines().collect();
    let lines: Vec<&str> = text.lines().filter(|line| !other.contains(line)).take(12).collect();
    lines.join("\n")
}

/// Writes `count` answered documents of every release.
///
/// # Errors
/// When the real code cannot be asked or a file not be written.
pub fn record(seed: u64, count: u64) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded");
    for release in SERVERS {
        let mut kept = Vec::new();
        let cases = cases(release, seed, count * 2, &[])?;
        process::answer_by(Program::Admission, release, cases, |line| {
            if line.len() <= LONGEST {
                kept.push(line);
            }
            Ok(())
        })?;
        kept.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        let file = folder.join(format!("documents-{}.jsonl", release.name));
        fs::write(&file, kept.join("\n") + "\n")?;
        writeln!(io::stdout(), "{}: {} documents", file.display(), kept.len())?;
    }
    Ok(())
}
