//! Whatever the examples bring up is said in every language: findings, notes, fixes, remarks.

use std::path::Path;

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
    assert!(missing.is_empty(), "add to diagnostic/words/zh_tw.rs: {missing:#?}");
}
