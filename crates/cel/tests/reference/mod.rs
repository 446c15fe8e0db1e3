//! Messages for texts that are not valid, from the ANTLR parser of the `cel` crate: the reference
//! for the messages of our own.
//!
//! Its grammar and messages are cel-go's but for a few things, which are put right here: problems
//! that a port of ANTLR alone reports, and the sets of tokens after a complete sub-expression, which
//! are left out.

use cel::parser::Parser;

use dra_playground_cel::syntax::Issue;

/// Texts that nest deeper are not read: the parser needs much stack for each level.
const MAX_NESTING: usize = 40;
/// Longer texts are not read, in bytes.
const MAX_LENGTH: usize = 20_000;

/// The problems of a text that is not valid.
pub(crate) fn issues(text: &str) -> Option<Vec<Issue>> {
    if nesting(text) > MAX_NESTING || text.len() > MAX_LENGTH {
        return None;
    }
    let parser = Parser::new().max_recursion_depth(250).enable_optional_syntax(true);
    let errors = parser.parse_with_source_info(text).err()?;
    let lines: Vec<Vec<char>> = text.split('\n').map(|line| line.chars().collect()).collect();
    let found = errors.errors.iter().filter(|error| {
        let unneeded = error.msg.starts_with("Incomplete ")
            || error.msg.starts_with("No ") && error.msg.contains("Context");
        !unneeded
    });
    let found: Vec<_> = found
        .map(|error| {
            let offset = offset(&lines, error.pos);
            Issue { offset: Some(offset), message: corrected(&error.msg) }
        })
        .collect();
    Some(found)
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

fn corrected(message: &str) -> String {
    // UPSTREAM: cel-go rewrites the message for words that are constants.
    if let Some((before, input)) = message.split_once("no viable alternative at input '.")
        && let Some(word) = input.strip_suffix('\'')
        && matches!(word, "true" | "false" | "null")
    {
        return format!("{before}mismatched input '{word}' expecting IDENTIFIER");
    }
    // UPSTREAM: cel-go's port escapes line breaks here too.
    if message.contains("no viable alternative") {
        return message.replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r");
    }
    // A set that allows an operator stands after a complete sub-expression: cel-go's port tells
    // only what the rule that failed expects.
    match message.split_once(" expecting ") {
        Some((before, set)) if set.contains("'=='") => before.to_owned(),
        _ => message.to_owned(),
    }
}
