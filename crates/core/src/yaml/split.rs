use crate::source::Span;

/// A piece of the text that holds one document (or several JSON values).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// From its marker or first line to the next marker.
    pub(super) span: Span,
    /// Whether it holds more than comments, directives and a marker.
    pub(super) has_content: bool,
    /// Whether it follows a `...` line without a `---` of its own.
    pub(super) after_end_marker: bool,
}

/// Cuts the text at document markers at the start of a line.
///
/// YAML allows such lines nowhere else, not even inside quotes or block scalars.
pub(super) fn split(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut open = Open::new(start, false);
    let mut at = start;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        let line = rest.split_inclusive(['\n', '\r']).next().unwrap_or(rest);
        let end = at + line.len();
        if let Some(content) = marker(line, "---") {
            if open.content || open.marker {
                open.close(at, &mut parts);
                open = Open::new(at, false);
            } else if !open.directive {
                open = Open::new(at, open.after_end);
            }
            open.marker = true;
            open.after_end = false;
            open.content = !is_blank(content);
        } else if marker(line, "...").is_some() {
            open.close(end, &mut parts);
            open = Open::new(end, true);
        } else if !open.content && !open.marker && is_directive(line, open.version) {
            open.directive = true;
            open.version |= line.starts_with(VERSION);
        } else if !is_blank(line) {
            open.content = true;
        }
        at = end;
    }
    open.close(text.len(), &mut parts);
    parts
}

struct Open {
    start: usize,
    marker: bool,
    directive: bool,
    /// Whether a directive named the version of YAML.
    version: bool,
    content: bool,
    after_end: bool,
}

impl Open {
    fn new(start: usize, after_end: bool) -> Self {
        Self { start, marker: false, directive: false, version: false, content: false, after_end }
    }

    fn close(&self, end: usize, parts: &mut Vec<Part>) {
        if self.content || self.directive {
            parts.push(Part {
                span: Span::new(self.start, end),
                has_content: self.content || self.directive,
                after_end_marker: self.after_end && !self.marker,
            });
        }
    }
}

const VERSION: &str = "%YAML";

/// Whether a line speaks of the document that follows. One that no parser takes is a broken
/// document of its own, so that it spoils no other.
fn is_directive(line: &str, has_version: bool) -> bool {
    let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
    match words.next() {
        Some(VERSION) => {
            let version = words.next().and_then(|it| it.split_once('.'));
            let number =
                |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
            let known = version.is_some_and(|(major, minor)| number(major) && number(minor));
            known && words.next().is_none() && !has_version
        }
        Some("%TAG") => words.next().is_some_and(|it| it.starts_with('!')) && words.count() == 1,
        Some(name) => line.starts_with('%') && name.len() > 1,
        None => false,
    }
}

/// What follows the marker, when the line is one.
pub(super) fn marker<'a>(line: &'a str, marker: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(marker)?;
    (rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r'])).then_some(rest)
}

fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}
