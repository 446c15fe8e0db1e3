//! Equality and order. Source: cel-go `common/types`.

use std::cmp::Ordering;

use super::{Error, Key, Map, Value};
use crate::work::Work;

/// `==`: null equals only null, else the left value decides.
pub(crate) fn equal(a: &Value, b: &Value, work: &mut Work) -> Result<bool, Error> {
    if matches!(a, Value::Null) || matches!(b, Value::Null) {
        return Ok(matches!(a, Value::Null) && matches!(b, Value::Null));
    }
    left_equals(a, b, work)
}

/// The left value's own equality.
pub(crate) fn left_equals(a: &Value, b: &Value, work: &mut Work) -> Result<bool, Error> {
    work.spend(1)?;
    Ok(match (a, b) {
        (Value::Failed(error), _) | (_, Value::Failed(error)) => return Err(error.clone()),
        (Value::Null, Value::Null) | (Value::Empty, Value::Empty) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), _) => {
            number_order(a, b) == Some(Ordering::Equal)
        }
        (Value::String(a), Value::String(b)) => {
            work.spend(a.len().min(b.len()) / 64)?;
            a == b
        }
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        (Value::Timestamp(a), Value::Timestamp(b)) => (a.seconds, a.nanos) == (b.seconds, b.nanos),
        (Value::Duration(a), Value::Duration(b)) => a == b,
        (Value::Type(a), Value::Type(b)) => a == b,
        (Value::List(a), Value::List(b)) => a.len() == b.len() && lists_equal(a, b, work)?,
        (Value::Map(a), Value::Map(b)) => a.len() == b.len() && maps_equal(a, b, work)?,
        (Value::Optional(a), Value::Optional(b)) => match (a, b) {
            (Some(a), Some(b)) => return left_equals(a, b, work),
            (a, b) => a.is_none() && b.is_none(),
        },
        (Value::Quantity(a), Value::Quantity(b)) => {
            return a.equals(b).ok_or_else(Error::no_overload);
        }
        (Value::Semver(a), Value::Semver(b)) => a == b,
        (Value::Ip(a), Value::Ip(b)) => a == b,
        (Value::Cidr(a), Value::Cidr(b)) => a == b,
        (Value::Url(a), Value::Url(b)) => a == b,
        (Value::Format(a), Value::Format(b)) => a.name == b.name,
        (
            Value::Quantity(_)
            | Value::Semver(_)
            | Value::Ip(_)
            | Value::Cidr(_)
            | Value::Url(_)
            | Value::Format(_),
            _,
        ) => return Err(Error::no_overload()),
        _ => false,
    })
}

/// UPSTREAM: only a definite difference counts, an error does not.
fn definitely_differ(a: &Value, b: &Value, work: &mut Work) -> Result<bool, Error> {
    match equal(a, b, work) {
        Ok(same) => Ok(!same),
        Err(error) if error.is_abort() => Err(error),
        Err(_) => Ok(false),
    }
}

fn lists_equal(a: &[Value], b: &[Value], work: &mut Work) -> Result<bool, Error> {
    for (a, b) in a.iter().zip(b) {
        if definitely_differ(a, b, work)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn maps_equal(a: &Map, b: &Map, work: &mut Work) -> Result<bool, Error> {
    for (key, value) in a.iter() {
        match b.find(&Key::from(key.clone())) {
            Some(other) if !definitely_differ(value, other, work)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Whether a list holds a value; an error of a comparison counts as a difference.
pub(crate) fn contains(list: &[Value], element: &Value, work: &mut Work) -> Result<bool, Error> {
    for candidate in list {
        match left_equals(element, candidate, work) {
            Ok(true) => return Ok(true),
            Err(error) if error.is_abort() => return Err(error),
            Ok(false) | Err(_) => {}
        }
    }
    Ok(false)
}

/// Order of numbers across types; `None` with NaN or something that is no number.
#[expect(
    clippy::cast_precision_loss,
    reason = "upstream compares in doubles once the range is checked"
)]
fn number_order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Uint(a), Value::Uint(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::Uint(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
        (Value::Uint(a), Value::Int(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
        (Value::Double(a), Value::Double(b)) => a.partial_cmp(b),
        (Value::Double(a), Value::Int(b)) => {
            double_order(*a, *b as f64, i64::MIN as f64, i64::MAX as f64)
        }
        (Value::Int(a), Value::Double(b)) => {
            double_order(*b, *a as f64, i64::MIN as f64, i64::MAX as f64).map(Ordering::reverse)
        }
        (Value::Double(a), Value::Uint(b)) => double_order(*a, *b as f64, 0.0, u64::MAX as f64),
        (Value::Uint(a), Value::Double(b)) => {
            double_order(*b, *a as f64, 0.0, u64::MAX as f64).map(Ordering::reverse)
        }
        _ => None,
    }
}

fn double_order(double: f64, other: f64, least: f64, most: f64) -> Option<Ordering> {
    if double < least {
        return Some(Ordering::Less);
    }
    if double > most {
        return Some(Ordering::Greater);
    }
    double.partial_cmp(&other)
}

/// Order for `<` and its relatives.
pub(crate) fn compare(a: &Value, b: &Value, work: &mut Work) -> Result<Ordering, Error> {
    Ok(match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::String(a), Value::String(b)) => {
            work.spend(a.len().min(b.len()) / 64)?;
            a.cmp(b)
        }
        (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
        (Value::Timestamp(a), Value::Timestamp(b)) => {
            (a.seconds, a.nanos).cmp(&(b.seconds, b.nanos))
        }
        (Value::Duration(a), Value::Duration(b)) => a.cmp(b),
        (Value::Double(double), _) if double.is_nan() => return Err(nan()),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), Value::Double(double))
            if double.is_nan() =>
        {
            return Err(nan());
        }
        _ => return number_order(a, b).ok_or_else(Error::no_overload),
    })
}

fn nan() -> Error {
    Error::new("NaN values cannot be ordered")
}
