//! Lists and sets. Source: cel-go `ext/lists.go`, `ext/sets.go`; `k8s.io/apiserver`
//! `pkg/cel/library/lists.go`.

use std::cmp::Ordering;
use std::rc::Rc;

use super::operators::add;
use super::{Implementation, count, int, list};
use crate::gotext;
use crate::order::Order;
use crate::value::{Error, Key, Map, Outcome, Value, compare, contains, left_equals};
use crate::work::Work;

pub(super) fn implementation(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "list_slice" => slice,
        "list_flatten" | "list_flatten_int" => flatten,
        "list_reverse" => |args, work| {
            let list = list(args, 0)?;
            work.allow(list.len())?;
            Ok(Value::list(list.iter().rev().cloned().collect()))
        },
        "list_distinct" => distinct,
        "lists_range" => range,
        "list_a_index_of_int" => |args, work| index_of(args, work, false),
        "list_a_last_index_of_int" => |args, work| index_of(args, work, true),
        "list_first" => |args, _| Ok(Value::optional(list(args, 0)?.first().cloned())),
        "list_last" => |args, _| Ok(Value::optional(list(args, 0)?.last().cloned())),
        "list_sets_contains_list" => |args, work| {
            let found = set_contains(list(args, 0)?, list(args, 1)?, work)?;
            Ok(Value::Bool(found))
        },
        "list_sets_equivalent_list" => |args, work| {
            let (a, b) = (list(args, 0)?, list(args, 1)?);
            Ok(Value::Bool(set_contains(a, b, work)? && set_contains(b, a, work)?))
        },
        "list_sets_intersects_list" => |args, work| {
            let (a, b) = (list(args, 0)?, list(args, 1)?);
            for element in a.iter() {
                if contains(b, element, work)? {
                    return Ok(Value::Bool(true));
                }
            }
            Ok(Value::Bool(false))
        },
        "dra_includes_dyn_dyn" => includes,
        "@mapInsert_map_key_value" => insert,
        "@mapInsert_map_map" => insert_all,
        _ if overload.ends_with("_is_sorted_bool") => is_sorted,
        "list_uint_sum_uint" => |args, work| sum(args, Value::Uint(0), work),
        "list_double_sum_double" => |args, work| sum(args, Value::Double(0.0), work),
        "list_duration_sum_duration" => |args, work| sum(args, Value::Duration(0), work),
        _ if overload.contains("_sum_") => |args, work| sum(args, Value::Int(0), work),
        _ if overload.contains("_min_") => {
            |args, work| extreme(args, work, "min", Ordering::Greater)
        }
        _ if overload.contains("_max_") => |args, work| extreme(args, work, "max", Ordering::Less),
        _ => return None,
    })
}

/// An index into a list from a number of any type.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the result is compared with the original"
)]
pub(crate) fn index(key: &Value) -> Result<i64, Error> {
    let unsupported = |text: String| Error::new(format!("unsupported index value {text} in list"));
    match key {
        Value::Int(index) => Ok(*index),
        Value::Double(double) => {
            let index = *double as i64;
            if (index as f64).to_bits() == (double + 0.0).to_bits() {
                Ok(index)
            } else {
                Err(unsupported(gotext::double(*double)))
            }
        }
        Value::Uint(uint) => i64::try_from(*uint).map_err(|_| unsupported(uint.to_string())),
        other => {
            let name = other.type_name();
            Err(Error::new(format!("unsupported index type '{name}' in list")))
        }
    }
}

fn slice(args: &[Value], work: &mut Work) -> Outcome {
    let list = list(args, 0)?;
    let (start, end) = (int(args, 1)?, int(args, 2)?);
    let cannot = |why: String| Error::new(format!("cannot slice({start}, {end}), {why}"));
    let (Ok(from), Ok(to)) = (usize::try_from(start), usize::try_from(end)) else {
        return Err(cannot("negative indexes not supported".to_owned()));
    };
    if start > end {
        return Err(cannot("start index must be less than or equal to end index".to_owned()));
    }
    let part = list.get(from..to);
    let part = part.ok_or_else(|| cannot(format!("list is length {}", list.len())))?;
    work.allow(part.len())?;
    Ok(Value::list(part.to_vec()))
}

