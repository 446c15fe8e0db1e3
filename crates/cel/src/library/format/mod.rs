//! `string.format` and named formats. Source: cel-go `ext/formatting.go`; `k8s.io/apiserver`
//! `pkg/cel/library/format.go`.

mod named;

pub(crate) use named::NamedFormat;

use std::fmt::Write as _;

use super::{Implementation, list, text};
use crate::gotext::{self, quote};
use crate::order::Order;
use crate::syntax::{Entry, Expr, ExprId, ExprKind};
use crate::types::Type;
use crate::value::{Error, Value};
use crate::work::Work;

pub(super) fn implementation(overload: &str) -> Option<Implementation> {
    if overload == "string_format" {
        return Some(|args, work| {
            let out = format(text(args, 0)?, list(args, 1)?, work)?;
            Ok(Value::string(out))
        });
    }
    named::implementation(overload)
}

/// A value as `%v` prints it in error messages.
pub(crate) fn go_text(value: &Value) -> String {
    match value {
        Value::Double(double) => gotext::double(*double),
        Value::String(text) => text.to_string(),
        Value::Uint(uint) => uint.to_string(),
        Value::List(list) => {
            let parts: Vec<_> = list.iter().take(100).map(go_text).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Map(map) => {
            let entries = map.iter().take(100);
            let parts: Vec<_> = entries
                .map(|(key, value)| format!("{}: {}", go_text(key), go_text(value)))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
        Value::Optional(None) => "optional.none()".to_owned(),
        Value::Optional(Some(value)) => format!("optional({})", go_text(value)),
        Value::Bytes(bytes) => {
            let parts: Vec<_> = bytes.iter().take(100).map(ToString::to_string).collect();
            format!("[{}]", parts.join(" "))
        }
        other => crate::value::show(other),
    }
}

/// A verb of a format string.
#[derive(Clone, Copy)]
enum Verb {
    String,
    Decimal,
    Fixed(Option<u64>),
    Scientific(Option<u64>),
    Binary,
    Hex { upper: bool },
    Octal,
}

/// A piece of a format string.
enum Piece<'a> {
    Text(&'a str),
    Verb(Result<Verb, String>),
    /// A lone `%` at the end.
    End,
}

/// What the end of a format string after `%` is called.
const UNEXPECTED_END: &str = "unexpected end of string";
const DEFAULT_PRECISION: u64 = 6;

/// Cuts a format string; text first, then each verb with the text after it.
fn pieces(format: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let Some(at) = rest.find('%') else {
            pieces.push(Piece::Text(rest));
            break;
        };
        let (before, verb) = rest.split_at_checked(at).unwrap_or((rest, ""));
        pieces.push(Piece::Text(before));
        let verb = verb.get(1..).unwrap_or_default();
        if let Some(after) = verb.strip_prefix('%') {
            pieces.push(Piece::Text("%"));
            rest = after;
            continue;
        }
        if verb.is_empty() {
            pieces.push(Piece::End);
            break;
        }
        let (parsed, after) = parse_verb(verb);
        let failed = parsed.is_err();
        pieces.push(Piece::Verb(parsed));
        if failed {
            break;
        }
        rest = after;
    }
    pieces
}

fn parse_verb(text: &str) -> (Result<Verb, String>, &str) {
    let mut precision = None;
    let mut rest = text;
    if let Some(tail) = text.strip_prefix('.') {
        let end = tail.find(|c: char| !c.is_ascii_digit());
        let Some(end) = end else {
            let message = "could not parse formatting clause: error while parsing precision: \
                           could not find end of precision specifier";
            return (Err(message.to_owned()), "");
        };
        let (digits, after) = tail.split_at_checked(end).unwrap_or((tail, ""));
        precision = digits.parse::<u64>().ok().filter(|number| i64::try_from(*number).is_ok());
        if precision.is_none() {
            let reason = if digits.is_empty() { "invalid syntax" } else { "value out of range" };
            let message = format!(
                "could not parse formatting clause: error while parsing precision: error while \
                 converting precision to integer: strconv.Atoi: parsing {}: {reason}",
                quote(digits)
            );
            return (Err(message), "");
        }
        rest = after;
    }
    let Some(letter) = rest.chars().next() else {
        return (Err(UNEXPECTED_END.to_owned()), "");
    };
    let verb = match letter {
        's' => Verb::String,
        'd' => Verb::Decimal,
        'f' => Verb::Fixed(precision),
        'e' => Verb::Scientific(precision),
        'b' => Verb::Binary,
        'x' => Verb::Hex { upper: false },
        'X' => Verb::Hex { upper: true },
        'o' => Verb::Octal,
        // UPSTREAM: the clause is read byte by byte.
        _ => {
            let byte = rest.bytes().next().map_or('?', char::from);
            let message = format!(
                "could not parse formatting clause: unrecognized formatting clause \"{byte}\""
            );
            return (Err(message), "");
        }
    };
    (Ok(verb), rest.get(letter.len_utf8()..).unwrap_or_default())
}

fn format(format: &str, args: &[Value], work: &mut Work) -> Result<String, Error> {
    let mut out = String::new();
    let mut args = args.iter().enumerate();
    let count = args.len();
    for piece in pieces(format) {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Verb(verb) => {
                let Some((_, arg)) = args.next() else {
                    return Err(Error::new(format!("index {count} out of range")));
                };
                let verb = verb.map_err(Error::new)?;
                let text = apply(verb, arg, work).map_err(|error| {
                    if error.is_abort() {
                        return error;
                    }
                    Error::new(format!("error during formatting: {}", error.text()))
                })?;
                out.push_str(&text);
            }
            Piece::End if args.next().is_none() => {
                return Err(Error::new(format!("index {count} out of range")));
            }
            Piece::End => return Err(Error::new(UNEXPECTED_END)),
        }
        work.allow(out.len())?;
    }
    Ok(out)
}

