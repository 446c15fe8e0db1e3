//! `dra-playground-oracle`: seeded cases through the real code and through ours.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use dra_playground_oracle::generator::{allocation_case, cel_case};
use dra_playground_oracle::process;
use dra_playground_oracle::release::{RELEASES, Release};
use dra_playground_oracle::tally::Tally;
use serde_json::Value;

const HELP: &str = "\
Seeded scenarios and CEL cases, answered by the real code of a Kubernetes release.

dra-playground-oracle generate alloc|cel [--release R] [--seed N] [--count N]
    prints cases without answers
dra-playground-oracle answer [--release R] FILE...
    answers the records of files
dra-playground-oracle tally alloc|cel [--release R] [--seed N] [--count N]
    answers generated cases and prints the shares of outcomes

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
        "tally" => {
            let mut tally = Tally::default();
            process::answer(options.release, cases(options)?, |line| {
                let record: Value = serde_json::from_str(&line)?;
                tally.add(&record);
                Ok(())
            })?;
            writeln!(io::stdout(), "{}: {tally}", options.release.name)
        }
        _ => Err(wrong(format!("unknown command `{command}`"))),
    }
}

fn cases(options: &Options) -> io::Result<impl Iterator<Item = String> + Send + use<>> {
    let (seed, profile) = (options.seed, options.release.profile());
    let case = match options.rest.first().map(String::as_str) {
        Some("alloc") => allocation_case,
        Some("cel") => cel_case,
        _ => return Err(wrong("say `alloc` or `cel`".into())),
    };
    Ok((0..options.count).map(move |index| case(seed, index, profile).to_string()))
}
