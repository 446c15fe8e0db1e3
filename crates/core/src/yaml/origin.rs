//! Where each byte of a scalar's value is written.

use crate::source::{Origin, Span};

use super::{Node, Scalar, Style, json};

/// The deepest explicit indentation that is tried for a block scalar.
const MAX_INDENT: usize = 64;

/// Maps the value of a scalar back to the text, line by line; `None` for collections.
///
/// A value that cannot be traced (e.g. one with an unusual escape) maps as a whole.
pub fn origin(text: &str, node: &Node) -> Option<Origin> {
    let scalar = node.scalar()?;
    let decoded = match scalar.style {
        Style::Plain | Style::Json | Style::Tagged => plain(text, node.span),
        Style::SingleQuoted => quoted(text, node.span, '\''),
        Style::DoubleQuoted => quoted(text, node.span, '"'),
        Style::Literal | Style::Folded => return Some(block(text, node.span, scalar)),
    };
    Some(decoded.accept(&scalar.value, node.span))
}

/// A value decoded again, with the origin of every piece.
struct Decoded {
    value: String,
    origin: Origin,
}

impl Decoded {
    fn new(span: Span) -> Self {
        Self { value: String::new(), origin: Origin::new(span) }
    }

    fn push(&mut self, piece: &str, file: Span) {
        self.value.push_str(piece);
        self.origin.push(piece.len(), file);
    }

    fn copy(&mut self, text: &str, file: Span) {
        self.push(file.text(text), file);
    }

    fn accept(self, value: &str, span: Span) -> Origin {
        if self.value.starts_with(value) { self.origin } else { Origin::new(span) }
    }
}

fn plain(text: &str, span: Span) -> Decoded {
    let mut decoded = Decoded::new(span);
    let mut at = span.start as usize;
    let end = span.end as usize;
    while at < end {
        let rest = text.get(at..end).unwrap_or_default();
        let line = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let content = rest.get(..line).unwrap_or_default().trim_end_matches([' ', '\t']).len();
        decoded.copy(text, Span::new(at, at + content));
        if line == rest.len() {
            break;
        }
        at = fold(text, at + content, end, &mut decoded);
    }
    decoded
}

/// Folds the line breaks that start at `from`; the offset of the next text.
fn fold(text: &str, from: usize, end: usize, decoded: &mut Decoded) -> usize {
    let rest = text.get(from..end).unwrap_or_default();
    let next = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    let gap = rest.get(..next).unwrap_or_default();
    let breaks = gap.matches('\n').count().max(usize::from(gap.contains('\r')));
    let folded = if breaks > 1 { "\n".repeat(breaks - 1) } else { " ".to_owned() };
    decoded.push(&folded, Span::new(from, from + next));
    from + next
}

fn quoted(text: &str, span: Span, quote: char) -> Decoded {
    let mut decoded = Decoded::new(span);
    let (mut at, end) = (span.start as usize + 1, (span.end as usize).saturating_sub(1));
    while at < end {
        let rest = text.get(at..end).unwrap_or_default();
        let stop = rest.find(['\\', '\'', '\n', '\r']).unwrap_or(rest.len());
        let run = rest.get(..stop).unwrap_or_default();
        let tail = rest.get(stop..).unwrap_or_default();
        if tail.starts_with(['\n', '\r']) {
            let content = run.trim_end_matches([' ', '\t']).len();
            decoded.copy(text, Span::new(at, at + content));
            at = fold(text, at + content, end, &mut decoded);
            continue;
        }
        decoded.copy(text, Span::new(at, at + stop));
        at += stop;
        if quote == '\'' && tail.starts_with("''") {
            decoded.push("'", Span::new(at, at + 2));
            at += 2;
        } else if quote == '"' && tail.starts_with('\\') {
            at = escape(text, at, end, &mut decoded);
        } else if let Some(c) = tail.chars().next() {
            decoded.copy(text, Span::new(at, at + c.len_utf8()));
            at += c.len_utf8();
        }
    }
    decoded
}

