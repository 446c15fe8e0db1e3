//! Whatever the examples bring up is said in every language: findings, notes, fixes, remarks.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::case_sensitive_file_extension_comparisons,
    clippy::format_collect,
    reason = "the test reads the project's own files"
)]

use std::path::{Path, PathBuf};

use dra_playground_core::diagnostic::translate;
use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::{Analysis, Options};

/// The YAML and JSON blocks of a Markdown text.
fn blocks(text: &str) -> Vec<String> {
    let parts = text.split("```").skip(1).step_by(2);
    let code = parts.filter(|it| it.starts_with("yaml") || it.starts_with("json"));
    code.map(|it| it.split_once('\n').map_or("", |(_, code)| code).to_owned()).collect()
}

fn texts(folder: &str, found: &mut Vec<(String, String)>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.into_iter().filter(|path| path.is_file()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if name.ends_with(".yaml") {
            found.push((name, text));
        } else if name.ends_with(".md") {
            found.extend(blocks(&text).into_iter().map(|block| (name.clone(), block)));
        }
    }
}

/// Everything that we say in our own words.
fn sentences(analysis: &Analysis) -> Vec<&str> {
    let mut all = Vec::new();
    for found in &analysis.diagnostics {
        all.push(found.message.as_str());
        all.extend(found.notes.iter().map(String::as_str));
        all.extend(found.related.iter().map(|(_, text)| text.as_str()));
        all.extend(found.fixes.iter().map(|fix| fix.title.as_str()));
    }
    let remarks = analysis.remarks.iter().flat_map(|remark| &remark.text.0);
    all.extend(remarks.map(|piece| piece.text.as_str()));
    all.extend(analysis.kubernetes.gates.iter().map(|gate| gate.summary.as_str()));
    all.retain(|text| !text.is_empty());
    all
}

#[test]
fn every_example_speaks_chinese() {
    let mut all = Vec::new();
    for folder in ["docs/diagnostics", "docs/guide", "examples"] {
        texts(folder, &mut all);
    }
    assert!(all.len() > 80, "only {} texts", all.len());
    let options = Options { language: "zh-TW".to_owned(), ..Options::default() };
    let mut missing = Vec::new();
    for (name, text) in all {
        let analysis = Workspace::new().analyze(&text, &options);
        let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c));
        let english = sentences(&analysis).into_iter().filter(|text| !is_chinese(text));
        missing.extend(english.map(|text| format!("{name}: {text}")));
    }
    missing.sort();
    missing.dedup();
    assert!(missing.is_empty(), "add to languages/zh-TW.json: {missing:#?}");
}

/// Sources that word what the reader sees.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" && name != "words" && name != "conformance" {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// The strings of a source without its tests, `{…}` as `{}`, each with what stands before it.
fn strings(source: &str) -> Vec<(String, String)> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut found = Vec::new();
    let mut rest = code.replace("'\"'", "' '");
    while let Some(at) = rest.find('"') {
        let before: String =
            rest[..at].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
        let mut text = String::new();
        let mut letters = rest[at + 1..].char_indices();
        let mut end = rest.len();
        while let Some((offset, letter)) = letters.next() {
            match letter {
                '\\' => match letters.next() {
                    Some((_, '\n')) => {
                        let after =
                            rest[at + 1..].char_indices().skip_while(|(it, _)| *it <= offset + 1);
                        let blank = after.take_while(|(_, it)| it.is_whitespace()).count();
                        for _ in 0..blank {
                            letters.next();
                        }
                    }
                    Some((_, other)) => text.push(other),
                    None => break,
                },
                '"' => {
                    end = at + 1 + offset + 1;
                    break;
                }
                other => text.push(other),
            }
        }
        rest = rest.get(end..).unwrap_or_default().to_owned();
        let mut plain = String::new();
        for (index, piece) in text.split('{').enumerate() {
            match piece.split_once('}').filter(|_| index > 0) {
                Some((_, after)) => {
                    plain.push_str("{}");
                    plain.push_str(after);
                }
                None => plain.push_str(piece),
            }
        }
        found.push((before, plain));
    }
    found
}

/// What a sentence stands in.
const SAYS: [&str; 6] =
    [".note(", ".label(", ".also(", "Fix::new(", "Diagnostic::new(", "Remark {"];

#[test]
fn every_sentence_of_the_stages_is_translated() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.sort();
    let (mut missing, mut count) = (Vec::new(), 0);
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        for (before, text) in strings(&source) {
            let is_said = SAYS.iter().any(|says| {
                let tail = before.rsplit(says).next().unwrap_or_default();
                before.contains(says) && !tail.contains(';') && !tail.contains(')')
            });
            let words = text
                .split_whitespace()
                .filter(|it| it.chars().all(|c| c.is_ascii_lowercase()))
                .count();
            count += usize::from(is_said && words >= 2);
            if is_said
                && words >= 2
                && translate(&text.replace("{}", "x"), "zh-TW") == text.replace("{}", "x")
            {
                let name = file.strip_prefix(&root).unwrap().display().to_string();
                missing.push(format!("{name}: {text}"));
            }
        }
    }
    assert!(count > 40, "only {count} sentences were found");
    assert!(missing.is_empty(), "add to languages/zh-TW.json: {missing:#?}");
}
