//! Checked tree to executable steps. Source: cel-go `interpreter/planner.go`, `decorators.go`.

mod attribute;
mod step;

use std::collections::BTreeSet;
use std::rc::Rc;

pub(crate) use attribute::{Attribute, KeyQualifier, Qualifier, Root};
pub(crate) use step::{Binding, CallStep, FoldStep, Kind, Local, Step};

use crate::check::{Checked, Reference, qualified_name};
use crate::cost;
use crate::env::Env;
use crate::library::{self, operators::Operator};
use crate::messages;
use crate::syntax::{Call, Comprehension, Entry, Expr, ExprId, ExprKind, Field, Literal};
use crate::types::Type;
use crate::value::{Error, Key, Value};
use crate::work::Work;

/// Functions that run when planned, on a constant argument.
const CONVERSIONS: [&str; 10] =
    ["bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"];

/// An executable expression.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) root: Step,
    /// Number of loops; each has a frame of its own.
    pub(crate) folds: usize,
    /// Nodes that became part of a constant.
    pub(crate) folded: Vec<ExprId>,
}

/// Plans a checked expression.
///
/// # Errors
///
/// What fails when constants are evaluated.
pub(crate) fn plan(checked: &Checked, env: &Env, variables: &[Rc<str>]) -> Result<Plan, Error> {
    let mut planner =
        Planner { checked, env, variables, scopes: Vec::new(), folds: 0, folded: Vec::new() };
    let root = planner.plan(&checked.root)?;
    Ok(Plan { root, folds: planner.folds, folded: planner.folded })
}

struct Planner<'a> {
    checked: &'a Checked,
    env: &'a Env,
    variables: &'a [Rc<str>],
    scopes: Vec<(Rc<str>, Local)>,
    folds: usize,
    folded: Vec<ExprId>,
}

