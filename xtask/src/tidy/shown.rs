//! The tests that `docs/hostile-input.md` names exist.

use super::{File, Problem};

const PAGE: &str = "docs/hostile-input.md";

pub(super) fn check(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let Some(page) = files.iter().find(|file| file.path == PAGE) else { return problems };
    for (number, line) in page.text.lines().enumerate() {
        let shown = line.rsplit(" | ").next().unwrap_or_default();
        if !line.starts_with("| ") || !shown.contains('`') {
            continue;
        }
        for (file, test) in named(shown) {
            let text = files.iter().find(|it| it.path == file).map(|it| it.text.as_str());
            if !text.is_some_and(|text| text.contains(test)) {
                let text = format!("`{file}` has no test `{test}`");
                problems.push(page.problem(number + 1, "shown", text));
            }
        }
    }
    problems
}

/// Pairs of a file and a test in it, which are quoted one after the other.
fn named(shown: &str) -> impl Iterator<Item = (&str, &str)> {
    shown.split(';').map(|pair| {
        let mut quoted = pair.split('`').skip(1).step_by(2);
        (quoted.next().unwrap_or_default(), quoted.next().unwrap_or("(unnamed)"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_is_gone_is_told() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let row = "| a | b | `a.rs` `known`; `a.rs` `gone`; `b.rs` `known` |";
        let problems = check(&[file(PAGE, row), file("a.rs", "fn known() {}")]);
        let texts: Vec<&str> = problems.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["`a.rs` has no test `gone`", "`b.rs` has no test `known`"]);
    }
}
