//! Quantities, versions and optionals. Source: `k8s.io/apiserver` `pkg/cel/library`
//! `quantity.go`, `semverlib.go`; cel-go `cel/library.go`.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{Implementation, int, list, text};
use crate::quantity::{Format, Quantity};
use crate::semver::Version;
use crate::value::{Error, Outcome, QuantityValue, Value};
use crate::work::Work;

pub(super) fn implementation(overload: &str) -> Option<Implementation> {
    quantities(overload).or_else(|| versions(overload)).or_else(|| optionals(overload))
}

fn quantities(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "string_to_quantity" => |args, _| {
            let quantity: Quantity = text(args, 0)?.parse().map_err(quantity_error)?;
            Ok(Value::quantity(quantity))
        },
        "is_quantity_string" => |args, _| match text(args, 0)?.parse::<Quantity>() {
            Ok(_) => Ok(Value::Bool(true)),
            Err(crate::quantity::ParseQuantityError::TooLarge) => {
                Err(quantity_error(crate::quantity::ParseQuantityError::TooLarge))
            }
            Err(_) => Ok(Value::Bool(false)),
        },
        "quantity_sign" => |args, _| Ok(Value::Int(i64::from(quantity(args, 0)?.get().sign()))),
        "quantity_get_float" => |args, _| Ok(Value::Double(quantity(args, 0)?.get().to_f64())),
        "quantity_get_int" => |args, _| {
            let value = quantity(args, 0)?.amount().as_i64();
            value.map(Value::Int).ok_or_else(|| Error::new("cannot convert value to integer"))
        },
        "quantity_is_integer" => {
            |args, _| Ok(Value::Bool(quantity(args, 0)?.amount().as_i64().is_some()))
        }
        "quantity_is_greater_than" => {
            |args, work| Ok(Value::Bool(quantity_order(args, work)? == Ordering::Greater))
        }
        "quantity_is_less_than" => {
            |args, work| Ok(Value::Bool(quantity_order(args, work)? == Ordering::Less))
        }
        "quantity_compare_to" => |args, work| Ok(order_value(quantity_order(args, work)?)),
        "quantity_add" => |args, work| sum(args, &quantity(args, 1)?.get(), false, work),
        "quantity_sub" => |args, work| sum(args, &quantity(args, 1)?.get(), true, work),
        "quantity_add_int" => |args, work| {
            let other = Quantity::from_i64(int(args, 1)?, Format::DecimalExponent);
            sum(args, &other, false, work)
        },
        "quantity_sub_int" => |args, work| {
            let other = Quantity::from_i64(int(args, 1)?, Format::DecimalExponent);
            sum(args, &other, true, work)
        },
        _ => return None,
    })
}

fn quantity_error(error: crate::quantity::ParseQuantityError) -> Error {
    if error == crate::quantity::ParseQuantityError::TooLarge {
        // Upstream would try to build the number.
        return Error::abort(error.to_string());
    }
    Error::new(error.to_string())
}

fn order_value(order: Ordering) -> Value {
    Value::Int(match order {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    })
}

fn quantity(args: &[Value], index: usize) -> Result<&Rc<QuantityValue>, Error> {
    match args.get(index) {
        Some(Value::Quantity(quantity)) => Ok(quantity),
        _ => Err(Error::no_overload()),
    }
}

fn quantity_order(args: &[Value], work: &mut Work) -> Result<Ordering, Error> {
    Ok(quantity(args, 0)?.compare(quantity(args, 1)?, &mut work.undo))
}

fn sum(args: &[Value], other: &Quantity, subtract: bool, work: &mut Work) -> Outcome {
    let mutates = work.quantity_add_mutates;
    let result = quantity(args, 0)?.add(other, subtract, mutates, &mut work.undo);
    Ok(Value::Quantity(Rc::new(result)))
}

fn versions(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "string_to_semver" | "string_bool_to_semver" => |args, _| {
            let version = parse_version(args)?.map_err(|error| Error::new(error.to_string()))?;
            Ok(Value::Semver(Rc::new(version)))
        },
        "is_semver_string" | "is_semver_string_bool" => {
            |args, _| Ok(Value::Bool(parse_version(args)?.is_ok()))
        }
        "semver_major" => |args, _| Ok(Value::Int(version(args, 0)?.major.cast_signed())),
        "semver_minor" => |args, _| Ok(Value::Int(version(args, 0)?.minor.cast_signed())),
        "semver_patch" => |args, _| Ok(Value::Int(version(args, 0)?.patch.cast_signed())),
        "semver_compare_to" => |args, _| Ok(order_value(version_order(args)?)),
        "semver_is_greater_than" => {
            |args, _| Ok(Value::Bool(version_order(args)? == Ordering::Greater))
        }
        "semver_is_less_than" => |args, _| Ok(Value::Bool(version_order(args)? == Ordering::Less)),
        _ => return None,
    })
}

fn parse_version(
    args: &[Value],
) -> Result<Result<Version, crate::semver::ParseVersionError>, Error> {
    let text = text(args, 0)?;
    Ok(match args.get(1) {
        Some(Value::Bool(true)) => Version::parse_normalized(text),
        _ => Version::parse(text),
    })
}

fn version(args: &[Value], index: usize) -> Result<&Version, Error> {
    match args.get(index) {
        Some(Value::Semver(version)) => Ok(version),
        _ => Err(Error::no_overload()),
    }
}

fn version_order(args: &[Value]) -> Result<Ordering, Error> {
    Ok(version(args, 0)?.cmp(version(args, 1)?))
}

fn optionals(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "optional_of" => |args, _| Ok(Value::optional(args.first().cloned())),
        "optional_none" => |_, _| Ok(Value::Optional(None)),
        "optional_ofNonZeroValue" => {
            |args, _| Ok(Value::optional(args.first().filter(|value| !is_zero(value)).cloned()))
        }
        "optional_hasValue" => |args, _| match args.first() {
            Some(Value::Optional(value)) => Ok(Value::Bool(value.is_some())),
            _ => Err(Error::no_overload()),
        },
        "optional_value" => |args, _| match args.first() {
            Some(Value::Optional(Some(value))) => Ok(value.as_ref().clone()),
            Some(Value::Optional(None)) => Err(Error::new("optional.none() dereference")),
            _ => Err(Error::no_overload()),
        },
        "optional_unwrap" | "optional_unwrapOpt" => |args, work| {
            let mut values = Vec::new();
            for element in list(args, 0)?.iter() {
                work.spend(1)?;
                match element {
                    Value::Optional(Some(value)) => values.push(value.as_ref().clone()),
                    Value::Optional(None) => {}
                    other => {
                        let text = super::format::go_text(other);
                        return Err(Error::new(format!("value {text} is not optional")));
                    }
                }
            }
            Ok(Value::list(values))
        },
        _ => return None,
    })
}

/// Whether a value is the zero of its type, as far as upstream asks.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Int(value) => *value == 0,
        Value::Uint(value) => *value == 0,
        Value::Double(value) => value.abs() <= 0.0,
        Value::String(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::List(list) => list.is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Duration(nanos) => *nanos == 0,
        // Go's zero time is the first second of year 1.
        Value::Timestamp(time) => time.seconds == -62_135_596_800 && time.nanos == 0,
        _ => false,
    }
}
