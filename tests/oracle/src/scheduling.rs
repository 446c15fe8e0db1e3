//! `compare scheduler`: what the scheduler and the controllers do with a scenario, by the real code
//! and by ours.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use dra_playground_core::conformance::{Difference, Verdict, scheduler};
use serde_json::Value;

use crate::process::{self, Program, Session};
use crate::release::{Release, SCHEDULERS, SERVERS};
use crate::scenes::{scene, written};
use crate::shrink::shrink;

/// Differences that are shrunk and printed.
const SHOWN: usize = 3;

/// Smaller scenes that are tried for one difference.
const ASKED: usize = 250;

/// Bytes of the longest case that is recorded.
const LONGEST: usize = 9000;

/// Generated cases, or those of files: records (`.jsonl`) or one scenario each.
///
/// # Errors
/// When a file cannot be read, or the real scheduler cannot be told what it says.
pub fn cases(release: Release, seed: u64, count: u64, files: &[String]) -> io::Result<Vec<String>> {
    if files.is_empty() {
        return Ok((0..count).map(|index| scene(seed, index, release).to_string()).collect());
    }
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(file)?;
        if Path::new(file).extension().is_some_and(|extension| extension == "jsonl") {
            cases.extend(text.lines().map(str::to_owned));
            continue;
        }
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        let record = written::record(&name, &text);
        let record = record.map_err(|why| io::Error::other(format!("{file}: {why}")))?;
        cases.push(record.to_string());
    }
    Ok(cases)
}

/// Compares and prints differences by kind, the smallest of each kind made smaller.
///
/// # Errors
/// When the real code cannot be asked, or the answers differ.
pub fn compare(release: Release, cases: Vec<String>) -> io::Result<()> {
    let mut tally = Tally::default();
    let mut differing: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    process::answer_by(Program::Scheduler, release, cases, |line| {
        let record: Value = serde_json::from_str(&line)?;
        match scheduler::compare(&line) {
            Some(Verdict::Different(difference)) => {
                tally.different += 1;
                let topic = topic(&difference.expected, &difference.found);
                differing.entry(topic).or_default().push(record);
            }
            Some(Verdict::Skipped) | None => tally.left_out += 1,
            Some(Verdict::Equal) => {
                tally.equal += 1;
                tally.add(&record);
            }
        }
        Ok(())
    })?;
    let mut out = io::stdout().lock();
    let mut groups: Vec<_> = differing.into_iter().collect();
    groups.sort_by_key(|(_, records)| std::cmp::Reverse(records.len()));
    for (topic, records) in &groups {
        let name = records.first().and_then(|record| record.get("name"));
        let name = name.and_then(Value::as_str).unwrap_or_default();
        writeln!(out, "{} times, e.g. {name}: {topic}", records.len())?;
        if let Some(record) = records.first()
            && let Some(Verdict::Different(difference)) = scheduler::compare(&record.to_string())
        {
            let Difference { name, expected, found } = difference;
            writeln!(out, "    {name}\n    - {}", beside(&expected, &found))?;
            writeln!(out, "    + {}", beside(&found, &expected))?;
        }
    }
    writeln!(out, "{}: {tally}", release.name)?;
    for (topic, records) in groups.iter().take(SHOWN) {
        if let Some(record) = records.iter().min_by_key(|record| record.to_string().len()) {
            writeln!(out, "\n== {topic}\n{}", smallest(release, record)?)?;
            out.flush()?;
        }
    }
    if tally.different == 0 { Ok(()) } else { Err(io::Error::other("the answers differ")) }
}

/// The lines that the other side does not have.
fn beside(text: &str, other: &str) -> String {
    let lines = text.lines().filter(|line| !other.lines().any(|known| known == *line));
    lines.take(8).collect::<Vec<_>>().join("\n      ")
}

/// What a difference is about: the first lines that differ, without names and numbers.
fn topic(expected: &str, found: &str) -> String {
    let plain = |text: &str, other: &str| -> String {
        let line = text.lines().find(|line| !other.lines().any(|known| known == *line));
        let line: String = line.unwrap_or("-").trim().chars().take(110).collect();
        line.chars().filter(|c| !c.is_ascii_digit()).collect()
    };
    format!("real {} | ours {}", plain(expected, found), plain(found, expected))
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
        let steps = record.pointer("/expected/steps").and_then(Value::as_array);
        for step in steps.into_iter().flatten() {
            let attempts = step.get("attempts").and_then(Value::as_array);
            for attempt in attempts.into_iter().flatten() {
                *self.outcomes.entry(outcome(attempt)).or_default() += 1;
            }
        }
    }
}

