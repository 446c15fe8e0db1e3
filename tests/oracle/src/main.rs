//! `dra-playground-oracle`: seeded cases through the real code and through ours.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use dra_playground_oracle::admission;
use dra_playground_oracle::bench;
use dra_playground_oracle::causes;
use dra_playground_oracle::compare::{Comparer, Verdict, is_random};
use dra_playground_oracle::generator::{Profile, allocation_case, cel_case};
use dra_playground_oracle::mutation::Corpus;
use dra_playground_oracle::process::{self, Session};
use dra_playground_oracle::release::{RELEASES, Release};
use dra_playground_oracle::scheduling;
use dra_playground_oracle::shrink::{as_yaml, shrink};
use dra_playground_oracle::tally::Tally;
use serde_json::Value;

const HELP: &str = "\
Seeded scenarios and CEL cases, answered by the real code of a Kubernetes release.

dra-playground-oracle generate alloc|cel [--release R] [--seed N] [--count N]
    prints cases without answers
dra-playground-oracle answer [--release R] FILE...
    answers the records of files
dra-playground-oracle compare alloc|cel [--release R] [--seed N] [--count N]
    answers generated cases by both and compares; differences are shrunk and printed as YAML
dra-playground-oracle compare FILE... [--release R]
    the same for the inputs of recorded cases
dra-playground-oracle compare mutated [FILE...] [--release R] [--seed N] [--count N]
    the same for cases made of others by changes: fields and items dropped, doubled, exchanged and
    moved, counts, amounts and gates changed. A file has records (.jsonl) or the objects of a
    scenario; without one the recorded cases are changed. `generate` and `tally` know `mutated`, too.
dra-playground-oracle causes FILE... [--release R]
    groups the recorded answers that the release does not give by the switches of behavior that
    explain them, as Markdown
dra-playground-oracle record alloc|cel... [--seed N] [--count N]
    writes small answered cases of every release to `recorded/`, which the plain tests replay
dra-playground-oracle generate|compare documents [FILE...] [--release R] [--seed N] [--count N]
    the same for documents and what the API server makes of them, for releases 1.36.5 and 1.37.2;
    a file has records (.jsonl) or objects
dra-playground-oracle record documents [--seed N] [--count N]
dra-playground-oracle record pending
    writes the answers of every release to the scenarios of `pending/`
dra-playground-oracle record switches
    writes the answers of every release to the scenes of `switches.jsonl`
dra-playground-oracle record fields
    writes the fields of the API's types in every release
dra-playground-oracle generate|compare scheduler [FILE...] [--release R] [--seed N] [--count N]
    the same for scenarios and what the scheduler and the controllers make of them, for releases
    1.34.13, 1.35.10, 1.36.5 and 1.37.2; a file has records (.jsonl) or is a scenario
dra-playground-oracle record scheduler [--seed N] [--count N]
dra-playground-oracle tally alloc|cel [--release R] [--seed N] [--count N]
    answers generated cases and prints the shares of outcomes
dra-playground-oracle bench [SUBJECT...] [--release R]
    measures the real code and ours in one run and prints a report in Markdown; needs a build
    with --release

The default release is the newest one, the seed 1, the count 100.
";

/// The flags that every command knows.
struct Options {
    release: Release,
    seed: u64,
    count: u64,
    rest: Vec<String>,
}

fn main() -> ExitCode {
    let mut arguments: Vec<_> = env::args().skip(1).collect();
    if arguments.is_empty() || arguments.iter().any(|argument| argument == "--help") {
        return finish(io::stdout().write_all(HELP.as_bytes()));
    }
    let command = arguments.remove(0);
    finish(options(arguments).and_then(|options| run(&command, &options)))
}

fn finish(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do when even standard error is closed.
            let _ = writeln!(io::stderr(), "dra-playground-oracle: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options(arguments: Vec<String>) -> io::Result<Options> {
    let [.., newest] = RELEASES;
    let mut options = Options { release: newest, seed: 1, count: 100, rest: Vec::new() };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut value =
            || arguments.next().ok_or_else(|| wrong(format!("{argument} needs a value")));
        let number =
            |text: String| text.parse().map_err(|_| wrong(format!("`{text}` is not a number")));
        match argument.as_str() {
            "--release" => {
                let name = value()?;
                options.release = Release::named(&name)
                    .ok_or_else(|| wrong(format!("unknown release `{name}`")))?;
            }
            "--seed" => options.seed = number(value()?)?,
            "--count" => options.count = number(value()?)?,
            flag if flag.starts_with("--") => return Err(wrong(format!("unknown flag `{flag}`"))),
            _ => options.rest.push(argument),
        }
    }
    Ok(options)
}

