//! Running a plan. Source: cel-go `interpreter/interpretable.go`, `runtimecost.go`.

mod attribute;
mod meter;
mod variable;

use std::rc::Rc;

use meter::Meter;
pub use variable::Variable;
pub(crate) use variable::Variables;

use crate::cost;
use crate::library::{lists, operators};
use crate::messages::Message;
use crate::plan::{CallStep, FoldStep, Kind, Plan, Step};
use crate::syntax::ExprId;
use crate::trace::{Recorder, Skip};
use crate::value::{Error, Key, Map, Outcome, Value};
use crate::work::Work;

/// What came of an evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The value, or why there is none.
    pub outcome: Outcome,
    /// Runtime cost.
    pub cost: u64,
}

/// How to evaluate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) cost: u64,
    pub(crate) quantity_add_mutates: bool,
    pub(crate) newer_cel_go: bool,
    pub(crate) strict_hosts: bool,
    pub(crate) includes: Option<usize>,
}

/// Memory that evaluations use again.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    meter: Meter,
    args: Vec<Vec<Value>>,
}

/// Evaluates a plan on the values of its variables.
pub(crate) fn evaluate(
    plan: &Plan,
    variables: Variables<'_>,
    limits: Limits,
    scratch: &mut Scratch,
    recorder: Option<&mut Recorder>,
) -> Evaluation {
    let Scratch { meter, args } = std::mem::take(scratch);
    let mut work = Work::default();
    work.quantity_add_mutates = limits.quantity_add_mutates;
    work.newer_cel_go = limits.newer_cel_go;
    work.strict_hosts = limits.strict_hosts;
    work.includes_limit = limits.includes;
    let mut machine = Machine {
        variables,
        frames: vec![Frame::default(); plan.folds],
        meter: meter.renewed(limits.cost),
        args,
        work,
        recorder,
    };
    let outcome = machine.eval(&plan.root);
    for undo in machine.work.undo.drain(..).rev() {
        undo.apply();
    }
    let cost = machine.meter.cost();
    *scratch = Scratch { meter: machine.meter, args: machine.args };
    Evaluation { outcome, cost }
}

/// The variables of a running loop.
#[derive(Clone, Debug, Default)]
struct Frame<'a> {
    /// Gives the first accumulator, once something reads it.
    init: Option<&'a Step>,
    accumulator: Option<Outcome>,
    first: Option<Value>,
    second: Option<Value>,
}

struct Machine<'a> {
    variables: Variables<'a>,
    frames: Vec<Frame<'a>>,
    meter: Meter,
    /// Spare lists for the arguments of calls.
    args: Vec<Vec<Value>>,
    work: Work,
    recorder: Option<&'a mut Recorder>,
}

fn absorbable(error: Error) -> Result<Error, Error> {
    if error.is_abort() { Err(error) } else { Ok(error) }
}

impl<'a> Machine<'a> {
    fn eval(&mut self, step: &'a Step) -> Outcome {
        let outcome = match &step.kind {
            Kind::Const(value) => Ok(value.clone()),
            Kind::Unknown(error) => Err(error.clone()),
            Kind::Attribute(attribute) => self.attribute(attribute),
            Kind::And(terms) => self.logical(terms, false),
            Kind::Or(terms) => self.logical(terms, true),
            Kind::Call(call) => self.call(call),
            Kind::List { elements, optional } => self.list(elements, optional),
            Kind::Map { entries, optional } => self.map(entries, optional),
            Kind::Message { message, names, values, optional } => {
                self.message(message, names, values, optional)
            }
            Kind::Fold(fold) => self.fold(fold),
            Kind::SetMember { element, set } => self.eval(element).and_then(|value| {
                if value.is_hashable() {
                    let key = Key::from(value);
                    Ok(Value::Bool(!key.is_nan() && set.contains(&key)))
                } else {
                    Err(crate::library::unhashable(&value))
                }
            }),
            Kind::OptionalOr { args, or_value, strict } => {
                self.optional_or(args, *or_value, *strict)
            }
        };
        self.done(step.id, outcome)
    }

    /// Notes that a node has its value, and stops when that cost too much.
    fn done(&mut self, id: ExprId, outcome: Outcome) -> Outcome {
        let outcome = match outcome {
            Ok(Value::Failed(error)) => Err(error),
            other => other,
        };
        if let Err(error) = &outcome
            && error.is_abort()
        {
            return outcome;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.value(id, &outcome);
        }
        self.meter.push(id)?;
        outcome
    }

    fn skip(&mut self, steps: &'a [Step], reason: Skip) {
        if let Some(recorder) = &mut self.recorder {
            for step in steps {
                recorder.skip(step.id, reason);
            }
        }
    }

