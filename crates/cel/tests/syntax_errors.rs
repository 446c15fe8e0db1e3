//! What is wrong with texts that are not valid, beside the ANTLR parser of the `cel` crate.
//!
//! The crate ports ANTLR's runtime, as cel-go uses another port of it. Both find the same places
//! and go on in the same way; where their words differ, cel-go's are what Kubernetes shows, and
//! they are expected here word for word.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests read files and say what they compared"
)]

mod reference;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dra_playground_cel::syntax::{self, Issue, ParseOptions};

/// Stands in the texts below for every token that may begin an operand.
const OPERAND: &str = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, \
                       NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/// Answers of cel-go 0.26.0, the parser of Kubernetes 1.36.
const MISTAKES: [(&str, &[&str]); 47] = [
    (
        "has(.)",
        &[
            "1:0: invalid argument to has() macro",
            "1:6: Syntax error: no viable alternative at input '.)'",
        ],
    ),
    (
        "[1].all(., x)",
        &[
            "1:0: argument must be a simple name",
            "1:10: Syntax error: no viable alternative at input '.,'",
        ],
    ),
    (
        "1 ==\n[1].filter(\n., x)",
        &[
            "1:0: argument is not an identifier",
            "3:2: Syntax error: no viable alternative at input '.,'",
        ],
    ),
    ("[1].all(x, .)", &["1:13: Syntax error: no viable alternative at input '.)'"]),
    ("a ==", &["1:5: Syntax error: mismatched input '<EOF>' expecting OPERAND"]),
    (
        "a = b",
        &[
            "1:3: Syntax error: token recognition error at: '= '",
            "1:5: Syntax error: extraneous input 'b' expecting <EOF>",
        ],
    ),
    ("a and b", &["1:3: Syntax error: mismatched input 'and' expecting <EOF>"]),
    ("a or b", &["1:3: Syntax error: mismatched input 'or' expecting <EOF>"]),
    ("(a", &["1:3: Syntax error: missing ')' at '<EOF>'"]),
    ("a)", &["1:2: Syntax error: extraneous input ')' expecting <EOF>"]),
    ("[1, 2", &["1:6: Syntax error: mismatched input '<EOF>' expecting {']', ','}"]),
    ("a.", &["1:3: Syntax error: no viable alternative at input '.'"]),
    ("a..b", &["1:3: Syntax error: no viable alternative at input '..'"]),
    ("a.b.", &["1:5: Syntax error: no viable alternative at input '.'"]),
    (
        "\"abc",
        &[
            "1:1: Syntax error: token recognition error at: '\"abc'",
            "1:5: Syntax error: mismatched input '<EOF>' expecting OPERAND",
        ],
    ),
    (
        "'abc",
        &[
            "1:1: Syntax error: token recognition error at: ''abc'",
            "1:5: Syntax error: mismatched input '<EOF>' expecting OPERAND",
        ],
    ),
    (
        "a & b",
        &[
            "1:3: Syntax error: token recognition error at: '& '",
            "1:5: Syntax error: extraneous input 'b' expecting <EOF>",
        ],
    ),
    (
        "a | b",
        &[
            "1:3: Syntax error: token recognition error at: '| '",
            "1:5: Syntax error: extraneous input 'b' expecting <EOF>",
        ],
    ),
    ("a ? b", &["1:6: Syntax error: mismatched input '<EOF>' expecting ':'"]),
    ("a ? b :", &["1:8: Syntax error: mismatched input '<EOF>' expecting OPERAND"]),
    ("f(a,)", &["1:5: Syntax error: mismatched input ')' expecting OPERAND"]),
    ("{'a': }", &["1:7: Syntax error: mismatched input '}' expecting OPERAND"]),
    ("{'a' 1}", &["1:6: Syntax error: missing ':' at '1'"]),
    ("a b", &["1:3: Syntax error: extraneous input 'b' expecting <EOF>"]),
    ("1 +", &["1:4: Syntax error: mismatched input '<EOF>' expecting OPERAND"]),
    ("&& a", &["1:1: Syntax error: extraneous input '&&' expecting OPERAND"]),
    ("a.true", &["1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"]),
    ("!", &["1:2: Syntax error: extraneous input '<EOF>' expecting OPERAND"]),
    (
        "- ",
        &[
            "1:3: Syntax error: no viable alternative at input '- '",
            "1:3: Syntax error: mismatched input '<EOF>' expecting OPERAND",
        ],
    ),
    ("a[1", &["1:4: Syntax error: missing ']' at '<EOF>'"]),
    (
        "a[",
        &[
            "1:3: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
        ],
    ),
    ("has(a.b", &["1:8: Syntax error: missing ')' at '<EOF>'"]),
    (
        "for +",
        &[
            "1:1: reserved identifier: for",
            "1:6: Syntax error: mismatched input '<EOF>' expecting OPERAND",
        ],
    ),
    (
        "a == 99999999999999999999 b",
        &["1:6: invalid int literal", "1:27: Syntax error: extraneous input 'b' expecting <EOF>"],
    ),
    (
        "x.all(1, y) z",
        &[
            "1:7: argument must be a simple name",
            "1:13: Syntax error: extraneous input 'z' expecting <EOF>",
        ],
    ),
    (
        "a.`b",
        &[
            "1:3: Syntax error: token recognition error at: '`b'",
            "1:5: Syntax error: no viable alternative at input '.'",
        ],
    ),
    ("not a", &["1:5: Syntax error: extraneous input 'a' expecting <EOF>"]),
    (
        "a ?: b",
        &[
            "1:4: Syntax error: extraneous input ':' expecting OPERAND",
            "1:7: Syntax error: mismatched input '<EOF>' expecting ':'",
        ],
    ),
    ("a\t.\n)", &["2:1: Syntax error: no viable alternative at input '.\\n)'"]),
    ("m{a", &["1:4: Syntax error: mismatched input '<EOF>' expecting ':'"]),
    ("m{a: 1", &["1:7: Syntax error: mismatched input '<EOF>' expecting {'}', ','}"]),
    (
        "@",
        &[
            "1:1: Syntax error: token recognition error at: '@'",
            "1:2: Syntax error: mismatched input '<EOF>' expecting OPERAND",
        ],
    ),
    (
        "\"\\q\"",
        &[
            "1:1: Syntax error: token recognition error at: '\"\\q'",
            "1:4: Syntax error: token recognition error at: '\"'",
            "1:5: Syntax error: mismatched input '<EOF>' expecting OPERAND",
        ],
    ),
    (
        "has(a || b) c",
        &[
            "1:7: invalid argument to has() macro",
            "1:13: Syntax error: extraneous input 'c' expecting <EOF>",
        ],
    ),
    (
        "a.`b` c",
        &[
            "1:3: unsupported syntax: '`'",
            "1:7: Syntax error: extraneous input 'c' expecting <EOF>",
        ],
    ),
    (
        "[[[[[[[[[[[[[[[[[[[[a",
        &[
            "1:22: Syntax error: mismatched input '<EOF>' expecting {']', ','}",
            "1:22: Syntax error: error recovery attempt limit exceeded: 30",
        ],
    ),
    (
        "@ @ @ a",
        &[
            "1:1: Syntax error: token recognition error at: '@'",
            "1:3: Syntax error: token recognition error at: '@'",
            "1:5: Syntax error: token recognition error at: '@'",
        ],
    ),
];

