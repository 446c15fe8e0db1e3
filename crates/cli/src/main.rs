//! The command-line side of DRA Playground: thin over the core's workspace.

mod args;
mod cel;
mod check;
mod docs;
mod explain;
mod files;
mod link;
mod output;
mod run;
mod test;
mod vectors;

use std::process::ExitCode;

use args::{Args, USAGE};

/// Whether a command found something that is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Findings {
    /// All is well.
    None,
    /// Something is not.
    Some,
}

impl Findings {
    fn when(found: bool) -> Self {
        if found { Self::Some } else { Self::None }
    }
}

fn main() -> ExitCode {
    match Args::parse(std::env::args().skip(1)).and_then(|args| dispatch(&args)) {
        Ok(Findings::None) => ExitCode::SUCCESS,
        Ok(Findings::Some) => ExitCode::from(1),
        Err(problem) => {
            output::complain(&problem);
            ExitCode::from(2)
        }
    }
}

fn dispatch(args: &Args) -> Result<Findings, String> {
    if args.help || args.command == "help" {
        output::line(USAGE.trim_end());
        return Ok(Findings::None);
    }
    match args.command.as_str() {
        "run" => run::run(args),
        "test" => test::run(args),
        "check" => check::run(args),
        "explain" => explain::run(args),
        "cel" => cel::run(args),
        "vectors" => vectors::run(args),
        "link" => link::run(args),
        "docs" => docs::run(args),
        "version" => {
            output::line(concat!("dra-playground ", env!("CARGO_PKG_VERSION")));
            Ok(Findings::None)
        }
        "" => Err(format!("a command is missing\n\n{USAGE}")),
        other => Err(format!("unknown command `{other}`\n\n{USAGE}")),
    }
}
