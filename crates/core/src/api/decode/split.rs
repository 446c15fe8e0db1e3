//! A slice with devices and counter sets becomes two slices, as text.

use dra_playground_cel::order::Order;

use crate::diagnostic::{Fix, TextEdit};
use crate::source::Span;

use super::super::object::Object;
use super::relocate::{line_end, lines};
use super::shapes::column;

/// Writes the document once more, with the counter sets alone, and takes them out of the first.
///
/// Only where the pool has this slice alone: the others would have to tell the new number, too.
pub fn split_counters(text: &str, object: &Object) -> Option<Fix> {
    let (root, spans) = (object.spans.root(), &object.spans);
    let start = root.span.start;
    let fits = column(text, start) == 0
        && !root.span.text(text).starts_with('{')
        && !spans.node("spec")?.span.text(text).starts_with('{');
    let count = spans.node("spec.pool.resourceSliceCount")?.span;
    if !fits || count.text(text).trim() != "1" {
        return None;
    }
    let name = spans.node("metadata.name")?.span;
    let edit = |span: Span, text: &str| TextEdit { span, text: text.to_owned() };
    let without = |path: &str, mut edits: Vec<TextEdit>| {
        let field = spans.get(path)?;
        edits.push(edit(lines(text, field.key, field.value)?, ""));
        edits.push(edit(count, "2"));
        edits.order_by_key(|edit| edit.span);
        Some(edits)
    };
    let end = line_end(text, root.span.end);
    let named = format!("{}-counters", name.text(text).trim_matches(['"', '\'']));
    let twin = without("spec.devices", vec![edit(name, &named)])?;
    let twin = Fix { title: String::new(), edits: twin, safe: true };
    let twin = twin.apply(text.get(..end as usize)?);
    let at = Span { start: end, end };
    let line = if twin.ends_with('\n') { "" } else { "\n" };
    let twin = format!("{line}---\n{}", twin.get(start as usize..)?);
    let mut edits = without("spec.sharedCounters", Vec::new())?;
    edits.push(edit(at, &twin));
    let title = "give the counter sets a slice of their own".to_owned();
    Some(Fix { title, edits, safe: true })
}