fn wrong(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

fn run(command: &str, options: &Options) -> io::Result<()> {
    if options.rest.first().is_some_and(|kind| kind == "documents") {
        return documents(command, options);
    }
    if options.rest.first().is_some_and(|kind| kind == "scheduler") {
        return scheduler(command, options);
    }
    match command {
        "generate" => {
            let mut out = io::stdout().lock();
            for record in cases(options)? {
                writeln!(out, "{record}")?;
            }
            Ok(())
        }
        "answer" => {
            for file in &options.rest {
                let text = fs::read_to_string(file)?;
                let lines: Vec<_> = text.lines().map(str::to_owned).collect();
                let mut out = io::stdout().lock();
                process::answer(options.release, lines, |line| writeln!(out, "{line}"))?;
            }
            Ok(())
        }
        "compare" => compare_cases(options),
        "record" if options.rest.iter().any(|kind| kind == "fields") => record_fields(),
        "record" if options.rest.iter().any(|kind| kind == "switches") => record_switches(),
        "record" if options.rest.iter().any(|kind| kind == "pending") => {
            scheduling::record_pending()
        }
        "record" => record(options),
        "tally" => {
            let mut tally = Tally::default();
            process::answer_quickly(options.release, cases(options)?, |line| {
                let record: Value = serde_json::from_str(&line)?;
                tally.add(&record);
                Ok(())
            })?;
            writeln!(io::stdout(), "{}: {tally}", options.release.name)
        }
        "causes" => {
            let report = causes::report(options.release, &options.rest)?;
            io::stdout().write_all(report.as_bytes())
        }
        "bench" => io::stdout().write_all(bench::run(options.release, &options.rest)?.as_bytes()),
        _ => Err(wrong(format!("unknown command `{command}`"))),
    }
}

/// Documents and what the API server makes of them.
fn documents(command: &str, options: &Options) -> io::Result<()> {
    let (release, seed, count) = (options.release, options.seed, options.count);
    let files = options.rest.get(1..).unwrap_or_default();
    match command {
        "generate" => {
            let mut out = io::stdout().lock();
            admission::cases(release, seed, count, files)?
                .iter()
                .try_for_each(|case| writeln!(out, "{case}"))
        }
        "compare" => admission::compare(release, admission::cases(release, seed, count, files)?),
        "record" => admission::record(seed, count),
        _ => Err(wrong(format!("`{command}` knows no documents"))),
    }
}

/// Scenarios and what the scheduler and the controllers do with them.
fn scheduler(command: &str, options: &Options) -> io::Result<()> {
    let (release, seed, count) = (options.release, options.seed, options.count);
    let files = options.rest.get(1..).unwrap_or_default();
    match command {
        "generate" => {
            let mut out = io::stdout().lock();
            scheduling::cases(release, seed, count, files)?
                .iter()
                .try_for_each(|case| writeln!(out, "{case}"))
        }
        "compare" => scheduling::compare(release, scheduling::cases(release, seed, count, files)?),
        "record" => scheduling::record(seed, count),
        _ => Err(wrong(format!("`{command}` knows no scenarios"))),
    }
}

/// Bytes of the longest case that is recorded.
const LONGEST: usize = 6000;

/// How many times as many cases are tried as are wanted, because most are too long or dull.
const TRIED: u64 = 40;

/// Cases after which is told how far it is.
const STRIDE: usize = 100;

/// Writes `count` answered cases of each kind for every release.
fn record(options: &Options) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded");
    fs::create_dir_all(&folder)?;
    let kinds = [("alloc", allocation_case as Case), ("cel", cel_case)];
    let known = |wanted: &String| kinds.iter().any(|(kind, _)| kind == wanted);
    if options.rest.is_empty() || !options.rest.iter().all(known) {
        return Err(wrong("say `alloc` or `cel` or both".into()));
    }
    for release in RELEASES {
        for (kind, case) in kinds {
            if !options.rest.iter().any(|wanted| wanted == kind) {
                continue;
            }
            let name = format!("{kind}-{}.jsonl", release.name);
            let kept = record_kind(options, release, &name, case)?;
            fs::write(folder.join(&name), kept.join("\n") + "\n")?;
            writeln!(io::stdout(), "{name}: {} cases", kept.len())?;
        }
    }
    Ok(())
}

