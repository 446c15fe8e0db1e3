//! Go's ways of writing values into messages.

use std::fmt::Write as _;

/// A double-quoted Go string literal. Source: `strconv.Quote`.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if is_printable(c) => out.push(c),
            c => push_escape(&mut out, c),
        }
    }
    out.push('"');
    out
}

fn push_escape(out: &mut String, c: char) {
    let code = u32::from(c);
    // Writing into a string cannot fail.
    let _ = match code {
        0..0x20 | 0x7f => write!(out, "\\x{code:02x}"),
        0..0x1_0000 => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// Whether Go calls a character printable: anything but controls, formats, unassigned code points
/// and spaces other than ASCII's. Source: `unicode.IsPrint`.
pub(crate) fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, ' '..='~');
    }
    // The standard library escapes the same classes, and marks only at the start of a string.
    let mut text = String::from("a");
    text.push(c);
    text.escape_debug().nth(1) == Some(c)
}

/// A double as `%v` and `strconv.FormatFloat(d, 'g', -1, 64)` print it.
pub(crate) fn double(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return value.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

/// `strconv.ParseFloat`: what Go reads as a double.
pub(crate) fn parse_double(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let negative = text.starts_with('-');
    let special = match unsigned.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => Some(f64::INFINITY),
        "nan" => Some(f64::NAN),
        _ => None,
    };
    if let Some(value) = special {
        return Some(if negative { -value } else { value });
    }
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if text.contains('_') {
        return if separates_digits(unsigned) {
            parse_double(&text.replace('_', ""))
        } else {
            None
        };
    }
    if unsigned.starts_with("0x") || unsigned.starts_with("0X") {
        return parse_hex_double(unsigned.get(2..)?).map(|v| if negative { -v } else { v });
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Whether each `_` stands between digits, or between the mark of the base and a digit.
fn separates_digits(unsigned: &str) -> bool {
    let hex = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"));
    // The mark counts as a digit.
    let mut last = if hex.is_some() { '0' } else { '.' };
    for c in hex.unwrap_or(unsigned).chars().chain(['.']) {
        let is_digit = c.is_ascii_digit() || hex.is_some() && c.is_ascii_hexdigit();
        if c == '_' && last != '0' || last == '_' && !is_digit {
            return false;
        }
        last = if is_digit { '0' } else { c };
    }
    true
}

/// A hexadecimal double after its `0x`: digits, point, and an exponent of two.
fn parse_hex_double(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent: i32 = exponent.parse().ok()?;
    let shift = exponent.checked_sub(i32::try_from(fraction.len()).ok()?.checked_mul(4)?)?;
    let digits = [whole, fraction].concat();
    let value = u64::from_str_radix(&digits, 16).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "rounded as any other double")]
    let value = value as f64 * 2_f64.powi(shift);
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::{parse_double, quote};

    #[test]
    fn reads_doubles_with_separated_digits_as_go() {
        let good = [("1_000", 1e3), ("1.5_5", 1.55), ("1e1_0", 1e10), ("-1_0", -10.0)];
        for (text, value) in good.into_iter().chain([("0x_1p2", 4.0), ("0x1_fp0", 31.0)]) {
            assert_eq!(parse_double(text), Some(value), "{text}");
        }
        for text in ["1__0", "_1", "1_", "1_.5", "1._5", "1e_1", "0x1p_2", "0x1_p2", "1_e5"] {
            assert_eq!(parse_double(text), None, "{text}");
        }
    }

    #[test]
    fn quotes_as_go() {
        assert_eq!(quote("a\"\\\n\u{0}\u{a0}é\u{301}😀"), "\"a\\\"\\\\\\n\\x00\\u00a0é\u{301}😀\"");
    }
}
