use dra_playground_cel::order::Order;

use crate::source::{LineIndex, Span};

use super::super::ranges::range;
use super::super::report::Edit;

/// The text after edits that stand in text order; one that overlaps an earlier one is left out.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let lines = LineIndex::new(text);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        let (from, to) = (lines.byte(edit.range.from), lines.byte(edit.range.to));
        if from < done {
            continue;
        }
        out.push_str(Span { start: done, end: from }.text(text));
        out.push_str(&edit.text);
        done = to.max(from);
    }
    out.push_str(text.get(done as usize..).unwrap_or_default());
    out
}

/// Edits of both in text order, as [`apply`] wants them; `None` when they overlap or touch.
pub(in super::super) fn merged(first: &[Edit], second: &[Edit]) -> Option<Vec<Edit>> {
    let mut edits: Vec<Edit> = first.iter().chain(second).cloned().collect();
    edits.order_by_key(|edit| (edit.range.from, edit.range.to));
    let apart = edits.windows(2).all(|pair| match pair {
        [before, after] => before.range.to < after.range.from,
        _ => true,
    });
    apart.then_some(edits)
}

/// One edit that makes one text of another; none when they are equal.
pub(in super::super) fn difference(before: &str, after: &str) -> Vec<Edit> {
    if before == after {
        return Vec::new();
    }
    let same = |pair: &(char, char)| pair.0 == pair.1;
    let bytes = |pair: (char, char)| pair.0.len_utf8();
    let head: usize = before.chars().zip(after.chars()).take_while(same).map(bytes).sum();
    let (rest, new) =
        (before.get(head..).unwrap_or_default(), after.get(head..).unwrap_or_default());
    let tail: usize = rest.chars().rev().zip(new.chars().rev()).take_while(same).map(bytes).sum();
    let span = |from: usize, to: usize| Span {
        start: u32::try_from(from).unwrap_or(u32::MAX),
        end: u32::try_from(to).unwrap_or(u32::MAX),
    };
    let text = new.get(..new.len() - tail).unwrap_or_default().to_owned();
    let lines = LineIndex::new(before);
    vec![Edit { range: range(&lines, span(head, before.len() - tail)), text }]
}
