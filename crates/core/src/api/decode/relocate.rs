//! A field that stands in the wrong map is moved into the right one, as text.

use crate::diagnostic::{Fix, TextEdit};
use crate::source::Span;
use crate::yaml::Node;

use super::shapes::{Site, column, line_starts};

/// The map that a shape such as `spec.devices.requests[].exactly` leads to: in lists the item that
/// holds the place, or the only one.
pub(super) fn target<'a>(root: &'a Node, shape: &str, place: Span) -> Option<&'a Node> {
    let mut node = root;
    for segment in shape.split('.').filter(|segment| !segment.is_empty()) {
        let name = segment.trim_end_matches("[]");
        node = node.get(name)?;
        if segment.ends_with("[]") {
            let items = node.items()?;
            node = match items.iter().find(|item| item.span.contains(place)) {
                Some(item) => item,
                None => items.first().filter(|_| items.len() == 1)?,
            };
        }
    }
    node.entries().filter(|entries| !entries.is_empty()).map(|_| node)
}

/// Moves an entry to the end of another map; `None` where lines do not tell both apart.
pub(super) fn relocate(place: &Site<'_>, target: &Node, below: &str) -> Option<Fix> {
    let Site { parent, key, value, text } = *place;
    let entries = target.entries()?;
    let (first, _) = entries.first()?;
    let name = key.key_text();
    let fits = is_block(target, text)
        && is_block(parent, text)
        && parent.entries().is_some_and(|entries| entries.len() > 1)
        && entries.iter().all(|(key, _)| key.key_text() != name);
    let moved = lines(text, key.span, value.span).filter(|_| fits)?;
    let Span { start, end } = moved;
    let from = column(text, key.span.start);
    let to = column(text, first.span.start);
    let next = target.span.end.max(first.span.end);
    let insert = if (start..=end).contains(&next) { end } else { line_end(text, next) };
    if insert > start && insert < end {
        return None;
    }
    let mut lines = String::new();
    for (at, line) in std::iter::once(start)
        .chain(line_starts(text, moved))
        .map(|at| (at, text.get(at as usize..).unwrap_or_default()))
    {
        let line = line.split_inclusive('\n').next().unwrap_or_default();
        if at >= end {
            break;
        }
        let content = line.get(from..).filter(|_| line.get(..from).is_some_and(is_blank))?;
        lines.push_str(&" ".repeat(to));
        lines.push_str(content);
    }
    if !lines.ends_with('\n') {
        lines.push('\n');
    }
    if insert as usize == text.len() && !text.ends_with('\n') {
        lines = format!("\n{}", lines.trim_end_matches('\n'));
    }
    let remove = TextEdit { span: moved, text: String::new() };
    let add = TextEdit { span: Span { start: insert, end: insert }, text: lines };
    let edits = if insert <= start { vec![add, remove] } else { vec![remove, add] };
    Some(Fix { title: format!("move it below `{below}`"), edits, safe: true })
}

/// Takes an entry away.
pub(super) fn remove(place: &Site<'_>) -> Option<Fix> {
    let Site { parent, key, value, text } = *place;
    let entries = parent.entries()?;
    let at = entries.iter().position(|(entry, _)| entry.span == key.span)?;
    let before = at.checked_sub(1).and_then(|before| entries.get(before));
    let span = match (before, entries.get(at + 1)) {
        (None, Some((next, _))) => Span { start: key.span.start, end: next.span.start },
        (Some(_), _) if is_block(parent, text) => lines(text, key.span, value.span)?,
        (Some((_, before)), _) => Span { start: before.span.end, end: value.span.end },
        (None, None) => return None,
    };
    Some(Fix::new(format!("remove `{}`", key.key_text()), span, "", false))
}

/// The lines of an entry, where it has them for itself.
pub(super) fn lines(text: &str, key: Span, value: Span) -> Option<Span> {
    let start = key.start.checked_sub(u32::try_from(column(text, key.start)).ok()?)?;
    let alone = Span { start, end: key.start }.text(text).trim().is_empty();
    alone.then(|| Span { start, end: line_end(text, value.end.max(key.end)) })
}

fn is_block(node: &Node, text: &str) -> bool {
    !node.span.text(text).starts_with('{')
}

/// Indents an entry that follows the key it belongs below, when nothing stands there yet.
pub(super) fn indent(place: &Site<'_>, below: &str) -> Option<Fix> {
    let Site { parent, key, value, text } = *place;
    let entries = parent.entries().filter(|_| !parent.span.text(text).starts_with('{'))?;
    let at = entries.iter().position(|(entry, _)| entry.span == key.span)?;
    let (before, _) = entries.get(at.checked_sub(1)?)?;
    if before.key_text() != below || !before.span.text(text).starts_with(below) {
        return None;
    }
    let inside = Span { start: key.span.start, end: value.span.end.max(key.span.end) };
    let lines = std::iter::once(key.span.start).chain(line_starts(text, inside));
    let edits =
        lines.map(|at| TextEdit { span: Span { start: at, end: at }, text: "  ".to_owned() });
    Some(Fix { title: format!("move it below `{below}`"), edits: edits.collect(), safe: true })
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte == b' ')
}

/// Behind the line that holds a place.
pub(super) fn line_end(text: &str, at: u32) -> u32 {
    let rest = text.get(at as usize..).unwrap_or_default();
    let len = rest.find('\n').map_or(rest.len(), |newline| newline + 1);
    at.saturating_add(u32::try_from(len).unwrap_or(u32::MAX))
}
