//! Regular expressions with Go's syntax, semantics and error texts.
//!
//! A small engine of its own: the expression becomes a list of instructions, and all ways to match
//! advance together, so that no expression takes more than text times instructions.
//! Source: Go `regexp/syntax`, `regexp`; `k8s.io/apiserver` `pkg/cel/library/regex.go`.

mod chars;
mod class;
mod machine;
mod parse;
mod program;
mod unicode;

use std::rc::Rc;

use super::{Implementation, int, text};
use crate::plan::{Binding, Kind, Step};
use crate::value::{Error, Outcome, Value};
use crate::work::Work;
use program::Program;

/// A compiled expression.
#[derive(Debug)]
pub(crate) struct Regex(Program);

impl Regex {
    /// Compiles an expression; the error is Go's text.
    pub(crate) fn new(pattern: &str) -> Result<Self, String> {
        let tree = parse::parse(pattern)?;
        program::compile(&tree, pattern).map(Self)
    }

    fn is_match(&self, text: &str, work: &mut Work) -> Result<bool, Error> {
        Ok(machine::find(&self.0, text, 0, false, work)?.is_some())
    }

    /// First match from a byte offset on: its start and end.
    fn find_at(
        &self,
        text: &str,
        from: usize,
        work: &mut Work,
    ) -> Result<Option<(usize, usize)>, Error> {
        machine::find(&self.0, text, from, true, work)
    }

    /// At most `limit` matches that do not overlap, all when negative.
    fn find_all(&self, text: &str, limit: i64, work: &mut Work) -> Result<Vec<Value>, Error> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut found = Vec::new();
        let mut at = 0;
        let mut last_end = None;
        while found.len() < limit && at <= text.len() {
            let Some((start, end)) = self.find_at(text, at, work)? else { break };
            // An empty match right after another does not count.
            let counts = start != end || last_end != Some(start);
            at = if end > at {
                end
            } else {
                at + text.get(at..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8)
            };
            last_end = Some(end);
            if counts {
                found.push(Value::string(text.get(start..end).unwrap_or_default()));
            }
        }
        Ok(found)
    }
}

pub(super) fn implementation(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "string_find_string" => |args, work| find(&illegal(text(args, 1)?)?, args, work),
        "string_find_all_string" | "string_find_all_string_int" => {
            |args, work| find_all(&illegal(text(args, 1)?)?, args, work)
        }
        _ => return None,
    })
}

fn illegal(pattern: &str) -> Result<Regex, Error> {
    Regex::new(pattern).map_err(|error| Error::new(format!("Illegal regex: {error}")))
}

fn find(regex: &Regex, args: &[Value], work: &mut Work) -> Outcome {
    let source = text(args, 0)?;
    let found = regex.find_at(source, 0, work)?;
    let found = found.and_then(|(start, end)| source.get(start..end));
    Ok(Value::string(found.unwrap_or_default()))
}

fn find_all(regex: &Regex, args: &[Value], work: &mut Work) -> Outcome {
    let limit = if args.len() > 2 { int(args, 2)? } else { -1 };
    Ok(Value::list(regex.find_all(text(args, 0)?, limit, work)?))
}

/// `matches` with a pattern that is known only now.
pub(super) fn matches(source: &Value, pattern: &Value, work: &mut Work) -> Outcome {
    let (Value::String(source), Value::String(pattern)) = (source, pattern) else {
        return Err(Error::no_overload());
    };
    let regex = Regex::new(pattern).map_err(Error::new)?;
    regex.is_match(source, work).map(Value::Bool)
}

/// Compiles a constant pattern when the call is planned.
pub(crate) fn precompile(
    binding: Binding,
    function: &str,
    overload: &str,
    args: &[Step],
) -> Result<Binding, Error> {
    let run: fn(&Regex, &[Value], &mut Work) -> Outcome = match function {
        "matches" => |regex, args, work| match args.first() {
            Some(Value::String(source)) => regex.is_match(source, work).map(Value::Bool),
            _ => Err(Error::no_overload()),
        },
        "find" => find,
        "findAll" => find_all,
        _ => return Ok(binding),
    };
    let _ = overload;
    let Some(Step { kind: Kind::Const(Value::String(pattern)), .. }) = args.get(1) else {
        return Ok(binding);
    };
    let regex = Rc::new(Regex::new(pattern).map_err(Error::new)?);
    Ok(Binding::Regex { regex, run })
}

#[cfg(test)]
mod tests;
