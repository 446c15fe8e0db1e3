//! What no text of the project says: places of one machine.

use super::{File, Problem};

/// Beginnings of paths that exist on somebody's machine only.
const MACHINE_PATHS: [&str; 4] = ["/home/", "/Users/", "/root/", concat!("/wo", "rk/")];
/// The given folder is found through `DRA_PLAYGROUND_CASES`; the one script of CI sets it.
const GIVEN_FOLDER: &str = concat!("../sha", "red");
const CI: &str = ".ci/run";

pub(super) fn check(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| !is_generated(file)) {
        for (index, line) in file.text.lines().enumerate() {
            for path in MACHINE_PATHS {
                if names_path(line, path) {
                    let text = format!("`{path}` is a place of one machine");
                    problems.push(file.problem(index + 1, "words", text));
                }
            }
            if file.path != CI && line.contains(GIVEN_FOLDER) {
                let text = format!("only {CI} names the folder of recorded cases");
                problems.push(file.problem(index + 1, "words", text));
            }
        }
    }
    problems
}

/// This rule's own table and what tools write.
fn is_generated(file: &File) -> bool {
    file.path == "xtask/src/tidy/words.rs"
        || file.path.ends_with("package-lock.json")
        || file.path.ends_with(".min.js")
}

/// Whether `path` begins a word of `line`: not a part of a URL or of a longer path.
fn names_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        before.is_none_or(|c| c.is_whitespace() || "\"'`(=:,".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&[File { path: path.to_owned(), text: text.to_owned() }]).len()
    }

    #[test]
    fn machine_paths_are_found_url_paths_are_not() {
        assert_eq!(count("a.md", "see /home/me/notes\n"), 1);
        assert_eq!(count("a.rs", "open(\"/root/x\")\n"), 1);
        assert_eq!(count("a.md", "https://example.com/home/page\n"), 0);
        assert_eq!(count("a.rs", "image(\"docs/home/x\")\n"), 0);
    }

    #[test]
    fn one_script_names_the_given_folder() {
        assert_eq!(count(".ci/run", GIVEN_FOLDER), 0);
        assert_eq!(count("a.rs", GIVEN_FOLDER), 1);
    }
}
