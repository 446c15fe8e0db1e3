//! Resolving chains. Source: cel-go `interpreter/attributes.go`.

use std::rc::Rc;

use super::variable::LONGEST_PART;
use super::{Machine, Variables, absorbable};
use crate::library;
use crate::plan::{Attribute, KeyQualifier, Local, Qualifier, Root};
use crate::syntax::ExprId;
use crate::trace::Skip;
use crate::value::{Error, Key, Outcome, Value};

/// What a qualifier found.
enum Found {
    Value(Value),
    Absent,
}

impl<'a> Machine<'a> {
    pub(super) fn attribute(&mut self, attribute: &'a Attribute) -> Outcome {
        let mut outcome = self.resolve(attribute);
        if let Err(error) = &outcome
            && error.is_abort()
        {
            return outcome;
        }
        if attribute.test.is_some()
            && let Ok(Value::Optional(value)) = &outcome
        {
            outcome = Ok(Value::Bool(value.is_some()));
        }
        if let Root::Conditional { condition, yes, no } = &attribute.root {
            self.meter.drop(no.id());
            self.meter.drop(yes.id());
            self.meter.drop(condition.id);
        } else {
            self.meter.drop(attribute.id());
            self.meter.charge(1);
        }
        if attribute.test.is_some() {
            self.meter.refund(1);
        }
        outcome
    }

    fn resolve(&mut self, attribute: &'a Attribute) -> Outcome {
        let root = match &attribute.root {
            Root::Variable(index) => {
                if self.recorder.is_none()
                    && let Some(outcome) = self.part(&attribute.qualifiers)
                {
                    return outcome;
                }
                let value = self.variables.whole(*index);
                let value = value.ok_or_else(|| Error::new("no such attribute(s)"))?;
                if self.recorder.is_none() {
                    return self.walk(value, &attribute.qualifiers);
                }
                value.clone()
            }
            Root::Local(local) => self.local(*local)?,
            Root::Operand(step) => self.eval(step)?,
            Root::Conditional { condition, yes, no } => {
                let (chosen, other) = match self.eval(condition)? {
                    Value::Bool(true) => (yes, no),
                    Value::Bool(false) => (no, yes),
                    _ => return Err(Error::no_overload()),
                };
                if let Some(recorder) = &mut self.recorder {
                    recorder.skip(other.id(), Skip::BranchNotTaken);
                }
                let outcome = self.resolve(chosen);
                if let Some(recorder) = &mut self.recorder
                    && !matches!(chosen.root, Root::Operand(_))
                {
                    recorder.value(chosen.id(), &outcome);
                }
                return outcome;
            }
        };
        if let Some(recorder) = &mut self.recorder
            && !attribute.qualifiers.is_empty()
            && !matches!(attribute.root, Root::Operand(_))
        {
            recorder.value(attribute.root_id(), &Ok(root.clone()));
        }
        self.qualify_all(root, &attribute.qualifiers)
    }

    /// Follows constant keys through a variable that knows what they lead to without making all of
    /// its value.
    fn part(&mut self, qualifiers: &'a [Rc<Qualifier>]) -> Option<Outcome> {
        let Variables::Single(variable) = self.variables else { return None };
        let mut keys = [""; LONGEST_PART];
        let mut count = 0;
        for (slot, qualifier) in keys.iter_mut().zip(qualifiers) {
            let Qualifier::Key(key) = qualifier.as_ref() else { break };
            let Value::String(text) = key.key.value() else { break };
            *slot = text;
            count += 1;
            if key.optional || key.test_only {
                break;
            }
        }
        let (used, value) = variable.part(keys.get(..count)?)?;
        let (used, rest) = qualifiers.split_at_checked(used)?;
        let (last, passed) = used.split_last()?;
        let Qualifier::Key(last) = last.as_ref() else { return None };
        for qualifier in passed {
            self.meter.charge(1);
            if let Err(error) = self.meter.push(qualifier.id()) {
                return Some(Err(error));
            }
        }
        let found = match value {
            Some(value) => Ok(Found::Value(value)),
            None => missing_key(&last.key, last.optional || last.test_only),
        };
        Some(match self.key(last, found, last.optional) {
            Ok(Found::Value(value)) => self.follow(value, rest, last.optional),
            Ok(Found::Absent) => Ok(Value::Optional(None)),
            Err(error) => Err(error),
        })
    }

    /// Follows constant keys through maps without copying what they pass, then goes on as usual.
    fn walk(&mut self, root: &Value, qualifiers: &'a [Rc<Qualifier>]) -> Outcome {
        let mut value = root;
        let mut rest = qualifiers;
        while let (Value::Map(map), Some((qualifier, after))) = (value, rest.split_first())
            && let Qualifier::Key(key) = qualifier.as_ref()
            && !key.optional
            && !key.test_only
            && let Some(next) = map.find(&key.key)
            && !matches!(next, Value::Optional(_) | Value::Failed(_))
        {
            self.meter.charge(1);
            self.meter.push(key.id)?;
            value = next;
            rest = after;
        }
        self.qualify_all(value.clone(), rest)
    }

