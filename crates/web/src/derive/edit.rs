//! Edits on the plain text, for when the code editor is not there.

use dra_playground_core::workspace::report::{Edit, Range};

/// The text after the edits, whose offsets count UTF-16 units.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut out: Vec<u16> = Vec::with_capacity(units.len());
    let mut at = 0;
    for edit in edits {
        let from = (edit.range.from as usize).clamp(at, units.len());
        let to = (edit.range.to as usize).clamp(from, units.len());
        out.extend(units.get(at..from).unwrap_or_default());
        out.extend(edit.text.encode_utf16());
        at = to;
    }
    out.extend(units.get(at..).unwrap_or_default());
    String::from_utf16_lossy(&out)
}

/// The one edit that makes `new` of `old`: what lies between their common beginning and end.
pub(crate) fn difference(old: &str, new: &str) -> Vec<Edit> {
    if old == new {
        return Vec::new();
    }
    let same = |(a, b): &(char, char)| a == b;
    let head: usize =
        old.chars().zip(new.chars()).take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or(""), new.get(head..).unwrap_or(""));
    let backwards = old_rest.chars().rev().zip(new_rest.chars().rev());
    let tail: usize = backwards.take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    let from = units(old.get(..head).unwrap_or(""));
    let middle = old_rest.get(..old_rest.len() - tail).unwrap_or("");
    let range = Range { from, to: from + units(middle), ..Range::default() };
    vec![Edit { range, text: new_rest.get(..new_rest.len() - tail).unwrap_or("").to_owned() }]
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
    }

    #[test]
    fn the_difference_makes_one_of_the_other() {
        for (old, new) in
            [("", "a"), ("a", ""), ("abc", "abXc"), ("aa", "aaa"), ("裝a", "裝b裝a"), ("a", "a")]
        {
            assert_eq!(apply(old, &difference(old, new)), new);
        }
    }

    #[test]
    fn offsets_outside_the_text_do_no_harm() {
        assert_eq!(apply("ab", &[edit(7, 9, "c")]), "abc");
        assert_eq!(apply("abcd", &[edit(2, 4, "x"), edit(1, 3, "y")]), "abxy");
    }
}
