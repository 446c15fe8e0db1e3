//! `cargo xtask coverage`: which lines of the core and of CEL the native tests run.
//!
//! The compiler counts (`-C instrument-coverage`), LLVM's tools of the same toolchain add up. Lines
//! of tests do not count, neither in files of their own nor at the end of others.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::output::{print_install, print_line, print_step};
use crate::shell::{Outcome, Project, output_of, run};

const CRATES: [&str; 2] = ["crates/core", "crates/cel"];
/// The packages whose tests run.
const PACKAGES: [&str; 3] = ["dra-playground-core", "dra-playground-cel", "dra-playground-fuzz"];
const DOC: &str = "docs/coverage.md";
/// The least share of lines, in percent.
const LEAST: u64 = 90;
/// How many of the least covered files are listed.
const LISTED: usize = 20;

/// Lines of a file: run, and all.
type Lines = (u64, u64);

/// Runs the tests, prints the figures, and fails below the least; `write` puts them into the docs.
pub(crate) fn report(project: &Project, write: bool) -> Outcome<()> {
    let tools = tools(project)?;
    let work = project.target.join("coverage");
    let profiles = work.join("profiles");
    if profiles.is_dir() {
        fs::remove_dir_all(&profiles)?;
    }
    let cargo = || {
        let mut cargo = project.cargo();
        cargo.args(["test", "--lib", "--tests"]);
        cargo.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
        cargo.env("CARGO_TARGET_DIR", &work).env("RUSTFLAGS", "-C instrument-coverage");
        cargo.env("LLVM_PROFILE_FILE", profiles.join("%p-%m.profraw"));
        cargo
    };
    print_step("the tests, counting lines");
    run(cargo().args(["--no-fail-fast", "--quiet"]))?;
    let said = output_of(cargo().args(["--no-run", "--message-format=json"]));
    let said = said.ok_or("the test programs are not named")?;
    let data = work.join("all.profdata");
    run(Command::new(tools.join("llvm-profdata"))
        .args(["merge", "--sparse", "-o"])
        .arg(&data)
        .arg(&profiles))?;
    let mut export = Command::new(tools.join("llvm-cov"));
    export.args(["export", "--format=lcov", "--instr-profile"]).arg(&data);
    // Every one of them is an object; the first is the program that the tool wants besides.
    let programs = executables(&said);
    export.args(programs.first());
    export.args(programs.iter().flat_map(|program| ["--object", program]));
    export.arg("--sources").args(CRATES.iter().map(|it| project.root.join(it).join("src")));
    let lcov = output_of(&mut export).ok_or("llvm-cov cannot add up the counts")?;
    fs::write(work.join("lcov.info"), &lcov)?;
    let mut files = BTreeMap::new();
    for (file, counts) in read(&lcov) {
        let name = Path::new(&file).strip_prefix(&project.root)?.to_string_lossy().into_owned();
        if !name.ends_with("tests.rs") && !name.contains("/tests/") {
            files.insert(name, lines(&counts, &fs::read_to_string(&file)?));
        }
    }
    let (text, least) = table(&files);
    print_line(&text);
    if write {
        let file = project.root.join(DOC);
        let doc = fs::read_to_string(&file)?;
        let (head, _) = doc.split_once(HEADING).ok_or("docs/coverage.md has no figures")?;
        fs::write(file, format!("{head}{HEADING}\n\n{text}"))?;
    }
    if least < LEAST {
        return Err(format!("{least} % of the lines are run, {LEAST} % are asked for").into());
    }
    Ok(())
}

const HEADING: &str = "## Figures";

/// The folder of `llvm-cov` and `llvm-profdata`.
fn tools(project: &Project) -> Outcome<PathBuf> {
    let rustc = |what: &str| output_of(project.command("rustc").args(["--print", what]));
    let host = rustc("host-tuple").ok_or("rustc does not name its host")?;
    let sysroot = rustc("sysroot").ok_or("rustc does not name its folder")?;
    let tools = Path::new(&sysroot).join("lib/rustlib").join(host).join("bin");
    if !tools.join("llvm-cov").is_file() {
        let add = ["component", "add", "llvm-tools"];
        print_install("LLVM's tools", &format!("rustup {}", add.join(" ")));
        run(project.command("rustup").args(add))?;
    }
    Ok(tools)
}

/// The programs that cargo's messages name.
fn executables(messages: &str) -> Vec<&str> {
    let named = messages.lines().filter_map(|line| line.split_once("\"executable\":\""));
    named.filter_map(|(_, rest)| rest.split('"').next()).collect()
}

/// How often each line of each file was run.
fn read(lcov: &str) -> BTreeMap<String, BTreeMap<usize, u64>> {
    let mut files: BTreeMap<String, BTreeMap<usize, u64>> = BTreeMap::new();
    let mut file = String::new();
    for line in lcov.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            name.clone_into(&mut file);
        } else if let Some((number, count)) =
            line.strip_prefix("DA:").and_then(|it| it.split_once(','))
        {
            let number = number.parse().unwrap_or_default();
            let count: u64 = count.parse().unwrap_or_default();
            *files.entry(file.clone()).or_default().entry(number).or_default() += count;
        }
    }
    files
}

/// Lines before the tests at the end of a file.
fn lines(counts: &BTreeMap<usize, u64>, text: &str) -> Lines {
    let tests = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let last = tests.lines().count();
    let code = || counts.range(..=last).map(|(_, count)| *count);
    (code().filter(|count| *count > 0).count() as u64, code().count() as u64)
}

fn sum<'a>(files: impl Iterator<Item = &'a Lines>) -> Lines {
    files.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}

/// In tenths of a percent.
fn share((run, all): Lines) -> u64 {
    run * 1000 / all.max(1)
}

/// The figures, and the least share of a crate in whole percent.
fn table(files: &BTreeMap<String, Lines>) -> (String, u64) {
    let mut text = "| crate | lines | run | share |\n|---|--:|--:|--:|\n".to_owned();
    let mut row = |name: &str, lines: Lines| {
        let share = share(lines);
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "| `{name}` | {} | {} | {}.{} % |",
            lines.1,
            lines.0,
            share / 10,
            share % 10
        );
        share / 10
    };
    let least = CRATES.map(|name| {
        row(name, sum(files.iter().filter(|(file, _)| file.starts_with(name)).map(|(_, it)| it)))
    });
    let mut worst: Vec<(&String, &Lines)> = files.iter().filter(|(_, it)| it.1 > 0).collect();
    worst.sort_by_key(|(_, lines)| std::cmp::Reverse(lines.1 - lines.0));
    for (file, lines) in worst.into_iter().take(LISTED) {
        row(file, *lines);
    }
    (text, least.into_iter().min().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tests_do_not_count() {
        let lcov = "SF:/a.rs\nDA:1,3\nDA:2,0\nDA:6,1\nend_of_record\nSF:/a.rs\nDA:2,0\nDA:3,1\n";
        let files = read(lcov);
        let text = "fn a() {\n}\n}\n\n#[cfg(test)]\nmod tests {\n}\n";
        assert_eq!(lines(&files["/a.rs"], text), (2, 3));
        assert_eq!(share((2, 3)), 666);
    }

    #[test]
    fn programs_are_read_from_messages() {
        let said = "{\"x\":1,\"executable\":\"/t/core-1\"}\n{\"executable\":null}\n";
        assert_eq!(executables(said), ["/t/core-1"]);
    }
}