/// Decodes one escape of a double-quoted scalar; the offset behind it.
fn escape(text: &str, at: usize, end: usize, decoded: &mut Decoded) -> usize {
    let rest = text.get(at..end).unwrap_or_default();
    if let Some(line) = rest.strip_prefix("\\\n").or_else(|| rest.strip_prefix("\\\r\n")) {
        return end - line.trim_start_matches([' ', '\t']).len();
    }
    if let Some((c, len)) = json::escape(rest) {
        decoded.push(c.encode_utf8(&mut [0; 4]), Span::new(at, at + len));
        return at + len;
    }
    let (c, len) = match rest.as_bytes().get(1) {
        Some(b'0') => ('\0', 2),
        Some(b'a') => ('\u{7}', 2),
        Some(b'v') => ('\u{b}', 2),
        Some(b'e') => ('\u{1b}', 2),
        Some(b' ') => (' ', 2),
        Some(b'\t') => ('\t', 2),
        Some(b'N') => ('\u{85}', 2),
        Some(b'_') => ('\u{a0}', 2),
        Some(b'L') => ('\u{2028}', 2),
        Some(b'P') => ('\u{2029}', 2),
        Some(b'x') => (hex(rest, 2), 4),
        Some(b'U') => (hex(rest, 8), 10),
        _ => ('\u{fffd}', 2),
    };
    decoded.push(c.encode_utf8(&mut [0; 4]), Span::new(at, (at + len).min(end)));
    (at + len).min(end)
}

fn hex(rest: &str, digits: usize) -> char {
    let digits = rest.get(2..2 + digits).unwrap_or_default();
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
}

fn block(text: &str, span: Span, scalar: &Scalar) -> Origin {
    let start = span.start as usize;
    let rest = text.get(start..).unwrap_or_default();
    let header = rest.find('\n').map_or(rest.len(), |at| at + 1);
    let explicit =
        rest.get(..header).unwrap_or_default().bytes().take(3).any(|b| b.is_ascii_digit());
    let body = Span::new(start + header, text.len());
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let detected = body.text(text).lines().find(|line| !line.trim().is_empty()).map_or(0, spaces);
    let candidates = if explicit { 0..=MAX_INDENT.min(detected) } else { detected..=detected };
    for indent in candidates {
        let decoded = block_lines(text, body, indent, scalar, span);
        if decoded.value.starts_with(&*scalar.value) {
            return decoded.origin;
        }
    }
    Origin::new(span)
}

/// Decodes the lines of a block scalar with a known indentation, keeping trailing line breaks.
fn block_lines(text: &str, body: Span, indent: usize, scalar: &Scalar, span: Span) -> Decoded {
    let mut decoded = Decoded::new(span);
    let folded = scalar.style == Style::Folded;
    let mut at = body.start as usize;
    // Line breaks that are not written yet: the one after the last text, then those of empty lines.
    let mut breaks: Vec<Span> = Vec::new();
    let mut after_blank = true;
    for line in body.text(text).split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let newline = Span::new(at + content.len(), at + line.len());
        let spaces = content.len() - content.trim_start_matches(' ').len();
        if content.len() > indent && spaces < indent && !content.trim().is_empty() {
            break;
        }
        let inside = content.get(indent..).unwrap_or_default();
        if inside.is_empty() {
            if spaces < indent && content.len() > spaces {
                break;
            }
            breaks.push(newline);
        } else {
            let blank = inside.starts_with([' ', '\t']);
            write_breaks(&mut decoded, &breaks, folded && !after_blank && !blank);
            decoded.copy(text, Span::new(at + indent, at + content.len()));
            breaks = vec![newline];
            after_blank = blank;
        }
        if decoded.value.len() > scalar.value.len() {
            break;
        }
        at += line.len();
    }
    write_breaks(&mut decoded, &breaks, false);
    decoded
}

/// Writes pending line breaks; folding turns a single one into a space and drops the first of many.
fn write_breaks(decoded: &mut Decoded, breaks: &[Span], fold: bool) {
    match (fold, breaks) {
        (true, [single]) => decoded.push(" ", *single),
        (true, [first, second, rest @ ..]) => {
            decoded.push("\n", first.cover(*second));
            for newline in rest {
                decoded.push("\n", *newline);
            }
        }
        _ => {
            for newline in breaks {
                decoded.push("\n", *newline);
            }
        }
    }
}
