//! What expressions cost, before and while they run.
//!
//! Source: cel-go `checker/cost.go`, `interpreter/runtimecost.go`; `k8s.io/apiserver`
//! `pkg/cel/library/cost.go`.

mod calls;
mod estimate;
mod size;

pub(crate) use estimate::estimate;

use crate::env::{Dialect, Includes};
use crate::value::{Error, Outcome, Value};
use crate::work::Work;

/// How a call is charged at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// 1.
    Unit,
    /// 350,000: an authorization check.
    Check,
    /// A label or field selector's text.
    Selector,
    /// One traversal of the first argument.
    Traversal,
    /// The first argument's size, a tenth of it per unit.
    Size,
    /// Size of the argument.
    ArgumentSize,
    /// Two passes over the first argument.
    SizeTwice,
    /// Two passes over the result.
    ResultTwice,
    /// A text against a regular expression.
    Regex,
    /// A text searched in a text.
    Contains,
    /// An address range against an address.
    ContainsIp { text: bool },
    /// An address range against another.
    ContainsCidr { text: bool },
    /// A text against a named format.
    Validate,
    /// Equality: by size, 1 for objects.
    Equality,
    /// Both sides up to the shorter.
    Shorter,
    /// Concatenation.
    Concat,
    /// Size of the list on the right.
    InList,
    /// Extended list functions: 11 and the result's size.
    ListResult,
    /// `flatten`.
    Flatten,
    /// Quadratic list functions, by the argument that is compared.
    ListSquare { keys: usize },
    /// `sets.*`, with this factor.
    Sets(u64),
}

/// What upstream says when it costs a quadratic list function whose list is an error.
const NO_LIST: &str =
    "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add";
/// The same for the depth of `flatten`.
const NO_DEPTH: &str = "internal error: interface conversion: ref.Val is *types.Err, not types.Int";

impl Rule {
    /// What upstream says when the argument at `index` is an error that the cost depends on.
    pub(crate) fn needs(self, index: usize) -> Option<&'static str> {
        match self {
            Self::ListSquare { keys } if keys == index => Some(NO_LIST),
            Self::Flatten if index == 1 => Some(NO_DEPTH),
            _ => None,
        }
    }
}

pub(crate) fn rule(function: &str, overload: &str, dialect: Dialect) -> Rule {
    if let Some(rule) = tracked(overload) {
        return rule;
    }
    match function {
        "check" => Rule::Check,
        "fieldSelector" | "labelSelector" => Rule::Selector,
        "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => Rule::Traversal,
        "includes" if dialect.includes == Includes::Unlimited => Rule::Traversal,
        "url" | "lowerAscii" | "upperAscii" | "substring" | "trim" | "cidr" | "isIP" | "isCIDR"
        | "quantity" | "isQuantity" | "semver" | "isSemver" => Rule::Size,
        "ip" if overload != "cidr_ip" => Rule::Size,
        "replace" | "split" | "ip.isCanonical" => Rule::SizeTwice,
        "join" => Rule::ResultTwice,
        "find" | "findAll" => Rule::Regex,
        "containsIP" => Rule::ContainsIp { text: overload == "cidr_contains_ip_string" },
        "containsCIDR" => Rule::ContainsCidr { text: overload == "cidr_contains_cidr_string" },
        "validate" => Rule::Validate,
        "_==_" => Rule::Equality,
        "_!=_" => Rule::Shorter,
        _ if dialect.newer_cel_go => match overload {
            "starts_with_string" | "ends_with_string" => Rule::ArgumentSize,
            "matches" => Rule::Regex,
            _ => by_overload(overload),
        },
        _ => by_overload(overload),
    }
}

/// Rules of cel-go's own extensions, which come first.
fn tracked(overload: &str) -> Option<Rule> {
    Some(match overload {
        "list_slice" | "lists_range" | "list_reverse" => Rule::ListResult,
        "list_flatten" | "list_flatten_int" => Rule::Flatten,
        "list_distinct" => Rule::ListSquare { keys: 0 },
        "list_sets_contains_list" | "list_sets_intersects_list" => Rule::Sets(1),
        "list_sets_equivalent_list" => Rule::Sets(2),
        _ if overload.ends_with("_sort") => Rule::ListSquare { keys: 0 },
        _ if overload.ends_with("_sortByAssociatedKeys") => Rule::ListSquare { keys: 1 },
        _ => return None,
    })
}

fn by_overload(overload: &str) -> Rule {
    match overload {
        "starts_with_string" | "ends_with_string" | "string_to_bytes" | "bytes_to_string"
        | "strings_quote" | "string_format" => Rule::Size,
        "in_list" => Rule::InList,
        "less_string"
        | "greater_string"
        | "less_equals_string"
        | "greater_equals_string"
        | "less_bytes"
        | "greater_bytes"
        | "less_equals_bytes"
        | "greater_equals_bytes" => Rule::Shorter,
        "add_string" | "add_bytes" => Rule::Concat,
        "matches_string" => Rule::Regex,
        "contains_string" => Rule::Contains,
        _ => Rule::Unit,
    }
}

/// A tenth of a number, rounded up.
fn tenth(size: u64) -> u64 {
    size.div_ceil(10)
}

fn size_of(value: &Value) -> u64 {
    match value {
        Value::Optional(Some(inner)) => size_of(inner),
        other => other.size().map_or(1, |size| size as u64),
    }
}

