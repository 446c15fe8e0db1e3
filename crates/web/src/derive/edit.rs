//! Edits of the plain text.

use dra_playground_core::workspace::report::{Edit, Range};
use serde::{Deserialize, Serialize};

/// A part of a text, from and to a place, and what stands there then; in bytes where nothing else is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change(pub(crate) usize, pub(crate) usize, pub(crate) String);

/// The text after the edits, whose offsets count UTF-16 units.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> String {
    let change = |it: &Edit| Change(it.range.from as usize, it.range.to as usize, it.text.clone());
    typed(text, &edits.iter().map(change).collect::<Vec<_>>())
}

/// The text after changes of one moment, whose offsets count UTF-16 units.
pub(crate) fn typed(text: &str, changes: &[Change]) -> String {
    let added: usize = changes.iter().map(|it| it.2.len()).sum();
    let mut out = String::with_capacity(text.len() + added);
    let mut rest = text;
    let mut at = 0;
    for Change(from, to, put) in changes {
        let from = (*from).max(at);
        let to = (*to).max(from);
        let (before, after) = rest.split_at(byte_at(rest, from - at));
        out.extend([before, put.as_str()]);
        rest = after.get(byte_at(after, to - from)..).unwrap_or_default();
        at = to;
    }
    out.push_str(rest);
    out
}

/// The byte at which so many UTF-16 units end; a sign is not parted.
fn byte_at(text: &str, units: usize) -> usize {
    const CHUNK: usize = 1024;
    let mut left = units;
    let mut at = 0;
    // Where all is ASCII, units are bytes.
    for chunk in text.as_bytes().chunks(CHUNK) {
        if left < CHUNK || !chunk.is_ascii() {
            break;
        }
        left = left.saturating_sub(chunk.len());
        at += chunk.len();
    }
    for sign in text.get(at..).unwrap_or_default().chars() {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(sign.len_utf16());
        at += sign.len_utf8();
    }
    at
}

/// The one change that makes `new` of `old`: what lies between their common beginning and end.
pub(crate) fn change(old: &str, new: &str) -> Change {
    let same = |(a, b): &(u8, u8)| a == b;
    let mut from = old.bytes().zip(new.bytes()).take_while(same).count();
    while !old.is_char_boundary(from) || !new.is_char_boundary(from) {
        from -= 1;
    }
    let (old_rest, new_rest) = (old.get(from..).unwrap_or(""), new.get(from..).unwrap_or(""));
    let backwards = old_rest.bytes().rev().zip(new_rest.bytes().rev());
    let mut tail = backwards.take_while(same).count();
    while !old_rest.is_char_boundary(old_rest.len() - tail) {
        tail -= 1;
    }
    let text = new_rest.get(..new_rest.len() - tail).unwrap_or("");
    Change(from, old.len() - tail, text.to_owned())
}

/// The text after the changes, one after the other; `None` where they are of another text.
pub(crate) fn replay(text: &str, changes: &[Change]) -> Option<String> {
    let mut text = text.to_owned();
    for Change(from, to, put) in changes {
        text.get(*from..*to)?;
        text.replace_range(*from..*to, put);
    }
    Some(text)
}

/// The one edit that makes `new` of `old`.
pub(crate) fn difference(old: &str, new: &str) -> Vec<Edit> {
    if old == new {
        return Vec::new();
    }
    let Change(from, to, text) = change(old, new);
    let units = |text: Option<&str>| {
        u32::try_from(text.unwrap_or("").encode_utf16().count()).unwrap_or(u32::MAX)
    };
    let begin = units(old.get(..from));
    let end = begin + units(old.get(from..to));
    vec![Edit { range: Range { from: begin, to: end, ..Range::default() }, text }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(from: u32, to: u32, text: &str) -> Edit {
        Edit { range: Range { from, to, ..Range::default() }, text: text.to_owned() }
    }

    #[test]
    fn replaces_and_inserts_by_utf16_offsets() {
        assert_eq!(apply("a裝𝄞b", &[edit(1, 2, "x"), edit(4, 4, "!")]), "ax𝄞!b");
        let (ascii, more) = ("x".repeat(3000), "裝𝄞".repeat(1000));
        let text = format!("{ascii}{more}end");
        let after =
            apply(&text, &[edit(2000, 2001, "y"), edit(3000, 3001, ""), edit(6000, 6003, "!")]);
        let units: Vec<u16> = text.encode_utf16().collect();
        let part = |from: usize, to: usize| String::from_utf16(&units[from..to]).unwrap();
        assert_eq!(after, format!("{}y{}{}!", part(0, 2000), part(2001, 3000), part(3001, 6000)));
    }

    #[test]
    fn the_difference_makes_one_of_the_other() {
        let texts = ["", "a", "abc", "abXc", "aa", "aaa", "裝a", "裝b裝a", "é", "è", "ĩ", "𝄞", "𝄟"];
        for (old, new) in texts.iter().flat_map(|old| texts.map(|new| (*old, new))) {
            assert_eq!(apply(old, &difference(old, new)), new);
            assert_eq!(replay(old, &[change(old, new)]).unwrap(), new, "{old} {new}");
        }
        assert_eq!(change("one two", "one new two"), Change(4, 4, "new ".to_owned()));
    }

    #[test]
    fn offsets_outside_the_text_do_no_harm() {
        assert_eq!(apply("ab", &[edit(7, 9, "c")]), "abc");
        assert_eq!(apply("abcd", &[edit(2, 4, "x"), edit(1, 3, "y")]), "abxy");
        for change in
            [Change(1, 9, String::new()), Change(2, 1, String::new()), Change(1, 1, String::new())]
        {
            assert_eq!(replay("裝", &[change]), None);
        }
    }
}
