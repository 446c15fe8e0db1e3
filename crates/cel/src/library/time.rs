//! Timestamps and durations, as Go's `time` reads, writes and computes them.

use super::zones::{self, Zone};
use super::{Implementation, text};
use crate::calendar::{civil, days_before};
use crate::value::{Error, Outcome, Timestamp, Value};
use crate::work::Work;

const NANOS: i128 = 1_000_000_000;
/// First second of year 1.
const FIRST: i64 = -62_135_596_800;
/// Last second of year 9999.
const LAST: i64 = 253_402_300_799;

pub(super) fn implementation(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "timestamp_to_year" | "timestamp_to_year_with_tz" => |args, _| get(args, |date| date.year),
        "timestamp_to_month" | "timestamp_to_month_with_tz" => {
            |args, _| get(args, |date| date.month - 1)
        }
        "timestamp_to_day_of_year" | "timestamp_to_day_of_year_with_tz" => {
            |args, _| get(args, |date| date.day_of_year)
        }
        "timestamp_to_day_of_month" | "timestamp_to_day_of_month_with_tz" => {
            |args, _| get(args, |date| date.day - 1)
        }
        "timestamp_to_day_of_month_1_based" | "timestamp_to_day_of_month_1_based_with_tz" => {
            |args, _| get(args, |date| date.day)
        }
        "timestamp_to_day_of_week" | "timestamp_to_day_of_week_with_tz" => {
            |args, _| get(args, |date| date.day_of_week)
        }
        "timestamp_to_hours" | "timestamp_to_hours_with_tz" => {
            |args, _| get(args, |date| date.second_of_day / 3600)
        }
        "timestamp_to_minutes" | "timestamp_to_minutes_with_tz" => {
            |args, _| get(args, |date| date.second_of_day / 60 % 60)
        }
        "timestamp_to_seconds" | "timestamp_to_seconds_tz" => {
            |args, _| get(args, |date| date.second_of_day % 60)
        }
        "timestamp_to_milliseconds" | "timestamp_to_milliseconds_with_tz" => {
            |args, _| get(args, |date| date.nanos / 1_000_000)
        }
        "duration_to_hours" => |args, _| per(args, 3_600_000_000_000),
        "duration_to_minutes" => |args, _| per(args, 60_000_000_000),
        "duration_to_seconds" => |args, _| per(args, 1_000_000_000),
        "duration_to_milliseconds" => |args, _: &mut Work| per(args, 1_000_000),
        _ => return None,
    })
}

fn per(args: &[Value], unit: i64) -> Outcome {
    match args.first() {
        Some(Value::Duration(nanos)) => Ok(Value::Int(nanos / unit)),
        _ => Err(Error::no_overload()),
    }
}

/// A point in time on the calendar of some zone.
struct Date {
    year: i64,
    /// 1 to 12.
    month: i64,
    /// 1 to 31.
    day: i64,
    /// 0 to 365.
    day_of_year: i64,
    /// 0 is Sunday.
    day_of_week: i64,
    second_of_day: i64,
    nanos: i64,
}

fn get(args: &[Value], part: fn(&Date) -> i64) -> Outcome {
    let Some(Value::Timestamp(time)) = args.first() else { return Err(Error::no_overload()) };
    let offset = if args.len() > 1 { zone(text(args, 1)?, time.seconds)? } else { 0 };
    Ok(Value::Int(part(&date(time.seconds.saturating_add(offset), time.nanos))))
}

/// Seconds east of UTC of a zone: hours and minutes, or a name.
fn zone(name: &str, seconds: i64) -> Result<i64, Error> {
    let Some((hours, minutes)) = name.split_once(':') else {
        return match zones::find(name, seconds) {
            Zone::Offset(offset) => Ok(offset),
            Zone::Unknown => Err(Error::new(format!("unknown time zone {name}"))),
            Zone::Refused(reason) => Err(Error::new(reason)),
            Zone::Local => {
                Err(Error::abort("time zone Local is that of the machine, not of the playground"))
            }
        };
    };
    let number = |text: &str| {
        text.parse::<i64>().map_err(|_| {
            let quoted = crate::gotext::quote(text);
            let empty = text.trim_start_matches(['+', '-']);
            let digits = !empty.is_empty() && empty.bytes().all(|b| b.is_ascii_digit());
            let reason = if digits { "value out of range" } else { "invalid syntax" };
            Error::new(format!("strconv.Atoi: parsing {quoted}: {reason}"))
        })
    };
    let (hours_value, minutes) = (number(hours)?, number(minutes)?);
    let sign = if hours.starts_with('-') { -1 } else { 1 };
    Ok(hours_value
        .saturating_mul(60)
        .saturating_add(minutes.saturating_mul(sign))
        .saturating_mul(60))
}

