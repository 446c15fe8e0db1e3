//! The project's folders, and running other programs in them.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::output::print_line;

/// The result of a command; the error is one readable text.
pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// Where things are.
#[derive(Debug, Clone)]
pub(crate) struct Project {
    /// The folder with the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// The folder of build products, usually `target`.
    pub(crate) target: PathBuf,
}

impl Project {
    /// Finds the project that this program belongs to.
    pub(crate) fn find() -> Outcome<Self> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .ok_or("start this program as `cargo xtask COMMAND`")?;
        let root = Path::new(&manifest).parent().ok_or("xtask has no parent folder")?.to_path_buf();
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(dir) => root.join(dir),
            None => root.join("target"),
        };
        Ok(Self { root, target })
    }

    /// The package manager that started this program, run in the project's folder.
    pub(crate) fn cargo(&self) -> Command {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        self.command(program)
    }

    /// Any program, run in the project's folder without input.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).stdin(Stdio::null());
        command
    }
}

/// Runs `command` to its end; an exit code other than 0 is an error that names the command.
pub(crate) fn run(command: &mut Command) -> Outcome<()> {
    let status = command.status().map_err(|error| describe(command, &error.to_string()))?;
    if status.success() { Ok(()) } else { Err(describe(command, &status.to_string()).into()) }
}

/// Runs `command`, passing each line of its standard output on, also to `see`.
pub(crate) fn run_watching(command: &mut Command, mut see: impl FnMut(&str)) -> Outcome<()> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| describe(command, &error.to_string()))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            print_line(&line);
            see(&line);
        }
    }
    let status = child.wait()?;
    if status.success() { Ok(()) } else { Err(describe(command, &status.to_string()).into()) }
}

/// The standard output of `command`, or nothing when it fails or does not exist.
pub(crate) fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs `command` for at most `limit`; says whether it ended well within it.
pub(crate) fn run_within(command: &mut Command, limit: Duration) -> bool {
    let Ok(mut child) = command.stdin(Stdio::null()).spawn() else {
        return false;
    };
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if start.elapsed() < limit => {
                std::thread::sleep(Duration::from_millis(100));
            }
            Ok(None) | Err(_) => {
                // A process that is already gone is as good as a killed one.
                drop(child.kill());
                drop(child.wait());
                return false;
            }
        }
    }
}

/// Finds a program on the search path.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

fn describe(command: &Command, problem: &str) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|arg| arg.to_string_lossy().into_owned()));
    format!("`{}` failed: {problem}", words.join(" "))
}
