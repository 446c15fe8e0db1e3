//! The YAML that `kubectl` writes, read quickly: blocks, one-line scalars, nothing else.
//!
//! Large pastes are dumps, and dumps are plain. Whatever is not surely of this kind is left to the
//! parser, which gives the same tree and the same spans; a law of reading compares the two.

use crate::source::Span;

use super::texts::Texts;
use super::{Node, NodeKind, Scalar, Style};

/// Deeper text is left to the parser, which has a limit of its own.
const MAX_DEPTH: usize = 48;

/// Longest key that the parser takes without a `?`.
const MAX_KEY: usize = 1000;

/// The tree of a document; `None` when it has to be read by the parser.
pub(super) fn read(text: &str, span: Span, texts: &mut Texts) -> Option<Node> {
    let end = span.end as usize;
    let inside = span.text(text);
    if inside.bytes().any(|byte| matches!(byte, b'\t' | b'\r')) {
        return None;
    }
    let mut reader =
        Reader { text: text.get(..end)?, next: span.start as usize, line: None, texts };
    reader.advance();
    if let Some(line) = reader.line
        && line.content(reader.text)? == "---"
        && line.column == 0
    {
        reader.advance();
    }
    let node = reader.node(reader.line?, 0)?;
    // What is left has an indentation that fits nowhere.
    reader.line.is_none().then_some(node)
}

/// A line that has something on it.
#[derive(Clone, Copy)]
struct Line {
    /// Where its content starts and ends, trailing blanks left out.
    start: usize,
    end: usize,
    /// Columns before the content.
    column: usize,
}

impl Line {
    fn content<'a>(&self, text: &'a str) -> Option<&'a str> {
        text.get(self.start..self.end)
    }
}

struct Reader<'a> {
    text: &'a str,
    /// Where the next line starts.
    next: usize,
    /// The line that is to be read.
    line: Option<Line>,
    texts: &'a mut Texts,
}

impl Reader<'_> {
    /// Goes to the next line that has something on it.
    fn advance(&mut self) {
        self.line = None;
        while let Some(rest) = self.text.get(self.next..).filter(|rest| !rest.is_empty()) {
            let len = rest.find('\n').unwrap_or(rest.len());
            let line = rest.get(..len).unwrap_or_default();
            let start = self.next;
            self.next += len + 1;
            let trimmed = line.trim_end_matches(' ');
            let column = trimmed.len() - trimmed.trim_start_matches(' ').len();
            let first = trimmed.as_bytes().get(column);
            if first.is_some_and(|first| *first != b'#') {
                let (start, end) = (start + column, start + trimmed.len());
                self.line = Some(Line { start, end, column });
                return;
            }
        }
    }

    /// The node that starts with a line, or with the rest of one.
    fn node(&mut self, line: Line, depth: usize) -> Option<Node> {
        if depth > MAX_DEPTH {
            return None;
        }
        if is_item(line.content(self.text)?) {
            self.sequence(line, false, depth)
        } else {
            self.mapping(line, depth)
        }
    }

    /// `flush`: its items are not indented below their key.
    fn sequence(&mut self, first: Line, flush: bool, depth: usize) -> Option<Node> {
        let mut items = Vec::new();
        let mut line = first;
        loop {
            let content = line.content(self.text)?;
            let inner = content.get(1..)?.trim_start_matches(' ');
            let skipped = content.len() - inner.len();
            if inner.is_empty() || inner.starts_with('#') {
                return None;
            }
            let start = line.start + skipped;
            let inner = Line { start, end: line.end, column: line.column + skipped };
            let item =
                if is_item(inner.content(self.text)?) || key_length(self.text, inner).is_some() {
                    self.node(inner, depth + 1)?
                } else {
                    let scalar = scalar(self.text, inner.start, inner.end, self.texts)?;
                    self.advance();
                    self.ends_at(first.column)?;
                    scalar
                };
            items.push(item);
            match self.line {
                Some(next) if next.column == first.column => {
                    // A mapping around a sequence without indentation goes on here.
                    if !is_item(next.content(self.text)?) {
                        break;
                    }
                    line = next;
                }
                Some(next) if next.column > first.column => return None,
                Some(_) | None => break,
            }
        }
        let end = items.last()?.span.end;
        // The parser notices a list without indentation at its first item.
        let start =
            if flush { items.first()?.span.start } else { u32::try_from(first.start).ok()? };
        Some(Node { span: Span { start, end }, kind: NodeKind::Sequence(items.into()) })
    }

    fn mapping(&mut self, first: Line, depth: usize) -> Option<Node> {
        let mut entries: Vec<(Node, Node)> = Vec::with_capacity(1);
        let mut line = first;
        loop {
            let (key, after) = key(self.text, line, self.texts)?;
            let value = self.value(&key, after, line, first.column, depth)?;
            entries.push((key, value));
            match self.line {
                Some(next) if next.column == first.column => {
                    if is_item(next.content(self.text)?) {
                        return None;
                    }
                    line = next;
                }
                Some(next) if next.column > first.column => return None,
                Some(_) | None => break,
            }
        }
        if has_equal_keys(&entries) {
            return None;
        }
        let end = entries.last()?.1.span.end;
        let span = Span { start: u32::try_from(first.start).ok()?, end };
        Some(Node { span, kind: NodeKind::Mapping(entries.into()) })
    }

    /// The value of a key; `after` is behind its colon.
    fn value(
        &mut self,
        key: &Node,
        after: usize,
        line: Line,
        column: usize,
        depth: usize,
    ) -> Option<Node> {
        let rest = self.text.get(after..line.end)?;
        let start = after + (rest.len() - rest.trim_start_matches(' ').len());
        let rest = self.text.get(start..line.end)?;
        if !rest.is_empty() && !rest.starts_with('#') {
            let value = scalar(self.text, start, line.end, self.texts)?;
            self.advance();
            self.ends_at(column)?;
            return Some(value);
        }
        self.advance();
        match self.line {
            Some(next) if next.column > column => self.node(next, depth + 1),
            Some(next) if next.column == column && is_item(next.content(self.text)?) => {
                self.sequence(next, true, depth + 1)
            }
            Some(_) | None => {
                let at = key.span.end + 1;
                let scalar = Scalar { value: self.texts.keep(""), style: Style::Plain };
                let span = Span { start: at, end: at };
                Some(Node { span, kind: NodeKind::Scalar(scalar) })
            }
        }
    }

    /// Text that is indented deeper than its parent goes on in the next line.
    fn ends_at(&self, column: usize) -> Option<()> {
        self.line.is_none_or(|line| line.column <= column).then_some(())
    }
}

