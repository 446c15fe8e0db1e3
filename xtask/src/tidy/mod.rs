//! The project's own rules, for what neither compiler nor clippy sees.
//!
//! They run as `cargo xtask tidy` and as a test of this package, so that `cargo test` is the whole
//! truth. Each rule is a function from the project's files to the places that break it.

mod layers;
mod rust_files;
mod codes;
mod words;
mod shown;

use std::fmt;
use std::path::Path;

use crate::output::print_line;
use crate::shell::{Outcome, Project};

/// Folders that hold no files of ours.
const NOT_OURS: [&str; 4] = ["target", "dist", "node_modules", ".git"];

/// A text file of the project.
#[derive(Debug, Clone)]
struct File {
    /// Relative to the project's folder, with `/`.
    path: String,
    text: String,
}

impl File {
    fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|extension| extension == "rs")
    }

    /// Whether all of the file is test code.
    fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs")
            || self.path.split('/').any(|folder| folder == "tests" || folder == "benches")
    }

    /// Lines with their numbers from 1, up to the tests at the end of the file.
    fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut lines = self.text.lines().enumerate().peekable();
        std::iter::from_fn(move || {
            let (index, line) = lines.next()?;
            let is_tests = line.trim() == "#[cfg(test)]"
                && lines.peek().is_some_and(|(_, next)| next.starts_with("mod tests {"));
            (!is_tests).then_some((index + 1, line))
        })
    }

    fn problem(&self, line: usize, rule: &'static str, text: impl Into<String>) -> Problem {
        Problem { path: self.path.clone(), line, rule, text: text.into() }
    }
}

/// A place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Problem {
    path: String,
    line: usize,
    rule: &'static str,
    text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} [{}]", self.path, self.line, self.text, self.rule)
    }
}

/// Checks all rules and prints what breaks them.
pub(crate) fn run(project: &Project) -> Outcome<()> {
    let problems = problems_of(&project.root)?;
    for problem in &problems {
        print_line(&problem.to_string());
    }
    match problems.len() {
        0 => Ok(()),
        1 => Err("1 place is not tidy".into()),
        count => Err(format!("{count} places are not tidy").into()),
    }
}

fn problems_of(root: &Path) -> Outcome<Vec<Problem>> {
    let mut files = Vec::new();
    read_files(root, root, &mut files)?;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let mut problems = layers::check(&files);
    problems.extend(rust_files::check(&files));
    problems.extend(codes::check(&files));
    problems.extend(words::check(&files));
    problems.extend(shown::check(&files));
    problems.sort();
    Ok(problems)
}

/// Reads every text file below `dir`.
fn read_files(root: &Path, dir: &Path, files: &mut Vec<File>) -> Outcome<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if NOT_OURS.contains(&&*name) {
            continue;
        }
        if path.is_dir() {
            read_files(root, &path, files)?;
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let path = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            files.push(File { path, text });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_tidy() {
        let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
        let problems = problems_of(xtask.parent().unwrap()).unwrap();
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(lines.is_empty(), "\n{}", lines.join("\n"));
    }

    #[test]
    fn code_ends_where_the_tests_begin() {
        let text = "//! Front.\nfn a() {}\n#[cfg(test)]\nmod tests {\n}\n".to_owned();
        let file = File { path: "a.rs".into(), text };
        assert_eq!(file.code_lines().count(), 2);
    }
}