fn flatten(args: &[Value], work: &mut Work) -> Outcome {
    let depth = match args.get(1) {
        Some(Value::Int(depth)) => Some(*depth),
        Some(_) => None,
        None => Some(1),
    };
    let (Some(Value::List(_)), Some(depth)) = (args.first(), depth) else {
        // Upstream prints types, with their parameters.
        let name = |value: &Value| match value {
            Value::Map(_) => "map(dyn, dyn)",
            Value::List(_) => "list(dyn)",
            Value::Optional(_) if work.newer_cel_go => "optional_type(dyn)",
            other => other.type_name(),
        };
        let names: Vec<_> = args.iter().map(name).collect();
        let (target, rest) = names.split_first().unwrap_or((&"list", &[]));
        return Err(Error::new(format!("no such overload: {target}.flatten({})", rest.join(", "))));
    };
    if depth < 0 {
        return Err(Error::new("level must be non-negative"));
    }
    let mut out = Vec::new();
    flatten_into(&mut out, list(args, 0)?, depth, work)?;
    Ok(Value::list(out))
}

fn flatten_into(
    out: &mut Vec<Value>,
    list: &[Value],
    depth: i64,
    work: &mut Work,
) -> Result<(), Error> {
    for element in list {
        match element {
            Value::List(inner) if depth > 0 => flatten_into(out, inner, depth - 1, work)?,
            other => out.push(other.clone()),
        }
        work.spend(1)?;
    }
    work.allow(out.len())
}

fn distinct(args: &[Value], work: &mut Work) -> Outcome {
    let mut unique: Vec<Value> = Vec::new();
    for element in list(args, 0)?.iter() {
        let mut seen = false;
        for known in &unique {
            match left_equals(element, known, work) {
                Ok(true) => {
                    seen = true;
                    break;
                }
                Err(error) if error.is_abort() => return Err(error),
                Ok(false) | Err(_) => {}
            }
        }
        if !seen {
            unique.push(element.clone());
        }
    }
    Ok(Value::list(unique))
}

fn range(args: &[Value], work: &mut Work) -> Outcome {
    let end = int(args, 0)?;
    if work.newer_cel_go {
        if end < 0 {
            return Err(Error::new(format!("lists.range: size must be non-negative, got {end}")));
        }
        if end > 1_000_000 {
            return Err(Error::new(format!(
                "lists.range: size {end} exceeds maximum allowed (1000000)"
            )));
        }
    }
    // Longer ranges cost more than any limit, so they need not be made.
    if end > 1_000_000 {
        return Err(Error::over_limit());
    }
    work.allow(usize::try_from(end).unwrap_or(0))?;
    Ok(Value::list((0..end).map(Value::Int).collect()))
}

fn index_of(args: &[Value], work: &mut Work, last: bool) -> Outcome {
    let elements = list(args, 0)?;
    let item = args.get(1).ok_or_else(Error::no_overload)?;
    let mut positions: Box<dyn Iterator<Item = (usize, &Value)>> = if last {
        Box::new(elements.iter().enumerate().rev())
    } else {
        Box::new(elements.iter().enumerate())
    };
    for (index, element) in positions.by_ref() {
        match left_equals(element, item, work) {
            Ok(true) => return Ok(count(index)),
            Err(error) if error.is_abort() => return Err(error),
            Ok(false) | Err(_) => {}
        }
    }
    Ok(Value::Int(-1))
}

/// UPSTREAM: an element that cannot be compared passes.
fn is_sorted(args: &[Value], work: &mut Work) -> Outcome {
    let list = list(args, 0)?;
    let mut previous: Option<&Value> = None;
    for element in list.iter() {
        if !is_comparable(element) {
            return Err(Error::no_overload());
        }
        if let Some(previous) = previous
            && order(previous, element, work)? == Some(Ordering::Greater)
        {
            return Ok(Value::Bool(false));
        }
        previous = Some(element);
    }
    Ok(Value::Bool(true))
}

fn is_comparable(value: &Value) -> bool {
    matches!(
        value,
        Value::Bool(_)
            | Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::Timestamp(_)
            | Value::Duration(_)
    )
}

/// The order of two values, none when they cannot be compared.
fn order(a: &Value, b: &Value, work: &mut Work) -> Result<Option<Ordering>, Error> {
    work.spend(1)?;
    match compare(a, b, work) {
        Ok(order) => Ok(Some(order)),
        Err(error) if error.is_abort() => Err(error),
        Err(_) => Ok(None),
    }
}

fn extreme(args: &[Value], work: &mut Work, name: &str, replace: Ordering) -> Outcome {
    let mut best: Option<&Value> = None;
    for element in list(args, 0)?.iter() {
        if !is_comparable(element) {
            return Err(Error::no_overload());
        }
        match best {
            None => best = Some(element),
            Some(current) => {
                if order(current, element, work)? == Some(replace) {
                    best = Some(element);
                }
            }
        }
    }
    best.cloned().ok_or_else(|| Error::new(format!("{name} called on empty list")))
}