    fn logical(&mut self, terms: &'a [Step], absorbing: bool) -> Outcome {
        let mut error = None;
        let mut result = !absorbing;
        for (index, term) in terms.iter().enumerate() {
            match self.eval(term) {
                Ok(Value::Bool(value)) if value == absorbing => {
                    let rest = terms.get(index + 1..).unwrap_or_default();
                    self.skip(rest, if absorbing { Skip::LeftTrue } else { Skip::LeftFalse });
                    error = None;
                    result = absorbing;
                    break;
                }
                Ok(Value::Bool(_)) => {}
                Ok(_) => error = error.or_else(|| Some(Error::no_overload())),
                Err(found) => {
                    let found = absorbable(found)?;
                    error = error.or(Some(found));
                }
            }
        }
        for term in terms {
            self.meter.drop(term.id);
        }
        match error {
            Some(error) => Err(error),
            None => Ok(Value::Bool(result)),
        }
    }

    fn call(&mut self, call: &'a CallStep) -> Outcome {
        let mut args = self.args.pop().unwrap_or_default();
        let outcome = self.call_with(call, &mut args);
        args.clear();
        self.args.push(args);
        outcome
    }

    fn call_with(&mut self, call: &'a CallStep, args: &mut Vec<Value>) -> Outcome {
        let eager = call.is_eager();
        let strict = call.is_strict();
        let mut first_error = None;
        let mut lost = None;
        for step in &call.args {
            match self.eval(step) {
                Ok(value) => args.push(value),
                Err(error) => {
                    let error = absorbable(error)?;
                    lost = lost.or(call.cost.needs(args.len()));
                    first_error = first_error.or(Some(error));
                    // An error has size 1 in the cost model, as null has.
                    args.push(Value::Null);
                    if !eager {
                        break;
                    }
                }
            }
        }
        let outcome = match first_error {
            Some(_) if !strict => Ok(Value::Bool(true)),
            Some(error) => Err(error),
            None => self.run(call, args),
        };
        if let Err(error) = &outcome
            && error.is_abort()
        {
            return outcome;
        }
        if self.meter.drop_args(&call.args) {
            if let Some(needed) = lost {
                // UPSTREAM: costing the call takes the error for its value and panics.
                return Err(Error::abort(needed));
            }
            self.meter.charge(cost::charge(call.cost, args, &outcome, &mut self.work)?);
        }
        outcome
    }

    fn run(&mut self, call: &'a CallStep, args: &mut [Value]) -> Outcome {
        // Lists and maps that a loop builds grow in place.
        if call.grows
            && let Some((first, rest)) = args.split_first_mut()
        {
            let target = std::mem::replace(first, Value::Null);
            return match (&target, &*rest) {
                (Value::List(_), [more]) => operators::append(target, more, &mut self.work),
                (Value::Map(_), rest) => lists::insert_in_place(target, rest, &mut self.work),
                _ => {
                    *first = target;
                    call.binding.run(&call.function, args, &mut self.work)
                }
            };
        }
        call.binding.run(&call.function, args, &mut self.work)
    }

    fn list(&mut self, elements: &'a [Step], optional: &[usize]) -> Outcome {
        let mut values = Vec::with_capacity(elements.len());
        let mut failure = None;
        for (index, element) in elements.iter().enumerate() {
            match self.eval(element) {
                Ok(value) if optional.contains(&index) => match value {
                    Value::Optional(Some(value)) => values.push(value.as_ref().clone()),
                    Value::Optional(None) => {}
                    other => {
                        failure = Some(not_optional("list element", &other));
                        break;
                    }
                },
                Ok(value) => values.push(value),
                Err(error) => {
                    failure = Some(absorbable(error)?);
                    break;
                }
            }
        }
        self.meter.drop_args(elements);
        self.meter.charge(10);
        failure.map_or_else(|| Ok(Value::list(values)), Err)
    }

    fn map(&mut self, entries: &'a [Step], optional: &[bool]) -> Outcome {
        let outcome = self.map_entries(entries, optional);
        if let Err(error) = &outcome
            && error.is_abort()
        {
            return outcome;
        }
        self.meter.drop_args(entries);
        self.meter.charge(30);
        outcome
    }

    fn message(
        &mut self,
        message: &Result<&'static Message, Error>,
        names: &[Rc<str>],
        values: &'a [Step],
        optional: &[bool],
    ) -> Outcome {
        let outcome = self.message_fields(names, values, optional);
        if let Err(error) = &outcome
            && error.is_abort()
        {
            return Err(error.clone());
        }
        self.meter.drop_args(values);
        self.meter.charge(40);
        let fields = outcome?;
        message.as_ref().map_err(Clone::clone)?.build(&fields)
    }

    fn message_fields(
        &mut self,
        names: &[Rc<str>],
        values: &'a [Step],
        optional: &[bool],
    ) -> Result<Vec<(Rc<str>, Value)>, Error> {
        let mut fields = Vec::with_capacity(names.len());
        for ((name, step), optional) in names.iter().zip(values).zip(optional) {
            let value = match self.eval(step)? {
                Value::Optional(None) if *optional => continue,
                Value::Optional(Some(inner)) if *optional => inner.as_ref().clone(),
                other if *optional => return Err(not_optional(&format!("entry '{name}'"), &other)),
                value => value,
            };
            fields.push((name.clone(), value));
        }
        Ok(fields)
    }

