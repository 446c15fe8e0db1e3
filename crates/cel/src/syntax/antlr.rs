//! Messages for texts that are not valid, from the ANTLR parser of the `cel` crate.
//!
//! Its grammar and messages are cel-go's but for a few things, which are put right here: problems
//! that a port of ANTLR alone reports, and the sets of tokens after a complete sub-expression,
//! where cel-go names only what closes the innermost open bracket.

use cel::parser::Parser;

use super::Issue;

/// Texts that nest deeper are not read again: the parser needs much stack for each level.
const MAX_NESTING: usize = 40;
/// Longer texts are not read again, in bytes.
const MAX_LENGTH: usize = 20_000;

/// The problems of a text that is not valid.
pub(super) fn issues(text: &str) -> Vec<Issue> {
    if nesting(text) > MAX_NESTING || text.len() > MAX_LENGTH {
        return vec![plain(Some(0), "Syntax error: the expression is not valid")];
    }
    let parser = Parser::new().max_recursion_depth(250).enable_optional_syntax(true);
    let Err(errors) = parser.parse_with_source_info(text) else {
        return vec![plain(Some(0), "Syntax error: the expression is not valid")];
    };
    let lines: Vec<Vec<char>> = text.split('\n').map(|line| line.chars().collect()).collect();
    let found = errors.errors.iter().filter(|error| {
        let unneeded = error.msg.starts_with("Incomplete ")
            || error.msg.starts_with("No ") && error.msg.contains("Context");
        !unneeded
    });
    let found: Vec<_> = found
        .map(|error| {
            let offset = offset(&lines, error.pos);
            Issue { offset: Some(offset), message: corrected(text, offset, &error.msg) }
        })
        .collect();
    if found.is_empty() {
        return vec![plain(Some(0), "Syntax error: the expression is not valid")];
    }
    found
}

fn plain(offset: Option<u32>, message: &str) -> Issue {
    Issue { offset, message: message.to_owned() }
}

/// How deeply brackets, conditions and signs nest at most.
fn nesting(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut most = 0;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' | b'?' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// Code point offset of a line from 1 and a column from 1.
fn offset(lines: &[Vec<char>], (line, column): (isize, isize)) -> u32 {
    let before = usize::try_from(line - 1).unwrap_or(0);
    let start: usize = lines.iter().take(before).map(|line| line.len() + 1).sum();
    let column = usize::try_from(column - 1).unwrap_or(0);
    u32::try_from(start + column).unwrap_or(u32::MAX)
}

fn corrected(text: &str, offset: u32, message: &str) -> String {
    // UPSTREAM: cel-go rewrites the message for words that are constants.
    if let Some((before, input)) = message.split_once("no viable alternative at input '.")
        && let Some(word) = input.strip_suffix('\'')
        && matches!(word, "true" | "false" | "null")
    {
        return format!("{before}mismatched input '{word}' expecting IDENTIFIER");
    }
    let Some((before, set)) = message.split_once(" expecting ") else {
        return message.to_owned();
    };
    // A set that allows an operator stands after a complete sub-expression.
    if set.contains("'=='") {
        return format!("{before} expecting {}", closing(text, offset));
    }
    message.to_owned()
}

/// What closes the innermost construct that is open at an offset.
fn closing(text: &str, offset: u32) -> &'static str {
    let mut open = Vec::new();
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for c in text.chars().take(offset as usize) {
        if let Some(end) = quote {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == end {
                quote = None;
            }
            continue;
        }
        match c {
            '"' | '\'' => quote = Some(c),
            '(' => open.push("')'"),
            '[' => open.push("']'"),
            '{' => open.push("'}'"),
            '?' => open.push("':'"),
            ')' | ']' | '}' => while open.pop().is_some_and(|close| close == "':'") {},
            ':' if open.last() == Some(&"':'") => {
                open.pop();
            }
            _ => {}
        }
    }
    open.last().copied().unwrap_or("<EOF>")
}
