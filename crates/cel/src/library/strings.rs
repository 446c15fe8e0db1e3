//! Strings. Source: cel-go `ext/strings.go` (version 2) and the standard library.

use super::{Implementation, count, int, list, text};
use crate::value::{Error, Outcome, Value};
use crate::work::Work;

pub(super) fn implementation(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "contains_string" => |args, _| Ok(Value::Bool(text(args, 0)?.contains(text(args, 1)?))),
        "ends_with_string" => |args, _| Ok(Value::Bool(text(args, 0)?.ends_with(text(args, 1)?))),
        "starts_with_string" => {
            |args, _| Ok(Value::Bool(text(args, 0)?.starts_with(text(args, 1)?)))
        }
        "string_char_at_int" => char_at,
        "string_index_of_string" | "string_index_of_string_int" => index_of,
        "string_last_index_of_string" | "string_last_index_of_string_int" => last_index_of,
        "string_lower_ascii" => |args, _| Ok(Value::string(text(args, 0)?.to_ascii_lowercase())),
        "string_upper_ascii" => |args, _| Ok(Value::string(text(args, 0)?.to_ascii_uppercase())),
        "string_replace_string_string" | "string_replace_string_string_int" => replace,
        "string_split_string" | "string_split_string_int" => split,
        "string_substring_int" | "string_substring_int_int" => substring,
        "string_trim" => |args, _| Ok(Value::string(text(args, 0)?.trim_matches(is_space))),
        "list_join" | "list_join_string" => join,
        "strings_quote" => |args, _| Ok(Value::string(quote(text(args, 0)?))),
        _ => return None,
    })
}

/// Go's `unicode.IsSpace`.
fn is_space(c: char) -> bool {
    c.is_whitespace()
}

fn out_of_range(index: i64) -> Error {
    Error::new(format!("index out of range: {index}"))
}

/// Byte offset of a code point index; the index may be the length.
fn byte_offset(text: &str, index: usize) -> Option<usize> {
    let mut offsets = text.char_indices().map(|(offset, _)| offset);
    match offsets.nth(index) {
        Some(offset) => Some(offset),
        None => (text.chars().count() == index).then_some(text.len()),
    }
}

fn char_at(args: &[Value], _: &mut Work) -> Outcome {
    let index = int(args, 1)?;
    let position = usize::try_from(index).map_err(|_| out_of_range(index))?;
    let source = text(args, 0)?;
    match source.chars().nth(position) {
        Some(c) => Ok(Value::string(c.to_string())),
        None if source.chars().count() == position => Ok(Value::string("")),
        None => Err(out_of_range(index)),
    }
}

fn index_of(args: &[Value], work: &mut Work) -> Outcome {
    let (source, part) = (text(args, 0)?, text(args, 1)?);
    let offset = if args.len() > 2 { int(args, 2)? } else { 0 };
    if part.is_empty() {
        return empty_at(source, offset, work);
    }
    work.spend(source.len() / 16)?;
    let start = usize::try_from(offset).map_err(|_| out_of_range(offset))?;
    let Some(from) = byte_offset(source, start) else { return Ok(Value::Int(-1)) };
    let tail = source.get(from..).unwrap_or_default();
    Ok(match tail.find(part) {
        Some(at) => count(start + tail.get(..at).unwrap_or_default().chars().count()),
        None => Value::Int(-1),
    })
}

/// Where the empty text is found when the search starts at an offset.
fn empty_at(source: &str, offset: i64, work: &Work) -> Outcome {
    if !work.newer_cel_go {
        return Ok(Value::Int(offset));
    }
    if offset < 0 {
        return Err(out_of_range(offset));
    }
    let length = i64::try_from(source.chars().count()).unwrap_or(i64::MAX);
    Ok(Value::Int(offset.min(length)))
}

