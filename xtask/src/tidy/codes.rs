//! Diagnostic codes: declared once, in kebab case, each with its page.

use std::collections::BTreeMap;

use super::{File, Problem};

const CORE: &str = "crates/core/src/";
const PAGES: &str = "docs/diagnostics/";
const CONSTRUCTORS: [&str; 3] = ["Code::error(\"", "Code::warning(\"", "Code::note(\""];

pub(super) fn check(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut declared: BTreeMap<&str, (&File, usize)> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.starts_with(CORE) && !file.is_test()) {
        for (number, code) in declarations(file) {
            if !is_kebab_case(code) {
                let text = format!("code `{code}` is not in kebab case");
                problems.push(file.problem(number, "codes", text));
            }
            if let Some((first, line)) = declared.insert(code, (file, number)) {
                let text = format!("code `{code}` is declared in {}:{line} too", first.path);
                problems.push(file.problem(number, "codes", text));
            }
        }
    }
    let pages: Vec<(&str, &File)> = files
        .iter()
        .filter_map(|file| {
            let name = file.path.strip_prefix(PAGES)?.strip_suffix(".md")?;
            // Pages in other languages lie in folders of their own.
            (name != "README" && !name.contains('/')).then_some((name, file))
        })
        .collect();
    for (name, page) in &pages {
        if !declared.contains_key(name) {
            problems.push(page.problem(1, "codes", format!("no diagnostic has the code `{name}`")));
        }
    }
    // Pages are written for all codes or for none.
    if !pages.is_empty() {
        for (code, (file, number)) in &declared {
            if !pages.iter().any(|(name, _)| name == code) {
                let text = format!("code `{code}` has no page {PAGES}{code}.md");
                problems.push(file.problem(*number, "codes", text));
            }
        }
    }
    problems
}

fn declarations(file: &File) -> impl Iterator<Item = (usize, &str)> {
    file.code_lines().flat_map(|(number, line)| {
        CONSTRUCTORS.iter().filter_map(move |constructor| {
            let (_, rest) = line.split_once(constructor)?;
            Some((number, rest.split('"').next()?))
        })
    })
}

fn is_kebab_case(code: &str) -> bool {
    code.split('-').all(|word| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> = files
            .iter()
            .map(|(path, text)| File { path: (*path).to_owned(), text: (*text).to_owned() })
            .collect();
        check(&files).into_iter().map(|problem| problem.text).collect()
    }

    const ONE: (&str, &str) =
        ("crates/core/src/yaml/codes.rs", "const A: Code = Code::error(\"bad-key\");\n");

    #[test]
    fn codes_are_kebab_case_and_unique() {
        assert!(problems(&[ONE]).is_empty());
        let twice = ("crates/core/src/api/codes.rs", "const B: Code = Code::note(\"bad-key\");\n");
        assert_eq!(problems(&[ONE, twice]).len(), 1);
        let camel = ("crates/core/src/api/codes.rs", "const B: Code = Code::note(\"badKey\");\n");
        assert_eq!(problems(&[ONE, camel]), ["code `badKey` is not in kebab case"]);
    }

    #[test]
    fn codes_and_pages_belong_together() {
        let translated = ("docs/diagnostics/zh-TW/bad-key.md", "");
        assert!(problems(&[ONE, ("docs/diagnostics/bad-key.md", ""), translated]).is_empty());
        assert_eq!(
            problems(&[ONE, ("docs/diagnostics/other.md", "")]),
            [
                "no diagnostic has the code `other`",
                "code `bad-key` has no page docs/diagnostics/bad-key.md"
            ]
        );
    }
}
