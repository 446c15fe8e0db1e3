//! Values as text, for people.

use std::fmt::Write as _;

use super::Value;
use crate::gotext::quote;

/// Longer texts are cut.
const MAX_LENGTH: usize = 2_000;

/// The value as it would be written in an expression, as far as it can be; cut when long.
pub fn show(value: &Value) -> String {
    let mut out = String::new();
    push(&mut out, value);
    out
}

fn push(out: &mut String, value: &Value) {
    if out.len() > MAX_LENGTH {
        if !out.ends_with('…') {
            out.push('…');
        }
        return;
    }
    // Writing into a string cannot fail.
    let _ = match value {
        Value::Null => write!(out, "null"),
        Value::Bool(value) => write!(out, "{value}"),
        Value::Int(value) => write!(out, "{value}"),
        Value::Uint(value) => write!(out, "{value}u"),
        Value::Double(value) if value.is_nan() => write!(out, "double(\"NaN\")"),
        Value::Double(value) if value.is_infinite() => {
            let sign = if *value < 0.0 { "-" } else { "" };
            write!(out, "double(\"{sign}Infinity\")")
        }
        // No exponent, and always a point.
        Value::Double(value) if value.fract() == 0.0 => write!(out, "{value}.0"),
        Value::Double(value) => write!(out, "{value}"),
        Value::String(text) => write!(out, "{}", quote(text)),
        Value::Bytes(bytes) => {
            out.push_str("b\"");
            for byte in bytes.iter().take(MAX_LENGTH / 4) {
                let _ = write!(out, "\\{byte:03o}");
            }
            write!(out, "\"")
        }
        Value::Timestamp(time) => {
            write!(out, "timestamp(\"{}\")", crate::library::time::print(*time))
        }
        Value::Duration(nanos) => {
            write!(out, "duration(\"{}\")", crate::library::time::print_duration(*nanos))
        }
        Value::List(list) => {
            push_all(out, '[', list.iter().map(|element| (None, element)), ']');
            Ok(())
        }
        Value::Map(map) => {
            push_all(out, '{', map.iter().map(|(key, value)| (Some(key), value)), '}');
            Ok(())
        }
        Value::Type(name) => write!(out, "{name}"),
        Value::Optional(None) => write!(out, "optional.none()"),
        Value::Optional(Some(value)) => {
            out.push_str("optional.of(");
            push(out, value);
            out.push(')');
            Ok(())
        }
        Value::Quantity(quantity) => write!(out, "{}", quantity.get()),
        Value::Semver(version) => write!(out, "{version}"),
        Value::Ip(address) => write!(out, "{address}"),
        Value::Cidr(cidr) => write!(out, "{}/{}", cidr.address, cidr.bits),
        Value::Url(url) => write!(out, "{}", url.text()),
        Value::Format(format) => write!(out, "{}", format.name),
        Value::Failed(error) => write!(out, "{}", error.text()),
        Value::Empty => write!(out, "{}{{}}", value.type_name()),
    };
}

fn push_all<'a>(
    out: &mut String,
    open: char,
    entries: impl Iterator<Item = (Option<&'a Value>, &'a Value)>,
    close: char,
) {
    out.push(open);
    for (index, (key, value)) in entries.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        if out.len() > MAX_LENGTH {
            out.push('…');
            break;
        }
        if let Some(key) = key {
            push(out, key);
            out.push_str(": ");
        }
        push(out, value);
    }
    out.push(close);
}