/// Whether a line is an item of a list.
fn is_item(content: &str) -> bool {
    content.strip_prefix('-').is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The key at the start of a line, and where its value may start.
fn key(text: &str, line: Line, texts: &mut Texts) -> Option<(Node, usize)> {
    let len = key_length(text, line)?;
    let span = Span::new(line.start, line.start + len);
    let scalar = Scalar { value: texts.keep(span.text(text)), style: Style::Plain };
    Some((Node { span, kind: NodeKind::Scalar(scalar) }, line.start + len + 1))
}

fn key_length(text: &str, line: Line) -> Option<usize> {
    let content = line.content(text)?;
    let len = content.bytes().position(|byte| {
        !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-'))
    })?;
    let after = content.get(len..)?.strip_prefix(':')?;
    let fits = content.as_bytes().first()?.is_ascii_alphanumeric() && len <= MAX_KEY;
    if !fits || !(after.is_empty() || after.starts_with(' ')) {
        return None;
    }
    Some(len)
}

/// A scalar, or an empty list or map, that stands on one line.
fn scalar(text: &str, start: usize, end: usize, texts: &mut Texts) -> Option<Node> {
    let rest = text.get(start..end)?;
    if !rest.is_ascii() {
        return None;
    }
    let mut quoted = |style: Style, quote: char| {
        let inside = rest.get(1..)?;
        let len = inside.find(quote)?;
        let value = inside.get(..len)?;
        let after = inside.get(len + 1..)?;
        let fits = after.is_empty() || after.starts_with(' ') && after.trim().starts_with('#');
        let plain = !value.contains('\\') && fits;
        plain.then(|| (Scalar { value: texts.keep(value), style }, len + 2))
    };
    let (scalar, len) = match rest.as_bytes().first()? {
        b'"' => quoted(Style::DoubleQuoted, '"')?,
        b'\'' => quoted(Style::SingleQuoted, '\'')?,
        b'{' if rest == "{}" => return Some(empty(NodeKind::Mapping(Box::default()), start)),
        b'[' if rest == "[]" => return Some(empty(NodeKind::Sequence(Box::default()), start)),
        first => {
            let second = rest.as_bytes().get(1).copied().unwrap_or(b' ');
            let starts = first.is_ascii_alphanumeric()
                || matches!(first, b'.' | b'/' | b'_' | b'+' | b'(' | b'~' | b'$' | b'=' | b'<')
                || *first == b'-' && second.is_ascii_alphanumeric();
            let value = match rest.find(" #") {
                Some(comment) => rest.get(..comment)?.trim_end_matches(' '),
                None => rest,
            };
            if !starts || value.contains(": ") || value.ends_with(':') {
                return None;
            }
            (Scalar { value: texts.keep(value), style: Style::Plain }, value.len())
        }
    };
    Some(Node { span: Span::new(start, start + len), kind: NodeKind::Scalar(scalar) })
}

fn empty(kind: NodeKind, start: usize) -> Node {
    Node { span: Span::new(start, start + 2), kind }
}

/// Whether two keys are the same, or may be read as the same.
fn has_equal_keys(entries: &[(Node, Node)]) -> bool {
    if entries.len() == 1 {
        return false;
    }
    let mut keys: Vec<&str> = Vec::with_capacity(entries.len());
    for entry in entries {
        match plain_text(&entry.0) {
            Some(text) => keys.push(text),
            // `on` and `true` are one key.
            None => return true,
        }
    }
    if keys.len() > 8 {
        keys.sort_unstable();
        return keys.windows(2).any(|pair| pair.first() == pair.last());
    }
    keys.iter().enumerate().any(|(idx, key)| keys.iter().take(idx).any(|other| other == key))
}

/// The text of a key that is nothing but text.
fn plain_text(key: &Node) -> Option<&str> {
    let text = &*key.scalar()?.value;
    matches!(super::resolve::resolve(text), super::Resolved::String(_)).then_some(text)
}
