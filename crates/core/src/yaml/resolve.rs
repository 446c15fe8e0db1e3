//! What Kubernetes makes of a scalar without quotes (YAML 1.1 as go-yaml v2 has it).

use std::borrow::Cow;

/// A resolved scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolved<'a> {
    /// `null`, `~` or nothing.
    Null,
    /// `true`, `yes`, `on`, `y` and their opposites.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer above `i64::MAX`.
    Uint(u64),
    /// Any other number.
    Float(f64),
    /// Text; timestamps are text too.
    String(&'a str),
}

impl<'a> Resolved<'a> {
    /// The text Kubernetes' YAML library puts into a string field; `None` for null.
    pub fn into_text(self) -> Option<Cow<'a, str>> {
        Some(match self {
            Resolved::Null => return None,
            Resolved::Bool(true) => Cow::Borrowed("true"),
            Resolved::Bool(false) => Cow::Borrowed("false"),
            Resolved::Int(value) => Cow::Owned(value.to_string()),
            Resolved::Uint(value) => Cow::Owned(value.to_string()),
            Resolved::Float(value) => Cow::Owned(go_float(value, -4, 6)),
            Resolved::String(text) => Cow::Borrowed(text),
        })
    }

    /// The number as JSON text writes it between YAML and the API types: `1.2e7` as `12000000`.
    pub fn number_text(self) -> Option<String> {
        match self {
            Resolved::Int(value) => Some(value.to_string()),
            // UPSTREAM: kubectl holds what is no `int64` as a double.
            #[expect(clippy::cast_precision_loss, reason = "as upstream")]
            Resolved::Uint(value) => Some(go_float(value as f64, -6, 21)),
            // UPSTREAM: encoding/json shortens the exponent of small numbers, `1e-07` to `1e-7`.
            Resolved::Float(value) => Some(go_float(value, -6, 21).replace("e-0", "e-")),
            Resolved::Null | Resolved::Bool(_) | Resolved::String(_) => None,
        }
    }

    /// As a JSON value.
    pub fn into_json(self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Resolved::Null => Value::Null,
            Resolved::Bool(value) => Value::Bool(value),
            Resolved::Int(value) => Value::from(value),
            #[expect(clippy::cast_precision_loss, reason = "as upstream, see `number_text`")]
            Resolved::Uint(value) => Value::from(value as f64),
            Resolved::Float(value) => whole(value).map_or_else(|| Value::from(value), Value::from),
            Resolved::String(text) => Value::from(text),
        }
    }

    /// The integer, when the number is one and fits: `1.0` and `1e3` are integers.
    pub fn as_int(self) -> Option<i64> {
        match self {
            Resolved::Int(value) => Some(value),
            Resolved::Float(value) => whole(value),
            Resolved::Null | Resolved::Bool(_) | Resolved::Uint(_) | Resolved::String(_) => None,
        }
    }
}

fn exponent_of(value: f64) -> i32 {
    let text = format!("{value:e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// The shortest notation that reads back, with an exponent outside `low..high` as Go writes it.
fn go_float(value: f64, low: i32, high: i32) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let exponent = exponent_of(value);
    if value == 0.0 || (low..high).contains(&exponent) {
        return format!("{value}");
    }
    let text = format!("{value:e}");
    let mantissa = text.split_once('e').map_or(text.as_str(), |(mantissa, _)| mantissa);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

fn whole(value: f64) -> Option<i64> {
    // UPSTREAM: it is written with as few digits as tell it from others, and read again.
    value.to_string().parse().ok()
}

/// Resolves text that stands without quotes and without a tag.
pub(super) fn resolve(text: &str) -> Resolved<'_> {
    let Some(first) = text.bytes().next() else {
        return Resolved::Null;
    };
    match first {
        b'0'..=b'9' | b'+' | b'-' | b'.' => number(text).unwrap_or(Resolved::String(text)),
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => word(text),
        _ => Resolved::String(text),
    }
}

fn word(text: &str) -> Resolved<'_> {
    // As bytes: keys such as `name` are not compared with each word.
    match text.as_bytes() {
        b"~" | b"null" | b"Null" | b"NULL" => Resolved::Null,
        b"y" | b"Y" | b"yes" | b"Yes" | b"YES" | b"true" | b"True" | b"TRUE" | b"on" | b"On"
        | b"ON" => Resolved::Bool(true),
        b"n" | b"N" | b"no" | b"No" | b"NO" | b"false" | b"False" | b"FALSE" | b"off" | b"Off"
        | b"OFF" => Resolved::Bool(false),
        _ => Resolved::String(text),
    }
}

