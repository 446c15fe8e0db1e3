//! Codes and wording of everything that can be wrong with the text as YAML or JSON.

use crate::diagnostic::{Code, Diagnostic, Fix, TextEdit};
use crate::source::Span;

use super::{MAX_ALIAS_NODES, MAX_DEPTH, MAX_TEXT};

/// The document is no YAML.
pub const YAML_SYNTAX: Code = Code::error("yaml-syntax");
/// The document is no JSON.
pub const JSON_SYNTAX: Code = Code::error("json-syntax");
/// The text is longer than what is read.
pub const TEXT_TOO_LARGE: Code = Code::error("text-too-large");
/// NUL bytes and other characters that YAML forbids.
pub const CONTROL_CHARACTER: Code = Code::error("control-character");
/// A tab where indentation is expected.
pub const TAB_INDENTATION: Code = Code::error("tab-indentation");
/// A map with the same key twice.
pub const DUPLICATE_KEY: Code = Code::warning("duplicate-key");
/// A map key that is itself a list or map.
pub const COMPLEX_KEY: Code = Code::error("complex-key");
/// Collections nested too deeply.
pub const NESTING_TOO_DEEP: Code = Code::error("nesting-too-deep");
/// An anchor that contains itself.
pub const CYCLIC_ALIAS: Code = Code::error("cyclic-alias");
/// Aliases that expand to too much.
pub const ALIAS_BUDGET: Code = Code::error("alias-budget");
/// `<<` with something that is not a map.
pub const MERGE_KEY: Code = Code::error("merge-key");
/// Shell prompt, heredoc or Markdown fence around the objects.
pub const SHELL_TEXT: Code = Code::warning("shell-text");
/// A document separator with typographic dashes.
pub const DASH_SEPARATOR: Code = Code::warning("dash-separator");
/// A whole text indented, separators included.
pub const INDENTED_SEPARATOR: Code = Code::warning("indented-separator");
/// A template of Helm or envsubst that was not rendered.
pub const TEMPLATE_NOT_RENDERED: Code = Code::error("template-not-rendered");
/// `...` as a placeholder for omitted text.
pub const OMITTED_TEXT: Code = Code::error("omitted-text");

/// Every code of this stage.
pub const ALL: &[Code] = &[
    YAML_SYNTAX,
    JSON_SYNTAX,
    TEXT_TOO_LARGE,
    CONTROL_CHARACTER,
    TAB_INDENTATION,
    DUPLICATE_KEY,
    COMPLEX_KEY,
    NESTING_TOO_DEEP,
    CYCLIC_ALIAS,
    ALIAS_BUDGET,
    MERGE_KEY,
    SHELL_TEXT,
    DASH_SEPARATOR,
    INDENTED_SEPARATOR,
    TEMPLATE_NOT_RENDERED,
    OMITTED_TEXT,
];

pub(super) fn text_too_large(len: usize) -> Diagnostic {
    let message = format!(
        "the text has {} MiB; at most {} MiB are read",
        len.div_ceil(1 << 20),
        MAX_TEXT >> 20
    );
    Diagnostic::new(TEXT_TOO_LARGE, message, Span::default())
}

/// `comments`: whether the document seems to have some as in JavaScript.
pub(super) fn yaml_syntax(info: &str, comments: bool, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(YAML_SYNTAX, format!("this document is not valid YAML: {info}"), span)
            .note("the other documents are still used");
    let hint = HINTS.iter().find(|(words, _)| info.contains(words)).map(|(_, hint)| *hint);
    let hint = if comments { Some("comments begin with `#`") } else { hint };
    match hint {
        Some(hint) => diagnostic.note(hint),
        None => diagnostic,
    }
}

/// Words of the parser, and what people have written then.
const HINTS: [(&str, &str); 6] = [
    (
        "mapping values are not",
        "a value with `: ` in it needs quotes; a key with a value has nothing below it",
    ),
    ("simple key expect", "a field is written `name: value`, with a space behind the colon"),
    ("expected key", "the fields of a map stand in one column"),
    ("quoted scalar, found unexpected end", "a quote is not closed"),
    (
        "trailing content after",
        "a value that begins with a quote ends with it: put `'` around all of it",
    ),
    ("',' or", "a brace or bracket is not closed"),
];

pub(super) fn first_line_dedented(span: Span) -> Diagnostic {
    let message = "this line is not indented, all lines below it are";
    Diagnostic::new(YAML_SYNTAX, message, span)
        .note("it lost its indentation when it was copied; the fields of a map stand in one column")
}

pub(super) fn unknown_anchor(alias: &str, span: Span) -> Diagnostic {
    let name = alias.split_whitespace().next().unwrap_or(alias);
    let end = span.start as usize + name.len();
    let message = format!("alias `{name}` refers to an anchor that this document does not define");
    Diagnostic::new(YAML_SYNTAX, message, Span::new(span.start as usize, end))
        .note("text that starts with `*` needs quotes")
        .upstream(format!(
            "error converting YAML to JSON: yaml: unknown anchor '{}' referenced",
            name.trim_start_matches('*')
        ))
}

pub(super) fn json_syntax(info: &str, span: Span) -> Diagnostic {
    Diagnostic::new(JSON_SYNTAX, format!("this document is not valid JSON: {info}"), span)
        .note("the other documents are still used")
}

