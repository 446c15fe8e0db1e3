//! Records of the public CEL conformance suite, answered by Kubernetes' environment.

use std::fmt::Write as _;

use dra_playground_cel::syntax;
use dra_playground_cel::value::{Value, show};
use dra_playground_cel::{Dialect, Env};
use serde_json::Value as Json;

use super::super::{Difference, Verdict};
use crate::selector::COST_LIMIT;

pub(super) fn compare(json: &Json) -> Verdict {
    let text = |key: &str| json.get(key).and_then(Json::as_str).unwrap_or_default();
    let expression = text("expr");
    let unchecked = json.get("nocheck").and_then(Json::as_bool) == Some(true);
    let found = answer(expression, unchecked);
    let expected = expected(json);
    if found == expected {
        return Verdict::Equal;
    }
    Verdict::Different(Difference {
        name: format!("{}/{}/{}", text("file"), text("section"), text("name")),
        expected,
        found: format!("{found} for {expression}"),
    })
}

fn expected(json: &Json) -> String {
    let answer = json.get("k8s");
    let field = |key: &str| answer.and_then(|answer| answer.get(key)).and_then(Json::as_str);
    if let Some(value) = field("val") {
        return value.to_owned();
    }
    if let Some(error) = field("err") {
        return format!("error: {error}");
    }
    format!("compile error: {}", messages(field("cerr").unwrap_or_default()))
}

/// The first message of a compile error; the records have no more.
fn messages(error: &str) -> String {
    error.lines().next().unwrap_or_default().to_owned()
}

fn answer(expression: &str, unchecked: bool) -> String {
    let env = Env::new(Dialect::default());
    let read = if unchecked {
        dra_playground_cel::parse_only(&env, expression)
    } else {
        dra_playground_cel::compile(&env, expression)
    };
    let checked = match read {
        Ok(checked) => checked,
        Err(issues) => {
            return format!("compile error: {}", messages(&syntax::render(expression, &issues)));
        }
    };
    let program = match checked.plan(&[], COST_LIMIT) {
        Ok(program) => program,
        Err(error) => return format!("compile error: {}", error.text()),
    };
    match program.evaluate(&[]).outcome {
        Ok(value) => told(&value),
        Err(error) => format!("error: {}", error.text()),
    }
}

/// A value with its type.
fn told(value: &Value) -> String {
    let mut out = String::new();
    push(&mut out, value);
    out
}

fn push(out: &mut String, value: &Value) {
    // Writing into a string cannot fail.
    let _ = match value {
        Value::Null => write!(out, "null"),
        Value::Bool(value) => write!(out, "bool:{value}"),
        Value::Int(value) => write!(out, "int:{value}"),
        Value::Uint(value) => write!(out, "uint:{value}"),
        Value::Double(value) => write!(out, "double:{}", scientific(*value)),
        Value::String(text) => write!(out, "string:{}", Json::from(text.as_ref())),
        Value::Bytes(bytes) => {
            let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            write!(out, "bytes:{}", hex.concat())
        }
        Value::Type(name) => write!(out, "type:{name}"),
        Value::List(list) => {
            let parts: Vec<_> = list.iter().map(told).collect();
            write!(out, "list[{}]", parts.join(","))
        }
        Value::Map(map) => {
            let mut parts: Vec<_> =
                map.iter().map(|(key, value)| format!("{}={}", told(key), told(value))).collect();
            parts.sort();
            write!(out, "map{{{}}}", parts.join(","))
        }
        other => write!(out, "{}:{}", other.type_name(), show(other)),
    };
}

/// A double as Go's `%e` prints it with the digits that it needs.
fn scientific(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}
