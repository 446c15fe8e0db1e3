use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use crate::diagnostic::Diagnostic;
use crate::source::Span;

use super::build::{Broken, Builder};
use super::clean::dedent_part;
use super::split::Part;
use super::{Document, Node, Scalar, Shared, Stream, Style, codes, json, plain};

/// Reads one part of the text and adds its documents.
pub(super) fn load_part(text: &str, part: &Part, shared: &mut Shared, stream: &mut Stream) {
    if !part.has_content {
        return;
    }
    if let Some(values) = json::documents(text, part.span, &mut shared.texts) {
        for (node, diagnostics) in values {
            add(stream, node.span, Some(node), diagnostics);
        }
        return;
    }
    if let Some(diagnostic) = control_characters(text, part.span) {
        add(stream, part.span, None, vec![diagnostic]);
        return;
    }
    if let Some(root) = plain::read(text, part.span, &mut shared.texts) {
        add(stream, part.span, Some(root), Vec::new());
        return;
    }
    let (root, mut diagnostics) = load_with_tabs(text, part.span, shared);
    if root.is_none() {
        diagnostics = explain_failure(text, part, diagnostics);
    }
    // A document without anything but comments and directives is no document.
    if root.is_some() || !diagnostics.is_empty() {
        add(stream, part.span, root, diagnostics);
    }
}

fn add(stream: &mut Stream, span: Span, root: Option<Node>, diagnostics: Vec<Diagnostic>) {
    let index = stream.documents.len();
    stream.documents.push(Document { index, span, root });
    stream.diagnostics.extend(diagnostics);
}

/// Parses a document; tabs between a `:` or `-` and its value are fine for Kubernetes, but not for
/// the parser.
fn load_with_tabs(text: &str, span: Span, shared: &mut Shared) -> (Option<Node>, Vec<Diagnostic>) {
    let budget = shared.aliases;
    let first = load(text, span, shared);
    let inside = span.text(text);
    if first.0.is_some() || !(inside.contains(":\t") || inside.contains("-\t")) {
        return first;
    }
    shared.aliases = budget;
    let mut spaced = String::with_capacity(text.len());
    spaced.push_str(text.get(..span.start as usize).unwrap_or_default());
    let mut after_indicator = false;
    for c in inside.chars() {
        let replace = c == '\t' && after_indicator;
        after_indicator = replace || matches!(c, ':' | '-') || (c == ' ' && after_indicator);
        spaced.push(if replace { ' ' } else { c });
    }
    match load(&spaced, span, shared) {
        (None, _) => first,
        second => second,
    }
}

/// Parses the single document in `span`; spans of the result are those of the whole text.
pub(super) fn load(text: &str, span: Span, shared: &mut Shared) -> (Option<Node>, Vec<Diagnostic>) {
    let offsets = Offsets::new(span.text(text), span.start as usize);
    let mut builder = Builder::new(text, shared);
    let mut parser = Parser::new_from_str(span.text(text));
    while let Some(event) = parser.next_event() {
        let outcome = match event {
            Ok((Event::StreamEnd, _)) => break,
            Ok((event, mark)) => feed(&mut builder, text, event, offsets.span(mark)),
            Err(error) => {
                let at = offsets.byte(error.marker().index());
                builder.diagnostics.push(syntax_error(text, span, error.info(), at));
                Err(Broken)
            }
        };
        if outcome.is_err() {
            let (_, diagnostics) = builder.finish();
            return (None, diagnostics);
        }
    }
    builder.finish()
}

fn feed(builder: &mut Builder<'_>, text: &str, event: Event<'_>, span: Span) -> Result<(), Broken> {
    match event {
        Event::Scalar(value, style, anchor, tag) => {
            let style = match style {
                ScalarStyle::Plain => Style::Plain,
                ScalarStyle::SingleQuoted => Style::SingleQuoted,
                ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
                ScalarStyle::Literal => Style::Literal,
                ScalarStyle::Folded => Style::Folded,
            };
            let span = if value.is_empty() && style == Style::Plain && tag.is_none() {
                builder.empty_at(span.start as usize)
            } else if matches!(style, Style::Literal | Style::Folded) {
                let start = block_header(text, span.start as usize);
                trim(text, Span::new(start, span.end as usize))
            } else {
                let span = trim(text, span);
                match style {
                    Style::SingleQuoted | Style::DoubleQuoted => closed(text, span),
                    _ => span,
                }
            };
            let style = tagged(style, tag.as_deref());
            let value = builder.shared.texts.keep(&value);
            builder.scalar(Scalar { value, style }, span, anchor)
        }
        Event::SequenceStart(anchor, _) => builder.start_sequence(span, anchor),
        Event::MappingStart(anchor, _) => builder.start_mapping(span, anchor),
        Event::SequenceEnd | Event::MappingEnd => builder.end(span),
        Event::Alias(id) => builder.alias(id, span),
        Event::Nothing
        | Event::StreamStart
        | Event::StreamEnd
        | Event::DocumentStart(_)
        | Event::DocumentEnd => Ok(()),
    }
}

