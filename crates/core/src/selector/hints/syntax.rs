//! Mistakes of writing, said plainly.

use dra_playground_cel::syntax::{self, ParseOptions};

use super::Hint;

/// A piece of a text that may not be valid.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    text: String,
    from: u32,
    to: u32,
}

/// What is probably wrong with a text that cannot be read.
pub(super) fn hints(text: &str) -> Vec<Hint> {
    if text.trim().is_empty() {
        let message = "the expression is empty: write a condition such as `device.driver == \"…\"`";
        return vec![hint(0, 0, message, None)];
    }
    let (pieces, open_quote) = cut(text);
    let mut found = Vec::new();
    if let Some((quote, from)) = open_quote {
        let to = length(text);
        let message = format!("the text that begins here has no closing `{quote}`");
        found.push(hint(from, to, &message, ended(text, from, &quote.to_string())));
        return found;
    }
    for (index, piece) in pieces.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| pieces.get(index));
        let replacement = match piece.text.as_str() {
            // `=~` is asked below.
            "=" if pieces.get(index + 1).is_some_and(|next| next.text == "~") => None,
            "=" | "===" => Some(("comparison is written `==`", "==")),
            "and" | "AND" | "&" => Some(("both is written `&&`", "&&")),
            "or" | "OR" | "|" => Some(("one of two is written `||`", "||")),
            "not" | "NOT" => Some(("the opposite is written `!`", "!")),
            "<>" => Some(("unequal is written `!=`", "!=")),
            _ => None,
        };
        // `a.and` is a field.
        if let Some((message, text)) = replacement
            && before.is_none_or(|before| before.text != ".")
        {
            found.push(hint(piece.from, piece.to, message, Some(text.to_owned())));
        }
        if piece.text == "~" && before.is_some_and(|before| before.text == "=") {
            let message = "a pattern is asked for with `.matches(…)`";
            found.push(hint(piece.from.saturating_sub(1), piece.to, message, None));
        }
        if piece.text == "." && before.is_some_and(|before| before.text == ".") {
            found.push(hint(piece.from, piece.to, "there is a dot too many", Some(String::new())));
        }
    }
    if found.is_empty() {
        presence_of_an_index(&pieces, text, &mut found);
    }
    if found.is_empty() {
        brackets(&pieces, text, &mut found);
    }
    if found.is_empty() {
        between(&pieces, &mut found);
    }
    if found.is_empty()
        && let Some(last) = pieces.last()
    {
        if last.text == "." {
            found.push(hint(last.from, last.to, "a name is missing after the dot", None));
        } else if OPERATORS.contains(&last.text.as_str()) || last.text == "!" {
            let message = format!("something is missing after `{}`", last.text);
            found.push(hint(last.from, last.to, &message, None));
        }
    }
    found
}