    fn map_entries(&mut self, entries: &'a [Step], optional: &[bool]) -> Outcome {
        let mut map = Map::default();
        for (pair, optional) in entries.chunks_exact(2).zip(optional) {
            let [key, value] = pair else { continue };
            let key = self.eval(key)?;
            let value = self.eval(value)?;
            if !key.is_hashable() {
                return Err(crate::library::unhashable(&key));
            }
            if !optional {
                map.insert(key, value);
                continue;
            }
            match value {
                Value::Optional(Some(value)) => {
                    map.insert(key, value.as_ref().clone());
                }
                Value::Optional(None) => map.remove(key),
                other => {
                    let text = crate::library::format::go_text(&key);
                    return Err(not_optional(&format!("entry '{text}'"), &other));
                }
            }
        }
        Ok(Value::Map(Rc::new(map)))
    }

    fn optional_or(&mut self, args: &'a [Step], or_value: bool, strict: bool) -> Outcome {
        let [left, right] = args else { return Err(Error::no_overload()) };
        match self.eval(left)? {
            Value::Optional(Some(value)) => {
                self.skip(std::slice::from_ref(right), Skip::NotNeeded);
                Ok(if or_value { value.as_ref().clone() } else { Value::Optional(Some(value)) })
            }
            Value::Optional(None) => self.eval(right),
            _ if strict => Err(Error::no_overload()),
            other => {
                self.skip(std::slice::from_ref(right), Skip::NotNeeded);
                Ok(other)
            }
        }
    }

    fn fold(&mut self, fold: &'a FoldStep) -> Outcome {
        let outcome = self.fold_range(fold);
        self.meter.drop(fold.range.id);
        if let Some(frame) = self.frames.get_mut(fold.frame) {
            *frame = Frame::default();
        }
        outcome
    }

    fn fold_range(&mut self, fold: &'a FoldStep) -> Outcome {
        let range = self.eval(&fold.range)?;
        if let Some(frame) = self.frames.get_mut(fold.frame) {
            *frame = Frame { init: Some(&fold.init), ..Frame::default() };
        }
        match &range {
            Value::List(list) => {
                for (index, value) in list.iter().enumerate() {
                    let pair = if fold.two {
                        let index = i64::try_from(index).unwrap_or(i64::MAX);
                        (Value::Int(index), Some(value.clone()))
                    } else {
                        (value.clone(), None)
                    };
                    if !self.iterate(fold, index, pair)? {
                        break;
                    }
                }
            }
            Value::Map(map) => {
                for (index, (key, value)) in map.iter().enumerate() {
                    let second = fold.two.then(|| value.clone());
                    if !self.iterate(fold, index, (key.clone(), second))? {
                        break;
                    }
                }
            }
            other if fold.two => {
                let name = other.go_type();
                return Err(Error::new(format!("unsupported comprehension range type: {name}")));
            }
            other => {
                let name = other.go_type();
                return Err(Error::new(format!("got '{name}', expected iterable type")));
            }
        }
        let result = self.eval(&fold.result);
        if let Some(recorder) = &mut self.recorder
            && self.frames.get(fold.frame).is_some_and(|frame| frame.accumulator.is_none())
        {
            recorder.skip(fold.init.id, Skip::BindUnused);
        }
        result
    }

    /// One round of a loop; whether to go on.
    fn iterate(
        &mut self,
        fold: &'a FoldStep,
        index: usize,
        (first, second): (Value, Option<Value>),
    ) -> Result<bool, Error> {
        if let Some(frame) = self.frames.get_mut(fold.frame) {
            frame.first = Some(first);
            frame.second = second;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.enter(index);
        }
        let go_on = self.round(fold);
        if let Some(recorder) = &mut self.recorder {
            if matches!(go_on, Ok(false))
                && let Kind::And(terms) | Kind::Or(terms) = &fold.step.kind
                && let Some(predicate) = terms.get(1)
            {
                recorder.skip(predicate.id, Skip::LoopEnded);
            }
            recorder.leave();
        }
        go_on
    }

    fn round(&mut self, fold: &'a FoldStep) -> Result<bool, Error> {
        match self.eval(&fold.condition) {
            Ok(Value::Bool(false)) => return Ok(false),
            Ok(_) => {}
            Err(error) => {
                absorbable(error)?;
            }
        }
        let next = match self.eval(&fold.step) {
            Err(error) => Err(absorbable(error)?),
            value => value,
        };
        if let Some(frame) = self.frames.get_mut(fold.frame) {
            frame.accumulator = Some(next);
        }
        Ok(true)
    }
}

fn not_optional(what: &str, value: &Value) -> Error {
    let text = crate::library::format::go_text(value);
    Error::new(format!("cannot initialize optional {what} from non-optional value {text}"))
}
