//! `cargo xtask test`: every check and every test, in the order that fails soonest.
//!
//! A failing step does not keep the later ones from running; the last line counts them all.

use std::process::Command;
use std::time::Instant;

use crate::browser::{self, Browser};
use crate::dist;
use crate::output::{print_error, print_line, print_note, print_step};
use crate::page::{Build, hash};
use crate::shell::{Outcome, Project, find_program, output_of, run, run_watching};
use crate::size;
use crate::tidy;
use crate::wasm_target::{self, TARGET, Toolchain};

/// Releases whose real code is asked for fresh answers to each kind of case, and how many cases.
const ORACLE_KINDS: [(&str, [&str; 2]); 3] = [
    ("alloc", ["1.36.2", "1.37.2"]),
    ("cel", ["1.36.2", "1.37.2"]),
    // The API server is not published for every patch.
    ("documents", ["1.36.5", "1.37.2"]),
];
const ORACLE_CASES: u32 = 150;
/// Packages that must build for the browser.
const WASM_PACKAGES: [&str; 3] =
    ["dra-playground-cel", "dra-playground-core", "dra-playground-web"];

/// What has passed and failed so far: tests, and steps that are not made of tests.
#[derive(Debug, Default)]
struct Tally {
    passed: u64,
    failed: u64,
    failed_steps: Vec<String>,
}

impl Tally {
    /// Runs a step that counts as one check.
    fn check(&mut self, name: &str, step: impl FnOnce() -> Outcome<()>) {
        let outcome = timed(name, step);
        self.count(name, outcome, Count { passed: 1, failed: 0 });
    }

    /// Runs a command that prints the results of tests.
    fn tests(&mut self, name: &str, command: &mut Command) {
        let mut count = Count::default();
        let outcome = timed(name, || run_watching(command, |line| count.read(line)));
        self.count(name, outcome, count);
    }

    fn count(&mut self, name: &str, outcome: Outcome<()>, count: Count) {
        match outcome {
            // A runner that ran nothing proves nothing.
            Ok(()) if count.passed + count.failed == 0 => self.fail(name, "no test ran"),
            Ok(()) => self.passed += count.passed,
            Err(error) => {
                if count.failed > 0 {
                    self.passed += count.passed;
                    self.failed += count.failed - 1;
                }
                self.fail(name, &error.to_string());
            }
        }
    }

    fn fail(&mut self, name: &str, error: &str) {
        print_error(&format!("{name}: {error}"));
        self.failed += 1;
        self.failed_steps.push(name.to_owned());
    }

    /// Prints the sum; an error if anything failed.
    fn finish(self) -> Outcome<()> {
        if !self.failed_steps.is_empty() {
            print_line(&format!("failed: {}", self.failed_steps.join(", ")));
        }
        print_line(&format!("{} passed, {} failed", self.passed, self.failed));
        if self.failed == 0 { Ok(()) } else { Err("not everything passed".into()) }
    }
}

/// Results read from a runner's output.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Count {
    passed: u64,
    failed: u64,
}

impl Count {
    /// Adds up what `line` says, in the words of Rust's or Node's runner or of the oracle.
    fn read(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("test result: ") {
            let number_before = |word: &str| {
                let words: Vec<&str> = rest.split([' ', ';']).collect();
                let place = words.iter().position(|candidate| *candidate == word)?;
                words.get(place.checked_sub(1)?)?.parse::<u64>().ok()
            };
            self.passed += number_before("passed").unwrap_or(0);
            self.failed += number_before("failed").unwrap_or(0);
        } else if let Some(rest) = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ ")) {
            let number_after = |word| rest.strip_prefix(word)?.parse::<u64>().ok();
            self.passed += number_after("pass ").unwrap_or(0);
            self.failed += number_after("fail ").unwrap_or(0);
        } else if line.ends_with(" different") && line.contains(" equal, ") {
            for part in line.split(", ") {
                let (number, word) = part.split_once(' ').unwrap_or_default();
                let number = number.parse::<u64>().unwrap_or(0);
                match word {
                    "different" => self.failed += number,
                    "equal" | "among several" => self.passed += number,
                    _ => {}
                }
            }
        }
    }
}

/// Runs everything; without `browsers` nothing is installed for them.
pub(crate) fn run_all(project: &Project, browsers: bool) -> Outcome<()> {
    let mut tally = Tally::default();
    tally.check("formatting", || {
        run(project.cargo().args(["fmt", "--all", "--", "--check"]))
            .map_err(|error| format!("{error}; `cargo fmt --all` mends it").into())
    });
    tally.check("tidy", || tidy::run(project));
    tally.check("clippy", || {
        let args = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
        run(project.cargo().args(args))
    });
    tally.tests("tests", project.cargo().args(["test", "--no-fail-fast"]));
    tally.check("documentation", || {
        run(project.cargo().env("RUSTDOCFLAGS", "-D warnings").args([
            "doc",
            "--no-deps",
            "--quiet",
        ]))
    });
    add_oracle(project, &mut tally);
    tally.check("clippy for the browser", || check_wasm(project));
    if browsers {
        tally.check("size of the page", || size::check(project, &dist::build(project)?, false));
        for browser in [Browser::Chromium, Browser::Firefox] {
            add_browser_tests(project, &mut tally, browser, Build::Optimized, &[]);
        }
    }
    tally.finish()
}