fn wrong(verb: Verb, name: &str) -> Error {
    Error::new(format!("{}, was given {name}", expectation(verb)))
}

fn expectation(verb: Verb) -> &'static str {
    match verb {
        Verb::String => {
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, \
             types, durations, and timestamps"
        }
        Verb::Decimal => "decimal clause can only be used on integers",
        Verb::Fixed(_) => "fixed-point clause can only be used on doubles",
        Verb::Scientific(_) => "scientific clause can only be used on doubles",
        Verb::Binary => "only integers and bools can be formatted as binary",
        Verb::Hex { .. } => "only integers, byte buffers, and strings can be formatted as hex",
        Verb::Octal => "octal clause can only be used on integers",
    }
}

fn apply(verb: Verb, arg: &Value, work: &mut Work) -> Result<String, Error> {
    Ok(match (verb, arg) {
        (Verb::String, _) => clause_text(arg, work)?,
        (Verb::Decimal, Value::Int(int)) => int.to_string(),
        (Verb::Decimal, Value::Uint(uint)) => uint.to_string(),
        (Verb::Fixed(precision), _) => fixed(double(verb, arg)?, precision),
        (Verb::Scientific(precision), _) => scientific(double(verb, arg)?, precision),
        (Verb::Binary, Value::Int(int)) => signed(*int, |n| format!("{n:b}")),
        (Verb::Binary, Value::Uint(uint)) => format!("{uint:b}"),
        (Verb::Binary, Value::Bool(value)) => String::from(if *value { "1" } else { "0" }),
        (Verb::Hex { upper }, _) => {
            let text = match arg {
                Value::Int(int) => signed(*int, |n| format!("{n:x}")),
                Value::Uint(uint) => format!("{uint:x}"),
                Value::String(text) => hex(text.as_bytes()),
                Value::Bytes(bytes) => hex(bytes),
                other => return Err(wrong(verb, other.type_name())),
            };
            if upper { text.to_ascii_uppercase() } else { text }
        }
        (Verb::Octal, Value::Int(int)) => signed(*int, |n| format!("{n:o}")),
        (Verb::Octal, Value::Uint(uint)) => format!("{uint:o}"),
        (verb, other) => return Err(wrong(verb, other.type_name())),
    })
}

