//! The command-line side of DRA Playground: thin over the core's workspace.

mod args;
mod cel;
mod check;
mod docs;
mod explain;
mod files;
mod folder;
mod help;
mod link;
mod output;
mod run;
mod snapshot;
mod tally;
mod test;
mod vectors;

use std::process::ExitCode;

use args::Args;

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
    let done = Args::parse(std::env::args().skip(1)).and_then(|args| dispatch(&args));
    match done.and_then(|found| output::finish().map(|()| found)) {
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
        let asked =
            if args.command == "help" { args.operands.first() } else { Some(&args.command) };
        output::line(&help::about(asked.map_or("", String::as_str))?);
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
        "" => Err(format!("a command is missing\n\n{}", help::about("")?)),
        other => help::about(other).map(|_| Findings::None),
    }
}