/// Runs the tests in one browser only.
pub(crate) fn run_browser(project: &Project, options: &[&str]) -> Outcome<()> {
    let mut files = options.to_vec();
    let mut has = |option: &str| {
        let before = files.len();
        files.retain(|it| *it != option);
        files.len() < before
    };
    let build = if has("--quick") { Build::Quick } else { Build::Optimized };
    let browser = if has("--firefox") { Browser::Firefox } else { Browser::Chromium };
    let mut tally = Tally::default();
    add_browser_tests(project, &mut tally, browser, build, &files);
    tally.finish()
}

/// Compares with the real code of Kubernetes, on cases made up for this state of the sources.
fn add_oracle(project: &Project, tally: &mut Tally) {
    if find_program("go").is_none() {
        print_note(
            "SKIPPED: no comparison with Kubernetes' own code, for want of Go (https://go.dev)",
        );
        return;
    }
    let seed = fresh_seed(project);
    for (kind, releases) in ORACLE_KINDS {
        for release in releases {
            let name = format!("Kubernetes {release} on fresh cases ({kind}, seed {seed})");
            let mut command = project.cargo();
            command.args(["run", "--quiet", "--package", "dra-playground-oracle", "--"]);
            command.args(["compare", kind, "--release", release]);
            command.args(["--seed", &seed.to_string(), "--count", &ORACLE_CASES.to_string()]);
            tally.tests(&name, &mut command);
        }
    }
}

/// A number that changes with the sources, so that a failure can be repeated but the cases vary.
fn fresh_seed(project: &Project) -> u64 {
    let commit = output_of(project.command("git").args(["rev-parse", "HEAD"]));
    hash(commit.unwrap_or_default().as_bytes()) % 1_000_000
}

fn check_wasm(project: &Project) -> Outcome<()> {
    let toolchain = wasm_target::ensure(project)?;
    let mut command = toolchain.cargo(project);
    match toolchain {
        Toolchain::Active => {
            command.arg("clippy");
        }
        Toolchain::Debian => {
            print_note("this compiler comes without clippy; warnings are errors all the same");
            command.arg("check").env("RUSTFLAGS", "-D warnings");
        }
    }
    command.args(["--quiet", "--target", TARGET]);
    command.args(WASM_PACKAGES.iter().flat_map(|package| ["--package", package]));
    if toolchain == Toolchain::Active {
        command.args(["--", "-D", "warnings"]);
    }
    run(&mut command)
}

fn add_browser_tests(
    project: &Project,
    tally: &mut Tally,
    with: Browser,
    build: Build,
    files: &[&str],
) {
    let mut command = None;
    tally.check(&format!("page for {with}"), || {
        let mut tests = browser::tests(project, with, build)?;
        tests.args(files);
        command = Some(tests);
        Ok(())
    });
    if let Some(mut command) = command {
        tally.tests(&format!("tests in {with}"), &mut command);
    }
}

fn timed<T>(name: &str, step: impl FnOnce() -> T) -> T {
    print_step(name);
    let start = Instant::now();
    let result = step();
    print_note(&format!("{name} took {:.1} s", start.elapsed().as_secs_f64()));
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], passed: u64, failed: u64) {
        let mut count = Count::default();
        for line in lines {
            count.read(line);
        }
        assert_eq!(count, Count { passed, failed });
    }

    #[test]
    fn results_of_both_runners_are_added_up() {
        check(&["test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured"], 12, 0);
        check(
            &[
                "test result: FAILED. 1 passed; 2 failed; 0 ignored",
                "test result: ok. 3 passed; 0 failed; ",
            ],
            4,
            2,
        );
        check(&["ℹ tests 5", "ℹ pass 4", "ℹ fail 1", "ℹ skipped 0"], 4, 1);
        check(&["# pass 7", "# fail 0", "1 passed; 1 failed"], 7, 0);
        check(&["59 equal, 1 among several, 3 left out (no form), 2 different"], 60, 2);
    }

    #[test]
    fn a_step_without_tests_has_failed() {
        let mut tally = Tally::default();
        tally.count("tests", Ok(()), Count::default());
        assert_eq!((tally.passed, tally.failed), (0, 1));
        tally.count("more tests", Err("exit".into()), Count { passed: 3, failed: 2 });
        assert_eq!((tally.passed, tally.failed), (3, 3));
        assert!(tally.finish().is_err());
    }
}