/// Tags of numbers, booleans and null make a quoted value resolve like a plain one; any other tag
/// keeps text.
fn tagged(style: Style, tag: Option<&Tag>) -> Style {
    let Some(tag) = tag else {
        return style;
    };
    let resolves = tag.is_yaml_core_schema()
        && matches!(tag.suffix.as_str(), "int" | "float" | "bool" | "null" | "timestamp");
    match (resolves, style) {
        (true, _) => Style::Plain,
        (false, Style::Plain) => Style::Tagged,
        (false, style) => style,
    }
}

/// The `|` or `>` of a block scalar whose text starts at `content`.
fn block_header(text: &str, content: usize) -> usize {
    let mut end = content;
    loop {
        let before = text.get(..end).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
        let header = line.char_indices().find(|(at, c)| {
            let starts =
                *at == 0 || line.as_bytes().get(at - 1).is_some_and(|b| b" \t-:".contains(b));
            let rest = line.get(at + 1..).unwrap_or_default();
            let rest =
                rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '+' || c == '-');
            let rest = rest.trim_start();
            matches!(c, '|' | '>')
                && starts
                && start + at <= content
                && (rest.is_empty() || rest.starts_with('#'))
        });
        match header {
            Some((at, _)) => return start + at,
            None if start == 0 => return content,
            None => end = start - 1,
        }
        // Only empty lines may stand between the header and the text.
        let skipped = text.get(end + 1..content).unwrap_or_default();
        if skipped.lines().rev().skip(1).any(|line| !line.trim().is_empty()) {
            return content;
        }
    }
}

/// A quoted scalar up to its closing quote; the parser takes a comment behind it along.
fn closed(text: &str, span: Span) -> Span {
    let inside = span.text(text);
    let mut bytes = inside.bytes().enumerate();
    let Some((_, quote)) = bytes.next().filter(|(_, b)| matches!(b, b'"' | b'\'')) else {
        return span;
    };
    while let Some((at, byte)) = bytes.next() {
        let doubled = inside.as_bytes().get(at + 1) == Some(&b'\'') && quote == b'\'';
        if byte == b'\\' && quote == b'"' || byte == quote && doubled {
            bytes.next();
        } else if byte == quote {
            return Span::new(span.start as usize, span.start as usize + at + 1);
        }
    }
    span
}

fn trim(text: &str, span: Span) -> Span {
    let inside = span.text(text);
    Span::new(span.start as usize, span.start as usize + inside.trim_end().len())
}

/// From the parser's code points to bytes of the whole text.
struct Offsets {
    base: usize,
    /// Byte of each code point; empty for ASCII.
    table: Vec<u32>,
    len: usize,
}

impl Offsets {
    fn new(text: &str, base: usize) -> Self {
        let table = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices().map(|(at, _)| u32::try_from(at).unwrap_or(u32::MAX)).collect()
        };
        Self { base, table, len: text.len() }
    }

    fn byte(&self, code_point: usize) -> usize {
        let inside = if self.table.is_empty() {
            code_point.min(self.len)
        } else {
            self.table.get(code_point).map_or(self.len, |at| *at as usize)
        };
        self.base + inside
    }

    fn span(&self, span: saphyr_parser::Span) -> Span {
        Span::new(self.byte(span.start.index()), self.byte(span.end.index()))
    }
}