pub(super) fn control_character(c: char, count: usize, span: Span) -> Diagnostic {
    let message = format!(
        "the document holds {count} control {}, the first is U+{:04X}: is it a binary file?",
        if count == 1 { "character" } else { "characters" },
        u32::from(c)
    );
    Diagnostic::new(CONTROL_CHARACTER, message, span)
        .upstream("error converting YAML to JSON: yaml: control characters are not allowed")
}

pub(super) fn tab_indentation(span: Span, spaces: &str) -> Diagnostic {
    Diagnostic::new(TAB_INDENTATION, "tabs cannot indent YAML; use spaces", span)
        .upstream(
            "error converting YAML to JSON: yaml: found character that cannot start any token",
        )
        .fix(Fix::new("replace the tabs by spaces", span, spaces, false))
}

pub(super) fn duplicate_key(key: &str, first: Span, again: Span, line: u32) -> Diagnostic {
    let message = format!("key `{key}` is written twice in this map, first in line {line}");
    Diagnostic::new(DUPLICATE_KEY, message, again)
        .label("written again")
        .also(first, "first written here")
        .note("a map can hold a key only once; kubectl takes the last one, stricter readers none")
}

/// A key of the whole document twice.
pub(super) fn no_separator(diagnostic: Diagnostic, again: Span) -> Diagnostic {
    let before = Span { start: again.start, end: again.start };
    diagnostic.note("does another object begin here? `---` separates objects").fix(Fix::new(
        "insert `---`",
        before,
        "---\n",
        false,
    ))
}

pub(super) fn complex_key(span: Span) -> Diagnostic {
    Diagnostic::new(COMPLEX_KEY, "a list or map cannot be the key of a map", span)
        .note("Kubernetes objects are JSON, whose keys are strings")
}

pub(super) fn nesting_too_deep(span: Span) -> Diagnostic {
    let message = format!("lists and maps are nested more than {MAX_DEPTH} levels deep");
    Diagnostic::new(NESTING_TOO_DEEP, message, span)
}

pub(super) fn cyclic_alias(span: Span) -> Diagnostic {
    Diagnostic::new(CYCLIC_ALIAS, "this alias stands inside the anchor it refers to", span)
        .note("a value cannot contain itself")
}

pub(super) fn alias_budget(span: Span) -> Diagnostic {
    let message = format!("aliases expand to more than {MAX_ALIAS_NODES} values");
    Diagnostic::new(ALIAS_BUDGET, message, span)
        .upstream("error converting YAML to JSON: yaml: document contains excessive aliasing")
}

pub(super) fn merge_key(span: Span) -> Diagnostic {
    Diagnostic::new(MERGE_KEY, "`<<` merges a map or a list of maps, nothing else", span).upstream(
        "error converting YAML to JSON: yaml: map merge requires map or sequence of maps as the value",
    )
}

/// `separates`: whether what is written before and after it must not become one document.
pub(super) fn shell_text(what: &str, separates: bool, span: Span) -> Diagnostic {
    let fix = if separates {
        Fix::new("write `---`", span, "---\n", true)
    } else {
        Fix::new("remove the line", span, "", true)
    };
    Diagnostic::new(SHELL_TEXT, format!("{what} is not part of the objects; skipped"), span)
        .fix(fix)
}

pub(super) fn gutter(text: &str, widths: &[usize]) -> Diagnostic {
    let mut at = 0;
    let mut edits = Vec::new();
    for (line, width) in text.split_inclusive('\n').zip(widths) {
        edits.push(TextEdit { span: Span::new(at, at + width), text: String::new() });
        at += line.len();
    }
    let first = edits.iter().map(|edit| edit.span).find(|span| !span.is_empty());
    let what = "what stands before each line";
    let message = format!("{what} is not part of the objects; skipped");
    let title = "remove it from every line".to_owned();
    Diagnostic::new(SHELL_TEXT, message, first.unwrap_or_default()).fix(Fix {
        title,
        edits,
        safe: true,
    })
}

pub(super) fn dash_separator(span: Span) -> Diagnostic {
    let message = "typographic dashes do not separate documents; read as `---`";
    Diagnostic::new(DASH_SEPARATOR, message, span).fix(Fix::new("write `---`", span, "---", true))
}

pub(super) fn indented_separator(span: Span) -> Diagnostic {
    let message = "an indented `---` does not separate documents; read as if it did";
    Diagnostic::new(INDENTED_SEPARATOR, message, span)
        .note("the whole text seems to be indented, as when it is copied out of other text")
}

pub(super) fn template_not_rendered(what: &str, span: Span) -> Diagnostic {
    let message = format!("this is a template that was not rendered: `{what}`");
    Diagnostic::new(TEMPLATE_NOT_RENDERED, message, span)
        .note("paste the rendered objects, e.g. what `helm template` or `envsubst` prints")
}

pub(crate) fn omitted_text(span: Span) -> Diagnostic {
    let message = "`...` seems to stand for omitted text; YAML reads it as the end of the document";
    Diagnostic::new(OMITTED_TEXT, message, span).fix(Fix::new(
        "make it a comment",
        Span { start: span.start, end: span.start },
        "# ",
        true,
    ))
}
