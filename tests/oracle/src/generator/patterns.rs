//! Regular expressions, right and wrong, and texts to try them on.

use crate::random::Random;

/// An expression of type bool that shows what a pattern finds in a text: the error of the lookup
/// names it.
pub(super) fn expression(random: &mut Random) -> String {
    let (text, pattern) = (text(random), quoted(&pattern(random, 3)));
    match random.below(5) {
        0 | 1 => format!("{text}.matches({pattern})"),
        2 => format!("{{}}[{text}.find({pattern})] == 1"),
        3 => format!("{{}}[{text}.findAll({pattern}).join(\"|\")] == 1"),
        _ => format!("{{}}[{text}.findAll(dyn({pattern}), {}).join(\"|\")] == 1", random.below(4)),
    }
}

fn text(random: &mut Random) -> String {
    let pieces = [
        "a", "b", "ab", "A", "B", "0", "7", " ", "_", "-", ".", "é", "ß", "K", "k", "Σ", "σ", "ς",
        "α", "日", "ก", "ข", "θ", "ϴ", "ǅ", "ǆ", "\u{345}", "ι", "ſ", "\u{212a}", "٣", "+", "€",
        "Ж", "ж", "\u{1c80}", "😀", "\\n", "\\t", "(", "]", "{", "\\\\", "foo", "x1y2", "aaa",
    ];
    let count = random.below(7);
    let text: String = (0..count).map(|_| random.text(&pieces)).collect();
    format!("\"{text}\"")
}

/// The pattern as a string of CEL.
fn quoted(pattern: &str) -> String {
    let mut out = String::from("\"");
    for c in pattern.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn pattern(random: &mut Random, depth: usize) -> String {
    let count = random.between(1, 3);
    let mut out = String::new();
    for _ in 0..count {
        out.push_str(&atom(random, depth));
        if random.percent(35) {
            out.push_str(random.text(&[
                "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,}", "{2,1}", "{,3}", "{1001}",
                "{3,1001}", "**", "{", "{2}{3}", "{1,2}?",
            ]));
        }
    }
    if depth > 0 && random.percent(20) {
        out = format!("{out}|{}", pattern(random, depth - 1));
    }
    out
}

fn atom(random: &mut Random, depth: usize) -> String {
    if depth > 0 && random.percent(30) {
        let inner = pattern(random, depth - 1);
        let open = random.text(&[
            "(", "(?:", "(?i:", "(?i-s:", "(?s)(", "(?m)(", "(?U)(", "(?P<n>", "(?<n>", "(?-i:",
            "(?=", "(?!", "(?P=n>", "(?P<1>", "(?P<n", "(?x:", "(?i", "(?",
        ]);
        let close = if random.percent(95) { ")" } else { "" };
        return format!("{open}{inner}{close}");
    }
    if random.percent(25) {
        return class(random);
    }
    random
        .text(&[
            "a",
            "b",
            "A",
            "B",
            "k",
            "ß",
            "σ",
            "é",
            "日",
            ".",
            "^",
            "$",
            "\\A",
            "\\z",
            "\\Z",
            "\\b",
            "\\B",
            "\\d",
            "\\D",
            "\\w",
            "\\W",
            "\\s",
            "\\S",
            "\\v",
            "\\f",
            "\\a",
            "\\x41",
            "\\x{1F600}",
            "\\x{110000}",
            "\\x4",
            "\\101",
            "\\8",
            "\\1",
            "\\0",
            "\\Qa.b\\E",
            "\\Q(",
            "\\E",
            "\\.",
            "\\_",
            "\\é",
            "\\e",
            "\\C",
            "\\pL",
            "\\PL",
            "\\p{Greek}",
            "\\p{^Greek}",
            "\\p{Lu}",
            "\\p{Ll}",
            "\\P{L}",
            "\\p{LC}",
            "\\p{Thai}",
            "\\P{Thai}",
            "\\p{Mn}",
            "\\p{S}",
            "\\pP",
            "\\p{Uppercase_Letter}",
            "\\p{han}",
            "\\p{Old_Italic}",
            "\\p{Any}",
            "\\p{Assigned}",
            "\\pZ",
            "\\p{Cyrillic}",
            "\\p{Nope}",
            "\\p",
            "\\p{",
            "\\",
            ")",
            "]",
            "{",
            "}",
            "-",
            "foo",
            "0",
            " ",
            "\n",
        ])
        .to_owned()
}

fn class(random: &mut Random) -> String {
    let count = random.between(1, 3);
    let mut out = String::from(if random.percent(30) { "[^" } else { "[" });
    for _ in 0..count {
        out.push_str(random.text(&[
            "a",
            "b",
            "a-c",
            "A-Z",
            "0-9",
            "z-a",
            "é",
            "α-ω",
            "-",
            "]",
            "^",
            "\\d",
            "\\w",
            "\\s",
            "\\D",
            "\\]",
            "\\-",
            "[:alpha:]",
            "[:^digit:]",
            "[:word:]",
            "[:nope:]",
            "\\pL",
            "\\p{Greek}",
            "\\p{^Thai}",
            "\\PN",
            "\\p{Sm}",
            "\\p{Latin}",
            "\\W",
            "\\S",
            "\\x41",
            "\\n",
            "\\b",
            "\\B",
            "a&&b",
            "[",
            "\\d-x",
            "k",
            "ſ",
            "\\Q",
            ".",
        ]));
    }
    if random.percent(95) {
        out.push(']');
    }
    out
}
