use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;

#[test]
fn what_the_user_wrote_keeps_its_place() {
    let said = |text| translate(text, "zh-TW");
    assert_eq!(said("unknown field `spec.x`"), "未知的欄位 `spec.x`");
    assert_eq!(said("there is no kind `A` in `b/v1`"), "`b/v1` 中沒有 `A` 這個種類");
    assert_eq!(said("`spec` must be a map, not number 3"), "`spec` 必須是物件，不能是數字 3");
    assert_eq!(said("nobody says this"), "nobody says this");
    assert_eq!(translate("unknown field `spec.x`", "en"), "unknown field `spec.x`");
}

#[test]
fn every_place_of_a_translation_is_in_its_key() {
    for (key, words) in zh_tw::ENTRIES {
        let places = key.matches("{}").count();
        for (index, piece) in words.split('{').enumerate().skip(1) {
            let number: usize = piece.split_once('}').unwrap().0.parse().unwrap();
            assert!(number < places, "{key}: place {number} (piece {index})");
        }
        let used = (0..places).filter(|at| words.contains(&format!("{{{at}}}"))).count();
        assert_eq!(used, places, "{key}: a place is not used");
    }
    let keys: BTreeSet<&str> = zh_tw::ENTRIES.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys.len(), zh_tw::ENTRIES.len(), "a key stands twice");
}

/// Sources that word what the reader sees.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" && name != "words" && name != "conformance" {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// The strings of a source without its tests, `{…}` as `{}`, each with what stands before it.
fn strings(source: &str) -> Vec<(String, String)> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String = source.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect();
    let mut found = Vec::new();
    let mut rest = code.replace("'\"'", "' '");
    while let Some(at) = rest.find('"') {
        let before: String = rest[..at].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
        let mut text = String::new();
        let mut letters = rest[at + 1..].char_indices();
        let mut end = rest.len();
        while let Some((offset, letter)) = letters.next() {
            match letter {
                '\\' => match letters.next() {
                    Some((_, '\n')) => {
                        let after = rest[at + 1..].char_indices().skip_while(|(it, _)| *it <= offset + 1);
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
const SAYS: [&str; 6] = [".note(", ".label(", ".also(", "Fix::new(", "Diagnostic::new(", "Remark {"];

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
            let words = text.split_whitespace().filter(|it| it.chars().all(|c| c.is_ascii_lowercase())).count();
            count += usize::from(is_said && words >= 2);
            if is_said && words >= 2 && said(&text.replace("{}", "x"), zh_tw::ENTRIES, 0).is_none() {
                let name = file.strip_prefix(&root).unwrap().display().to_string();
                missing.push(format!("{name}: {text}"));
            }
        }
    }
    assert!(count > 40, "only {count} sentences were found");
    assert!(missing.is_empty(), "add to diagnostic/words/zh_tw.rs: {missing:#?}");
}
