//! The functions of Kubernetes' environment, one file for each library.

pub(crate) mod convert;
pub(crate) mod format;
pub(crate) mod lists;
pub(crate) mod net;
pub(crate) mod objects;
pub(crate) mod operators;
pub(crate) mod regex;
pub(crate) mod strings;
pub(crate) mod time;
pub(crate) mod url;
mod zones;

use crate::value::{Error, Outcome, Value};
use crate::work::Work;

/// A function on values whose types fit its overload.
pub(crate) type Implementation = fn(&[Value], &mut Work) -> Outcome;

/// The implementation of an overload.
pub(crate) fn implementation(overload: &str) -> Option<Implementation> {
    convert::implementation(overload)
        .or_else(|| strings::implementation(overload))
        .or_else(|| objects::implementation(overload))
        .or_else(|| lists::implementation(overload))
        .or_else(|| regex::implementation(overload))
        .or_else(|| time::implementation(overload))
        .or_else(|| net::implementation(overload))
        .or_else(|| url::implementation(overload))
        .or_else(|| format::implementation(overload))
}

/// What runs functions of the API server's authorizer: nothing, since no value has such a type.
pub(crate) fn of_authorizer(args: &[crate::types::Type]) -> Option<Implementation> {
    match args.first() {
        Some(crate::types::Type::Struct(name)) if name.starts_with("kubernetes.authorization.") => {
            Some(|_, _| Err(Error::no_overload()))
        }
        _ => None,
    }
}

/// Checks that a value can be a key or an index.
pub(crate) fn check_key(key: &Value) -> Result<(), Error> {
    match key {
        Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::String(_) => {
            Ok(())
        }
        other => Err(Error::new(format!("invalid qualifier type: {}", other.go_type()))),
    }
}

/// Go cannot use the value as a map key; that ends the evaluation.
pub(crate) fn unhashable(value: &Value) -> Error {
    let name = value.go_type();
    Error::abort(format!("internal error: runtime error: hash of unhashable type {name}"))
}

fn text(args: &[Value], index: usize) -> Result<&str, Error> {
    match args.get(index) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(Error::no_overload()),
    }
}

fn int(args: &[Value], index: usize) -> Result<i64, Error> {
    match args.get(index) {
        Some(Value::Int(int)) => Ok(*int),
        _ => Err(Error::no_overload()),
    }
}

fn list(args: &[Value], index: usize) -> Result<&std::rc::Rc<Vec<Value>>, Error> {
    match args.get(index) {
        Some(Value::List(list)) => Ok(list),
        _ => Err(Error::no_overload()),
    }
}

fn count(count: usize) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

/// FNV-1a, of which the generators in `tests/oracle/go` print the sum.
#[cfg(test)]
fn checksum(lines: impl Iterator<Item = String>) -> u64 {
    let bytes = lines.flat_map(String::into_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
