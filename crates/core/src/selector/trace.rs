//! What every part of a selector evaluates to.

use dra_playground_cel::trace::{Event, EventKind, Skip};
use dra_playground_cel::value::{Error, Value, show};
use dra_playground_cel::{Evaluation, Expression, Program};

use super::{Answer, MISSING_KEY_HINT};

/// One evaluation, part by part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Why the expression does not compile.
    pub compile_error: Option<String>,
    /// Sub-expressions, outermost first in the order of the text.
    pub parts: Vec<TracePart>,
    /// Whether it chooses the device; none when it fails.
    pub answer: Option<bool>,
    /// The text that follows `CEL runtime error: `.
    pub error: Option<String>,
    /// Runtime cost.
    pub cost: u64,
    /// What happened, in order.
    pub events: Vec<TraceEvent>,
}

/// A sub-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracePart {
    /// Number as cel-go gives it.
    pub id: u32,
    /// First code point in the expression.
    pub from: u32,
    /// One past the last code point.
    pub to: u32,
    /// Nesting depth, 0 for the whole.
    pub depth: u32,
    /// Type as the checker prints it.
    pub kind: String,
}

/// One event of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceEvent {
    /// The part.
    pub id: u32,
    /// Indexes of the enclosing loop rounds, outermost first.
    pub iteration: Vec<u32>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has a value, as text.
    Value(String),
    /// It failed, verbatim.
    Error(String),
    /// It was not evaluated.
    Skipped(Skip),
}

pub(super) fn answer(evaluation: &Evaluation, hint: bool) -> Answer {
    let (result, value) = match &evaluation.outcome {
        Ok(Value::Bool(value)) => (Ok(*value), Some(value.to_string())),
        Ok(value) => (Err(not_bool(value)), Some(show(value))),
        Err(error) => (Err(with_hint(error, hint)), None),
    };
    Answer { result, value, cost: evaluation.cost }
}

fn with_hint(error: &Error, hint: bool) -> String {
    let text = error.text();
    if hint && text.contains("no such key:") {
        format!("{text}{MISSING_KEY_HINT}")
    } else {
        text.to_owned()
    }
}

/// The error for a value that is no bool.
fn not_bool(value: &Value) -> String {
    let reason = match value {
        Value::String(_) => "unsupported native conversion from string to 'bool'".to_owned(),
        Value::Int(_) => "unsupported type conversion from 'int' to bool".to_owned(),
        Value::Uint(_) => "unsupported type conversion from 'uint' to bool".to_owned(),
        Value::Double(_) => "type conversion error from Double to 'bool'".to_owned(),
        Value::List(_) => "type conversion error from list to 'bool'".to_owned(),
        Value::Map(_) => "type conversion error from map to 'bool'".to_owned(),
        Value::Bytes(_) => "type conversion error from Bytes to 'bool'".to_owned(),
        Value::Null => "type conversion error from 'null_type' to 'bool'".to_owned(),
        Value::Timestamp(_) => "type conversion error from 'Timestamp' to 'bool'".to_owned(),
        Value::Duration(_) => "type conversion error from 'Duration' to 'bool'".to_owned(),
        Value::Type(_) => "type conversion not supported for 'type'".to_owned(),
        Value::Quantity(_) => "type conversion error from 'Quantity' to 'bool'".to_owned(),
        Value::Semver(_) => "type conversion error from 'Semver' to 'bool'".to_owned(),
        other => format!("type conversion error from '{}' to 'bool'", other.type_name()),
    };
    let name = value.type_name();
    format!("CEL result of type {name} could not be converted to bool: {reason}")
}

pub(super) fn parts(expression: &Expression) -> Vec<TracePart> {
    let parts = expression.parts().into_iter();
    parts
        .map(|part| TracePart {
            id: part.id,
            from: part.extent.from,
            to: part.extent.to,
            depth: part.depth,
            kind: part.kind,
        })
        .collect()
}

impl Trace {
    pub(super) fn of_compile_error(text: &str) -> Self {
        Self { compile_error: Some(text.to_owned()), ..Self::default() }
    }

    pub(super) fn of_device_error(expression: &Expression, error: String) -> Self {
        Self { parts: parts(expression), error: Some(error), ..Self::default() }
    }

    pub(super) fn new(
        expression: &Expression,
        program: &Program,
        device: &Value,
        hint: bool,
    ) -> Self {
        let (evaluation, events) = program.trace(std::slice::from_ref(device));
        let answer = answer(&evaluation, hint);
        Self {
            compile_error: None,
            parts: parts(expression),
            answer: answer.result.as_ref().ok().copied(),
            error: answer.result.err(),
            cost: answer.cost,
            events: events.into_iter().map(event).collect(),
        }
    }
}

fn event(event: Event) -> TraceEvent {
    let outcome = match event.kind {
        EventKind::Value(text) => Outcome::Value(text),
        EventKind::Error(text) => Outcome::Error(text),
        EventKind::Skipped(skip) => Outcome::Skipped(skip),
    };
    TraceEvent { id: event.id, iteration: event.iteration, outcome }
}
