use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::Span;

use super::texts::Texts;
use super::{MAX_DEPTH, Node, NodeKind, Scalar, Style, codes};

/// How many repeated keys of a text are named.
const MAX_DUPLICATES: usize = 20;

/// Reads one JSON value, e.g. a line of a recorded case.
///
/// # Errors
/// A diagnostic with the place where it stops being JSON.
pub fn parse_json(text: &str) -> Result<Node, Box<Diagnostic>> {
    let mut texts = Texts::default();
    let mut parser = Json::new(text, 0, text.len(), &mut texts);
    let node = parser.value(0)?;
    parser.skip_blank();
    if parser.at < parser.end {
        return Err(parser.error("more text follows the value"));
    }
    Ok(node)
}

/// The JSON values of a part, if it is JSON; anything else is left to the YAML parser.
pub(super) fn documents(
    text: &str,
    span: Span,
    texts: &mut Texts,
) -> Option<Vec<(Node, Vec<Diagnostic>)>> {
    let mut parser = Json::new(text, span.start as usize, span.end as usize, texts);
    if parser.rest().starts_with("---") {
        parser.at += 3;
    }
    parser.skip_blank();
    if !parser.rest().starts_with('{') {
        return None;
    }
    let mut out = Vec::new();
    while parser.rest().starts_with('{') {
        let node = parser.value(0).ok()?;
        out.push((node, std::mem::take(&mut parser.duplicates)));
        parser.skip_blank();
    }
    (parser.at == parser.end).then_some(out)
}

struct Json<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    duplicates: Vec<Diagnostic>,
    texts: &'a mut Texts,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

impl<'a> Json<'a> {
    fn new(text: &'a str, at: usize, end: usize, texts: &'a mut Texts) -> Self {
        Self { text, at, end, duplicates: Vec::new(), texts }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied().filter(|_| self.at < self.end)
    }

    fn skip_blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    #[cfg_attr(
        target_pointer_width = "32",
        expect(clippy::unnecessary_box_returns, reason = "it is large where pointers are")
    )]
    fn error(&self, info: &str) -> Box<Diagnostic> {
        let len = self.rest().chars().next().map_or(0, char::len_utf8);
        Box::new(codes::json_syntax(info, Span::new(self.at, self.at + len)))
    }

    fn value(&mut self, depth: usize) -> Parsed<Node> {
        if depth >= MAX_DEPTH {
            return Err(Box::new(codes::nesting_too_deep(Span::at(self.at))));
        }
        self.skip_blank();
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => NodeKind::Mapping(self.object(depth)?.into()),
            Some(b'[') => NodeKind::Sequence(self.array(depth)?.into()),
            Some(b'"') => {
                NodeKind::Scalar(Scalar { value: self.string()?, style: Style::DoubleQuoted })
            }
            Some(_) => NodeKind::Scalar(Scalar { value: self.literal()?, style: Style::Json }),
            None => return Err(self.error("a value is missing")),
        };
        Ok(Node { span: Span::new(start, self.at), kind })
    }

    fn object(&mut self, depth: usize) -> Parsed<Vec<(Node, Node)>> {
        self.at += 1;
        let mut entries: Vec<(Node, Node)> = Vec::new();
        loop {
            self.skip_blank();
            if self.peek() == Some(b'}') && entries.is_empty() {
                break;
            }
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.error("expected a key in double quotes"));
            }
            let scalar = Scalar { value: self.string()?, style: Style::DoubleQuoted };
            let key = Node { span: Span::new(start, self.at), kind: NodeKind::Scalar(scalar) };
            self.skip_blank();
            if self.peek() != Some(b':') {
                return Err(self.error("expected `:` after the key"));
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            entries.push((key, value));
            self.skip_blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.error("expected `,` or `}`")),
            }
        }
        self.at += 1;
        Ok(self.unique(entries))
    }

    /// The last of equal keys wins, as in Go.
    fn unique(&mut self, entries: Vec<(Node, Node)>) -> Vec<(Node, Node)> {
        let mut keys: Vec<&str> = entries
            .iter()
            .filter_map(|(key, _)| key.scalar().map(|scalar| &*scalar.value))
            .collect();
        keys.sort_unstable();
        if keys.windows(2).all(|pair| pair.first() != pair.last()) {
            return entries;
        }
        let mut kept: Vec<(Node, Node)> = Vec::with_capacity(entries.len());
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for (key, value) in entries {
            let place = places.get(key.key_text().as_ref()).copied();
            if let Some(earlier) = place.and_then(|place| kept.get_mut(place)) {
                if self.duplicates.len() >= MAX_DUPLICATES {
                    *earlier = (key, value);
                    continue;
                }
                let before = self.text.get(..earlier.0.span.start as usize).unwrap_or_default();
                let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                let (first, again) = (earlier.0.span, key.span);
                let text = key.key_text().into_owned();
                self.duplicates.push(codes::duplicate_key(&text, first, again, line));
                *earlier = (key, value);
            } else {
                places.insert(key.key_text().into_owned(), kept.len());
                kept.push((key, value));
            }
        }
        kept
    }

    fn array(&mut self, depth: usize) -> Parsed<Vec<Node>> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_blank();
            if self.peek() == Some(b']') && items.is_empty() {
                break;
            }
            items.push(self.value(depth + 1)?);
            self.skip_blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.error("expected `,` or `]`")),
            }
        }
        self.at += 1;
        Ok(items)
    }

    /// A number, `true`, `false` or `null`.
    fn literal(&mut self) -> Parsed<Arc<str>> {
        let start = self.at;
        let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
        while self.peek().is_some_and(word) {
            self.at += 1;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        if matches!(text, "true" | "false" | "null") || is_number(text) {
            return Ok(self.texts.keep(text));
        }
        self.at = start;
        Err(self.error("expected a value"))
    }

    fn string(&mut self) -> Parsed<Arc<str>> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let stop = rest.bytes().position(|b| b == b'"' || b == b'\\' || b < b' ');
            let Some(stop) = stop else {
                self.at = self.end;
                return Err(self.error("a closing `\"` is missing"));
            };
            out.push_str(rest.get(..stop).unwrap_or_default());
            self.at += stop;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(self.texts.keep(&out));
                }
                Some(b'\\') => self.escape(&mut out)?,
                _ => return Err(self.error("a control character stands inside a string")),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Parsed<()> {
        let Some((decoded, len)) = escape(self.rest()) else {
            return Err(self.error("this is not an escape sequence of JSON"));
        };
        out.push(decoded);
        self.at += len;
        Ok(())
    }
}

/// Decodes the escape at the start of the text: the character and the bytes it takes.
pub(super) fn escape(text: &str) -> Option<(char, usize)> {
    let simple = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode_escape(text),
        _ => return None,
    };
    Some((simple, 2))
}

fn unicode_escape(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 4)?;
        let hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
        hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    };
    let first = unit(2)?;
    if let Some(c) = char::from_u32(first) {
        return Some((c, 6));
    }
    let second = text.get(6..8).filter(|u| *u == "\\u").and_then(|_| unit(8));
    if let (0xd800..0xdc00, Some(low @ 0xdc00..0xe000)) = (first, second) {
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00);
        return char::from_u32(code).map(|c| (c, 12));
    }
    // A lone surrogate becomes the replacement character, as in Go.
    Some(('\u{fffd}', 6))
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (unsigned.get(..at).unwrap_or_default(), unsigned.get(at + 1..)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|part| digits(part.strip_prefix(['+', '-']).unwrap_or(part)))
}