/// Problems with line and column, in order of place.
fn told(text: &str) -> Vec<String> {
    let Err(issues) = syntax::parse(text, ParseOptions::default()) else { return Vec::new() };
    let rendered = syntax::render(text, &issues);
    let lines = rendered.lines().filter_map(|line| line.strip_prefix("ERROR: <input>:"));
    lines.map(str::to_owned).collect()
}

#[test]
fn mistakes_are_told_in_kubernetes_words() {
    for (text, expected) in MISTAKES {
        let expected: Vec<_> = expected.iter().map(|it| it.replace("OPERAND", OPERAND)).collect();
        assert_eq!(told(text), expected, "{text}");
    }
}

#[test]
fn reading_on_has_kubernetes_limits() {
    let last = |text: &str| told(text).pop();
    let recovery = last(&"a)".repeat(60));
    assert_eq!(
        recovery,
        Some("1:2: Syntax error: mismatched input ')' expecting <EOF>".to_owned())
    );
    let recovery = told(&"[:".repeat(60));
    assert!(recovery.iter().any(|it| it.ends_with("attempt limit exceeded: 30")), "{recovery:?}");
    let skipped = told(&format!("(a {}", "b ".repeat(300)));
    assert_eq!(
        skipped.first().map(String::as_str),
        Some("-1:0: error recovery token lookahead limit exceeded: 256")
    );
    let many = syntax::parse(&"@ ".repeat(120), ParseOptions::default()).unwrap_err();
    assert_eq!(many.last().unwrap().message, "Syntax error: More than 100 syntax errors");
}