/// `has(map["key"])`: the macro wants a field.
fn presence_of_an_index(pieces: &[Piece], text: &str, found: &mut Vec<Hint>) {
    let is = |index: usize, text: &str| pieces.get(index).is_some_and(|piece| piece.text == text);
    for (at, has) in pieces.iter().enumerate() {
        if has.text != "has" || !is(at + 1, "(") {
            continue;
        }
        let (mut depth, mut bracket) = (0_u32, None);
        for (index, piece) in pieces.iter().enumerate().skip(at + 1) {
            match piece.text.as_str() {
                "(" | "[" | "{" => {
                    if depth == 1 && piece.text == "[" {
                        bracket = Some(piece);
                    }
                    depth += 1;
                }
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > 0 {
                continue;
            }
            let (Some(open), Some(close), true) =
                (bracket, pieces.get(index - 1), is(index - 1, "]"))
            else {
                break;
            };
            let between = |from: u32, to: u32| -> String {
                let length = to.saturating_sub(from) as usize;
                text.chars().skip(from as usize).take(length).collect()
            };
            let key = between(open.to, close.from);
            let map = between(pieces.get(at + 1).map_or(has.to, |it| it.to), open.from);
            let message = "`has` wants a field after a dot: ask whether the key is `in` the map";
            let replacement = format!("{} in {}", key.trim(), map.trim());
            found.push(hint(has.from, piece.to, message, Some(replacement)));
            break;
        }
    }
}

fn hint(from: u32, to: u32, message: &str, replacement: Option<String>) -> Hint {
    Hint { from, to, message: message.to_owned(), replacement, fails: false }
}

fn length(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

/// Operators between two operands.
const OPERATORS: [&str; 14] =
    ["&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "in"];

/// Two operands without an operator between them, or an operator without its left operand.
fn between(pieces: &[Piece], found: &mut Vec<Hint>) {
    if let Some(first) = pieces.first()
        && OPERATORS.contains(&first.text.as_str())
        && first.text != "-"
    {
        let message = format!("something is missing before `{}`", first.text);
        found.push(hint(first.from, first.to, &message, None));
        return;
    }
    let mut open = Vec::new();
    for (index, pair) in pieces.windows(2).enumerate() {
        let [left, right] = pair else { continue };
        match left.text.as_str() {
            "(" | "{" => open.push(false),
            // A list, unless the bracket follows what it is the index of.
            "[" => {
                open.push(index.checked_sub(1).and_then(|it| pieces.get(it)).is_none_or(
                    |before| {
                        before.text == "in"
                            || OPERATORS.contains(&before.text.as_str())
                            || matches!(before.text.as_str(), "(" | "[" | ",")
                    },
                ));
            }
            ")" | "]" | "}" => drop(open.pop()),
            _ => {}
        }
        if !(left.is_word() || left.is_quoted() || matches!(left.text.as_str(), ")" | "]" | "}"))
            || !(right.is_word() || right.is_quoted())
        {
            continue;
        }
        // `r"…"` and `b"…"` are one text.
        let prefix = left.to == right.from
            && right.is_quoted()
            && matches!(left.text.to_ascii_lowercase().as_str(), "r" | "b" | "rb" | "br");
        if prefix {
            continue;
        }
        if open.last() == Some(&true) {
            let message =
                format!("a comma is missing between `{}` and `{}`", left.text, right.text);
            let text = format!("{}, {}", left.text, right.text);
            found.push(hint(left.from, right.to, &message, Some(text)));
            return;
        }
        let message = format!(
            "an operator such as `==` or `&&` is missing between `{}` and `{}`",
            left.text, right.text
        );
        found.push(hint(left.from, right.to, &message, None));
        return;
    }
}

impl Piece {
    fn is_word(&self) -> bool {
        self.text != "in" && self.text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    }

    fn is_quoted(&self) -> bool {
        self.text.starts_with(['"', '\''])
    }
}

fn brackets(pieces: &[Piece], text: &str, found: &mut Vec<Hint>) {
    let mut open: Vec<&Piece> = Vec::new();
    for piece in pieces {
        match piece.text.as_str() {
            "(" | "[" | "{" => open.push(piece),
            close @ (")" | "]" | "}") => match open.pop() {
                None => {
                    let message = format!("`{close}` closes nothing");
                    found.push(hint(piece.from, piece.to, &message, Some(String::new())));
                    return;
                }
                Some(opened) if closing(&opened.text) != close => {
                    let expected = closing(&opened.text);
                    let message =
                        format!("`{}` is closed by `{expected}`, not by `{close}`", opened.text);
                    found.push(hint(piece.from, piece.to, &message, Some(expected.to_owned())));
                    return;
                }
                Some(_) => {}
            },
            _ => {}
        }
    }
    if let Some(opened) = open.last() {
        let message = format!("`{}` has no closing `{}`", opened.text, closing(&opened.text));
        let end: String = open.iter().rev().map(|it| closing(&it.text)).collect();
        found.push(hint(opened.from, length(text), &message, ended(text, opened.from, &end)));
    }
}

/// The text from an offset on with its end; none when that is not all that is missing.
fn ended(text: &str, from: u32, end: &str) -> Option<String> {
    let reads = syntax::parse(&format!("{text}{end}"), ParseOptions::default()).is_ok();
    reads.then(|| text.chars().skip(from as usize).chain(end.chars()).collect())
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// Cuts a text into words, operators and quoted texts; also where a quote was never closed.
fn cut(text: &str) -> (Vec<Piece>, Option<(char, u32)>) {
    let chars: Vec<char> = text.chars().collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let start = at;
        if c.is_whitespace() {
            at += 1;
            continue;
        }
        if c == '"' || c == '\'' {
            at += 1;
            while let Some(&inner) = chars.get(at)
                && inner != c
            {
                at += if inner == '\\' { 2 } else { 1 };
            }
            if at >= chars.len() {
                return (pieces, Some((c, position(start))));
            }
            at += 1;
        } else if c.is_alphanumeric() || c == '_' {
            while chars.get(at).is_some_and(|c| c.is_alphanumeric() || *c == '_') {
                at += 1;
            }
        } else if "=!<>&|".contains(c) {
            while chars.get(at).is_some_and(|c| "=!<>&|".contains(*c)) {
                at += 1;
            }
        } else {
            at += 1;
        }
        let piece = chars.get(start..at).unwrap_or_default().iter().collect();
        pieces.push(Piece { text: piece, from: position(start), to: position(at) });
    }
    (pieces, None)
}

fn position(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
