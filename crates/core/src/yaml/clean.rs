//! What people paste around the objects: shell prompts, heredocs, Markdown fences, odd dashes.
//!
//! Such lines are blanked out byte for byte, so that offsets stay those of the text.

use std::borrow::Cow;

use crate::diagnostic::Diagnostic;
use crate::source::Span;

use super::codes;
use super::paste::{self, Block};
use super::split::marker;

/// How many lines are named; further ones are skipped without a word.
const MAX_NAMED: usize = 20;

/// The number of a diagnostic that is not made yet.
const NEW: usize = usize::MAX;

/// The text with everything that surely is no YAML blanked out, and a diagnostic for each.
///
/// Only lines at column 0 are touched: no YAML content of an object starts like these there.
pub(super) fn clean<'a>(text: &'a str, diagnostics: &mut Vec<Diagnostic>) -> Cow<'a, str> {
    let mut cleaner = Cleaner {
        text,
        edits: Vec::new(),
        heredoc: None,
        continued: false,
        content: false,
        inside: inside_fence(text),
        fences: None,
        block: None,
        open: None,
    };
    let indented = is_indented_whole(text);
    let gutter = paste::gutter(text);
    if let Some(widths) = &gutter {
        diagnostics.push(codes::gutter(text, widths));
    }
    let mut widths = gutter.iter().flatten();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        match widths.next() {
            Some(width) => cleaner.behind_gutter(content, at, *width),
            None => cleaner.line(content, at, indented, diagnostics),
        }
        at += line.len();
    }
    if cleaner.edits.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (span, start) in cleaner.edits {
        out.push_str(text.get(out.len()..span.start as usize).unwrap_or_default());
        out.push_str(start);
        // Anything else there becomes spaces, one for each byte.
        (start.len()..span.len()).for_each(|_| out.push(' '));
    }
    out.push_str(text.get(out.len()..).unwrap_or_default());
    Cow::Owned(out)
}

struct Cleaner<'a> {
    text: &'a str,
    /// What is replaced, and with what; the rest of the span becomes spaces.
    edits: Vec<(Span, &'static str)>,
    /// The word that ends a heredoc, and which diagnostic is about its start.
    heredoc: Option<(String, usize)>,
    /// Whether the last shell line ended with a backslash.
    continued: bool,
    /// Whether the document at hand has something already.
    content: bool,
    /// Whether the line stands inside Markdown fences, where there are some.
    inside: Option<bool>,
    /// Which diagnostic has the fix for all that is outside of fences.
    fences: Option<usize>,
    /// What a command printed over several lines.
    block: Option<Block>,
    /// Which diagnostic is about the line before, when what it names can go on.
    open: Option<usize>,
}