fn signed(int: i64, print: fn(u64) -> String) -> String {
    let magnitude = print(int.unsigned_abs());
    if int < 0 { format!("-{magnitude}") } else { magnitude }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        // Writing into a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn double(verb: Verb, arg: &Value) -> Result<f64, Error> {
    match arg {
        Value::Double(double) => Ok(*double),
        Value::String(text) => match text.as_ref() {
            "NaN" => Ok(f64::NAN),
            "Infinity" => Ok(f64::INFINITY),
            "-Infinity" => Ok(f64::NEG_INFINITY),
            _ => Err(wrong(verb, "string")),
        },
        other => Err(wrong(verb, other.type_name())),
    }
}

fn special(value: f64) -> Option<String> {
    if value.is_nan() {
        return Some("NaN".to_owned());
    }
    value.is_infinite().then(|| String::from(if value > 0.0 { "∞" } else { "-∞" }))
}

/// What Go's printer for locales makes of a number that is too long to be a precision.
const NO_VERB: &str = "%!(NOVERB)";

/// Whether that printer takes a number for too long.
fn is_too_long(number: u64) -> bool {
    number / 10 > 1_000_000
}

/// Upstream prints through a locale: digits in groups of three.
///
/// UPSTREAM: how many digits there are at least is kept in eight bits, how many at most in sixteen
/// with a sign; negative ones leave the digits that tell the value from others. Negative zero has no
/// sign.
#[expect(clippy::cast_possible_truncation, reason = "as upstream")]
fn fixed(value: f64, precision: Option<u64>) -> String {
    /// No double has more digits after the point.
    const MOST: i16 = 1_100;
    if let Some(text) = special(value) {
        return text;
    }
    let precision = precision.unwrap_or(DEFAULT_PRECISION);
    if is_too_long(precision) {
        return NO_VERB.to_owned();
    }
    let least = usize::from(precision as u8);
    let value = if value == 0.0 { 0.0 } else { value };
    let text = match usize::try_from((precision as i16).min(MOST)) {
        Ok(most) => format!("{value:.most$}"),
        Err(_) => value.to_string(),
    };
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let point = if least == 0 && fraction.is_empty() { "" } else { "." };
    format!("{sign}{grouped}{point}{fraction:0<least$}")
}