/// How an attempt ended.
fn outcome(attempt: &Value) -> &'static str {
    let is = |name: &str| attempt.get(name).is_some();
    match () {
        () if is("preEnqueue") => "not queued",
        () if is("preFilter") => "refused by PreFilter",
        () if is("message") && !is("rejected") => "failed",
        () if is("message") => "unschedulable",
        () if is("waiting") => "waiting",
        () => "bound",
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "attempts:")?;
        for (outcome, count) in &self.outcomes {
            write!(f, " {count} {outcome},")?;
        }
        write!(
            f,
            "\n{} equal, {} left out, {} different",
            self.equal, self.left_out, self.different
        )
    }
}

/// The smallest scene of a difference, with both answers.
fn smallest(release: Release, record: &Value) -> io::Result<String> {
    let mut session = Session::start_by(Program::Scheduler, release)?;
    let verdict = |line: &str| match scheduler::compare(line) {
        Some(Verdict::Different(difference)) => Some(difference),
        _ => None,
    };
    let Some(first) = verdict(&record.to_string()) else { return Ok(String::new()) };
    let wanted = topic(&first.expected, &first.found);
    let mut question = record.clone();
    if let Some(fields) = question.as_object_mut() {
        fields.retain(|key, _| key != "expected");
    }
    let mut best = (question.clone(), first);
    let mut asked = 0;
    shrink(&question, |case| {
        asked += 1;
        if asked > ASKED || !is_whole(case) {
            return false;
        }
        let Some(answered) = session.ask(&case.to_string()) else {
            // It does not take such a scene.
            if let Ok(started) = Session::start_by(Program::Scheduler, release) {
                session = started;
            }
            return false;
        };
        match verdict(&answered) {
            Some(difference) if topic(&difference.expected, &difference.found) == wanted => {
                best = (case.clone(), difference);
                true
            }
            _ => false,
        }
    });
    let (case, difference) = best;
    Ok(format!(
        "{}\nreal (step of {})\n{}\nours\n{}",
        scheduler::text(&case),
        difference.name,
        difference.expected,
        difference.found
    ))
}

/// Whether a smaller scene is one that the API server would take, as far as that is in danger.
fn is_whole(case: &Value) -> bool {
    let objects = case.get("objects").and_then(Value::as_array);
    case.get("now").is_some()
        && case.get("kubernetes").is_some()
        && objects.is_some_and(|objects| {
            objects.iter().all(|object| {
                let has = |path: &str| object.pointer(path).is_some();
                let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default();
                has("/metadata/name")
                    && match kind {
                        "Pod" => has("/spec/containers/0/name") && has("/metadata/uid"),
                        "ResourceSlice" => {
                            has("/spec/pool/name")
                                && has("/spec/driver")
                                && has("/spec/pool/resourceSliceCount")
                        }
                        "ResourceClaim" => has("/spec/devices/requests/0/name"),
                        "DeviceTaintRule" => has("/spec/taint/key") && has("/spec/taint/effect"),
                        _ => true,
                    }
            })
        })
}

/// Writes `count` answered scenes of every release.
///
/// # Errors
/// When the real code cannot be asked or a file not be written.
pub fn record(seed: u64, count: u64) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded");
    for release in SCHEDULERS {
        let mut kept = Vec::new();
        let cases = cases(release, seed, count * 2, &[])?;
        process::answer_by(Program::Scheduler, release, cases, |line| {
            let answered = scheduler::compare(&line);
            if line.len() <= LONGEST && answered.is_some_and(|verdict| verdict != Verdict::Skipped)
            {
                kept.push(line);
            }
            Ok(())
        })?;
        kept.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        let file = folder.join(format!("scheduler-{}.jsonl", release.name));
        fs::write(&file, kept.join("\n") + "\n")?;
        writeln!(io::stdout(), "{}: {} scenes", file.display(), kept.len())?;
    }
    Ok(())
}

/// Writes the answers of every release to the scenarios in `pending/`.
///
/// # Errors
/// When the real code cannot be asked or a file not be read or written.
pub fn record_pending() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder.join("pending"))? {
        files.push(entry?.path().to_string_lossy().into_owned());
    }
    files.sort_unstable();
    for release in SERVERS {
        let mut answered = String::new();
        let cases = cases(release, 0, 0, &files)?;
        process::answer_by(Program::Scheduler, release, cases, |line| {
            answered.push_str(line.trim_end());
            answered.push('\n');
            Ok(())
        })?;
        fs::write(folder.join(format!("recorded/pending-{}.jsonl", release.name)), answered)?;
    }
    Ok(())
}
