//! Values as text, for people.

use std::fmt::Write as _;

use super::Value;
use crate::gotext::{double, quote};

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
        Value::Double(value) => {
            let text = double(*value);
            let point =
                if text.bytes().all(|b| b.is_ascii_digit() || b == b'-') { ".0" } else { "" };
            write!(out, "{text}{point}")
        }
        Value::String(text) => write!(out, "{}", quote(text)),
        Value::Bytes(bytes) => write!(out, "b{}", quote(&String::from_utf8_lossy(bytes))),
        Value::Timestamp(time) => write!(out, "{}", crate::library::time::print(*time)),
        Value::Duration(nanos) => write!(out, "{}", crate::library::time::print_duration(*nanos)),
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
