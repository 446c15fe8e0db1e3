//! `cargo xtask serve`: the page on localhost, rebuilt when its sources change.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::output::{print_error, print_line, print_step};
use crate::page::{self, Build};
use crate::server::{self, Site};
use crate::shell::{Outcome, Project};

/// What the page is made of, relative to the project's folder.
const SOURCES: [&str; 8] = [
    "crates",
    "static",
    "examples",
    "docs",
    "index.html",
    "embed.html",
    "dra-playground.js",
    "Cargo.lock",
];
const LOOK_EVERY: Duration = Duration::from_millis(700);

/// The options of the command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    port: Option<u16>,
    build: Build,
}

impl Options {
    /// Reads `--port N` and `--release`.
    pub(crate) fn parse(args: &[&str]) -> Outcome<Self> {
        let mut options = Self { port: None, build: Build::Quick };
        let mut rest = args;
        loop {
            rest = match rest {
                [] => return Ok(options),
                ["--release", rest @ ..] => {
                    options.build = Build::Optimized;
                    rest
                }
                ["--port", port, rest @ ..] => {
                    let port = port.parse().map_err(|_| format!("`{port}` is not a port"))?;
                    options.port = Some(port);
                    rest
                }
                [other, ..] => {
                    return Err(format!(
                        "unknown option `{other}`; usage: cargo xtask serve [--port N] [--release]"
                    )
                    .into());
                }
            };
        }
    }
}

/// Builds, serves and rebuilds until it is interrupted.
pub(crate) fn run(project: &Project, options: &Options) -> Outcome<()> {
    let listener = server::listen(options.port)?;
    let mut seen = newest(project);
    let folder = page::build(project, options.build)?;
    let address = listener.local_addr()?;
    let builds = Arc::new(AtomicU64::new(1));
    let site = Site { folder, mount: String::new(), builds: Some(Arc::clone(&builds)) };
    thread::spawn(move || server::serve(&listener, &site));
    print_line(&format!(
        "\n  DRA Playground: http://localhost:{}/\n\n  It is rebuilt when a source file changes; \
         Ctrl-C ends it.",
        address.port()
    ));
    loop {
        thread::sleep(LOOK_EVERY);
        let now = newest(project);
        if now == seen {
            continue;
        }
        seen = now;
        print_step("a source file changed");
        match page::build(project, options.build) {
            Ok(_) => {
                builds.fetch_add(1, Ordering::SeqCst);
                print_step("rebuilt");
            }
            Err(error) => print_error(&format!("{error}; the page stays as it was")),
        }
    }
}

/// The number of source files and the latest time at which one was changed.
fn newest(project: &Project) -> (usize, Option<SystemTime>) {
    let mut state = (0, None);
    for source in SOURCES {
        look(&project.root.join(source), &mut state);
    }
    state
}

fn look(path: &Path, state: &mut (usize, Option<SystemTime>)) {
    let Ok(meta) = std::fs::metadata(path) else {
        return;
    };
    if !meta.is_dir() {
        state.0 += 1;
        state.1 = state.1.max(meta.modified().ok());
    } else if path.file_name().is_some_and(|name| name != "node_modules")
        && let Ok(entries) = std::fs::read_dir(path)
    {
        for entry in entries.flatten() {
            look(&entry.path(), state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_any_order() {
        let both = Options { port: Some(9000), build: Build::Optimized };
        assert_eq!(Options::parse(&["--port", "9000", "--release"]).unwrap(), both);
        assert_eq!(Options::parse(&["--release", "--port", "9000"]).unwrap(), both);
        assert!(Options::parse(&["--port"]).is_err());
        assert!(Options::parse(&["--port", "x"]).is_err());
    }
}