fn last_index_of(args: &[Value], work: &mut Work) -> Outcome {
    let (source, part) = (text(args, 0)?, text(args, 1)?);
    let length = source.chars().count();
    work.spend(source.len() / 16)?;
    let offset = if args.len() > 2 {
        int(args, 2)?
    } else if part.is_empty() {
        return Ok(count(length));
    } else if source.len() < part.len() {
        return Ok(Value::Int(-1));
    } else {
        i64::try_from(length).unwrap_or(i64::MAX).saturating_sub(1)
    };
    if part.is_empty() {
        return empty_at(source, offset, work);
    }
    let start = usize::try_from(offset).map_err(|_| out_of_range(offset))?;
    if start >= length {
        return Ok(Value::Int(-1));
    }
    let end = byte_offset(source, start).and_then(|at| at.checked_add(part.len()));
    let end = end.unwrap_or(source.len()).min(source.len());
    // A cut inside a code point cannot end a match.
    let end = (0..=end).rev().find(|end| source.is_char_boundary(*end)).unwrap_or(0);
    let head = source.get(..end).unwrap_or_default();
    Ok(match head.rfind(part) {
        Some(at) => count(head.get(..at).unwrap_or_default().chars().count()),
        None => Value::Int(-1),
    })
}

fn replace(args: &[Value], work: &mut Work) -> Outcome {
    let (source, old, new) = (text(args, 0)?, text(args, 1)?, text(args, 2)?);
    let limit = if args.len() > 3 { int(args, 3)? } else { -1 };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let found =
        if old.is_empty() { source.chars().count() + 1 } else { source.matches(old).count() };
    let times = found.min(limit);
    work.allow(source.len().saturating_add(times.saturating_mul(new.len())))?;
    Ok(Value::string(source.replacen(old, new, times)))
}

fn split(args: &[Value], work: &mut Work) -> Outcome {
    let (source, separator) = (text(args, 0)?, text(args, 1)?);
    let limit = if args.len() > 2 { int(args, 2)? } else { -1 };
    if limit == 0 {
        return Ok(Value::list(Vec::new()));
    }
    work.allow(source.len())?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let parts: Vec<_> = if separator.is_empty() {
        let mut parts: Vec<_> = Vec::new();
        let mut rest = source;
        while let Some(first) = rest.chars().next() {
            if parts.len() + 1 == limit {
                break;
            }
            let (head, tail) = rest.split_at_checked(first.len_utf8()).unwrap_or((rest, ""));
            parts.push(Value::string(head));
            rest = tail;
        }
        if !rest.is_empty() {
            parts.push(Value::string(rest));
        }
        parts
    } else {
        source.splitn(limit, separator).map(Value::string).collect()
    };
    Ok(Value::list(parts))
}

fn substring(args: &[Value], _: &mut Work) -> Outcome {
    let source = text(args, 0)?;
    let start = int(args, 1)?;
    let end = if args.len() > 2 { Some(int(args, 2)?) } else { None };
    if let Some(end) = end
        && start > end
    {
        return Err(Error::new(format!("invalid substring range. start: {start}, end: {end}")));
    }
    let offset = |index: i64| {
        let position = usize::try_from(index).ok();
        position.and_then(|at| byte_offset(source, at)).ok_or_else(|| out_of_range(index))
    };
    let from = offset(start)?;
    let to = end.map_or(Ok(source.len()), offset)?;
    Ok(Value::string(source.get(from..to).unwrap_or_default()))
}

fn join(args: &[Value], work: &mut Work) -> Outcome {
    let separator = if args.len() > 1 { text(args, 1)? } else { "" };
    let mut out = String::new();
    for (index, element) in list(args, 0)?.iter().enumerate() {
        if index > 0 {
            out.push_str(separator);
        }
        match element {
            Value::String(text) => out.push_str(text),
            other => {
                let text = super::format::go_text(other);
                return Err(Error::new(format!("join: invalid input: {text}")));
            }
        }
        work.spend(1)?;
        work.allow(out.len())?;
    }
    Ok(Value::string(out))
}

/// A CEL string literal.
fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
