//! What every Rust file has to look like.

use super::{File, Problem};

/// The longest file, without its tests.
const MAX_LINES: usize = 600;
/// The longest front page.
const MAX_FRONT: usize = 25;
/// Files where a cut would only hide the end of it: grammars with one function a rule, in the
/// grammar's order.
const LONG: [&str; 2] =
    ["crates/cel/src/syntax/parser.rs", "crates/cel/src/library/regex/parse.rs"];

pub(super) fn check(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        check_front(file, &mut problems);
        check_length(file, &mut problems);
        check_todo(file, &mut problems);
    }
    problems
}

/// The first file that a newcomer opens in a folder says what the folder is for.
fn check_front(file: &File, problems: &mut Vec<Problem>) {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    if file.is_test() || !["mod.rs", "lib.rs", "main.rs"].contains(&name) {
        return;
    }
    match file.text.lines().take_while(|line| line.starts_with("//!")).count() {
        0 => problems.push(file.problem(1, "front-page", "begin with a front page (`//!`)")),
        lines if lines > MAX_FRONT => {
            let text = format!("front page of {lines} lines, at most {MAX_FRONT}");
            problems.push(file.problem(1, "front-page", text));
        }
        _ => {}
    }
}

fn check_length(file: &File, problems: &mut Vec<Problem>) {
    if file.is_test() || LONG.contains(&file.path.as_str()) {
        return;
    }
    let lines = file.code_lines().count();
    if lines > MAX_LINES {
        let text = format!("{lines} lines without tests, at most {MAX_LINES}");
        problems.push(file.problem(lines, "length", text));
    }
}

/// A promise without an issue is kept by nobody.
fn check_todo(file: &File, problems: &mut Vec<Problem>) {
    for (index, line) in file.text.lines().enumerate() {
        let Some((_, comment)) = line.split_once("//") else {
            continue;
        };
        for word in ["TODO", "FIXME", "XXX"] {
            let Some((_, rest)) = comment.split_once(word) else {
                continue;
            };
            let issue = rest.strip_prefix("(#").and_then(|rest| rest.split_once(')'));
            if issue.is_none_or(|(number, _)| number.parse::<u32>().is_err()) {
                let text = format!("write `{word}(#N)` with the number of an issue");
                problems.push(file.problem(index + 1, "todo", text));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(path: &str, text: &str) -> Vec<&'static str> {
        let file = File { path: path.to_owned(), text: text.to_owned() };
        check(&[file]).iter().map(|problem| problem.rule).collect()
    }

    #[test]
    fn folders_have_a_front_page_of_a_page() {
        assert_eq!(rules("a/mod.rs", "use b;\n"), ["front-page"]);
        assert_eq!(rules("a/lib.rs", &"//! x\n".repeat(26)), ["front-page"]);
        assert!(rules("a/mod.rs", "//! What it is.\n").is_empty());
        assert!(rules("a/part.rs", "use b;\n").is_empty());
    }

    #[test]
    fn long_files_are_cut_their_tests_are_not() {
        let long = "fn a() {}\n".repeat(601);
        assert_eq!(rules("a/part.rs", &long), ["length"]);
        assert!(rules("a/tests.rs", &long).is_empty());
        assert!(rules("a/part.rs", &format!("#[cfg(test)]\nmod tests {{\n{long}}}\n")).is_empty());
    }

    #[test]
    fn promises_have_an_issue() {
        assert_eq!(rules("a/part.rs", concat!("// TO", "DO: later\n")), ["todo"]);
        assert_eq!(rules("a/part.rs", concat!("fn a() {} // FIX", "ME(#x)\n")), ["todo"]);
        assert!(rules("a/part.rs", concat!("// TO", "DO(#12): later\n")).is_empty());
    }
}
