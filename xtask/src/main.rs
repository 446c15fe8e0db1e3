//! The project's own commands: `cargo xtask serve | dist | test | …`.
//!
//! Each command sets up what it needs, says what it installs, and is quick the second time. Only
//! the standard library is used, so that the first command on a fresh machine starts at once.

mod output;
mod shell;
mod setup;
mod wasm_target;
mod page;
mod guide;
mod dist;
mod server;
mod serve;
mod size;
mod squeeze;
mod weigh;
mod tidy;
mod browser;
mod checks;
mod bench;
mod deny;
mod coverage;
mod reproduce;
mod fuzz;

use std::process::ExitCode;

use crate::output::{print_error, print_line};
use crate::shell::{Outcome, Project};

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  serve [--port N] [--release]   build the page, serve it on localhost, rebuild on change
  dist                           build the deployable static folder dist/
  test [--no-browser]            every check and every test
  browser [--quick] [--firefox] [FILE …]
                                 build dist/ and run the tests in Chromium only, or those in
                                 Firefox; --quick takes the build of `serve`, FILE names a file of
                                 tests/browser or tests/firefox
  size [--write]                 what dist/ weighs beside its budget; --write lowers the budget
  bench [--write] [SECTION …]    sizes (`size`), times of the page (`page`), and times of Kubernetes'
                                 code and ours (`native`); --write puts them into
                                 docs/performance.md
  fuzz [--seconds N] [TARGET …]  the targets of tests/fuzz under libFuzzer, 600 seconds each; adds
                                 to docs/fuzzing.md
  deny                           licences, duplicates, sources and advisories of dependencies
  reproduce                      two clean builds in two folders, compared byte by byte
  coverage [--write]             which lines of core and CEL the tests run; --write puts the
                                 figures into docs/coverage.md
  tidy                           the project's own rules: module order, front pages, lengths, …";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[&str]) -> Outcome<()> {
    let project = Project::find()?;
    match args {
        ["serve", options @ ..] => serve::run(&project, &serve::Options::parse(options)?),
        ["dist"] => dist::build(&project).map(drop),
        ["test"] => checks::run_all(&project, true),
        ["test", "--no-browser"] => checks::run_all(&project, false),
        ["browser", options @ ..] => checks::run_browser(&project, options),
        ["size"] => size::check(&project, &dist::build(&project)?, false),
        ["size", "--write"] => size::check(&project, &dist::build(&project)?, true),
        ["bench", options @ ..] => bench::report(&project, options),
        ["fuzz", options @ ..] => fuzz::fuzz(&project, options),
        ["deny"] => deny::check(&project),
        ["reproduce"] => reproduce::check(&project),
        ["coverage"] => coverage::report(&project, false),
        ["coverage", "--write"] => coverage::report(&project, true),
        ["tidy"] => tidy::run(&project),
        ["help" | "--help" | "-h"] => {
            print_line(USAGE);
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}