fn sum(args: &[Value], zero: Value, work: &mut Work) -> Outcome {
    let list = list(args, 0)?;
    let mut total = zero;
    for element in list.iter() {
        total = add(&total, element, work)?;
    }
    Ok(total)
}

/// Sorts a list by the argument that has the keys.
pub(super) fn sort(args: &[Value], keys: usize, work: &mut Work) -> Outcome {
    let (elements, keys) = (list(args, 0)?, list(args, keys)?);
    if elements.len() != keys.len() {
        return Err(Error::new(format!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, \
             but got {} and {} elements respectively",
            elements.len(),
            keys.len()
        )));
    }
    let Some(first) = keys.first() else { return Ok(Value::List(elements.clone())) };
    if !is_comparable(first) {
        return Err(Error::new("list elements must be comparable"));
    }
    if keys.len() > 1 && keys.iter().any(|key| key.type_name() != first.type_name()) {
        return Err(Error::new("list elements must have the same type"));
    }
    let mut pairs: Vec<_> = keys.iter().zip(elements.iter()).collect();
    let mut failure = None;
    pairs.order_by(|(a, _), (b, _)| match order(a, b, work) {
        Ok(order) => order.unwrap_or(Ordering::Equal),
        Err(error) => {
            failure = Some(error);
            Ordering::Equal
        }
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(Value::list(pairs.into_iter().map(|(_, element)| element.clone()).collect())),
    }
}

fn set_contains(list: &[Value], part: &[Value], work: &mut Work) -> Result<bool, Error> {
    for element in part {
        if !contains(list, element, work)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn includes(args: &[Value], work: &mut Work) -> Outcome {
    let [target, wanted] = args else { return Err(Error::no_overload()) };
    let equals = |value: &Value, work: &mut Work| match left_equals(value, wanted, work) {
        Err(error) if error.is_abort() => Err(error),
        found => Ok(found == Ok(true)),
    };
    let Value::List(list) = target else { return equals(target, work).map(Value::Bool) };
    for (index, element) in list.iter().enumerate() {
        if let Some(limit) = work.includes_limit
            && index >= limit
        {
            return Err(Error::new(format!(
                "'includes' function cannot be applied to lists longer than {limit} values"
            )));
        }
        if equals(element, work)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn map(args: &[Value], index: usize) -> Result<&Rc<Map>, Error> {
    match args.get(index) {
        Some(Value::Map(map)) => Ok(map),
        _ => Err(Error::no_overload()),
    }
}

fn insert_one(map: &mut Map, key: &Value, value: &Value, work: &mut Work) -> Result<(), Error> {
    if !key.is_hashable() {
        return Err(super::unhashable(key));
    }
    if map.get(&Key::from(key.clone())).is_some() {
        let text = super::format::go_text(key);
        return Err(Error::new(format!("insert failed: key {text} already exists")));
    }
    let moved = map.insert(key.clone(), value.clone());
    work.spend(moved / 64)
}

fn insert(args: &[Value], work: &mut Work) -> Outcome {
    let [_, key, value] = args else { return Err(Error::no_overload()) };
    let mut copy = map(args, 0)?.as_ref().clone();
    work.spend(copy.len())?;
    insert_one(&mut copy, key, value, work)?;
    Ok(Value::Map(Rc::new(copy)))
}

fn insert_all(args: &[Value], work: &mut Work) -> Outcome {
    let mut copy = map(args, 0)?.as_ref().clone();
    work.spend(copy.len())?;
    for (key, value) in map(args, 1)?.iter() {
        insert_one(&mut copy, key, value, work)?;
    }
    Ok(Value::Map(Rc::new(copy)))
}

/// `cel.@mapInsert(acc, …)` when nothing else holds the accumulator.
pub(crate) fn insert_in_place(target: Value, rest: &[Value], work: &mut Work) -> Outcome {
    let Value::Map(mut target) = target else { return Err(Error::no_overload()) };
    work.spend(1)?;
    let entries = Rc::make_mut(&mut target);
    match rest {
        [key, value] => insert_one(entries, key, value, work)?,
        [Value::Map(more)] => {
            for (key, value) in more.iter() {
                insert_one(entries, key, value, work)?;
            }
        }
        _ => return Err(Error::no_overload()),
    }
    if entries.len() > 1_000_000 {
        return Err(Error::too_large());
    }
    Ok(Value::Map(target))
}