/// Writes what every release answers to the scenes that show a switch each.
fn record_switches() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scenes = fs::read_to_string(folder.join("switches.jsonl"))?;
    for release in RELEASES {
        let mut answered = String::new();
        let scenes: Vec<_> = scenes.lines().map(str::to_owned).collect();
        process::answer(release, scenes, |line| {
            answered.push_str(line.trim_end());
            answered.push('\n');
            Ok(())
        })?;
        let name = format!("recorded/switches-{}.jsonl", release.name);
        fs::write(folder.join(name), answered)?;
    }
    Ok(())
}

/// Writes the fields of the API's types, once for each minor release.
fn record_fields() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded");
    let newest = |release: Release| {
        RELEASES.iter().rfind(|it| it.minor == release.minor).map_or("", |it| it.name)
    };
    for release in RELEASES.into_iter().filter(|it| newest(*it) == it.name) {
        let lines = Session::start(release)?.ask("{\"fields\": true}");
        let answer: Value = serde_json::from_str(&lines.unwrap_or_default())?;
        let lines = answer.get("lines").and_then(Value::as_array).into_iter().flatten();
        let text: String = lines.filter_map(Value::as_str).flat_map(|line| [line, "\n"]).collect();
        let file = folder.join(format!("fields-{}.txt", release.name));
        fs::write(&file, &text)?;
        writeln!(io::stdout(), "{}: {} lines", file.display(), text.lines().count())?;
    }
    Ok(())
}

/// Answered cases of one kind for one release. They are asked for one after the other, so that no
/// more are answered than are wanted, and none for long.
fn record_kind(
    options: &Options,
    release: Release,
    name: &str,
    case: Case,
) -> io::Result<Vec<String>> {
    let wanted = usize::try_from(options.count).unwrap_or(usize::MAX);
    let mut session = Session::start_quick(release)?;
    let mut kept: Vec<String> = Vec::new();
    for index in 0..options.count.saturating_mul(TRIED) {
        if kept.len() >= wanted {
            break;
        }
        // The input is most of a line.
        let case = case(options.seed, index, release.profile()).to_string();
        if case.len() > LONGEST {
            continue;
        }
        let line = session.ask(&case).ok_or_else(|| {
            io::Error::other(format!("{name}: no answer to case {index}, seed {}", options.seed))
        })?;
        let line = line.trim_end();
        let record: Value = serde_json::from_str(line)?;
        let mut tally = Tally::default();
        tally.add(&record);
        // What is refused is recorded once in three times.
        let dull = tally.is_dull() && !kept.len().is_multiple_of(3);
        // Equal answers in several runs can be chance.
        let stable = is_stable(line) && !is_random(&record);
        if line.len() <= LONGEST && stable && !dull {
            kept.push(line.to_owned());
            if kept.len().is_multiple_of(STRIDE) && kept.len() < wanted {
                writeln!(io::stdout(), "{name}: {} of {wanted}, case {index}", kept.len())?;
            }
        }
    }
    Ok(kept)
}

/// A function that makes a case.
type Case = fn(u64, u64, Profile) -> Value;

/// Whether an answer is the same in every run.
fn is_stable(line: &str) -> bool {
    ["\"nondeterministic\"", "\"unstable\"", "\"inputMutated\"", "\"costMayVary\"", "\"timeout\""]
        .iter()
        .all(|mark| !line.contains(mark))
}

/// Differences that are shrunk and printed.
const SHOWN: usize = 5;

