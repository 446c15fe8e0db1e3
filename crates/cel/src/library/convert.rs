//! Conversions between types. Source: cel-go `common/types`.

use std::collections::BTreeSet;

use super::{Implementation, time};
use crate::gotext;
use crate::value::{Error, Key, Outcome, Value};
use crate::work::Work;

pub(super) fn implementation(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "bool_to_bool"
        | "bytes_to_bytes"
        | "double_to_double"
        | "duration_to_duration"
        | "int64_to_int64"
        | "string_to_string"
        | "timestamp_to_timestamp"
        | "uint64_to_uint64" => |args, _| one(args).cloned(),
        "string_to_bool" => |args, _| to_bool(one(args)?),
        "string_to_bytes" => |args, _| match one(args)? {
            Value::String(text) => Ok(Value::Bytes(text.as_bytes().into())),
            other => Err(cannot(other, "bytes")),
        },
        "int64_to_double" | "string_to_double" | "uint64_to_double" => {
            |args, _| to_double(one(args)?)
        }
        "int64_to_duration" | "string_to_duration" => |args, _| to_duration(one(args)?),
        "double_to_int64" | "duration_to_int64" | "string_to_int64" | "timestamp_to_int64"
        | "uint64_to_int64" => |args, _| to_int(one(args)?),
        "double_to_uint64" | "int64_to_uint64" | "string_to_uint64" => {
            |args, _| to_uint(one(args)?)
        }
        "bool_to_string"
        | "bytes_to_string"
        | "double_to_string"
        | "duration_to_string"
        | "int64_to_string"
        | "timestamp_to_string"
        | "uint64_to_string"
        | "ip_to_string"
        | "cidr_to_string" => |args, _: &mut Work| to_string(one(args)?).map(Value::string),
        "int64_to_timestamp" | "string_to_timestamp" => |args, _| to_timestamp(one(args)?),
        _ => return None,
    })
}

fn one(args: &[Value]) -> Result<&Value, Error> {
    args.first().ok_or_else(Error::no_overload)
}

fn cannot(value: &Value, to: &str) -> Error {
    Error::new(format!("type conversion error from '{}' to '{to}'", value.type_name()))
}

fn to_bool(value: &Value) -> Outcome {
    match value {
        Value::String(text) => match text.as_ref() {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(Value::Bool(false)),
            _ => Err(cannot(value, "bool")),
        },
        other => Err(cannot(other, "bool")),
    }
}

#[expect(clippy::cast_precision_loss, reason = "that is what the conversion does")]
fn to_double(value: &Value) -> Outcome {
    match value {
        Value::Int(int) => Ok(Value::Double(*int as f64)),
        Value::Uint(uint) => Ok(Value::Double(*uint as f64)),
        Value::String(text) => {
            gotext::parse_double(text).map(Value::Double).ok_or_else(|| cannot(value, "double"))
        }
        other => Err(cannot(other, "double")),
    }
}

fn to_duration(value: &Value) -> Outcome {
    let parsed = match value {
        Value::String(text) => time::parse_duration(text),
        _ => None,
    };
    parsed.map(Value::Duration).ok_or_else(|| cannot(value, "google.protobuf.Duration"))
}

fn to_timestamp(value: &Value) -> Outcome {
    match value {
        Value::Int(seconds) => time::from_seconds(*seconds),
        Value::String(text) => match time::parse(text) {
            Some(time) => time::checked(time),
            None => Err(cannot(value, "google.protobuf.Timestamp")),
        },
        other => Err(cannot(other, "google.protobuf.Timestamp")),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the range is checked first"
)]
pub(crate) fn to_int(value: &Value) -> Outcome {
    let overflow = || Error::new("integer overflow");
    Ok(Value::Int(match value {
        Value::Double(double) => {
            // UPSTREAM: both ends of the range are refused.
            if double.is_finite() && *double > i64::MIN as f64 && *double < i64::MAX as f64 {
                *double as i64
            } else {
                return Err(overflow());
            }
        }
        Value::Uint(uint) => i64::try_from(*uint).map_err(|_| overflow())?,
        Value::Duration(nanos) => *nanos,
        Value::Timestamp(time) => time.seconds,
        Value::String(text) => parse_int(text).ok_or_else(|| cannot(value, "int"))?,
        other => return Err(cannot(other, "int")),
    }))
}

/// `strconv.ParseInt(text, 10, 64)`.
fn parse_int(text: &str) -> Option<i64> {
    text.parse().ok()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "the range is checked first"
)]
pub(crate) fn to_uint(value: &Value) -> Outcome {
    let overflow = || Error::new("unsigned integer overflow");
    Ok(Value::Uint(match value {
        Value::Double(double) => {
            if double.is_finite() && *double >= 0.0 && *double < u64::MAX as f64 {
                *double as u64
            } else {
                return Err(overflow());
            }
        }
        Value::Int(int) => u64::try_from(*int).map_err(|_| overflow())?,
        Value::String(text) => text
            .parse()
            .ok()
            .filter(|_| !text.starts_with('+'))
            .ok_or_else(|| cannot(value, "uint"))?,
        other => return Err(cannot(other, "uint")),
    }))
}

/// The text of a value in `string()` and in formats.
pub(crate) fn to_string(value: &Value) -> Result<String, Error> {
    Ok(match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Double(value) => gotext::double(*value),
        Value::String(text) => text.to_string(),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => {
                return Err(Error::new("invalid UTF-8 in bytes, cannot convert to string"));
            }
        },
        Value::Timestamp(time) => time::print(*time),
        Value::Duration(nanos) => time::print_duration(*nanos),
        Value::Type(name) => (*name).to_owned(),
        Value::Null => "null".to_owned(),
        Value::Ip(address) => address.to_string(),
        Value::Cidr(cidr) => format!("{}/{}", cidr.address, cidr.bits),
        other => return Err(cannot(other, "string")),
    })
}

/// Adds a constant to a set for `in`, with the numbers that equal it; false when it is not fit.
#[expect(clippy::mutable_key_type, reason = "quantities are never keys of such a set")]
pub(crate) fn insert_with_numbers(value: &Value, set: &mut BTreeSet<Key>) -> bool {
    if !matches!(
        value,
        Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::String(_)
    ) {
        return false;
    }
    set.insert(Key::from(value.clone()));
    let mut work = Work::default();
    let mut add = |number: Outcome, exact: bool| {
        if let Ok(number) = number
            && (!exact || crate::value::equal(&number, value, &mut work) == Ok(true))
        {
            set.insert(Key::from(number));
        }
    };
    match value {
        Value::Double(_) => {
            add(to_int(value), true);
            add(to_uint(value), true);
        }
        Value::Int(_) => {
            add(to_double(value), false);
            add(to_uint(value), false);
        }
        Value::Uint(_) => {
            add(to_double(value), false);
            add(to_int(value), false);
        }
        _ => {}
    }
    true
}
