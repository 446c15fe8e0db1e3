//! The executable tree.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::attribute::{Attribute, Root};
use crate::cost;
use crate::library::operators::Operator;
use crate::library::{Implementation, regex::Regex};
use crate::messages::Message;
use crate::syntax::ExprId;
use crate::types::Type;
use crate::value::{Error, Key, Outcome, Value};
use crate::work::Work;

/// A node that gives a value.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) id: ExprId,
    pub(crate) kind: Kind,
}

/// What a node does.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Const(Value),
    /// A name without meaning.
    Unknown(Error),
    Attribute(Attribute),
    And(Vec<Step>),
    Or(Vec<Step>),
    Call(Box<CallStep>),
    List {
        elements: Vec<Step>,
        optional: Vec<usize>,
    },
    /// Keys and values in turn.
    Map {
        entries: Vec<Step>,
        optional: Vec<bool>,
    },
    /// A message of `google.protobuf`, or why it cannot be made: names, values, and whether they are
    /// optional.
    Message {
        message: Result<&'static Message, Error>,
        names: Vec<Rc<str>>,
        values: Vec<Step>,
        optional: Vec<bool>,
    },
    Fold(Box<FoldStep>),
    /// `x in [constants]`.
    SetMember {
        element: Box<Step>,
        set: BTreeSet<Key>,
    },
    /// `a.or(b)`, `a.orValue(b)`: the second only when it is needed.
    OptionalOr {
        args: Vec<Step>,
        or_value: bool,
        strict: bool,
    },
}

/// A function call.
#[derive(Clone, Debug)]
pub(crate) struct CallStep {
    pub(crate) function: Rc<str>,
    pub(crate) binding: Binding,
    pub(crate) cost: cost::Rule,
    pub(crate) args: Vec<Step>,
    /// Whether the first argument is an accumulator that nothing reads after this.
    pub(crate) grows: bool,
}

/// What a call runs.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// Nothing: no function has the name.
    Missing,
    /// An operator or another function that looks at its left operand only.
    Operator(Operator),
    /// The first overload whose argument types fit.
    Overloads {
        bound: Vec<(Vec<Type>, Implementation)>,
        /// Whether all arguments are evaluated before any of them is looked at.
        eager: bool,
        /// Whether argument types are checked.
        guarded: bool,
    },
    /// A regular expression that was compiled when planned.
    Regex { regex: Rc<Regex>, run: fn(&Regex, &[Value], &mut Work) -> Outcome },
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct FoldStep {
    pub(crate) frame: usize,
    pub(crate) range: Step,
    pub(crate) init: Step,
    pub(crate) condition: Step,
    pub(crate) step: Step,
    pub(crate) result: Step,
    /// Whether there are two loop variables.
    pub(crate) two: bool,
}

/// A variable of a loop, by the loop's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Local {
    /// The accumulator.
    Accumulator(usize),
    /// The accumulator, which nothing reads after this.
    LastAccumulator(usize),
    /// Element, key or index.
    First(usize),
    /// Element or value.
    Second(usize),
}

impl Step {
    pub(crate) fn constant(&self) -> Option<Value> {
        match &self.kind {
            Kind::Const(value) => Some(value.clone()),
            _ => None,
        }
    }
}

impl CallStep {
    /// Whether all arguments are evaluated before any of them is looked at.
    pub(crate) fn is_eager(&self) -> bool {
        match &self.binding {
            Binding::Operator(_) | Binding::Missing => true,
            Binding::Overloads { eager, .. } => *eager,
            Binding::Regex { .. } => false,
        }
    }

    /// Whether an argument that fails makes the call fail.
    pub(crate) fn is_strict(&self) -> bool {
        !matches!(self.binding, Binding::Operator(Operator::NotStrictlyFalse))
    }
}

impl Binding {
    /// Runs the function on values.
    pub(crate) fn run(&self, function: &str, args: &[Value], work: &mut Work) -> Outcome {
        match self {
            Self::Missing => Err(Error::new(format!("no such overload: {function}"))),
            Self::Operator(operator) => operator.run(args, work),
            Self::Regex { regex, run } => run(regex, args, work),
            Self::Overloads { bound, guarded, .. } => {
                let found = bound.iter().find(|(types, _)| {
                    types.len() == args.len()
                        && (!guarded
                            || types.iter().zip(args).all(|(ty, arg)| super::fits(ty, arg)))
                });
                match found {
                    Some((_, implementation)) => implementation(args, work),
                    None => Err(no_overload(function, args)),
                }
            }
        }
    }
}

fn no_overload(function: &str, args: &[Value]) -> Error {
    let types: Vec<_> = args.iter().map(Value::type_name).collect();
    Error::new(format!("no such overload: {function}({})", types.join(", ")))
}

/// Lets `acc + [x]` take the accumulator, so that lists grow in place.
pub(super) fn let_step_take_accumulator(step: &mut Step, frame: usize) {
    match &mut step.kind {
        Kind::Call(call) => {
            if matches!(call.function.as_ref(), "_+_" | "cel.@mapInsert")
                && let Some(Step { kind: Kind::Attribute(attribute), .. }) = call.args.first_mut()
                && attribute.qualifiers.is_empty()
                && let Root::Local(local) = &mut attribute.root
                && *local == Local::Accumulator(frame)
            {
                *local = Local::LastAccumulator(frame);
                call.grows = true;
            }
        }
        Kind::Attribute(attribute) => {
            if let Root::Conditional { yes, .. } = &mut attribute.root
                && let Root::Operand(step) = &mut yes.root
            {
                let_step_take_accumulator(step, frame);
            }
        }
        _ => {}
    }
}