/// Kubernetes' own sizes do not look into optionals.
fn plain_size(value: Option<&Value>) -> u64 {
    value.and_then(Value::size).map_or(1, |size| size as u64)
}

/// What a call costs.
///
/// # Errors
///
/// When counting is too much work.
pub(crate) fn charge(
    rule: Rule,
    args: &[Value],
    outcome: &Outcome,
    work: &mut Work,
) -> Result<u64, Error> {
    let first = args.first();
    let second = args.get(1);
    let size = |value: Option<&Value>| value.map_or(1, size_of);
    Ok(match rule {
        Rule::Unit => 1,
        Rule::Check => 350_000,
        Rule::Selector => {
            let length = plain_size(second);
            10 + tenth(length) + length.div_ceil(2) * 50
        }
        Rule::Traversal => match first {
            Some(value) => traversal(value, work)?,
            None => 0,
        },
        Rule::Size => tenth(size(first)),
        Rule::ArgumentSize => tenth(size(second)),
        Rule::SizeTwice => tenth(2 * plain_size(first)),
        Rule::ResultTwice => tenth(2 * plain_size(outcome.as_ref().ok())),
        Rule::Regex => tenth(1 + size(first)) * size(second).div_ceil(4),
        Rule::Contains => tenth(size(first)) * tenth(size(second)),
        Rule::ContainsIp { text } => {
            tenth(2 * plain_size(first)) + if text { tenth(plain_size(second)) } else { 0 }
        }
        Rule::ContainsCidr { text } => {
            let cidr = plain_size(first);
            let other = if text { tenth(plain_size(second)) } else { 0 };
            tenth(2 * cidr) + tenth(cidr) + 1 + other
        }
        Rule::Validate => match first {
            Some(Value::Format(format)) => {
                tenth(1 + plain_size(second)) * u64::from(format.regex_size).div_ceil(4)
            }
            _ => 1,
        },
        Rule::Equality => match first {
            Some(
                Value::Quantity(_)
                | Value::Ip(_)
                | Value::Cidr(_)
                | Value::Url(_)
                | Value::Format(_)
                | Value::Semver(_),
            ) => 1,
            _ => tenth(size(first).min(size(second))),
        },
        Rule::Shorter => tenth(size(first).min(size(second))),
        Rule::Concat => tenth(size(first) + size(second)),
        Rule::InList => size(second),
        Rule::ListResult => 11 + outcome.as_ref().map_or(1, size_of),
        Rule::Flatten => {
            let depth = match second {
                Some(Value::Int(depth)) => *depth,
                Some(other) => {
                    let found = other.go_type();
                    return Err(Error::abort(format!(
                        "internal error: interface conversion: ref.Val is {found}, not types.Int"
                    )));
                }
                None => 1,
            };
            flatten(depth, size(first), work.newer_cel_go)
        }
        Rule::ListSquare { keys } => match args.get(keys) {
            Some(other) if !matches!(other, Value::List(_)) => return Err(no_list(other)),
            list => list_square(list),
        },
        Rule::Sets(factor) => {
            1_u64.saturating_add(size(first).saturating_mul(size(second)).saturating_mul(factor))
        }
    })
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "as upstream computes it"
)]
fn flatten(depth: i64, size: u64, newer: bool) -> u64 {
    let factor = if newer && depth < 0 { 1.0 } else { depth as f64 };
    let work = size as f64 * factor;
    // UPSTREAM: a negative depth wraps around and lowers the cost in the older cel-go.
    let work = if work < 0.0 { (work as i64).cast_unsigned() } else { in_64_bits(work) };
    if newer { work.saturating_add(11) } else { work.wrapping_add(11) }
}

/// Go's conversion on the processors that Kubernetes runs on: what is too large is 2⁶³.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
fn in_64_bits(value: f64) -> u64 {
    if value < 18_446_744_073_709_551_616.0 { value as u64 } else { 1 << 63 }
}

/// UPSTREAM: costing a quadratic list function takes its argument for a list and panics.
fn no_list(value: &Value) -> Error {
    let adds = matches!(
        value,
        Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::Duration(_)
            | Value::Timestamp(_)
    );
    let method = if adds { "Contains" } else { "Add" };
    let found = value.go_type();
    Error::abort(format!(
        "internal error: interface conversion: {found} is not traits.Lister: missing method {method}"
    ))
}

fn list_square(list: Option<&Value>) -> u64 {
    let square = list.map_or(1, size_of);
    let square = square.saturating_mul(square);
    let texts = matches!(
        list,
        Some(Value::List(list)) if matches!(list.first(), Some(Value::String(_) | Value::Bytes(_)))
    );
    // Twice the square, or 2.1 times when comparing texts.
    let work = if texts { square.saturating_mul(21) / 10 } else { square.saturating_mul(2) };
    work.saturating_add(11)
}

/// The cost of looking at everything in a value once.
fn traversal(value: &Value, work: &mut Work) -> Result<u64, Error> {
    work.spend(1)?;
    Ok(match value {
        Value::String(text) => text.len() as u64 / 10,
        Value::Bytes(bytes) => bytes.len() as u64 / 10,
        Value::List(list) => {
            let mut sum = 0_u64;
            for element in list.iter() {
                sum = sum.saturating_add(traversal(element, work)?);
            }
            sum
        }
        Value::Map(map) => {
            let mut sum = 0_u64;
            for (key, value) in map.iter() {
                sum = sum.saturating_add(traversal(key, work)?);
                sum = sum.saturating_add(traversal(value, work)?);
            }
            sum
        }
        _ => 1,
    })
}
