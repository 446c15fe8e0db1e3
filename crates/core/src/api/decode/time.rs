//! Times as Go reads them: RFC 3339.

use std::fmt::Write;

const LAYOUT: &str = "2006-01-02T15:04:05Z07:00";

/// Number of digits, largest value and smallest, name in the layout, name in errors, what follows.
const PARTS: [(usize, u32, u32, &str, &str, &str); 6] = [
    (4, 9999, 0, "2006", "year", "-"),
    (2, 12, 1, "01", "month", "-"),
    (2, 31, 1, "02", "day", "T"),
    (2, 23, 0, "15", "hour", ":"),
    (2, 59, 0, "04", "minute", ":"),
    (2, 59, 0, "05", "second", ""),
];

/// Text as Go's errors about times show it. Source: Go's `time.quote`.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=b'\x7f' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
    out + "\""
}

/// Why a text is no time, in Go's words; `None` when it is one.
///
/// Source: Go's `time.Parse`.
pub(super) fn problem(text: &str) -> Option<String> {
    let written = quoted(text);
    let failed = |rest: &str, element: &str| {
        let rest = quoted(rest);
        Some(format!(
            "parsing time {written} as \"{LAYOUT}\": cannot parse {rest} as \"{element}\""
        ))
    };
    let mut rest = text;
    let mut date = [0; 3];
    for (idx, (digits, most, least, layout, name, then)) in PARTS.into_iter().enumerate() {
        let number = rest.get(..digits).filter(|n| n.bytes().all(|byte| byte.is_ascii_digit()));
        let Some(number) = number.and_then(|number| number.parse::<u32>().ok()) else {
            return failed(rest, layout);
        };
        if number > most || number < least {
            return Some(format!("parsing time {written}: {name} out of range"));
        }
        if let Some(slot) = date.get_mut(idx) {
            *slot = number;
        }
        rest = rest.get(digits..).unwrap_or_default();
        match rest.strip_prefix(then) {
            Some(after) => rest = after,
            None => return failed(rest, then),
        }
    }
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        if after.len() < fraction.len() {
            rest = after;
        }
    }
    let zone = rest;
    rest = match zone.strip_prefix('Z') {
        Some(after) => after,
        None => match offset(zone) {
            Some(after) => after,
            None => return failed(zone, "Z07:00"),
        },
    };
    if !rest.is_empty() {
        return Some(format!("parsing time {written}: extra text: {}", quoted(rest)));
    }
    let [year, month, day] = date;
    (day > days_in(year, month)).then(|| format!("parsing time {written}: day out of range"))
}

/// What follows `+hh:mm`.
fn offset(zone: &str) -> Option<&str> {
    let (head, rest) = zone.split_at_checked(6)?;
    let mut bytes = head.bytes();
    let sign = matches!(bytes.next(), Some(b'+' | b'-'));
    let shape = bytes.enumerate().all(|(idx, byte)| match idx {
        2 => byte == b':',
        _ => byte.is_ascii_digit(),
    });
    (sign && shape).then_some(rest)
}

fn days_in(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn times_are_read_as_by_go() {
        for text in ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.5+02:00", "2024-02-29T00:00:00Z"]
        {
            assert_eq!(problem(text), None, "{text}");
        }
        let words = |text: &str| problem(text).unwrap_or_default();
        assert!(words("").ends_with("cannot parse \"\" as \"2006\""));
        assert!(words("2026-01-02").ends_with("cannot parse \"\" as \"T\""));
        assert!(words("now").ends_with("cannot parse \"now\" as \"2006\""));
        assert!(words("2026-13-02T03:04:05Z").ends_with("month out of range"));
        assert!(words("2026-02-30T03:04:05Z").ends_with("day out of range"));
        assert!(words("2026-01-02T03:04:05").ends_with("cannot parse \"\" as \"Z07:00\""));
        assert!(words("ä\"\\\u{1}").ends_with(r#"cannot parse "\xc3\xa4\"\\\x01" as "2006""#));
        assert!(words("2026-01-02T03:04:05Zx").ends_with("extra text: \"x\""));
    }
}
