//! Problems of an expression and their text. Source: cel-go `common/error.go`.

use std::fmt::Write as _;

use crate::order::Order;

/// At most so many problems are written out.
const MAX_REPORTED: usize = 100;

/// Longer lines are not shown, in bytes.
const MAX_SNIPPET: usize = 16_384;

/// Offset of a part that could not be read at all: upstream shows it before the first column.
pub(crate) const BEFORE: u32 = u32::MAX;

/// A problem at a place of the expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Offset in code points; none when the problem has no place. See [`Issue::place`].
    pub offset: Option<u32>,
    /// What is wrong.
    pub message: String,
}

impl Issue {
    /// Offset in code points of a place that is in the text: what could not be read at all has none.
    pub fn place(&self) -> Option<u32> {
        self.offset.filter(|offset| *offset != BEFORE)
    }
}

/// All problems as upstream prints them: sorted by place, each with the line it stands in.
pub fn render(source: &str, issues: &[Issue]) -> String {
    let lines: Vec<&str> = source.split('\n').collect();
    let mut located: Vec<_> =
        issues.iter().map(|issue| (locate(&lines, issue.offset), issue)).collect();
    located.order_by_key(|(place, _)| *place);
    let mut out = String::new();
    for (index, ((line, column), issue)) in located.iter().take(MAX_REPORTED).enumerate() {
        if index > 0 {
            out.push('\n');
        }
        // Writing into a string cannot fail.
        let _ = write!(out, "ERROR: <input>:{line}:{}: {}", column + 1, issue.message);
        if let Some(text) = usize::try_from(line - 1).ok().and_then(|line| lines.get(line))
            && !source.is_empty()
            && text.len() <= MAX_SNIPPET
        {
            push_snippet(&mut out, text, *column);
        }
    }
    if located.len() > MAX_REPORTED {
        let _ = write!(out, "{} more errors were reported", located.len() - MAX_REPORTED);
    }
    out
}

/// Line from 1 and column from 0; both -1 without a place.
fn locate(lines: &[&str], offset: Option<u32>) -> (i64, i64) {
    let Some(offset) = offset else { return (-1, -1) };
    // UPSTREAM: the only place in an empty text is before its first column.
    if offset == BEFORE || matches!(lines, [""]) {
        return (1, -1);
    }
    let mut left = i64::from(offset);
    let mut line = 1;
    for text in lines {
        let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        if left <= length {
            break;
        }
        left -= length + 1;
        line += 1;
    }
    (line, left)
}

fn push_snippet(out: &mut String, line: &str, column: i64) {
    out.push_str("\n | ");
    out.extend(line.chars().map(|c| if c == '\t' { ' ' } else { c }));
    out.push_str("\n | ");
    let column = usize::try_from(column).unwrap_or(0);
    let mut chars = line.chars();
    for c in chars.by_ref().take(column) {
        out.push(if c.len_utf8() > 1 { '．' } else { '.' });
    }
    let wide = chars.next().is_some_and(|c| c.len_utf8() > 1);
    out.push(if wide { '＾' } else { '^' });
}
