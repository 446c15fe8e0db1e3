//! `cargo xtask bench`: what the page weighs, how long it takes, and Kubernetes' code beside ours,
//! ours also as WebAssembly in Chromium. `--write` puts the sections into `docs/performance.md`; those
//! that were not asked for stay as they are there.

use std::fmt::Write as _;

use crate::browser::{BROWSER_TESTS, ensure_chromium};
use crate::output::{print_line, print_step};
use crate::setup::{ensure_node, npm_install};
use crate::shell::{Outcome, Project, output_of};
use crate::wasm_target::{self, TARGET};
use crate::{dist, shell, size, weigh};

/// The bench reads the selectors of the recorded cases.
const NO_TIMES: &str =
    "the oracle gave no times; DRA_PLAYGROUND_CASES has to name the recorded cases";
const REPORT: &str = "docs/performance.md";
const HEAD: &str = "\
# Performance

Written by `cargo xtask bench --write`; do not edit. Times are medians. Each section says what else \
kept the machine busy: compare within a section, and let ratios count more than times.
";
/// Sections in the order of the report.
const SECTIONS: [&str; 3] = ["size", "page", "native"];

/// Measures the named sections, or all, and prints or writes them.
pub(crate) fn report(project: &Project, options: &[&str]) -> Outcome<()> {
    let write = options.contains(&"--write");
    let wanted: Vec<&str> = options.iter().copied().filter(|it| *it != "--write").collect();
    if let Some(name) = wanted.iter().find(|name| !SECTIONS.contains(name)) {
        return Err(format!("`{name}` is not measured; these are: {}", SECTIONS.join(", ")).into());
    }
    let file = project.root.join(REPORT);
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    let mut out = HEAD.to_owned();
    for name in SECTIONS {
        let begin = format!("\n<!-- {name} -->\n");
        let end = format!("<!-- end of {name} -->\n");
        let text = if wanted.is_empty() || wanted.contains(&name) {
            let text = match name {
                "size" => sizes(project)?,
                "page" => page(project)?,
                _ => native(project)?,
            };
            print_line(&text);
            text
        } else {
            let known = before.split_once(&begin).and_then(|(_, rest)| rest.split_once(&end));
            known.map_or_else(String::new, |(text, _)| text.to_owned())
        };
        if !text.is_empty() {
            out = out + &begin + &text + &end;
        }
    }
    if write {
        std::fs::write(file, out)?;
    }
    Ok(())
}

/// The machine in general terms.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("an unknown number of");
    format!("Measured on {cores} cores with {load} other processes wanting them.\n\n")
}

fn sizes(project: &Project) -> Outcome<String> {
    let dist = dist::build(project)?;
    let mut out =
        "## What the page weighs\n\nBytes after brotli at its best. The target is 450,000 for \
                   the module and 600,000 until the first result.\n\n| part | bytes |\n|---|--:|\n"
            .to_owned();
    for (part, bytes) in size::weights(project, &dist)? {
        writeln!(out, "| {part} | {} |", grouped(bytes))?;
    }
    let toolchain = wasm_target::ensure(project)?;
    let module = toolchain.target(project).join(TARGET).join(PROFILE);
    let module = std::fs::read(module.join("dra-playground-web.wasm"))?;
    let (parts, whole) = weigh::parts(&module)?;
    writeln!(
        out,
        "\nWhat the module's code belongs to, before the optimizer and before compression \
         ({} bytes in all):\n\n| part | bytes | share |\n|---|--:|--:|",
        grouped(whole as u64)
    )?;
    for (part, bytes) in parts {
        let share = (bytes * 1000 + whole / 2) / whole.max(1);
        writeln!(out, "| {part} | {} | {}.{} % |", grouped(bytes as u64), share / 10, share % 10)?;
    }
    Ok(out)
}

/// A number with a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// First result, typing and growth of the built page in Chromium.
fn page(project: &Project) -> Outcome<String> {
    ensure_node()?;
    npm_install(project, BROWSER_TESTS, "playwright-core, to time the page")?;
    let chromium = ensure_chromium()?;
    let dist = dist::build(project)?;
    print_step("timing the page in Chromium");
    let machine = machine();
    let mut node = project.command("node");
    node.current_dir(project.root.join(BROWSER_TESTS)).env("CHROMIUM", chromium);
    let text = output_of(node.arg("measure.js").arg(&dist)).ok_or("Chromium gave no times")?;
    Ok(format!("## The page in Chromium\n\n{machine}{text}\n"))
}

/// The package that is timed in the browser.
const PACKAGE: &str = "dra-playground-oracle-page";
/// The profile of the deployed page.
const PROFILE: &str = "web";
const RELEASE: &str = "1.37.2";

/// Kubernetes' code beside ours.
fn native(project: &Project) -> Outcome<String> {
    ensure_node()?;
    npm_install(project, BROWSER_TESTS, "playwright-core, to time WebAssembly")?;
    let chromium = ensure_chromium()?;
    let toolchain = wasm_target::ensure(project)?;
    print_step("compiling the allocator for the browser");
    let (variable, flags) = wasm_target::flags();
    shell::run(
        toolchain
            .cargo(project)
            .env(variable, flags)
            .args(["build", "--package", PACKAGE, "--target", TARGET])
            .args(["--profile", PROFILE, "--quiet"]),
    )?;
    let library = format!("{}.wasm", PACKAGE.replace('-', "_"));
    let wasm = toolchain.target(project).join(TARGET).join(PROFILE).join(library);
    let folder = project.target.join("bench-page");
    std::fs::create_dir_all(&folder)?;
    print_step("writing its bindings");
    shell::run(
        project.cargo().args(["run", "--quiet", "--package", "xtask-bindings", "--"]).args([
            wasm.as_os_str(),
            folder.as_os_str(),
            "app".as_ref(),
        ]),
    )?;
    print_step("timing it in Chromium");
    let mut node = project.command("node");
    node.current_dir(project.root.join(BROWSER_TESTS)).env("CHROMIUM", chromium);
    node.arg("bench.js").arg(&folder).arg(RELEASE);
    let times = output_of(&mut node).ok_or("Chromium gave no times")?;
    let file = folder.join("times.json");
    std::fs::write(&file, times)?;
    print_step("timing Kubernetes' code and ours");
    let machine = machine();
    let mut oracle = project.cargo();
    oracle.args(["run", "--quiet", "--release", "--package", "dra-playground-oracle", "--"]);
    oracle.args(["bench", "--release", RELEASE]).env("DRA_PLAYGROUND_PAGE_TIMES", file);
    let text = output_of(&mut oracle).ok_or(NO_TIMES)?;
    Ok(format!("## Kubernetes' code beside ours\n\n{machine}{text}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_173_212), "1,173,212");
    }
}
