//! Edits on the plain text, for when the code editor is not there.

use dra_playground_core::workspace::report::Edit;

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

#[cfg(test)]
mod tests {
    use dra_playground_core::workspace::report::Range;

    use super::*;

    fn edit(from: u32, to: u32, text: &str) -> Edit {
        Edit { range: Range { from, to, ..Range::default() }, text: text.to_owned() }
    }

    #[test]
    fn replaces_and_inserts_by_utf16_offsets() {
        assert_eq!(apply("a裝𝄞b", &[edit(1, 2, "x"), edit(4, 4, "!")]), "ax𝄞!b");
    }

    #[test]
    fn offsets_outside_the_text_do_no_harm() {
        assert_eq!(apply("ab", &[edit(7, 9, "c")]), "abc");
        assert_eq!(apply("abcd", &[edit(2, 4, "x"), edit(1, 3, "y")]), "abxy");
    }
}