/// UPSTREAM: `1.500000×10⁰⁰`; what is written as the precision is taken for the width, in sixteen
/// bits.
#[expect(clippy::cast_possible_truncation, reason = "as upstream")]
fn scientific(value: f64, width: Option<u64>) -> String {
    const DIGITS: usize = DEFAULT_PRECISION as usize;
    let width = width.unwrap_or(DEFAULT_PRECISION);
    if is_too_long(width) {
        return NO_VERB.to_owned();
    }
    let text = special(value).unwrap_or_else(|| {
        let value = if value == 0.0 { 0.0 } else { value };
        let text = format!("{value:.DIGITS$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let digits = format!("{:02}", exponent.unsigned_abs());
        let raised: String = digits.chars().map(superscript).collect();
        let sign = if exponent < 0 { "⁻" } else { "" };
        format!("{mantissa}×10{sign}{raised}")
    });
    let width = usize::from(width as u16);
    format!("{text:>width$}")
}

fn superscript(digit: char) -> char {
    match digit {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        _ => '⁹',
    }
}

/// A value for `%s`.
fn clause_text(value: &Value, work: &mut Work) -> Result<String, Error> {
    work.spend(1)?;
    match value {
        Value::List(_) | Value::Map(_) => nested_text(value, work),
        Value::Optional(_)
        | Value::Quantity(_)
        | Value::Semver(_)
        | Value::Ip(_)
        | Value::Cidr(_)
        | Value::Url(_)
        | Value::Format(_)
        | Value::Failed(_)
        | Value::Empty => Err(wrong(Verb::String, value.type_name())),
        other => converted(other),
    }
}

fn converted(value: &Value) -> Result<String, Error> {
    super::convert::to_string(value).map_err(|error| {
        let text = quote(error.text());
        Error::new(format!("could not convert argument {text} to string"))
    })
}

/// A value inside a list or map for `%s`.
fn nested_text(value: &Value, work: &mut Work) -> Result<String, Error> {
    work.spend(1)?;
    let out = match value {
        Value::List(list) => {
            let mut parts = Vec::with_capacity(list.len());
            for element in list.iter() {
                parts.push(nested_text(element, work)?);
            }
            format!("[{}]", parts.join(", "))
        }
        Value::Map(map) => {
            let mut parts = Vec::with_capacity(map.len());
            for (key, value) in map.iter() {
                let key = match key {
                    Value::String(_) | Value::Bool(_) | Value::Int(_) | Value::Uint(_) => {
                        nested_text(key, work)?
                    }
                    other => {
                        let name = other.type_name();
                        let message = format!("no formatting function for map key of type {name}");
                        return Err(Error::new(message));
                    }
                };
                parts.push((key, nested_text(value, work)?));
            }
            parts.order();
            let parts: Vec<_> = parts.iter().map(|(key, value)| format!("{key}:{value}")).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Value::String(text) => quote(text),
        Value::Bytes(_) => format!("b{}", quote(&converted(value)?)),
        Value::Timestamp(_) => format!("timestamp({})", quote(&super::convert::to_string(value)?)),
        Value::Duration(_) => format!("duration({})", quote(&super::convert::to_string(value)?)),
        Value::Double(double) if double.is_nan() => "\"NaN\"".to_owned(),
        Value::Double(double) if double.is_infinite() => {
            String::from(if *double > 0.0 { "\"+Inf\"" } else { "\"-Inf\"" })
        }
        Value::Double(double) => format!("{double:.6}"),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Type(_) => {
            super::convert::to_string(value)?
        }
        other => {
            let name = other.type_name();
            return Err(Error::new(format!("no formatting function for {name}")));
        }
    };
    work.allow(out.len())?;
    Ok(out)
}

/// What is wrong with a constant format string and its list of arguments: the node, or none for
/// the call, and the message.
pub(crate) fn check(
    format: &str,
    args: &[Expr],
    type_of: &dyn Fn(ExprId) -> Type,
) -> Option<(Option<ExprId>, String)> {
    let mut used = 0;
    for piece in pieces(format) {
        let verb = match piece {
            Piece::Text(_) => continue,
            Piece::End => return Some((None, UNEXPECTED_END.to_owned())),
            Piece::Verb(verb) => verb,
        };
        let Some(arg) = args.get(used) else {
            return Some((None, format!("index {used} out of range")));
        };
        used += 1;
        let verb = match verb {
            Ok(verb) => verb,
            Err(message) => return Some((None, message)),
        };
        if let Some(bad) = first_unfit(verb, arg, type_of) {
            let name = type_of(bad).runtime_name();
            let message =
                format!("error during formatting: {}, was given {name}", expectation(verb));
            return Some((Some(bad), message));
        }
    }
    if args.len() > used {
        let message = format!(
            "too many arguments supplied to string.format (expected {used}, got {})",
            args.len()
        );
        return Some((None, message));
    }
    None
}

/// The first node that a verb cannot print.
fn first_unfit(verb: Verb, arg: &Expr, type_of: &dyn Fn(ExprId) -> Type) -> Option<ExprId> {
    let ty = type_of(arg.id);
    let fits = ty == Type::Dyn
        || match verb {
            Verb::String => matches!(
                ty,
                Type::List(_)
                    | Type::Map(_)
                    | Type::Int
                    | Type::Uint
                    | Type::Double
                    | Type::Bool
                    | Type::String
                    | Type::Timestamp
                    | Type::Bytes
                    | Type::Duration
                    | Type::Type(_)
                    | Type::Null
            ),
            Verb::Decimal | Verb::Octal => matches!(ty, Type::Int | Type::Uint),
            Verb::Fixed(_) | Verb::Scientific(_) => matches!(ty, Type::Double | Type::String),
            Verb::Binary => matches!(ty, Type::Int | Type::Uint | Type::Bool),
            Verb::Hex { .. } => {
                matches!(ty, Type::Int | Type::Uint | Type::String | Type::Bytes)
            }
        };
    if !fits {
        return Some(arg.id);
    }
    if !matches!(verb, Verb::String) {
        return None;
    }
    match &arg.kind {
        ExprKind::List { elements, .. } => {
            elements.iter().find_map(|element| first_unfit(verb, element, type_of))
        }
        ExprKind::Map(entries) => entries.iter().find_map(|Entry { key, value, .. }| {
            first_unfit(verb, key, type_of).or_else(|| first_unfit(verb, value, type_of))
        }),
        _ => None,
    }
}