fn date(seconds: i64, nanos: u32) -> Date {
    let days = seconds.div_euclid(86_400);
    let (year, month, day) = civil(days);
    Date {
        year,
        month,
        day,
        day_of_year: days - days_before(year, 1, 1),
        day_of_week: (days + 4).rem_euclid(7),
        second_of_day: seconds.rem_euclid(86_400),
        nanos: i64::from(nanos),
    }
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn out_of_range() -> Error {
    Error::new("timestamp overflow")
}

/// A time in the years 1 to 9999.
pub(crate) fn checked(time: Timestamp) -> Outcome {
    if (FIRST..=LAST).contains(&time.seconds) {
        Ok(Value::Timestamp(time))
    } else {
        Err(out_of_range())
    }
}

pub(crate) fn from_seconds(seconds: i64) -> Outcome {
    checked(Timestamp { seconds, nanos: 0, offset: 0 })
}

/// The time so many nanoseconds later.
pub(crate) fn shift(time: Timestamp, nanos: i128) -> Outcome {
    let total = i128::from(time.seconds) * NANOS + i128::from(time.nanos) + nanos;
    let seconds = i64::try_from(total.div_euclid(NANOS)).map_err(|_| out_of_range())?;
    let nanos = u32::try_from(total.rem_euclid(NANOS)).map_err(|_| out_of_range())?;
    checked(Timestamp { seconds, nanos, offset: time.offset })
}

/// The duration from `b` to `a`.
pub(crate) fn between(a: Timestamp, b: Timestamp) -> Outcome {
    let difference = (i128::from(a.seconds) - i128::from(b.seconds)) * NANOS + i128::from(a.nanos)
        - i128::from(b.nanos);
    i64::try_from(difference).map(Value::Duration).map_err(|_| Error::new("integer overflow"))
}

/// Takes a fixed number of digits.
fn digits(text: &str, count: usize) -> Option<(i64, &str)> {
    let (head, tail) = text.split_at_checked(count)?;
    if !head.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((head.parse().ok()?, tail))
}

/// A time in RFC 3339, as Go reads it.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 2)?;
    // Go also reads a single digit of the hour.
    let rest = rest.strip_prefix('T')?;
    let (hour, rest) = digits(rest, 2).or_else(|| digits(rest, 1))?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (nanos, rest) = fraction(rest)?;
    let offset = parse_offset(rest)?;
    let valid = (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    if !valid {
        return None;
    }
    let local = days_before(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    Some(Timestamp { seconds: local - offset, nanos, offset: i32::try_from(offset).ok()? })
}

/// Digits after the second; Go keeps nine.
fn fraction(text: &str) -> Option<(u32, &str)> {
    let Some(tail) = text.strip_prefix(['.', ',']) else { return Some((0, text)) };
    let length = tail.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = tail.split_at_checked(length)?;
    if digits.is_empty() {
        return None;
    }
    let kept: String = digits.chars().chain("000000000".chars()).take(9).collect();
    Some((kept.parse().ok()?, rest))
}

fn parse_offset(text: &str) -> Option<i64> {
    if text == "Z" {
        return Some(0);
    }
    let sign = match text.bytes().next()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, rest) = digits(text.get(1..)?, 2)?;
    let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
    if !rest.is_empty() || hours > 24 || minutes > 60 {
        return None;
    }
    Some(sign * (hours * 3600 + minutes * 60))
}

/// The time in RFC 3339 with the digits it needs, in the zone it was written in.
pub(crate) fn print(time: Timestamp) -> String {
    let local = time.seconds.saturating_add(i64::from(time.offset));
    let at = date(local, time.nanos);
    let mut out = format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        at.year,
        at.month,
        at.day,
        at.second_of_day / 3600,
        at.second_of_day / 60 % 60,
        at.second_of_day % 60
    );
    if time.nanos > 0 {
        let digits = format!("{:09}", time.nanos);
        out.push('.');
        out.push_str(digits.trim_end_matches('0'));
    }
    if time.offset == 0 {
        out.push('Z');
    } else {
        let sign = if time.offset < 0 { '-' } else { '+' };
        let minutes = time.offset.unsigned_abs() / 60;
        let offset = format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60);
        out.push_str(&offset);
    }
    out
}

/// A duration in seconds, e.g. `1.5s`.
#[expect(clippy::cast_precision_loss, reason = "upstream prints through a double")]
pub(crate) fn print_duration(nanos: i64) -> String {
    let seconds = (nanos / 1_000_000_000) as f64 + (nanos % 1_000_000_000) as f64 / 1e9;
    format!("{seconds}s")
}

/// A Go duration, e.g. `1h30m`, in nanoseconds.
pub(crate) fn parse_duration(text: &str) -> Option<i64> {
    let negative = text.starts_with('-');
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (whole, tail) = take_digits(rest);
        let (fraction, tail) = match tail.strip_prefix('.') {
            Some(tail) => take_digits(tail),
            None => ("", tail),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let length = tail.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at_checked(length)?;
        let unit: u64 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        let mut part = whole.checked_mul(unit)?;
        part = part.checked_add(fraction_of(fraction, unit))?;
        total = total.checked_add(part)?;
        if total > 1 << 63 {
            return None;
        }
        rest = tail;
    }
    if negative {
        return 0_i64.checked_sub_unsigned(total);
    }
    i64::try_from(total).ok()
}

fn take_digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Go multiplies the fraction as a double.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "as upstream computes it"
)]
fn fraction_of(digits: &str, unit: u64) -> u64 {
    let mut value: u64 = 0;
    let mut scale = 1.0_f64;
    for digit in digits.bytes() {
        let Some(next) = value.checked_mul(10).and_then(|v| v.checked_add(u64::from(digit - b'0')))
        else {
            break;
        };
        if next > i64::MAX as u64 {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}
