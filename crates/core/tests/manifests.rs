//! Real files out of public repositories, read and compared with what strict decoding refuses.
//!
//! They are not part of the project: `DRA_PLAYGROUND_CASES` names the folder that has them.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeMap;
use std::fmt::Write;

use dra_playground_core::api::{codes, read};
use dra_playground_core::{diagnostic, source::LineIndex};
use expect_test::expect;

/// The folder of recorded cases, when there is one.
fn cases() -> Option<std::path::PathBuf> {
    let folder = std::env::var_os("DRA_PLAYGROUND_CASES").map(std::path::PathBuf::from);
    if folder.is_none() {
        #[expect(clippy::print_stderr, reason = "a skipped test must be seen")]
        {
            eprintln!("skipped: DRA_PLAYGROUND_CASES is not set");
        }
    }
    folder
}

/// A document that is indented as a whole: no YAML for the recorded library, read nevertheless.
const NOT_RECORDED: &[&str] = &[
    "kubernetes+enhancements/keps__sig-scheduling__5517-dra-node-allocatable-resources__README.md.L667.yaml",
];

/// The documents that strict decoding refuses must be refused for the same field, all others read.
#[test]
fn real_files_read_as_recorded() {
    let Some(folder) = cases() else { return };
    let folder = folder.join("manifests");
    let failures = std::fs::read_to_string(folder.join("STRICT-FAILURES.tsv")).unwrap();
    let mut expected: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in failures.lines().skip(1) {
        let mut columns = line.split('\t');
        let file = columns.next().unwrap();
        let error = columns.nth(1).unwrap();
        expected.entry(file).or_default().push(error.rsplit("json: ").next().unwrap());
    }
    let index = std::fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    let mut problems = String::new();
    let (mut files, mut objects, mut refused) = (0, 0, 0);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in index.lines().skip(1) {
        let name = line.split('\t').nth(3).unwrap();
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let read = read(&text);
        files += 1;
        objects += read.objects.len();
        for diagnostic in &read.diagnostics {
            *counts.entry(diagnostic.code.name).or_default() += 1;
        }
        let refusals: Vec<&str> = read
            .diagnostics
            .iter()
            .filter(|d| {
                [codes::UNKNOWN_FIELD, codes::WRONG_TYPE, codes::INVALID_QUANTITY].contains(&d.code)
            })
            .filter_map(|d| d.upstream.as_deref())
            .collect();
        let wanted = expected.remove(name).unwrap_or_default();
        for want in &wanted {
            if !refusals.iter().any(|found| same_refusal(found, want)) {
                let _ = writeln!(problems, "{name}\n  wanted {want}\n  found  {refusals:?}");
            }
        }
        refused += wanted.len();
        // The record is about DRA objects; these are Pods of an old API.
        let mut others = refusals.iter().filter(|refusal| !refusal.ends_with("].source\""));
        if wanted.is_empty() && others.next().is_some() && !NOT_RECORDED.contains(&name) {
            let _ = writeln!(problems, "{name}\n  not refused upstream: {refusals:?}");
        }
        if std::env::var_os("SHOW_DIAGNOSTICS").is_some() {
            let lines = LineIndex::new(&text);
            for d in &read.diagnostics {
                problems.push_str(&diagnostic::render(d, name, &text, &lines));
            }
        }
    }
    assert!(problems.is_empty(), "{problems}");
    #[expect(clippy::print_stderr, reason = "the counts are asked for")]
    {
        eprintln!("{files} files, {objects} objects, {refused} refused as recorded: {counts:?}");
    }
    let counts: Vec<String> =
        counts.iter().map(|(code, count)| format!("{code} {count}")).collect();
    expect![[r#"
        292 files, 588 objects, 22 refused as recorded
        beta-version 52
        indented-separator 2
        old-api-version 25
        omitted-text 1
        placeholder 3
        shell-text 4
        skipped-kind 58
        template-not-rendered 5
        unknown-field 46
        unknown-kind 2
        workload-expanded 53
        wrong-type 1
        yaml-syntax 3
    "#]]
    .assert_eq(&format!(
        "{files} files, {objects} objects, {refused} refused as recorded\n{}\n",
        counts.join("\n")
    ));
}

/// Same field name, or same kind of value for the same type.
fn same_refusal(found: &str, want: &str) -> bool {
    let quoted = |text: &str| {
        text.split('"')
            .nth(1)
            .unwrap_or_default()
            .rsplit(['.', ']'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    if want.contains("unknown field") {
        return found.contains("unknown field") && quoted(found) == quoted(want);
    }
    let ends = |text: &str| {
        let kind = text
            .split("unmarshal ")
            .nth(1)
            .unwrap_or_default()
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned();
        (kind, text.rsplit(' ').next().unwrap_or_default().to_owned())
    };
    ends(found) == ends(want)
}

/// What a one-click conversion writes means the same as before.
#[test]
fn converted_files_mean_the_same() {
    let Some(folder) = cases() else { return };
    let folder = folder.join("manifests");
    let index = std::fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    let (mut converted, mut left) = (0, 0);
    for line in index.lines().skip(1) {
        let name = line.split('\t').nth(3).unwrap();
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        let values = |text: &str| -> Vec<String> {
            read(text).objects.iter().map(|object| format!("{:?}", object.value)).collect()
        };
        let before = values(&text);
        loop {
            let found = read(&text);
            let mut old = found.diagnostics.iter().filter(|d| d.code == codes::BETA_VERSION);
            let Some(fix) = old.find_map(|diagnostic| diagnostic.fixes.first()) else {
                left += found.diagnostics.iter().filter(|d| d.code == codes::BETA_VERSION).count();
                break;
            };
            text = fix.apply(&text);
            converted += 1;
        }
        assert_eq!(values(&text), before, "{name}\n{text}");
    }
    expect![[r#"
        52 documents converted, 0 left as they are
    "#]]
    .assert_eq(&format!("{converted} documents converted, {left} left as they are\n"));
}