    fn local(&mut self, local: Local) -> Outcome {
        match local {
            Local::First(frame) => {
                let value = self.frames.get(frame).and_then(|frame| frame.first.clone());
                value.ok_or_else(|| Error::new("no such attribute(s)"))
            }
            Local::Second(frame) => {
                let value = self.frames.get(frame).and_then(|frame| frame.second.clone());
                value.ok_or_else(|| Error::new("no such attribute(s)"))
            }
            Local::Accumulator(index) => {
                self.start(index)?;
                let accumulator = self.frames.get(index).and_then(|f| f.accumulator.clone());
                accumulator.unwrap_or_else(|| Err(Error::no_overload()))
            }
            Local::LastAccumulator(index) => {
                self.start(index)?;
                let frame = self.frames.get_mut(index);
                let accumulator = frame.and_then(|frame| frame.accumulator.take());
                accumulator.unwrap_or_else(|| Err(Error::no_overload()))
            }
        }
    }

    /// Evaluates the start value of an accumulator on its first use.
    fn start(&mut self, index: usize) -> Result<(), Error> {
        let Some(frame) = self.frames.get(index) else { return Ok(()) };
        if frame.accumulator.is_some() {
            return Ok(());
        }
        let Some(init) = frame.init else { return Ok(()) };
        let value = match self.eval(init) {
            Err(error) => Err(absorbable(error)?),
            value => value,
        };
        if let Some(frame) = self.frames.get_mut(index) {
            frame.accumulator = Some(value);
        }
        Ok(())
    }

    fn qualify_all(&mut self, root: Value, qualifiers: &'a [Rc<Qualifier>]) -> Outcome {
        let mut optional = false;
        let value = match root {
            Value::Optional(None) => return Ok(Value::Optional(None)),
            Value::Optional(Some(inner)) => {
                optional = true;
                if self.work.newer_cel_go { inner.as_ref().clone() } else { inner.through_go() }
            }
            other => other,
        };
        self.follow(value, qualifiers, optional)
    }

    fn follow(
        &mut self,
        mut value: Value,
        qualifiers: &'a [Rc<Qualifier>],
        mut optional: bool,
    ) -> Outcome {
        for qualifier in qualifiers {
            optional |= qualifier.is_optional();
            match self.qualify(&value, qualifier, optional)? {
                Found::Value(next) => value = next,
                Found::Absent => return Ok(Value::Optional(None)),
            }
        }
        Ok(if optional { Value::optional(Some(value)) } else { value })
    }

    fn qualify(
        &mut self,
        value: &Value,
        qualifier: &'a Qualifier,
        presence: bool,
    ) -> Result<Found, Error> {
        match qualifier {
            Qualifier::Key(key) => {
                let found = lookup(value, &key.key, presence || key.test_only);
                self.key(key, found, presence)
            }
            Qualifier::Attribute { id, attribute, .. } => {
                let found = self.dynamic(value, attribute, presence);
                self.found(*id, found, presence)
            }
            Qualifier::Computed { attribute, .. } => {
                let found = self.dynamic(value, attribute, presence);
                self.meter.drop(attribute.root_id());
                self.found(attribute.root_id(), found, presence)
            }
        }
    }

    /// What a constant key gives that found this.
    fn key(
        &mut self,
        key: &KeyQualifier,
        found: Result<Found, Error>,
        presence: bool,
    ) -> Result<Found, Error> {
        if key.test_only && !presence {
            let outcome = found.map(|found| Value::Bool(matches!(found, Found::Value(_))));
            return self.qualified(key.id, outcome).map(Found::Value);
        }
        self.found(key.id, found, presence)
    }

    fn dynamic(
        &mut self,
        value: &Value,
        attribute: &'a Attribute,
        presence: bool,
    ) -> Result<Found, Error> {
        let key = self.resolve(attribute)?;
        library::check_key(&key)?;
        lookup(value, &Key::from(key), presence)
    }

    /// Notes the result of a qualifier; a missing optional one is not noted.
    fn found(
        &mut self,
        id: ExprId,
        found: Result<Found, Error>,
        presence: bool,
    ) -> Result<Found, Error> {
        match found {
            Err(error) if presence => Err(error),
            Ok(Found::Value(value)) => self.qualified(id, Ok(value)).map(Found::Value),
            Ok(Found::Absent) => {
                if let Some(recorder) = &mut self.recorder {
                    recorder.value(id, &Ok(Value::Optional(None)));
                }
                Ok(Found::Absent)
            }
            Err(error) => self.qualified(id, Err(error)).map(Found::Value),
        }
    }

    fn qualified(&mut self, id: ExprId, outcome: Outcome) -> Outcome {
        if let Err(error) = &outcome
            && error.is_abort()
        {
            return outcome;
        }
        self.meter.charge(1);
        self.done(id, outcome)
    }
}

/// Looks into a value; with `presence`, what is missing is absent instead of an error.
fn lookup(value: &Value, key: &Key, presence: bool) -> Result<Found, Error> {
    match value {
        Value::Map(map) => match map.find(key) {
            Some(value) => Ok(Found::Value(value.clone())),
            None => missing_key(key, presence),
        },
        Value::List(list) => {
            let index = library::lists::index(key.value())?;
            let element = usize::try_from(index).ok().and_then(|index| list.get(index));
            match element {
                Some(value) => Ok(Found::Value(value.clone())),
                None => missing("index out of bounds", key, presence),
            }
        }
        Value::Empty => {
            let text = library::format::go_text(key.value());
            Err(Error::new(format!("no such field '{text}'")))
        }
        _ => missing_key(key, presence),
    }
}

fn missing_key(key: &Key, presence: bool) -> Result<Found, Error> {
    missing("no such key", key, presence)
}

fn missing(what: &str, key: &Key, presence: bool) -> Result<Found, Error> {
    if presence {
        return Ok(Found::Absent);
    }
    Err(Error::new(format!("{what}: {}", library::format::go_text(key.value()))))
}
