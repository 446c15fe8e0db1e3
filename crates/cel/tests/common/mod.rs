//! What becomes of an expression, as one text.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::rc::Rc;

use dra_playground_cel::types::Type;
use dra_playground_cel::value::{Map, Value, show};
use dra_playground_cel::{Dialect, Env, Expression, Sizes, compile, syntax};

/// Largest sizes that the tests declare for variables.
struct Eight;

impl Sizes for Eight {
    fn max_size(&self, _: &[Rc<str>]) -> Option<u64> {
        Some(8)
    }

    fn includes_limit(&self) -> u64 {
        48
    }
}

/// `m` is a map of `dyn`, `a` the same of `any`.
fn env(dialect: Dialect) -> Env {
    let map = |value| Type::map(Type::String, value);
    Env::new(dialect).variable("m", map(Type::Dyn)).variable("a", map(Type::Any))
}

fn variables() -> [Value; 2] {
    let list = Value::List(vec![Value::Int(1), Value::Int(2)].into());
    let entries = [
        ("int", Value::Int(3)),
        ("uint", Value::Uint(3)),
        ("double", Value::Double(1.5)),
        ("text", Value::string("héllo")),
        ("flag", Value::Bool(true)),
        ("list", list),
    ];
    let map: Map = entries.into_iter().map(|(key, value)| (Value::string(key), value)).collect();
    let map = Value::Map(Rc::new(map));
    [map.clone(), map]
}

fn expression(dialect: Dialect, text: &str) -> Result<Expression, String> {
    compile(&env(dialect), text).map_err(|issues| syntax::render(text, &issues))
}

/// The value as text, or what went wrong.
pub(crate) fn told_in(dialect: Dialect, text: &str) -> String {
    let expression = match expression(dialect, text) {
        Ok(expression) => expression,
        Err(text) => return text,
    };
    let program = match expression.plan(&["m".into(), "a".into()], 1_000_000) {
        Ok(program) => program,
        Err(error) => return format!("plan: {}", error.text()),
    };
    match program.evaluate(&variables()).outcome {
        Ok(value) => show(&value),
        Err(error) => format!("error: {}", error.text()),
    }
}

/// As [`told_in`], in the dialect of most releases.
pub(crate) fn told(text: &str) -> String {
    told_in(Dialect::default(), text)
}

/// Estimated and actual cost.
pub(crate) fn costs(text: &str) -> Option<(u64, u64)> {
    let expression = expression(Dialect::default(), text).ok()?;
    let program = expression.plan(&["m".into(), "a".into()], 1_000_000).ok()?;
    Some((expression.max_cost(&Eight), program.evaluate(&variables()).cost))
}

/// Messages without the lines that show where: `1:5: message`, joined by semicolons.
fn short(told: &str) -> String {
    if !told.starts_with("ERROR: ") {
        return told.to_owned();
    }
    let issues = told.lines().filter_map(|line| line.strip_prefix("ERROR: <input>:"));
    issues.collect::<Vec<_>>().join("; ")
}

/// Compares a table of expressions and what becomes of them, and shows all that differ.
#[track_caller]
pub(crate) fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(text, expected)| (text, expected, short(&told(text))))
        .filter(|(_, expected, found)| **expected != found)
        .map(|(text, expected, found)| format!("{text}\n  - {expected}\n  + {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