fn compare_cases(options: &Options) -> io::Result<()> {
    let mut report = Report::default();
    let sink = |line: String| {
        let record: Value = serde_json::from_str(&line)?;
        report.add(&record);
        Ok(())
    };
    if options.rest.iter().all(|argument| argument == "alloc" || argument == "cel") {
        process::answer(options.release, cases(options)?, sink)?;
    } else if options.rest.first().is_some_and(|kind| kind == MUTATED) {
        process::answer_quickly(options.release, cases(options)?, sink)?;
    } else {
        let mut lines = Vec::new();
        for file in &options.rest {
            lines.extend(fs::read_to_string(file)?.lines().map(str::to_owned));
        }
        process::answer(options.release, lines, sink)?;
    }
    let mut out = io::stdout().lock();
    for record in report.differing.iter().take(SHOWN) {
        writeln!(out, "{}", smallest(options.release, record)?)?;
    }
    writeln!(out, "{}: {report}", options.release.name)?;
    if report.differing.is_empty() { Ok(()) } else { Err(io::Error::other("the answers differ")) }
}

/// What a comparison found.
#[derive(Default)]
struct Report {
    comparer: Comparer,
    tally: Tally,
    equal: usize,
    among: usize,
    left_out: BTreeMap<String, usize>,
    differing: Vec<Value>,
}

impl Report {
    fn add(&mut self, record: &Value) {
        self.tally.add(record);
        match self.comparer.compare(record) {
            Verdict::Equal => self.equal += 1,
            Verdict::AmongSeveral => self.among += 1,
            Verdict::LeftOut(reason) => *self.left_out.entry(reason).or_default() += 1,
            Verdict::Different(_) => self.differing.push(record.clone()),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{} equal, {} among several", self.tally, self.equal, self.among)?;
        for (reason, count) in &self.left_out {
            write!(f, ", {count} left out ({reason})")?;
        }
        write!(f, ", {} different", self.differing.len())
    }
}

/// The smallest case of a difference, as YAML with both answers.
fn smallest(release: Release, record: &Value) -> io::Result<String> {
    let mut session = Session::start(release)?;
    let mut last = None;
    let kind = |text: &str| text.split(|c: char| c.is_ascii_digit()).next().map(str::to_owned);
    let mut comparer = Comparer::default();
    let wanted = match comparer.compare(record) {
        Verdict::Different(text) => kind(&text),
        _ => None,
    };
    let small = shrink(record, |case| {
        let Some(line) = session.ask(&case.to_string()) else {
            // The program ends on a record that it cannot read.
            if let Ok(again) = Session::start(release) {
                session = again;
            }
            return false;
        };
        let Ok(answered) = serde_json::from_str::<Value>(&line) else {
            return false;
        };
        match comparer.compare(&answered) {
            Verdict::Different(text) if kind(&text) == wanted => {
                last = Some((answered, text));
                true
            }
            _ => false,
        }
    });
    let (answered, text) = last.unwrap_or_else(|| match Comparer::default().compare(record) {
        Verdict::Different(text) => (record.clone(), text),
        _ => (record.clone(), String::new()),
    });
    let field = |name: &str| small.get(name).map(|value| format!("{name}: {value}"));
    let answer = answered.get("expected").or(answered.get("expect"));
    let mut notes: Vec<_> = [
        "name",
        "id",
        "features",
        "allocator",
        "expr",
        "expression",
        "device",
        "attrs",
        "caps",
        "list",
        "new",
        "cc",
        "multi",
        "limit",
        "envType",
        "costLimit",
    ]
    .into_iter()
    .filter_map(field)
    .collect();
    notes.extend(answer.map(|answer| format!("the real answer: {answer}")));
    notes.push(text);
    Ok(as_yaml(&small, &notes))
}

/// The word for changed cases.
const MUTATED: &str = "mutated";

fn cases(options: &Options) -> io::Result<Box<dyn Iterator<Item = String> + Send>> {
    let (seed, profile) = (options.seed, options.release.profile());
    let case = match options.rest.first().map(String::as_str) {
        Some("alloc") => allocation_case,
        Some("cel") => cel_case,
        Some(MUTATED) => {
            let corpus = Corpus::read(options.rest.get(1..).unwrap_or_default())?;
            let cases = move |index| corpus.case(seed, index, profile).to_string();
            return Ok(Box::new((0..options.count).map(cases)));
        }
        _ => return Err(wrong("say `alloc`, `cel` or `mutated`".into())),
    };
    Ok(Box::new((0..options.count).map(move |index| case(seed, index, profile).to_string())))
}
