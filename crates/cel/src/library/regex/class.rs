//! Classes of characters and escapes in patterns. Source: Go `regexp/syntax/parse.go`.

use super::chars::{Class, Set};
use super::parse::{Parsed, fail, first, upto};
use super::unicode;

pub(super) fn class_char<'a>(text: &'a str, class: &str) -> Parsed<(char, &'a str)> {
    if text.starts_with('\\') {
        return char_escape(text);
    }
    first(text).map_or_else(|| fail("missing closing ]", class), Ok)
}

/// `\d`, `\pL` and the like; none when the text is something else.
pub(super) fn group_escape<'a>(text: &'a str, class: &mut Class) -> Parsed<Option<&'a str>> {
    let Some((c, rest)) = text.strip_prefix('\\').and_then(first) else { return Ok(None) };
    let ranges: &[(char, char)] = match c {
        'd' | 'D' => &[('0', '9')],
        's' | 'S' => &[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')],
        'w' | 'W' => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        'p' | 'P' => return unicode_class(text, rest, c == 'P', class).map(Some),
        _ => return Ok(None),
    };
    add_ranges(class, ranges, c.is_ascii_uppercase());
    Ok(Some(rest))
}

fn add_ranges(class: &mut Class, ranges: &[(char, char)], negated: bool) {
    let ranges = ranges.iter().map(|(low, high)| (u32::from(*low), u32::from(*high))).collect();
    class.sets.push(Set::of(ranges, true, negated));
}

fn unicode_class<'a>(
    text: &'a str,
    rest: &'a str,
    negated: bool,
    class: &mut Class,
) -> Parsed<&'a str> {
    let (name, rest) = if let Some(inner) = rest.strip_prefix('{') {
        match inner.split_once('}') {
            Some(split) => split,
            None => return fail("invalid character class range", text),
        }
    } else {
        let length = rest.chars().next().map_or(0, char::len_utf8);
        rest.split_at_checked(length).unwrap_or((rest, ""))
    };
    let positive = name.strip_prefix('^');
    let name = positive.unwrap_or(name);
    match unicode::class(name) {
        Some((ranges, folds)) => {
            class.sets.push(Set::of(ranges, folds, negated != positive.is_some()));
            Ok(rest)
        }
        None => fail("invalid character class range", upto(text, rest)),
    }
}

pub(super) fn named_class<'a>(text: &'a str, class: &mut Class) -> Parsed<Option<&'a str>> {
    let Some((name, rest)) = text.get(2..).and_then(|inner| inner.split_once(":]")) else {
        return Ok(None);
    };
    let negated = name.strip_prefix('^');
    let ranges: &[(char, char)] = match negated.unwrap_or(name) {
        "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "alpha" => &[('A', 'Z'), ('a', 'z')],
        "ascii" => &[('\0', '\x7f')],
        "blank" => &[('\t', '\t'), (' ', ' ')],
        "cntrl" => &[('\0', '\x1f'), ('\x7f', '\x7f')],
        "digit" => &[('0', '9')],
        "graph" => &[('!', '~')],
        "lower" => &[('a', 'z')],
        "print" => &[(' ', '~')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "space" => &[('\t', '\r'), (' ', ' ')],
        "upper" => &[('A', 'Z')],
        "word" => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return fail("invalid character class range", upto(text, rest)),
    };
    add_ranges(class, ranges, negated.is_some());
    Ok(Some(rest))
}

/// An escaped character.
pub(super) fn char_escape(text: &str) -> Parsed<(char, &str)> {
    let after = text.get(1..).unwrap_or_default();
    let Some((c, rest)) = first(after) else {
        return fail("trailing backslash at end of expression", "");
    };
    let invalid = |rest: &str| fail("invalid escape sequence", upto(text, rest));
    let is_octal = |text: &str| text.starts_with(|c| ('0'..='7').contains(&c));
    match c {
        '1'..='7' if !is_octal(rest) => invalid(rest),
        '0'..='7' => {
            let length = rest.bytes().take(2).take_while(|b| (b'0'..=b'7').contains(b)).count();
            let (digits, rest) = rest.split_at_checked(length).unwrap_or((rest, ""));
            let code = u32::from_str_radix(&format!("{c}{digits}"), 8).unwrap_or(0);
            Ok((char::from_u32(code).unwrap_or('\u{fffd}'), rest))
        }
        'x' => hex_escape(text, rest),
        'a' => Ok(('\u{7}', rest)),
        'f' => Ok(('\u{c}', rest)),
        'n' => Ok(('\n', rest)),
        'r' => Ok(('\r', rest)),
        't' => Ok(('\t', rest)),
        'v' => Ok(('\u{b}', rest)),
        c if c.is_ascii() && !c.is_ascii_alphanumeric() => Ok((c, rest)),
        _ => invalid(rest),
    }
}

fn hex_escape<'a>(text: &'a str, rest: &'a str) -> Parsed<(char, &'a str)> {
    let invalid = |rest: &str| fail("invalid escape sequence", upto(text, rest));
    let Some((c, after)) = first(rest) else { return invalid(rest) };
    if c != '{' {
        let Some((second, end)) = first(after) else { return invalid(after) };
        let (Some(high), Some(low)) = (c.to_digit(16), second.to_digit(16)) else {
            return invalid(end);
        };
        return Ok((char::from_u32(high * 16 + low).unwrap_or('\u{fffd}'), end));
    }
    let mut code = 0_u32;
    let mut count = 0;
    let mut rest = after;
    while let Some((c, after)) = first(rest) {
        rest = after;
        if c == '}' {
            if count == 0 {
                break;
            }
            return Ok((char::from_u32(code).unwrap_or('\u{fffd}'), rest));
        }
        let Some(digit) = c.to_digit(16) else { break };
        code = code * 16 + digit;
        if code > 0x10_ffff {
            break;
        }
        count += 1;
    }
    invalid(rest)
}
