//! `cargo xtask deny`: what the dependencies are allowed to be, by `deny.toml`.

use std::process::Command;

use crate::output::print_note;
use crate::setup::ensure_cargo_tool;
use crate::shell::{Outcome, Project, run};

/// Checks licences, duplicates, sources, and known advisories where their list can be had.
pub(crate) fn check(project: &Project) -> Outcome<()> {
    let program = ensure_cargo_tool(project, "cargo-deny", "0.20.2")?;
    let deny = || -> Command {
        let mut command = project.command(&program);
        command.args(["--locked", "--workspace", "--log-level", "warn"]);
        command
    };
    run(deny().args(["check", "bans", "licenses", "sources"]))?;
    if run(deny().args(["fetch", "db"])).is_err() {
        print_note("SKIPPED: known advisories, since their list cannot be fetched from here");
        return Ok(());
    }
    run(deny().args(["--offline", "check", "advisories"]))
}
