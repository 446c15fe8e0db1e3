//! The scenario's clock: durations as Go writes them, and times as the API writes them.

use dra_playground_cel::calendar::{civil, days_before};

/// Time at clock 0 when the text mentions none: 2026-01-01T00:00:00Z, in seconds since 1970.
pub const DEFAULT_EPOCH: i64 = 1_767_225_600;

/// A duration such as `1h30m`, in whole seconds; `None` when it is none or has fractions.
pub fn parse_duration(text: &str) -> Option<u64> {
    if text == "0" {
        return Some(0);
    }
    let mut milliseconds: u64 = 0;
    let mut rest = text;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let (number, after) = rest.split_at_checked(digits)?;
        let number: u64 = number.parse().ok()?;
        // `ms` before `m`.
        let (unit, after) = if let Some(after) = after.strip_prefix("ms") {
            (1, after)
        } else if let Some(after) = after.strip_prefix('h') {
            (3_600_000, after)
        } else if let Some(after) = after.strip_prefix('m') {
            (60_000, after)
        } else {
            (1000, after.strip_prefix('s')?)
        };
        milliseconds = milliseconds.checked_add(number.checked_mul(unit)?)?;
        rest = after;
    }
    milliseconds.is_multiple_of(1000).then_some(milliseconds / 1000)
}

/// Seconds since 1970 of an RFC 3339 time; fractions are dropped.
pub fn parse_time(text: &str) -> Option<i64> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let mut date = date.splitn(3, '-');
    let year: i64 = date.next()?.parse().ok()?;
    let month: i64 = date.next()?.parse().ok()?;
    let day: i64 = date.next()?.parse().ok()?;
    let zone_at = time.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = time.split_at_checked(zone_at)?;
    let clock = clock.split('.').next()?;
    let mut clock = clock.splitn(3, ':');
    let hour: i64 = clock.next()?.parse().ok()?;
    let minute: i64 = clock.next()?.parse().ok()?;
    let second: i64 = clock.next()?.parse().ok()?;
    let valid = (0..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..=60).contains(&second);
    valid.then_some(())?;
    let offset = zone_offset(zone)?;
    Some(days_before(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset)
}

fn zone_offset(zone: &str) -> Option<i64> {
    if matches!(zone, "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) = if let Some(rest) = zone.strip_prefix('+') {
        (1, rest)
    } else {
        (-1, zone.strip_prefix('-')?)
    };
    let (hours, minutes) = rest.split_once(':')?;
    let hours: i64 = hours.parse().ok()?;
    let minutes: i64 = minutes.parse().ok()?;
    ((0..24).contains(&hours) && (0..60).contains(&minutes))
        .then_some(sign * (hours * 3600 + minutes * 60))
}

/// An RFC 3339 time in UTC.
pub fn format_time(seconds: i64) -> String {
    let days = seconds.div_euclid(86_400);
    let rest = seconds.rem_euclid(86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}