fn control_characters(text: &str, span: Span) -> Option<Diagnostic> {
    let inside = span.text(text);
    // Nearly every text has none, which its bytes tell quickly.
    let suspect = |byte: u8| !(matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'));
    if !inside.bytes().any(suspect) {
        return None;
    }
    let forbidden = |c: char| {
        (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}')) || c == '\u{fffe}'
    };
    let (at, first) = inside.char_indices().find(|(_, c)| forbidden(*c))?;
    let count = inside.chars().filter(|c| forbidden(*c)).count();
    let start = span.start as usize + at;
    Some(codes::control_character(first, count, Span::new(start, start + first.len_utf8())))
}

/// The place of an error is where the parser noticed; mark the line's text from there.
fn syntax_error(text: &str, part: Span, info: &str, at: usize) -> Diagnostic {
    let at = at.min(part.end as usize);
    if info == "recursion limit exceeded" {
        return codes::nesting_too_deep(Span::at(at));
    }
    // Noticed at the very end, on an empty line, or late: mark the last text before.
    let before = text.get(..at).unwrap_or_default();
    let rest = text.get(at..part.end as usize).unwrap_or_default();
    let line_rest = rest.lines().next().unwrap_or_default();
    // A key without a colon is noticed at the next one.
    let own = before.rsplit('\n').next().unwrap_or_default();
    let late = info.contains("simple key expect") && own.trim().is_empty();
    let span = if line_rest.trim().is_empty() || late {
        let end = before.trim_end().len();
        let start = before.trim_end().rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
        let indent = before.get(start..end).unwrap_or_default();
        Span::new(start + (indent.len() - indent.trim_start().len()), end)
    } else {
        let indent = line_rest.len() - line_rest.trim_start().len();
        Span::new(at + indent, at + line_rest.trim_end().len())
    };
    let line_start = before.rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
    let line = text.get(line_start..).unwrap_or_default();
    let indent: &str =
        line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default();
    if indent.contains('\t') {
        let span = Span::new(line_start, line_start + indent.len());
        return codes::tab_indentation(span, &indent.replace('\t', "  "));
    }
    if info.contains("unknown anchor") {
        return codes::unknown_anchor(span.text(text), span);
    }
    let comments = part.text(text).lines().any(|line| line.trim_start().starts_with("//"));
    codes::yaml_syntax(&info.replace('`', "'"), comments, span)
}

/// Prefers a cause that people know over the parser's words.
fn explain_failure(text: &str, part: &Part, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let inside = part.span.text(text);
    let base = part.span.start as usize;
    let syntax = diagnostics.iter().any(|d| d.code == codes::YAML_SYNTAX);
    if !syntax && !diagnostics.iter().any(|d| d.code == codes::COMPLEX_KEY) {
        return diagnostics;
    }
    if let Some(at) = inside.find("{{") {
        let rest = inside.get(at..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        let end = line.find("}}").map_or(line.len(), |end| end + 2);
        let span = Span::new(base + at, base + at + end);
        return vec![codes::template_not_rendered(span.text(text), span)];
    }
    // Placeholders like `@@NAME@@` cannot even start a value.
    if let Some((start, placeholder)) = at_placeholder(inside) {
        let span = Span::new(base + start, base + start + placeholder.len());
        return vec![codes::template_not_rendered(placeholder, span)];
    }
    if let Some(diagnostic) = first_line_dedented(text, part.span) {
        return vec![diagnostic];
    }
    if part.after_end_marker {
        let before = text.get(..base).unwrap_or_default().trim_end();
        if before.ends_with("...") {
            return vec![codes::omitted_text(Span::new(before.len() - 3, before.len()))];
        }
    }
    let mut at = base;
    for line in inside.split_inclusive('\n') {
        if line.trim() == "..." {
            let start = at + (line.len() - line.trim_start().len());
            return vec![codes::omitted_text(Span::new(start, start + 3))];
        }
        at += line.len();
    }
    diagnostics
}

/// A document that was copied without the indentation of its first line.
fn first_line_dedented(text: &str, part: Span) -> Option<Diagnostic> {
    let inside = part.text(text);
    let mut at = part.start as usize;
    let mut lines = inside.split_inclusive('\n').skip_while(|line| {
        let skipped = line.trim().is_empty() || line.starts_with('#') || line.starts_with("---");
        at += if skipped { line.len() } else { 0 };
        skipped
    });
    let first = lines.next().filter(|line| !line.starts_with([' ', '\t']))?;
    if !lines.filter(|line| !line.trim().is_empty()).all(|line| line.starts_with(' ')) {
        return None;
    }
    let fix = dedent_part(text, Span::new(at + first.len(), part.end as usize));
    let mended = fix.apply(text);
    let removed: usize = fix.edits.iter().map(|edit| edit.span.len()).sum();
    let whole = Span::new(part.start as usize, (part.end as usize).checked_sub(removed)?);
    let (root, _) = load(&mended, whole, &mut Shared { aliases: 0, ..Shared::default() });
    root?.get("kind")?;
    let span = Span::new(at, at + first.trim_end().len());
    Some(codes::first_line_dedented(span).fix(fix))
}

/// `@@NAME@@` where a value should start.
fn at_placeholder(text: &str) -> Option<(usize, &str)> {
    let start = text.find(": @@")? + 2;
    let rest = text.get(start..)?;
    let end = rest.get(2..)?.find("@@")? + 4;
    let found = rest.get(..end)?;
    (!found.contains(char::is_whitespace)).then_some((start, found))
}