fn number(text: &str) -> Option<Resolved<'_>> {
    match text {
        ".nan" | ".NaN" | ".NAN" => return Some(Resolved::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            return Some(Resolved::Float(f64::INFINITY));
        }
        "-.inf" | "-.Inf" | "-.INF" => return Some(Resolved::Float(f64::NEG_INFINITY)),
        _ => {}
    }
    if text.starts_with('.') {
        return float(text);
    }
    let plain: Cow<'_, str> =
        if text.contains('_') { text.replace('_', "").into() } else { text.into() };
    integer(&plain).or_else(|| float(&plain))
}

/// An integer with Go's prefixes: `0x`, `0b`, `0o`, and `0` for octal.
fn integer(text: &str) -> Option<Resolved<'static>> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, digits.get(2..)?),
        [b'0', b'b' | b'B', ..] => (2, digits.get(2..)?),
        [b'0', b'o' | b'O', ..] => (8, digits.get(2..)?),
        [b'0', _, ..] => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    if !digits.bytes().next()?.is_ascii_alphanumeric() {
        return None;
    }
    let value = u64::from_str_radix(digits, radix).ok()?;
    if negative {
        return 0_i64.checked_sub_unsigned(value).map(Resolved::Int);
    }
    Some(i64::try_from(value).map_or(Resolved::Uint(value), Resolved::Int))
}

/// A decimal number: digits with an optional point and exponent.
fn float(text: &str) -> Option<Resolved<'static>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (unsigned.get(..at)?, Some(unsigned.get(at + 1..)?)),
        None => (unsigned, None),
    };
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mantissa_fits = digits(whole) && digits(fraction) && mantissa.len() > 1
        || (digits(mantissa) && !mantissa.is_empty());
    let exponent_fits = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    if !mantissa_fits || !exponent_fits {
        return None;
    }
    // UPSTREAM: a number out of range is an error of ParseFloat, so it stays text.
    text.parse().ok().filter(|value: &f64| value.is_finite()).map(Resolved::Float)
}

/// Whether Kubernetes would read this text as something else than the same string when it is
/// written without quotes.
pub fn is_ambiguous(text: &str) -> bool {
    if !matches!(resolve(text), Resolved::String(_)) {
        return true;
    }
    // Timestamps are text for Kubernetes, but other readers disagree.
    let bytes = text.as_bytes();
    let date = bytes.len() >= 8
        && bytes.iter().take(4).all(u8::is_ascii_digit)
        && bytes.get(4) == Some(&b'-');
    let starts =
        text.starts_with(|c: char| c.is_whitespace() || "-?:,[]{}#&*!|>'\"%@`=<".contains(c));
    // `-x` and `:x` are fine as they are, and common.
    let starts = starts
        && !(bytes.len() > 1
            && matches!(bytes, [b'-' | b'?' | b':', next, ..]
        if !next.is_ascii_whitespace() && !b",[]{}".contains(next)));
    date || starts
        || text == "---"
        || text == "..."
        || text.starts_with("--- ")
        || text.starts_with("... ")
        || text.ends_with(|c: char| c.is_whitespace() || c == ':')
        || text.contains(": ")
        || text.contains(" #")
        || text.chars().any(char::is_control)
        || text.contains(['\u{85}', '\u{2028}', '\u{2029}', '\u{feff}'])
}

/// The text as a YAML scalar that Kubernetes reads as this very string: plain where that is safe,
/// else in double quotes.
pub fn quote_if_ambiguous(text: &str) -> Cow<'_, str> {
    if is_ambiguous(text) { Cow::Owned(quote(text)) } else { Cow::Borrowed(text) }
}

/// Double-quoted form.
pub(super) fn quote(text: &str) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
