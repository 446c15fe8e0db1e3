//! Changing a part of a scalar's text in the style that it is written in.

use crate::source::Span;

use super::{Node, Style, is_ambiguous, origin, resolve};

/// What to write where, so that the bytes `from..to` of a scalar's text become `with`: as little as
/// its style allows. Where the style cannot hold the new text, the scalar is written anew in double
/// quotes. None for collections.
pub fn rewrite(
    text: &str,
    node: &Node,
    from: usize,
    to: usize,
    with: &str,
) -> Option<(Span, String)> {
    let scalar = node.scalar()?;
    let before = scalar.value.get(..from)?;
    let after = scalar.value.get(to..)?;
    let whole = || {
        let value = [before, with, after].concat();
        let length = node.span.text(text).trim_end().len();
        let start = node.span.start as usize;
        Some((Span::new(start, start + length), resolve::quote(&value)))
    };
    let span = origin(text, node)?.span(from, to);
    // What could not be traced is the scalar as a whole, with its quotes.
    let is_plain = matches!(scalar.style, Style::Plain | Style::Json | Style::Tagged);
    if span.start == node.span.start && !(is_plain && from == 0 && span != node.span) {
        return whole();
    }
    let is_one_line = !with.contains(char::is_control);
    match scalar.style {
        Style::DoubleQuoted => {
            let quoted = resolve::quote(with);
            let inside = quoted.get(1..quoted.len().saturating_sub(1))?;
            Some((span, inside.to_owned()))
        }
        Style::SingleQuoted if is_one_line => Some((span, with.replace('\'', "''"))),
        Style::Literal => {
            let lines = with.replace('\n', &format!("\n{}", indent(text, span)));
            Some((span, lines + line_end(text, span, with)))
        }
        Style::Folded if is_one_line => Some((span, with.to_owned() + line_end(text, span, with))),
        Style::Plain | Style::Tagged if is_one_line && is_safe(before, with, after) => {
            Some((span, with.to_owned()))
        }
        _ => whole(),
    }
}

/// Whether a plain scalar can hold the new text; signs that end it in braces count where it had none
/// before.
fn is_safe(before: &str, with: &str, after: &str) -> bool {
    let flow = [',', '[', ']', '{', '}'];
    let had = before.contains(flow) || after.contains(flow);
    !is_ambiguous(&[before, with, after].concat()) && (had || !with.contains(flow))
}

/// The line break at the end of a span, which ends the scalar's last line.
fn line_end(text: &str, span: Span, with: &str) -> &'static str {
    if span.text(text).ends_with('\n') && !with.ends_with('\n') { "\n" } else { "" }
}

/// The indentation of the line that a span begins in.
fn indent(text: &str, span: Span) -> &str {
    let before = text.get(..span.start as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(line..).unwrap_or_default();
    rest.get(..rest.len() - rest.trim_start_matches(' ').len()).unwrap_or_default()
}