#[test]
fn long_and_deep_texts_are_told_quickly() {
    let start = std::time::Instant::now();
    for text in
        ["-1.f(", "(", "[-1,", "a ? -1 : ", "{-1:", "a.b.c.", "x{a:-", "- -", "a < -1 + ", "'"]
    {
        for ending in ["", "]", "$", ")"] {
            let text = text.repeat(10_000 / text.len()) + ending;
            assert!(syntax::parse(&text, ParseOptions::default()).is_err());
        }
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// Places and messages of the syntax errors, in order.
fn errors(issues: &[Issue]) -> Vec<(u32, String)> {
    let syntax = issues.iter().filter(|issue| issue.message.starts_with("Syntax error: "));
    let mut errors: Vec<_> =
        syntax.map(|issue| (issue.offset.unwrap_or(u32::MAX), issue.message.clone())).collect();
    errors.sort();
    errors
}

#[derive(Default)]
struct Tally {
    compared: usize,
    same: usize,
    different: Vec<String>,
}

impl Tally {
    fn add(&mut self, text: &str) {
        let Err(ours) = syntax::parse(text, ParseOptions::default()) else { return };
        let Some(theirs) = reference::issues(text) else { return };
        let (ours, theirs) = (errors(&ours), errors(&theirs));
        if theirs.is_empty() {
            return;
        }
        self.compared += 1;
        let agree = |(ours, theirs): (&(u32, String), &(u32, String))| {
            let set_is_left_out = !theirs.1.contains(" expecting ")
                && ours.1.starts_with(&format!("{} expecting ", theirs.1));
            ours.0 == theirs.0 && (ours.1 == theirs.1 || set_is_left_out)
        };
        if ours.len() == theirs.len() && ours.iter().zip(&theirs).all(agree) {
            self.same += 1;
        } else {
            self.different.push(format!("{text}\n  ours   {ours:?}\n  theirs {theirs:?}"));
        }
    }

    fn show(&self, what: &str) {
        println!(
            "{what}: {} texts that are not valid, {} with the same errors",
            self.compared, self.same
        );
    }
}

/// The texts of a field in JSON lines.
fn expressions(file: &Path, found: &mut BTreeSet<String>) {
    for line in fs::read_to_string(file).unwrap().lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = record.get("expr").or(record.get("expression")).and_then(|e| e.as_str());
        found.extend(text.map(str::to_owned));
    }
}

fn own_expressions() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/recorded");
    let mut found = BTreeSet::new();
    for release in ["1.34.13", "1.35.10", "1.36.2", "1.36.6", "1.37.2"] {
        expressions(&folder.join(format!("cel-{release}.jsonl")), &mut found);
    }
    found
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = usize::try_from(self.0 >> 33).unwrap();
        number % limit.max(1)
    }
}

const PIECES: [&str; 44] = [
    "==", "!=", "in", "<", "<=", "&&", "||", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?",
    ":", "+", "*", "%", "true", "null", "=", "&", "|", "and", "or", "not", "'", "\"", "`", "1",
    "1u", "2.5", "x", "'s'", "@", "--", "..", ".?", "[?", "\n",
];

/// An expression with some of its characters and words removed, doubled, replaced or added.
fn broken(text: &str, numbers: &mut Numbers) -> String {
    let mut parts: Vec<String> = Vec::new();
    for c in text.chars() {
        match parts.last_mut() {
            Some(last) if c.is_alphanumeric() && last.chars().all(char::is_alphanumeric) => {
                last.push(c);
            }
            _ => parts.push(c.to_string()),
        }
    }
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(parts.len());
        let piece = PIECES.get(numbers.below(PIECES.len())).unwrap().to_string();
        match numbers.below(5) {
            0 if !parts.is_empty() => drop(parts.remove(at)),
            1 if !parts.is_empty() => parts.insert(at, parts.get(at).unwrap().clone()),
            2 if !parts.is_empty() => *parts.get_mut(at).unwrap() = piece,
            3 if !parts.is_empty() => parts.truncate(at + 1),
            _ => parts.insert(at.min(parts.len()), piece),
        }
    }
    parts.concat()
}

#[test]
fn broken_expressions_have_the_errors_of_the_reference() {
    let found: Vec<String> = own_expressions().into_iter().filter(|it| it.len() < 200).collect();
    let mut numbers = Numbers(20);
    let mut tally = Tally::default();
    for _ in 0..10_000 {
        let text = found.get(numbers.below(found.len())).unwrap();
        tally.add(&broken(text, &mut numbers));
    }
    tally.show("broken expressions");
    for text in tally.different.iter().take(3) {
        println!("{text}");
    }
    assert!(tally.compared > 6_000, "{}", tally.compared);
    assert_eq!(tally.same, tally.compared);
}

#[test]
fn recorded_expressions_have_the_errors_of_the_reference() {
    let Some(folder) = std::env::var_os("DRA_PLAYGROUND_CASES") else {
        println!("DRA_PLAYGROUND_CASES is not set: recorded expressions are not compared");
        return;
    };
    let cases = PathBuf::from(folder).join("cases");
    let mut found = BTreeSet::new();
    for file in fs::read_dir(cases).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.contains("cel-") && path.extension().is_some_and(|it| it == "jsonl") {
            expressions(&path, &mut found);
        }
    }
    let mut tally = Tally::default();
    for text in &found {
        tally.add(text);
    }
    tally.show("recorded expressions");
    for text in tally.different.iter().take(3) {
        println!("{text}");
    }
    assert_eq!(tally.same, tally.compared);
}