fn literal(value: &Literal) -> Value {
    match value {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(value) => Value::Int(*value),
        Literal::Uint(value) => Value::Uint(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::String(text) => Value::String(text.clone()),
        Literal::Bytes(bytes) => Value::Bytes(bytes.clone()),
    }
}

impl Planner<'_> {
    fn plan(&mut self, expr: &Expr) -> Result<Step, Error> {
        let id = expr.id;
        let kind = match &expr.kind {
            ExprKind::Unspecified => return Err(Error::new("unsupported expr")),
            ExprKind::Literal(value) => Kind::Const(literal(value)),
            ExprKind::Ident(name) => self.ident(id, name)?,
            ExprKind::Select { operand, field, test_only } => {
                return self.select(id, operand, field, *test_only);
            }
            ExprKind::Call(call) => return self.call(id, call),
            ExprKind::List { elements, optional } => self.list(elements, optional)?,
            ExprKind::Map(entries) => self.map(entries)?,
            ExprKind::Struct { name, fields } => self.structure(name, fields)?,
            ExprKind::Comprehension(fold) => self.fold(fold)?,
        };
        Ok(Step { id, kind })
    }

    fn ident(&self, id: ExprId, name: &str) -> Result<Kind, Error> {
        if self.checked.typed && matches!(self.checked.type_of(id), Type::Type(_)) {
            // UPSTREAM: whatever has a type for its value is looked up by name, variables too.
            let ty = self.env.type_of_name(name);
            let missing = || Error::new(format!("reference to undefined type: {name}"));
            return ty.map(|ty| Kind::Const(Value::Type(ty))).ok_or_else(missing);
        }
        if let Some(Reference::Constant(value)) = self.checked.reference(id) {
            return Ok(Kind::Const(Value::Int(*value)));
        }
        let local = self.scopes.iter().rev().find(|(local, _)| local.as_ref() == name);
        let root = if let Some((_, local)) = local {
            Root::Local(*local)
        } else {
            let index = self.variables.iter().position(|known| known.as_ref() == name);
            let missing = || Error::new(format!("no such attribute(s): {name}"));
            match (index, self.type_name(name)) {
                (Some(index), _) => Root::Variable(index),
                (None, Some(ty)) => return Ok(Kind::Const(Value::Type(ty))),
                (None, None) if self.checked.typed => return Err(missing()),
                (None, None) => return Ok(Kind::Unknown(missing())),
            }
        };
        Ok(Kind::Attribute(Attribute::new(id, root)))
    }

    /// The runtime name of a type that an unchecked expression names.
    fn type_name(&self, name: &str) -> Option<&'static str> {
        if self.checked.typed { None } else { self.env.type_of_name(name) }
    }

    /// The step as an attribute that can take a further qualifier.
    fn attribute(step: Step) -> Attribute {
        match step.kind {
            Kind::Attribute(attribute) => attribute,
            _ => Attribute::new(step.id, Root::Operand(Box::new(step))),
        }
    }

    fn select(
        &mut self,
        id: ExprId,
        operand: &Expr,
        field: &Rc<str>,
        test_only: bool,
    ) -> Result<Step, Error> {
        if !self.checked.typed
            && let Some(prefix) = qualified_name(operand)
            && let Some(ty) = self.type_name(&format!("{prefix}.{field}"))
        {
            return Ok(Step { id, kind: Kind::Const(Value::Type(ty)) });
        }
        let mut attribute = Self::attribute(self.plan(operand)?);
        let key = KeyQualifier {
            id,
            key: Key::from(Value::String(field.clone())),
            optional: false,
            test_only,
        };
        attribute.qualify(&Rc::new(Qualifier::Key(key)));
        if test_only {
            attribute.test = Some(id);
        }
        Ok(attribute.into_step())
    }

    fn call(&mut self, id: ExprId, call: &Call) -> Result<Step, Error> {
        if let Some(qualified) = self.qualified_call(call) {
            return self.call(id, &qualified);
        }
        let mut args = Vec::with_capacity(call.args.len() + 1);
        for node in call.target.as_deref().into_iter().chain(&call.args) {
            args.push(self.plan(node)?);
        }
        let overloads = self.checked.overloads(id);
        let overload = match overloads {
            [single] => single,
            _ => "",
        };
        let kind = match call.function.as_ref() {
            "_&&_" => Kind::And(args),
            "_||_" => Kind::Or(args),
            "_?_:_" => return Self::conditional(id, args),
            "_[_]" => return self.index(id, args, false),
            "_?._" | "_[?_]" => return self.index(id, args, true),
            "or" if overload.is_empty() || overload == "optional_or_optional" => {
                Kind::OptionalOr { args, or_value: false, strict: self.env.dialect().newer_cel_go }
            }
            "orValue" if overload.is_empty() || overload == "optional_orValue_value" => {
                Kind::OptionalOr { args, or_value: true, strict: self.env.dialect().newer_cel_go }
            }
            function => return self.function(id, function, overload, call, args),
        };
        Ok(Step { id, kind })
    }

    /// `optional.of(x)` of an unchecked expression as the call of one name.
    fn qualified_call(&self, call: &Call) -> Option<Call> {
        let target = call.target.as_deref().filter(|_| !self.checked.typed)?;
        let name = format!("{}.{}", qualified_name(target)?, call.function);
        let function = self.env.lookup_function(&name)?.name.into();
        Some(Call { target: None, function, args: call.args.clone() })
    }

    fn conditional(id: ExprId, args: Vec<Step>) -> Result<Step, Error> {
        let mut args = args.into_iter();
        let (Some(condition), Some(yes), Some(no)) = (args.next(), args.next(), args.next()) else {
            return Err(Error::no_overload());
        };
        let root = Root::Conditional {
            condition: Box::new(condition),
            yes: Box::new(Self::attribute(yes)),
            no: Box::new(Self::attribute(no)),
        };
        Ok(Attribute::new(id, root).into_step())
    }

    fn index(&mut self, id: ExprId, args: Vec<Step>, optional: bool) -> Result<Step, Error> {
        let mut args = args.into_iter();
        let (Some(operand), Some(index)) = (args.next(), args.next()) else {
            return Err(Error::no_overload());
        };
        let mut attribute = Self::attribute(operand);
        let qualifier = match index.kind {
            Kind::Const(value) => {
                library::check_key(&value)?;
                self.folded.push(index.id);
                let key = Key::from(value);
                Qualifier::Key(KeyQualifier { id, key, optional, test_only: false })
            }
            Kind::Attribute(attribute) => Qualifier::Attribute { id, attribute, optional },
            _ => {
                let root = Root::Operand(Box::new(index));
                Qualifier::Computed { attribute: Attribute::new(id, root), optional }
            }
        };
        attribute.qualify(&Rc::new(qualifier));
        Ok(attribute.into_step())
    }

    fn function(
        &mut self,
        id: ExprId,
        function: &str,
        overload: &'static str,
        call: &Call,
        args: Vec<Step>,
    ) -> Result<Step, Error> {
        if function == "@in"
            && overload == "in_list"
            && let Some(step) = self.set_membership(id, &args)
        {
            return step;
        }
        let binding = self.binding(function, overload, call)?;
        let binding = library::regex::precompile(binding, function, overload, &args)?;
        let cost = cost::rule(function, overload, self.env.dialect());
        let step = CallStep { function: function.into(), binding, cost, args, grows: false };
        if CONVERSIONS.contains(&function)
            && let [Step { kind: Kind::Const(value), .. }] = step.args.as_slice()
        {
            let value = step.binding.run(
                &step.function,
                std::slice::from_ref(value),
                &mut Work::default(),
            )?;
            self.folded.extend(step.args.iter().map(|arg| arg.id));
            return Ok(Step { id, kind: Kind::Const(value) });
        }
        Ok(Step { id, kind: Kind::Call(Box::new(step)) })
    }

    /// `x in [constants]` as a set, or nothing when the list is not fit for it.
    #[expect(clippy::mutable_key_type, reason = "quantities are never keys of such a set")]
    fn set_membership(&mut self, id: ExprId, args: &[Step]) -> Option<Result<Step, Error>> {
        let [element, Step { kind: Kind::Const(Value::List(list)), .. }] = args else {
            return None;
        };
        if list.is_empty() {
            self.folded.extend(args.iter().map(|arg| arg.id));
            return Some(Ok(Step { id, kind: Kind::Const(Value::Bool(false)) }));
        }
        let mut set = BTreeSet::new();
        for value in list.iter() {
            if !library::convert::insert_with_numbers(value, &mut set) {
                return None;
            }
        }
        self.folded.extend(args.get(1).map(|list| list.id));
        let element = Box::new(element.clone());
        Some(Ok(Step { id, kind: Kind::SetMember { element, set } }))
    }

    fn binding(
        &self,
        function: &str,
        overload: &'static str,
        call: &Call,
    ) -> Result<Binding, Error> {
        let member = call.target.is_some();
        if let Some(operator) = Operator::of(function) {
            return Ok(Binding::Operator(operator));
        }
        let count = call.args.len() + usize::from(member);
        let missing = || {
            let shape = match count {
                0 => "",
                1 => "arg",
                2 => "lhs, rhs",
                _ => "...",
            };
            Error::new(format!("no such overload: {function}({shape})"))
        };
        let declared = match self.env.lookup_function(function) {
            Some(declared) => declared,
            None if count > 0 => return Ok(Binding::Missing),
            None => return Err(missing()),
        };
        // A function with one overload is bound by the number of its arguments.
        if let [single] = declared.overloads.as_slice()
            && single.args.len() != count
        {
            return Err(missing());
        }
        let mut bound = Vec::new();
        for candidate in &declared.overloads {
            if !overload.is_empty() && (candidate.id != overload || candidate.member != member) {
                continue;
            }
            let implementation = library::implementation(candidate.id)
                .or_else(|| library::of_authorizer(&candidate.args));
            if let Some(implementation) = implementation {
                bound.push((candidate.args.clone(), implementation));
            }
        }
        if bound.is_empty() {
            return Err(missing());
        }
        // UPSTREAM: an unresolved call stops at the first argument that fails; a resolved one with
        // one or two arguments evaluates all.
        let eager = (!overload.is_empty() || declared.overloads.len() == 1)
            && call.args.len() + usize::from(member) <= 2;
        Ok(Binding::Overloads {
            bound,
            eager,
            guarded: !matches!(function, "contains" | "startsWith" | "endsWith" | "flatten"),
        })
    }

    fn list(&mut self, elements: &[Expr], optional: &[usize]) -> Result<Kind, Error> {
        let steps: Vec<_> =
            elements.iter().map(|element| self.plan(element)).collect::<Result<_, _>>()?;
        let constants: Option<Vec<_>> = steps.iter().map(Step::constant).collect();
        Ok(match constants {
            Some(values) if optional.is_empty() => {
                self.folded.extend(steps.iter().map(|step| step.id));
                Kind::Const(Value::list(values))
            }
            _ => Kind::List { elements: steps, optional: optional.to_vec() },
        })
    }

    fn map(&mut self, entries: &[Entry]) -> Result<Kind, Error> {
        let mut steps = Vec::with_capacity(entries.len() * 2);
        let mut optional = Vec::with_capacity(entries.len());
        for entry in entries {
            steps.push(self.plan(&entry.key)?);
            steps.push(self.plan(&entry.value)?);
            optional.push(entry.optional);
        }
        if steps.iter().all(|step| step.constant().is_some()) && !optional.contains(&true) {
            self.folded.extend(steps.iter().map(|step| step.id));
            let values: Vec<_> = steps.iter().filter_map(Step::constant).collect();
            if let Some(key) = values.iter().step_by(2).find(|key| !key.is_hashable()) {
                // UPSTREAM: nothing catches this while compiling.
                let name = key.go_type();
                return Err(Error::abort(format!(
                    "panic: runtime error: hash of unhashable type {name}"
                )));
            }
            let pairs = values.chunks_exact(2).filter_map(|pair| match pair {
                [key, value] => Some((key.clone(), value.clone())),
                _ => None,
            });
            return Ok(Kind::Const(Value::Map(Rc::new(pairs.collect()))));
        }
        Ok(Kind::Map { entries: steps, optional })
    }

    fn structure(&mut self, name: &str, fields: &[Field]) -> Result<Kind, Error> {
        let full = name.strip_prefix('.').unwrap_or(name);
        // These types can be named, but not made.
        let message = match (messages::named(full), self.env.lookup_struct(full)) {
            (Some(message), _) => Ok(message),
            (None, fields) if fields.is_some() || messages::is_plain(full) => {
                Err(Error::new(format!("unknown type '{full}'")))
            }
            (None, _) => return Err(Error::new(format!("unknown type: {name}"))),
        };
        let values = fields.iter().map(|field| self.plan(&field.value));
        Ok(Kind::Message {
            message,
            values: values.collect::<Result<_, _>>()?,
            names: fields.iter().map(|field| field.name.clone()).collect(),
            optional: fields.iter().map(|field| field.optional).collect(),
        })
    }

    fn fold(&mut self, fold: &Comprehension) -> Result<Kind, Error> {
        let frame = self.folds;
        self.folds += 1;
        let init = self.plan(&fold.accu_init)?;
        let range = self.plan(&fold.range)?;
        let outer = self.scopes.len();
        self.scopes.push((fold.accu_var.clone(), Local::Accumulator(frame)));
        let inner = self.scopes.len();
        self.scopes.push((fold.iter_var.clone(), Local::First(frame)));
        if let Some(var) = &fold.iter_var2 {
            self.scopes.push((var.clone(), Local::Second(frame)));
        }
        // The accumulator's own name wins over that of the loop variable.
        self.scopes.push((fold.accu_var.clone(), Local::Accumulator(frame)));
        let condition = self.plan(&fold.condition)?;
        let mut step = self.plan(&fold.step)?;
        self.scopes.truncate(inner);
        let result = self.plan(&fold.result)?;
        self.scopes.truncate(outer);
        step::let_step_take_accumulator(&mut step, frame);
        let two = fold.iter_var2.is_some();
        Ok(Kind::Fold(Box::new(FoldStep { frame, range, init, condition, step, result, two })))
    }
}

/// Types that functions see at run time.
pub(crate) fn fits(ty: &Type, value: &Value) -> bool {
    match ty {
        Type::Dyn | Type::Any | Type::Param(_) => true,
        Type::List(element) => match value {
            Value::List(list) => list.first().is_none_or(|first| fits(element, first)),
            _ => false,
        },
        Type::Map(entry) => match value {
            Value::Map(map) => map
                .iter()
                .next()
                .is_none_or(|(key, value)| fits(&entry.0, key) && fits(&entry.1, value)),
            _ => false,
        },
        other => other.runtime_name() == value.type_name(),
    }
}
