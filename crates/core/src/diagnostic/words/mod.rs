//! Sentences of diagnostics in other languages, keyed by the English form.
//!
//! A stage says what it finds in English, where it finds it. What crosses to the reader is looked
//! up here: `{}` in a key stands for whatever the user wrote, `{0}`, `{1}` … in a translation for
//! the same, in its place. A captured part that is a key itself is translated too. Texts of
//! Kubernetes never pass through here.

use crate::language::{Table, language as words_of};

#[cfg(test)]
mod tests;

/// Says an English sentence of a diagnostic in another language; one that is not known stays.
pub fn translate(text: &str, language: &str) -> String {
    let table = words_of(language).map(|it| &it.sentences);
    table.and_then(|table| said(text, table, 0)).unwrap_or_else(|| text.to_owned())
}

/// Deepest nesting of sentences in sentences.
const MAX_DEPTH: u8 = 8;

fn said(text: &str, table: &Table, depth: u8) -> Option<String> {
    // The key with the most words of its own is the one that is meant.
    let fits = table.iter().filter_map(|(key, words)| Some((captures(key, text)?, key, words)));
    let (parts, key, words) = fits.max_by_key(|(_, key, _)| key.replace("{}", "").len())?;
    let inner = |part: &str| {
        let known = (depth < MAX_DEPTH).then(|| said(part, table, depth + 1)).flatten();
        known.unwrap_or_else(|| part.to_owned())
    };
    // What stands in backticks is the user's, and be it a word of ours.
    let is_users = |at: usize| {
        let mut around = key.split("{}").skip(at);
        around.next().is_some_and(|before| before.ends_with('`'))
            && around.next().is_some_and(|after| after.starts_with('`'))
    };
    let mut out = String::with_capacity(words.len() + text.len());
    for (index, piece) in words.split('{').enumerate() {
        match piece.split_once('}').filter(|_| index > 0) {
            Some((number, rest)) => {
                let at = number.parse().unwrap_or(usize::MAX);
                match parts.get(at) {
                    Some(part) if is_users(at) => out.push_str(part),
                    part => out.extend(part.map(|part| inner(part))),
                }
                out.push_str(rest);
            }
            None => out.push_str(piece),
        }
    }
    Some(out)
}

/// What stands in the places of a key; `None` when the text is none of its sentences.
fn captures<'a>(key: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut literals = key.split("{}");
    let mut rest = text.strip_prefix(literals.next()?)?;
    let mut literals = literals.peekable();
    let mut parts = Vec::new();
    while let Some(literal) = literals.next() {
        let is_last = literals.peek().is_none();
        let at = match (literal.is_empty(), is_last) {
            (true, true) => rest.len(),
            (_, true) => rest
                .len()
                .checked_sub(literal.len())
                .filter(|at| rest.get(*at..) == Some(literal))?,
            _ => rest.find(literal)?,
        };
        // What the user wrote may hold anything, but nothing is written in no place at all.
        parts.push(rest.get(..at).filter(|part| !part.is_empty())?);
        rest = rest.get(at + literal.len()..)?;
    }
    rest.is_empty().then_some(parts)
}
