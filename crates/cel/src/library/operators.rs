//! Operators, which look at their left operand only. Source: cel-go `common/types`.

use std::cmp::Ordering;
use std::rc::Rc;

use super::time;
use crate::value::{self, Error, Key, Outcome, Value, compare};
use crate::work::Work;

/// An operator or a function without type guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Not,
    NotStrictlyFalse,
    Negate,
    Equal,
    NotEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    Size,
    Matches,
    Type,
    Dyn,
    Sort,
    SortByKeys,
}

impl Operator {
    pub(crate) fn of(function: &str) -> Option<Self> {
        Some(match function {
            "!_" => Self::Not,
            "@not_strictly_false" => Self::NotStrictlyFalse,
            "-_" => Self::Negate,
            "_==_" => Self::Equal,
            "_!=_" => Self::NotEqual,
            "_+_" => Self::Add,
            "_-_" => Self::Subtract,
            "_*_" => Self::Multiply,
            "_/_" => Self::Divide,
            "_%_" => Self::Modulo,
            "_<_" => Self::Less,
            "_<=_" => Self::LessOrEqual,
            "_>_" => Self::Greater,
            "_>=_" => Self::GreaterOrEqual,
            "@in" => Self::In,
            "size" => Self::Size,
            "matches" => Self::Matches,
            "type" => Self::Type,
            "dyn" => Self::Dyn,
            "sort" => Self::Sort,
            "@sortByAssociatedKeys" => Self::SortByKeys,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Not => "!_",
            Self::NotStrictlyFalse => "@not_strictly_false",
            Self::Negate => "-_",
            Self::Equal => "_==_",
            Self::NotEqual => "_!=_",
            Self::Add => "_+_",
            Self::Subtract => "_-_",
            Self::Multiply => "_*_",
            Self::Divide => "_/_",
            Self::Modulo => "_%_",
            Self::Less => "_<_",
            Self::LessOrEqual => "_<=_",
            Self::Greater => "_>_",
            Self::GreaterOrEqual => "_>=_",
            Self::In => "@in",
            Self::Size => "size",
            Self::Matches => "matches",
            Self::Type => "type",
            Self::Dyn => "dyn",
            Self::Sort => "sort",
            Self::SortByKeys => "@sortByAssociatedKeys",
        }
    }

    /// Whether values of the left operand's type can do this at all.
    fn is_able(self, left: &Value) -> bool {
        match self {
            Self::Add => matches!(
                left,
                Value::Int(_)
                    | Value::Uint(_)
                    | Value::Double(_)
                    | Value::String(_)
                    | Value::Bytes(_)
                    | Value::List(_)
                    | Value::Timestamp(_)
                    | Value::Duration(_)
            ),
            Self::Subtract => matches!(
                left,
                Value::Int(_)
                    | Value::Uint(_)
                    | Value::Double(_)
                    | Value::Timestamp(_)
                    | Value::Duration(_)
            ),
            Self::Multiply | Self::Divide => {
                matches!(left, Value::Int(_) | Value::Uint(_) | Value::Double(_))
            }
            Self::Modulo => matches!(left, Value::Int(_) | Value::Uint(_)),
            Self::Negate => matches!(
                left,
                Value::Int(_) | Value::Double(_) | Value::Duration(_) | Value::Bool(_)
            ),
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => matches!(
                left,
                Value::Bool(_)
                    | Value::Int(_)
                    | Value::Uint(_)
                    | Value::Double(_)
                    | Value::String(_)
                    | Value::Bytes(_)
                    | Value::Timestamp(_)
                    | Value::Duration(_)
            ),
            Self::Size => matches!(
                left,
                Value::String(_)
                    | Value::Bytes(_)
                    | Value::List(_)
                    | Value::Map(_)
                    | Value::Ip(_)
                    | Value::Cidr(_)
            ),
            Self::Matches => matches!(left, Value::String(_)),
            Self::Sort | Self::SortByKeys => matches!(left, Value::List(_)),
            _ => true,
        }
    }

    pub(crate) fn run(self, args: &[Value], work: &mut Work) -> Outcome {
        let Some(left) = args.first() else { return Err(Error::no_overload()) };
        if !self.is_able(left) {
            // Strings, timestamps and durations take any message and refuse it themselves.
            return Err(match left {
                Value::String(_) | Value::Timestamp(_) | Value::Duration(_) => Error::no_overload(),
                _ => Error::new(format!("no such overload: {}", self.name())),
            });
        }
        match args.get(1) {
            None if self == Self::Sort => super::lists::sort(args, 0, work),
            Some(_) if self == Self::SortByKeys => super::lists::sort(args, 1, work),
            None => self.unary(left),
            Some(right) => self.binary(left, right, work),
        }
    }

    fn unary(self, value: &Value) -> Outcome {
        Ok(match (self, value) {
            (Self::Not, Value::Bool(value)) => Value::Bool(!value),
            (Self::NotStrictlyFalse, value) => Value::Bool(!matches!(value, Value::Bool(false))),
            (Self::Negate, Value::Int(value)) => {
                Value::Int(value.checked_neg().ok_or_else(overflow)?)
            }
            (Self::Negate, Value::Double(value)) => Value::Double(-value),
            (Self::Negate, Value::Duration(value)) => {
                Value::Duration(value.checked_neg().ok_or_else(overflow)?)
            }
            (Self::Size, value) => super::count(value.size().ok_or_else(Error::no_overload)?),
            (Self::Type, value) => Value::Type(value.type_name()),
            (Self::Dyn, value) => value.clone(),
            _ => return Err(Error::no_overload()),
        })
    }

    fn binary(self, left: &Value, right: &Value, work: &mut Work) -> Outcome {
        match self {
            Self::Equal => value::equal(left, right, work).map(Value::Bool),
            Self::NotEqual => match value::equal(left, right, work) {
                Err(error) if error.is_abort() => Err(error),
                // UPSTREAM: an equality that fails is not true, so this is.
                equal => Ok(Value::Bool(equal != Ok(true))),
            },
            Self::Add => add(left, right, work),
            Self::Subtract => subtract(left, right),
            Self::Multiply => multiply(left, right),
            Self::Divide => divide(left, right),
            Self::Modulo => modulo(left, right),
            Self::Less => Ok(Value::Bool(compare(left, right, work)? == Ordering::Less)),
            Self::LessOrEqual => Ok(Value::Bool(compare(left, right, work)? != Ordering::Greater)),
            Self::Greater => Ok(Value::Bool(compare(left, right, work)? == Ordering::Greater)),
            Self::GreaterOrEqual => Ok(Value::Bool(compare(left, right, work)? != Ordering::Less)),
            Self::In => contained(left, right, work),
            Self::Matches => super::regex::matches(left, right, work),
            _ => Err(Error::no_overload()),
        }
    }
}

fn overflow() -> Error {
    Error::new("integer overflow")
}

fn unsigned_overflow() -> Error {
    Error::new("unsigned integer overflow")
}

fn contained(element: &Value, container: &Value, work: &mut Work) -> Outcome {
    match container {
        Value::List(list) => value::contains(list, element, work).map(Value::Bool),
        Value::Map(map) => {
            // UPSTREAM: an empty map answers before it hashes, and so does one of texts.
            if !element.is_hashable() && map.hashes() {
                return Err(super::unhashable(element));
            }
            Ok(Value::Bool(map.get(&Key::from(element.clone())).is_some()))
        }
        _ => Err(Error::no_overload()),
    }
}

pub(crate) fn add(left: &Value, right: &Value, work: &mut Work) -> Outcome {
    Ok(match (left, right) {
        (Value::Int(a), Value::Int(b)) => Value::Int(a.checked_add(*b).ok_or_else(overflow)?),
        (Value::Uint(a), Value::Uint(b)) => {
            Value::Uint(a.checked_add(*b).ok_or_else(unsigned_overflow)?)
        }
        (Value::Double(a), Value::Double(b)) => Value::Double(a + b),
        (Value::String(a), Value::String(b)) => {
            work.allow(a.len().saturating_add(b.len()))?;
            let mut sum = String::with_capacity(a.len() + b.len());
            sum.push_str(a);
            sum.push_str(b);
            Value::string(sum)
        }
        (Value::Bytes(a), Value::Bytes(b)) => {
            work.allow(a.len().saturating_add(b.len()))?;
            Value::Bytes([a.as_ref(), b.as_ref()].concat().into())
        }
        (Value::List(a), Value::List(b)) => {
            work.allow(a.len().saturating_add(b.len()))?;
            let mut sum = Vec::with_capacity(a.len() + b.len());
            sum.extend_from_slice(a);
            sum.extend_from_slice(b);
            Value::list(sum)
        }
        (Value::Timestamp(time), Value::Duration(nanos))
        | (Value::Duration(nanos), Value::Timestamp(time)) => {
            time::shift(*time, i128::from(*nanos))?
        }
        (Value::Duration(a), Value::Duration(b)) => {
            Value::Duration(a.checked_add(*b).ok_or_else(overflow)?)
        }
        _ => return Err(Error::no_overload()),
    })
}

/// `acc + [x]` when nothing else holds the accumulator.
pub(crate) fn append(left: Value, right: &Value, work: &mut Work) -> Outcome {
    match (left, right) {
        (Value::List(mut list), Value::List(more)) => {
            work.allow(more.len())?;
            if list.len().saturating_add(more.len()) > 1_000_000 {
                return Err(Error::too_large());
            }
            Rc::make_mut(&mut list).extend_from_slice(more);
            Ok(Value::List(list))
        }
        (left, right) => Operator::Add.run(&[left, right.clone()], work),
    }
}

fn subtract(left: &Value, right: &Value) -> Outcome {
    Ok(match (left, right) {
        (Value::Int(a), Value::Int(b)) => Value::Int(a.checked_sub(*b).ok_or_else(overflow)?),
        (Value::Uint(a), Value::Uint(b)) => {
            Value::Uint(a.checked_sub(*b).ok_or_else(unsigned_overflow)?)
        }
        (Value::Double(a), Value::Double(b)) => Value::Double(a - b),
        (Value::Timestamp(time), Value::Duration(nanos)) => {
            let back = nanos.checked_neg().ok_or_else(overflow)?;
            time::shift(*time, i128::from(back))?
        }
        (Value::Timestamp(a), Value::Timestamp(b)) => time::between(*a, *b)?,
        (Value::Duration(a), Value::Duration(b)) => {
            Value::Duration(a.checked_sub(*b).ok_or_else(overflow)?)
        }
        _ => return Err(Error::no_overload()),
    })
}

fn multiply(left: &Value, right: &Value) -> Outcome {
    Ok(match (left, right) {
        (Value::Int(a), Value::Int(b)) => Value::Int(a.checked_mul(*b).ok_or_else(overflow)?),
        (Value::Uint(a), Value::Uint(b)) => {
            Value::Uint(a.checked_mul(*b).ok_or_else(unsigned_overflow)?)
        }
        (Value::Double(a), Value::Double(b)) => Value::Double(a * b),
        _ => return Err(Error::no_overload()),
    })
}

fn divide(left: &Value, right: &Value) -> Outcome {
    let by_zero = || Error::new("division by zero");
    Ok(match (left, right) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0)) => return Err(by_zero()),
        (Value::Int(a), Value::Int(b)) => Value::Int(a.checked_div(*b).ok_or_else(overflow)?),
        (Value::Uint(a), Value::Uint(b)) => Value::Uint(a.checked_div(*b).ok_or_else(by_zero)?),
        (Value::Double(a), Value::Double(b)) => Value::Double(a / b),
        _ => return Err(Error::no_overload()),
    })
}

fn modulo(left: &Value, right: &Value) -> Outcome {
    let by_zero = || Error::new("modulus by zero");
    Ok(match (left, right) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0)) => return Err(by_zero()),
        (Value::Int(a), Value::Int(b)) => Value::Int(a.checked_rem(*b).ok_or_else(overflow)?),
        (Value::Uint(a), Value::Uint(b)) => Value::Uint(a.checked_rem(*b).ok_or_else(by_zero)?),
        _ => return Err(Error::no_overload()),
    })
}
