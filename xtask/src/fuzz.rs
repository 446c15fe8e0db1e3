//! `cargo xtask fuzz`: the targets of `tests/fuzz` under libFuzzer, for as long as asked.
//!
//! What reaches new code is kept in `tests/fuzz/corpus`, as small as it gets; each run adds a line
//! to `docs/fuzzing.md`. An input that breaks a law stays in `target/fuzz/found`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::output::{print_install, print_line, print_step};
use crate::setup::ensure_cargo_tool;
use crate::shell::{Outcome, Project, output_of, run};

const CRATE: &str = "tests/fuzz/libfuzzer";
const CORPUS: &str = "tests/fuzz/corpus";
const LOG: &str = "docs/fuzzing.md";
/// Seconds for each target when nothing else is asked for.
const SECONDS: u32 = 600;

/// Runs the named targets, or all.
pub(crate) fn fuzz(project: &Project, options: &[&str]) -> Outcome<()> {
    let (seconds, names) = match options {
        ["--seconds", seconds, names @ ..] => (seconds.parse()?, names),
        names => (SECONDS, names),
    };
    let tools = Tools::ensure(project)?;
    let all = output_of(&mut keeper(project, &["targets"])).ok_or("no targets")?;
    if let Some(unknown) = names.iter().find(|name| !all.lines().any(|known| known == **name)) {
        return Err(format!("no target `{unknown}`; there are {}", all.replace('\n', ", ")).into());
    }
    let mut found = Vec::new();
    for target in all.lines().filter(|name| names.is_empty() || names.contains(name)) {
        print_step(&format!("{target} for {seconds} s"));
        if !tools.run(project, target, seconds)? {
            found.push(target.to_owned());
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    Err(format!("inputs that break a law of {} stand in target/fuzz/found", found.join(", "))
        .into())
}

/// The program that packs and unpacks inputs.
fn keeper(project: &Project, args: &[&str]) -> Command {
    let mut command = project.cargo();
    command.args(["run", "--quiet", "--package", "dra-playground-fuzz", "--"]).args(args);
    command
}

struct Tools {
    /// The folder that `cargo-fuzz` is in.
    bin: PathBuf,
    work: PathBuf,
}

impl Tools {
    fn ensure(project: &Project) -> Outcome<Self> {
        if output_of(Command::new("cargo").args(["+nightly", "--version"])).is_none() {
            print_install("a nightly compiler", "rustup toolchain install nightly");
            run(Command::new("rustup").args([
                "toolchain",
                "install",
                "nightly",
                "--profile=minimal",
            ]))?;
        }
        let program = ensure_cargo_tool(project, "cargo-fuzz", "0.13.2")?;
        let bin = program.parent().ok_or("cargo-fuzz lies in no folder")?.to_path_buf();
        Ok(Self { bin, work: project.target.join("fuzz") })
    }

    fn libfuzzer(&self, project: &Project, target: &str) -> Command {
        let mut path = std::ffi::OsString::from(&self.bin);
        if let Some(rest) = std::env::var_os("PATH") {
            path.push(":");
            path.push(rest);
        }
        let mut command = project.command("cargo");
        // The stable compiler that started this command must not decide for the nightly one.
        command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env("PATH", path);
        command.env("CARGO_TARGET_DIR", self.work.join("build"));
        command.args(["+nightly", "fuzz", "run", "--fuzz-dir", CRATE, "--sanitizer", "none", "-O"]);
        command.arg(target);
        command
    }

    /// Says whether every law held.
    fn run(&self, project: &Project, target: &str, seconds: u32) -> Outcome<bool> {
        let kept = project.root.join(CORPUS).join(format!("{target}.jsonl"));
        let inputs = emptied(&self.work.join("inputs").join(target))?;
        let merged = emptied(&self.work.join("merged").join(target))?;
        let found = self.work.join("found").join(target);
        fs::create_dir_all(&found)?;
        if kept.is_file() {
            run(&mut keeper(project, &["unpack", &shown(&kept), &shown(&inputs)]))?;
        }
        if let Some(docs) = seeds(target) {
            run(&mut keeper(project, &["seeds", docs, &shown(&inputs)]))?;
        }
        let mut command = self.libfuzzer(project, target);
        command.arg(&inputs);
        command.arg("--");
        command.args([
            format!("-max_total_time={seconds}"),
            format!("-artifact_prefix={}/", shown(&found)),
        ]);
        command.args([
            "-max_len=4096",
            "-timeout=20",
            "-rss_limit_mb=4096",
            "-print_final_stats=1",
        ]);
        let output = command.output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let held = output.status.success();
        if !held {
            let lines: Vec<&str> = said.lines().collect();
            let last = lines.get(lines.len().saturating_sub(40)..).unwrap_or_default();
            print_line(&last.join("\n"));
        }
        let mut merge = self.libfuzzer(project, target);
        merge.args([&merged, &inputs]).args(["--", "-merge=1", "-max_len=1024", "-timeout=20"]);
        if !merge.output()?.status.success() {
            return Err(format!("{target}: the inputs cannot be merged").into());
        }
        let mut pack = keeper(project, &["pack", &shown(&merged), &shown(&kept)]);
        let count = output_of(&mut pack).ok_or("the inputs cannot be packed")?;
        let row = Row { target, seconds, said: &said, kept: &count, held };
        row.write(project)?;
        Ok(held)
    }
}

/// Pages whose examples are texts to start from.
fn seeds(target: &str) -> Option<&'static str> {
    match target {
        "yaml" | "documents" => Some("docs/diagnostics"),
        "analysis" => Some("docs/reasons"),
        _ => None,
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn emptied(folder: &Path) -> Outcome<PathBuf> {
    if folder.is_dir() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    Ok(folder.to_path_buf())
}

/// One line of the log.
struct Row<'a> {
    target: &'a str,
    seconds: u32,
    said: &'a str,
    kept: &'a str,
    held: bool,
}

impl Row<'_> {
    fn write(&self, project: &Project) -> Outcome<()> {
        let day = output_of(Command::new("date").args(["-u", "+%F"])).unwrap_or_default();
        let executions = number_after(self.said, "stat::number_of_executed_units:");
        let edges = self.said.lines().rev().find_map(|line| word_after(line, "cov:"));
        let result = if self.held { "nothing" } else { "an input" };
        let row = format!(
            "| {day} | {} | {} | {} | {} | {} | {result} |\n",
            self.target,
            self.seconds,
            executions.unwrap_or("?"),
            edges.unwrap_or("?"),
            self.kept,
        );
        print_line(row.trim_end());
        let file = project.root.join(LOG);
        let log = fs::read_to_string(&file)?;
        fs::write(file, log + &row)?;
        Ok(())
    }
}

fn number_after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| Some(line.strip_prefix(name)?.trim()))
}

fn word_after<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_once(name)?.1.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_what_libfuzzer_says() {
        let said = "#2\tINITED cov: 12 ft: 3\n#9 NEW cov: 40 ft: 8 corp: 2/3b\n\
                    stat::number_of_executed_units: 1234\n";
        assert_eq!(number_after(said, "stat::number_of_executed_units:"), Some("1234"));
        assert_eq!(said.lines().rev().find_map(|line| word_after(line, "cov:")), Some("40"));
    }
}