impl Cleaner<'_> {
    fn line(&mut self, line: &str, at: usize, indented: bool, diagnostics: &mut Vec<Diagnostic>) {
        let before = self.heredoc.clone();
        let open = self.open.take();
        if let Some(what) = self.shell(line) {
            let span = Span::new(at, at + line.len());
            match open.filter(|_| self.open.is_some()) {
                Some(told) => self.goes_on(told, span, diagnostics),
                None => self.shell_line(what, span, before, diagnostics),
            }
        } else if is_dash_separator(line) {
            let dashes = Span::new(at, at + line.trim_end().len());
            self.edits.push((dashes, "---"));
            diagnostics.push(codes::dash_separator(dashes));
        } else if indented && marker(line.trim_start(), "---").is_some() {
            let indent = line.len() - line.trim_start().len();
            let dashes = Span::new(at + indent, at + indent + 3);
            self.edits.push((Span::new(at, at + indent + 3), "---"));
            let fix = dedent(self.text);
            diagnostics.push(codes::indented_separator(dashes).fix(fix));
        } else if marker(line, "---").is_some() {
            self.content = false;
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            self.content = true;
        }
    }

    /// A further line of what diagnostic `told` is about.
    fn goes_on(&mut self, told: usize, span: Span, diagnostics: &mut [Diagnostic]) {
        self.edits.push((span, ""));
        self.open = Some(told);
        if let Some(diagnostic) = diagnostics.get_mut(told) {
            diagnostic.primary.span.end = span.end;
        }
        let fixed = diagnostics.get_mut(self.fences.unwrap_or(told));
        let edits = fixed.into_iter().flat_map(|found| &mut found.fixes);
        if let Some(edit) = edits.flat_map(|fix| &mut fix.edits).last() {
            edit.span.end = self.with_break(span).end;
        }
    }

    /// A line of shell text; `before` is the heredoc that it may end.
    fn shell_line(
        &mut self,
        what: &'static str,
        span: Span,
        before: Option<(String, usize)>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        self.open = self.open.map(|_| diagnostics.len());
        // What one command wrote is no part of what the next one writes.
        let ends = std::mem::take(&mut self.content) && span.len() >= 3;
        self.edits.push((span, if ends { "---" } else { "" }));
        let named = self.edits.len() <= MAX_NAMED;
        if !named && self.inside.is_none() {
            return;
        }
        let whole = self.with_break(span);
        let after = self.text.get(whole.end as usize..).unwrap_or_default();
        let next = after.lines().find(|line| !line.trim().is_empty());
        let separates = ends && next.is_some_and(|next| marker(next, "---").is_none());
        let span = if span.is_empty() { span } else { whole };
        let mut diagnostic = codes::shell_text(what, separates, span);
        // One fence alone would turn inside and outside around.
        if self.inside.is_some() {
            self.share_fix(&mut diagnostic, diagnostics);
        }
        if named {
            self.end_heredoc(before, &diagnostic, diagnostics);
            diagnostics.push(diagnostic);
        }
    }

    /// One fix takes away all that is outside of fences.
    fn share_fix(&mut self, diagnostic: &mut Diagnostic, diagnostics: &mut [Diagnostic]) {
        let all = self.fences.and_then(|all| diagnostics.get_mut(all));
        if let Some(fix) = all.and_then(|all| all.fixes.first_mut()) {
            let fixes = std::mem::take(&mut diagnostic.fixes);
            fix.edits.extend(fixes.into_iter().flat_map(|fix| fix.edits));
            "keep what stands inside of the fences".clone_into(&mut fix.title);
        }
        self.fences.get_or_insert(diagnostics.len());
    }

    /// Without its start the end would be no heredoc's any more, but part of the text.
    fn end_heredoc(
        &mut self,
        before: Option<(String, usize)>,
        diagnostic: &Diagnostic,
        diagnostics: &mut [Diagnostic],
    ) {
        let ended = before.filter(|_| self.heredoc.is_none());
        let start = ended.and_then(|(_, start)| diagnostics.get_mut(start));
        let edits = diagnostic.fixes.iter().flat_map(|fix| fix.edits.clone());
        if let Some(fix) = start.and_then(|start| start.fixes.first_mut()) {
            fix.edits.extend(edits);
        }
        if let Some((_, start)) = self.heredoc.as_mut().filter(|(_, start)| *start == NEW) {
            *start = diagnostics.len();
        }
    }

    /// A line with its break, which a fix takes along.
    fn with_break(&self, line: Span) -> Span {
        let newline = self.text.get(line.end as usize..).unwrap_or_default();
        let newline = newline.find('\n').map_or(0, |at| at + 1).min(2);
        Span::new(line.start as usize, line.end as usize + newline)
    }

    /// A line without what stands before every line.
    fn behind_gutter(&mut self, line: &str, at: usize, width: usize) {
        let rest = line.get(width..).unwrap_or_default();
        let (width, start) = match marker(rest, "---") {
            Some(_) => (width + 3, "---"),
            None => (width.min(line.len()), ""),
        };
        self.edits.push((Span::new(at, at + width), start));
    }

    /// What kind of shell text the line is.
    fn shell(&mut self, line: &str) -> Option<&'static str> {
        if std::mem::take(&mut self.continued) {
            self.continued = line.ends_with('\\');
            return Some("the rest of a shell command");
        }
        if self.heredoc.as_ref().is_some_and(|(word, _)| line.trim() == word) {
            self.heredoc = None;
            return Some("the end of a heredoc");
        }
        if line.starts_with("```") {
            self.inside = self.inside.map(|inside| !inside || line.len() > 3);
            return Some("a Markdown fence");
        }
        if self.inside == Some(false) && paste::begins_object(line) {
            self.inside = Some(true);
        } else if self.inside == Some(false) && !line.trim().is_empty() {
            self.open = Some(NEW);
            return Some("text around Markdown fences");
        }
        let block = self.block.filter(|block| block.goes_on(line)).or_else(|| Block::starts(line));
        self.block = block;
        if let Some(block) = block {
            self.open = Some(NEW);
            return Some(block.what());
        }
        // Most lines are indented, and none of these is.
        if line.starts_with([' ', '-', '#']) {
            return None;
        }
        if paste::is_output(line) {
            return Some("what a command printed");
        }
        let command = paste::command(line)?;
        self.continued = command.ends_with('\\');
        if let Some((_, rest)) = command.split_once("<<") {
            let word = rest.trim_start_matches(['-', ' ', '\\', '\'', '"']);
            let end = word.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let word = word.get(..end.unwrap_or(word.len())).unwrap_or_default();
            self.heredoc = Some((word.to_owned(), NEW));
        }
        Some("a shell command")
    }
}

/// Whether the text begins inside a Markdown fence that was cut off; nothing without fences.
fn inside_fence(text: &str) -> Option<bool> {
    let at = if text.starts_with("```") { 0 } else { text.find("\n```")? };
    let before = text.get(..at).unwrap_or_default();
    Some(before.lines().any(paste::begins_object))
}

/// Three or so dashes of which some are typographic: `–-`, `—`.
fn is_dash_separator(line: &str) -> bool {
    let line = line.trim_end();
    (3..=12).contains(&line.len())
        && line.chars().all(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}' | '\u{2212}'))
        && !line.is_ascii()
}

/// Whether every line is indented, and a separator among them.
fn is_indented_whole(text: &str) -> bool {
    let mut separator = false;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    if lines.peek().is_none_or(|line| !line.starts_with([' ', '\t'])) {
        return false;
    }
    for line in lines {
        if !line.starts_with([' ', '\t']) {
            return false;
        }
        separator |= marker(line.trim_start(), "---").is_some();
    }
    separator
}

/// Removes the common indentation of the whole text.
fn dedent(text: &str) -> crate::diagnostic::Fix {
    dedent_part(text, Span::new(0, text.len()))
}

/// Removes the common indentation of a part of the text.
pub(super) fn dedent_part(text: &str, part: Span) -> crate::diagnostic::Fix {
    let inside = part.text(text);
    let lines = || inside.lines().filter(|line| !line.trim().is_empty());
    let common = lines().map(|l| l.len() - l.trim_start_matches(' ').len()).min().unwrap_or(0);
    let mut edits = Vec::new();
    let mut at = part.start as usize;
    for line in inside.split_inclusive('\n') {
        if !line.trim().is_empty() && common > 0 {
            let span = Span::new(at, at + common);
            edits.push(crate::diagnostic::TextEdit { span, text: String::new() });
        }
        at += line.len();
    }
    crate::diagnostic::Fix { title: "remove the indentation".to_owned(), edits, safe: true }
}
