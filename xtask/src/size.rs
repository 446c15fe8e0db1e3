//! `cargo xtask size`: what the page weighs on its way to the reader, and whether that is within the
//! budget of `docs/size-budget.txt`.
//!
//! Sizes are those of brotli at its best, as servers send static files; Node computes them. The
//! budget may only go down: `--write` lowers it to what is there.

use std::fmt::Write as _;
use std::path::Path;

use crate::output::{print_line, print_note};
use crate::setup::ensure_node;
use crate::shell::{Outcome, Project, output_of};

const BUDGET: &str = "docs/size-budget.txt";
/// What compilers of the same release may differ by, in thousandths.
const SLACK: u64 = 5;
/// Reads file names from its arguments and prints brotli sizes.
const SCRIPT: &str = "const {brotliCompressSync,constants:c}=require('zlib'),fs=require('fs');\
for(const f of process.argv.slice(1)){const d=fs.readFileSync(f);\
console.log(brotliCompressSync(d,{params:{[c.BROTLI_PARAM_QUALITY]:11,[c.BROTLI_PARAM_LGWIN]:24,\
[c.BROTLI_PARAM_SIZE_HINT]:d.length}}).length)}";

/// A part of the page and the files of `dist/` that belong to it; `static/` stands for the hashed
/// folder.
const PARTS: [(&str, &[&str]); 7] = [
    ("module", &["static/app_bg.wasm"]),
    (
        "first-result",
        &[
            "index.html",
            "static/app_bg.wasm",
            "static/app.js",
            "static/boot.js",
            "static/worker.js",
            "static/style.css",
            "static/icon.svg",
        ],
    ),
    ("gallery", &["static/gallery.txt"]),
    ("tables", &["static/zones.txt", "static/unicode.txt"]),
    ("editor", &["static/editor.js"]),
    ("style", &["static/style.css"]),
    ("element", &["dra-playground.js"]),
];

/// Prints the sizes of `dist` beside the budget; an error when a part is above it.
pub(crate) fn check(project: &Project, dist: &Path, write: bool) -> Outcome<()> {
    ensure_node()?;
    let file = project.root.join(BUDGET);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let mut above = Vec::new();
    let mut lines = String::new();
    for (part, names) in PARTS {
        let size = weigh(project, dist, names)?;
        let budget = budget_of(&text, part);
        let limit = budget.map(|it| it + it * SLACK / 1000);
        print_note(&format!("{part:<14}{size:>9} bytes brotli, budget {}", shown(budget)));
        if limit.is_some_and(|limit| size > limit) {
            above.push(format!("{part}: {size} bytes, {} are allowed", shown(budget)));
        }
        let _ = writeln!(lines, "{part} {}", budget.map_or(size, |it| it.min(size)));
    }
    if write {
        let head: String = text
            .lines()
            .filter(|it| it.starts_with('#'))
            .fold(String::new(), |out, it| out + it + "\n");
        std::fs::write(file, head + &lines)?;
        print_line("the budget holds what is there");
    }
    if above.is_empty() {
        return Ok(());
    }
    Err(format!("too large: {}; see {BUDGET}", above.join("; ")).into())
}

/// Every part with its bytes after brotli.
pub(crate) fn weights(project: &Project, dist: &Path) -> Outcome<Vec<(&'static str, u64)>> {
    ensure_node()?;
    PARTS.iter().map(|(part, names)| Ok((*part, weigh(project, dist, names)?))).collect()
}

fn shown(budget: Option<u64>) -> String {
    budget.map_or_else(|| "none".to_owned(), |it| it.to_string())
}

/// The budget of a part.
fn budget_of(text: &str, part: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == part)?.1.trim().parse().ok()
}

fn weigh(project: &Project, dist: &Path, names: &[&str]) -> Outcome<u64> {
    let statics = statics_of(dist)?;
    let files = names.iter().map(|name| match name.strip_prefix("static/") {
        Some(rest) => dist.join(&statics).join(rest),
        None => dist.join(name),
    });
    let mut command = project.command("node");
    command.args(["-e", SCRIPT, "--"]).args(files);
    let printed = output_of(&mut command).ok_or("node could not compress the files")?;
    Ok(printed.lines().filter_map(|line| line.trim().parse::<u64>().ok()).sum())
}

fn statics_of(dist: &Path) -> Outcome<String> {
    for entry in std::fs::read_dir(dist)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("static-") {
            return Ok(name);
        }
    }
    Err("dist/ has no static files: run `cargo xtask dist` first".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_name_and_a_number() {
        let text = "# comment\nmodule 12\neditor 7\n";
        assert_eq!(budget_of(text, "editor"), Some(7));
        assert_eq!(budget_of(text, "style"), None);
    }
}
