//! The Go program: building it for a release and piping records through it.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use crate::release::Release;

/// Flags that keep every search short; what takes longer is answered as `timeout`.
const QUICK: [&str; 1] = ["-search-time=2s"];

/// Which real code answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// The allocator and the CEL compiler of `k8s.io/dynamic-resource-allocation`.
    Allocation,
    /// Decoding, defaults, conversion and validation of `k8s.io/kubernetes`.
    Admission,
    /// The scheduler and the controllers of `k8s.io/kubernetes`.
    Scheduler,
}

impl Program {
    /// Its folder, and the first part of its binary's name.
    fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Allocation => ("go", "oracle"),
            Self::Admission => ("go/admission", "admission"),
            Self::Scheduler => ("go/scheduler", "scheduler"),
        }
    }

    /// Build tags: what the release's modules lack, or which of their forms to use.
    fn tags(self, release: Release) -> String {
        match self {
            Self::Allocation => release.tags.to_owned(),
            Self::Admission | Self::Scheduler => format!("minor_{}", release.minor),
        }
    }
}

/// Builds the program of a release if its binary is missing or older than its sources.
///
/// # Errors
/// When `go build` cannot be started or fails; its own output goes to standard error.
pub fn build(program: Program, release: Release) -> io::Result<PathBuf> {
    let (folder, name) = program.place();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/oracle");
    fs::create_dir_all(&target)?;
    let binary = target.join(format!("{name}-{}", release.name));
    if is_fresh(&binary, &sources)? {
        return Ok(binary);
    }
    let status = Command::new("go")
        .arg("build")
        .arg(format!("-modfile=releases/{}.mod", release.name))
        .args(["-tags", &program.tags(release), "-o"])
        .arg(&binary)
        .arg(".")
        .current_dir(&sources)
        .status()?;
    if status.success() {
        Ok(binary)
    } else {
        Err(io::Error::other(format!("go build failed for {}", release.name)))
    }
}

fn is_fresh(binary: &Path, sources: &Path) -> io::Result<bool> {
    let Ok(built) = fs::metadata(binary).and_then(|meta| meta.modified()) else {
        return Ok(false);
    };
    for folder in [sources.to_path_buf(), sources.join("releases")] {
        for entry in fs::read_dir(folder)? {
            let meta = entry?.metadata()?;
            if meta.is_file() && meta.modified()? > built {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Sends records, one JSON object per line, and hands each answered line to `sink` in order.
///
/// # Errors
/// When the program cannot be started, ends early or answers fewer records than were sent.
pub fn answer(
    release: Release,
    records: impl IntoIterator<Item = String> + Send + 'static,
    sink: impl FnMut(String) -> io::Result<()>,
) -> io::Result<()> {
    answer_with(Program::Allocation, release, &[], records, sink)
}

/// The same where no search may take long: for cases that nobody chose to be small.
///
/// # Errors
/// Those of [`answer`].
pub fn answer_quickly(
    release: Release,
    records: impl IntoIterator<Item = String> + Send + 'static,
    sink: impl FnMut(String) -> io::Result<()>,
) -> io::Result<()> {
    answer_with(Program::Allocation, release, &QUICK, records, sink)
}

/// The same with the program named.
///
/// # Errors
/// Those of [`answer`].
pub fn answer_by(
    program: Program,
    release: Release,
    records: impl IntoIterator<Item = String> + Send + 'static,
    sink: impl FnMut(String) -> io::Result<()>,
) -> io::Result<()> {
    answer_with(program, release, &[], records, sink)
}

fn answer_with(
    program: Program,
    release: Release,
    flags: &[&str],
    records: impl IntoIterator<Item = String> + Send + 'static,
    mut sink: impl FnMut(String) -> io::Result<()>,
) -> io::Result<()> {
    let mut child = Command::new(build(program, release)?)
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let missing = || io::Error::other("the oracle has no pipe");
    let mut stdin = child.stdin.take().ok_or_else(missing)?;
    let stdout = child.stdout.take().ok_or_else(missing)?;
    // The program answers while it still reads; a full pipe must not stop both.
    let writer = thread::spawn(move || -> io::Result<u64> {
        let mut sent = 0;
        for record in records {
            stdin.write_all(record.trim_end().as_bytes())?;
            stdin.write_all(b"\n")?;
            sent += 1;
        }
        Ok(sent)
    });
    let mut received = 0;
    for line in BufReader::new(stdout).lines() {
        sink(line?)?;
        received += 1;
    }
    let status = child.wait()?;
    let sent = writer.join().map_err(|_| io::Error::other("the writer failed"))??;
    if status.success() && sent == received {
        Ok(())
    } else {
        Err(io::Error::other(format!("{sent} records sent, {received} answered, {status}")))
    }
}

/// A running program that is asked one record after another.
#[derive(Debug)]
pub struct Session {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Session {
    /// Starts the program of a release.
    ///
    /// # Errors
    /// When it cannot be built or started.
    pub fn start(release: Release) -> io::Result<Self> {
        Self::start_by(Program::Allocation, release)
    }

    /// The same for scenarios of which no search may take more than two seconds.
    ///
    /// # Errors
    /// Those of [`Session::start`].
    pub fn start_quick(release: Release) -> io::Result<Self> {
        Self::start_with(Program::Allocation, release, &QUICK)
    }

    /// The same with the program named.
    ///
    /// # Errors
    /// Those of [`Session::start`].
    pub fn start_by(program: Program, release: Release) -> io::Result<Self> {
        Self::start_with(program, release, &[])
    }

    fn start_with(program: Program, release: Release, flags: &[&str]) -> io::Result<Self> {
        let mut child = Command::new(build(program, release)?)
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let missing = || io::Error::other("the oracle has no pipe");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        Ok(Self { child, stdin, stdout })
    }

    /// Answers one record; `None` when the program does not accept it and has ended.
    pub fn ask(&mut self, record: &str) -> Option<String> {
        self.stdin.write_all(record.as_bytes()).ok()?;
        self.stdin.write_all(b"\n").ok()?;
        self.stdin.flush().ok()?;
        let mut line = String::new();
        match self.stdout.read_line(&mut line) {
            Ok(length) if length > 0 => Some(line),
            _ => None,
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
