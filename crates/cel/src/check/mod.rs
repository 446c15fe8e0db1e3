//! Type checking. Source: cel-go `checker`.

mod unify;
mod validate;

use std::rc::Rc;

use unify::Unifier;
pub(crate) use validate::{Literals, validate};

use crate::env::{Env, Function, Overload};
use crate::messages::{self, Message};
use crate::syntax::{Ast, Call, Comprehension, Expr, ExprId, ExprKind, Issue, Literal, SourceInfo};
use crate::types::{Param, Type};

/// What a node refers to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reference {
    /// A variable or the name of a type.
    Variable,
    /// The constant of an enumeration.
    Constant(i64),
    /// The overloads that fit.
    Overloads(Vec<&'static str>),
}

/// A checked expression: names are qualified, every node has a type.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub(crate) root: Expr,
    pub(crate) source: SourceInfo,
    types: Vec<Option<Type>>,
    references: Vec<Option<Reference>>,
    /// Whether the checker saw it; else names are resolved while planning.
    pub(crate) typed: bool,
}

impl Checked {
    /// An expression as it was parsed.
    pub(crate) fn unchecked(ast: Ast) -> Self {
        let Ast { root, source } = ast;
        Self { root, source, types: Vec::new(), references: Vec::new(), typed: false }
    }

    pub(crate) fn type_of(&self, id: ExprId) -> &Type {
        self.types.get(id as usize).and_then(Option::as_ref).unwrap_or(&Type::Dyn)
    }

    /// The type of a node of the checked tree.
    pub(crate) fn known_type(&self, id: ExprId) -> Option<&Type> {
        self.types.get(id as usize).and_then(Option::as_ref)
    }

    pub(crate) fn reference(&self, id: ExprId) -> Option<&Reference> {
        self.references.get(id as usize).and_then(Option::as_ref)
    }

    pub(crate) fn overloads(&self, id: ExprId) -> &[&'static str] {
        match self.reference(id) {
            Some(Reference::Overloads(ids)) => ids,
            _ => &[],
        }
    }
}

/// Checks an expression.
///
/// # Errors
///
/// All type errors, in no particular order.
pub(crate) fn check(ast: Ast, env: &Env) -> Result<Checked, Vec<Issue>> {
    let Ast { mut root, source } = ast;
    let mut checker = Checker {
        env,
        scopes: Vec::new(),
        types: vec![None; source.end()],
        references: vec![None; source.end()],
        source: &source,
        issues: Vec::new(),
        unifier: Unifier::default(),
    };
    checker.check(&mut root);
    let Checker { mut types, references, issues, unifier, .. } = checker;
    if !issues.is_empty() {
        return Err(issues);
    }
    for ty in types.iter_mut().flatten() {
        if let Some(known) = unifier.resolve(ty, true) {
            *ty = known;
        }
    }
    Ok(Checked { root, source, types, references, typed: true })
}

struct Checker<'a> {
    env: &'a Env,
    /// Local variables, innermost last.
    scopes: Vec<(Rc<str>, Type)>,
    types: Vec<Option<Type>>,
    references: Vec<Option<Reference>>,
    source: &'a SourceInfo,
    issues: Vec<Issue>,
    unifier: Unifier,
}

/// What a name means.
struct Meaning {
    ty: Type,
    reference: Reference,
}

/// `a.b.c` as one name.
pub(crate) fn qualified_name(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Ident(name) => Some(name.to_string()),
        ExprKind::Select { operand, field, test_only: false } => {
            let mut name = qualified_name(operand)?;
            name.push('.');
            name.push_str(field);
            Some(name)
        }
        _ => None,
    }
}

fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}

impl Checker<'_> {
    fn report(&mut self, id: ExprId, message: String) {
        self.issues.push(Issue { offset: self.source.offset(id), message });
    }

    fn mismatch(&mut self, id: ExprId, expected: &Type, found: &Type) {
        self.report(id, format!("expected type '{expected}' but found '{found}'"));
    }

    fn undeclared(&mut self, id: ExprId, name: &str) {
        self.report(id, format!("undeclared reference to '{name}' (in container '')"));
    }

    fn set_type(&mut self, id: ExprId, ty: Type) {
        if let Some(slot) = self.types.get_mut(id as usize) {
            *slot = Some(ty);
        }
    }

    fn set_reference(&mut self, id: ExprId, reference: Reference) {
        if let Some(slot) = self.references.get_mut(id as usize) {
            *slot = Some(reference);
        }
    }

    fn type_of(&self, expr: &Expr) -> Type {
        self.types.get(expr.id as usize).cloned().flatten().unwrap_or(Type::Error)
    }

    /// The type with what is known of its parameters.
    fn known(&self, ty: &Type) -> Type {
        self.unifier.resolve(ty, false).unwrap_or_else(|| ty.clone())
    }

    fn lookup(&self, name: &str) -> Option<Meaning> {
        let name = name.strip_prefix('.').unwrap_or(name);
        let local = self.scopes.iter().rev().find(|(local, _)| local.as_ref() == name);
        if let Some((_, ty)) = local {
            return Some(Meaning { ty: ty.clone(), reference: Reference::Variable });
        }
        if name == messages::NULL_VALUE {
            return Some(Meaning { ty: Type::Int, reference: Reference::Constant(0) });
        }
        self.declared(name)
    }

    /// What a name means outside of loops.
    fn declared(&self, name: &str) -> Option<Meaning> {
        if let Some(ty) = self.env.lookup_variable(name) {
            return Some(Meaning { ty: ty.clone(), reference: Reference::Variable });
        }
        let message = messages::named(name).map(Message::checked_type);
        let named = message.or_else(|| self.env.struct_type(name))?;
        let ty = Type::Type(Some(Rc::new(named)));
        Some(Meaning { ty, reference: Reference::Variable })
    }

    fn check(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Unspecified => {}
            ExprKind::Literal(literal) => {
                let ty = literal_type(literal);
                self.set_type(expr.id, ty);
            }
            ExprKind::Ident(_) => self.check_ident(expr),
            ExprKind::Select { .. } => self.check_select(expr),
            ExprKind::Call(call) => self.check_call(expr.id, call),
            ExprKind::List { elements, optional } => {
                let ty = self.check_list(elements, optional);
                self.set_type(expr.id, ty);
            }
            ExprKind::Map(entries) => {
                let ty = self.check_map(entries);
                self.set_type(expr.id, ty);
            }
            ExprKind::Struct { name, fields } => {
                let name = name.clone();
                self.check_struct(expr.id, &name, fields);
            }
            ExprKind::Comprehension(fold) => {
                let ty = self.check_comprehension(fold);
                self.set_type(expr.id, ty);
            }
        }
    }

    /// Makes the node the name that it refers to.
    fn refer(&mut self, expr: &mut Expr, name: &str, meaning: Meaning) {
        self.set_type(expr.id, meaning.ty);
        self.set_reference(expr.id, meaning.reference);
        expr.kind = ExprKind::Ident(name.strip_prefix('.').unwrap_or(name).into());
    }

    fn check_ident(&mut self, expr: &mut Expr) {
        let ExprKind::Ident(name) = &expr.kind else { return };
        let name = name.clone();
        if let Some(meaning) = self.lookup(&name) {
            self.refer(expr, &name, meaning);
        } else {
            self.set_type(expr.id, Type::Error);
            self.undeclared(expr.id, &name);
        }
    }

    fn check_select(&mut self, expr: &mut Expr) {
        if let Some(name) = qualified_name(expr)
            && let Some(meaning) = self.lookup(&name)
        {
            self.refer(expr, &name, meaning);
            return;
        }
        let ExprKind::Select { operand, field, test_only } = &mut expr.kind else { return };
        let ty = self.check_field(expr.id, operand, field, false);
        let ty = if *test_only { Type::Bool } else { self.known(&ty) };
        self.set_type(expr.id, ty);
    }

    fn check_field(&mut self, id: ExprId, operand: &mut Expr, field: &str, optional: bool) -> Type {
        self.check(operand);
        let operand_type = self.known(&self.type_of(operand));
        let value = operand_type.optional_value().cloned();
        let is_optional = value.is_some();
        let target = value.unwrap_or(operand_type);
        let result = match &target {
            Type::Map(entry) => entry.1.clone(),
            Type::Struct(name) => self.field_type(id, name, field),
            Type::Param(_) => {
                self.unifier.assignable(&Type::Dyn, &target);
                Type::Dyn
            }
            other => {
                if !other.is_dyn_or_error() {
                    self.report(id, format!("type '{other}' does not support field selection"));
                }
                Type::Dyn
            }
        };
        if is_optional || optional { Type::optional(result) } else { result }
    }

    fn field_type(&mut self, id: ExprId, name: &str, field: &str) -> Type {
        let found = match messages::named(name) {
            Some(message) => Some(message.field_type(field)),
            None => self.env.lookup_struct(name).map(|fields| fields.get(field).cloned()),
        };
        match found {
            // Kubernetes knows these names as types without fields, and maps with any.
            None if name == "map" => return Type::Dyn,
            None if messages::is_plain(name) => {
                self.report(id, format!("undefined field '{field}'"));
            }
            None => self.report(id, format!("unexpected failed resolution of '{name}'")),
            Some(None) => self.report(id, format!("undefined field '{field}'")),
            Some(Some(ty)) => return ty,
        }
        Type::Error
    }

    fn check_call(&mut self, id: ExprId, call: &mut Call) {
        if call.function.as_ref() == "_?._" {
            self.check_optional_select(id, call);
            return;
        }
        for arg in &mut call.args {
            self.check(arg);
        }
        let env = self.env;
        let Some(target) = &mut call.target else {
            let name = call.function.strip_prefix('.').unwrap_or(&call.function);
            let function = env.lookup_function(name);
            match function {
                Some(function) => {
                    if function.name != call.function.as_ref() {
                        call.function = function.name.into();
                    }
                    self.resolve(id, function, call);
                }
                None => self.unknown_function(id, &call.function),
            }
            return;
        };
        if let Some(prefix) = qualified_name(target) {
            let name = format!("{prefix}.{}", call.function);
            let name = name.strip_prefix('.').unwrap_or(&name);
            if let Some(function) = env.lookup_function(name) {
                call.target = None;
                call.function = function.name.into();
                self.resolve(id, function, call);
                return;
            }
        }
        self.check(target);
        match env.lookup_function(&call.function) {
            Some(function) => self.resolve(id, function, call),
            None => self.unknown_function(id, &call.function),
        }
    }

    fn unknown_function(&mut self, id: ExprId, name: &str) {
        self.set_type(id, Type::Error);
        self.undeclared(id, name);
    }

    fn check_optional_select(&mut self, id: ExprId, call: &mut Call) {
        let [operand, field] = call.args.as_mut_slice() else { return };
        let ExprKind::Literal(Literal::String(name)) = &field.kind else { return };
        let ty = self.check_field(id, operand, name, true);
        let ty = self.known(&ty);
        self.set_type(id, ty);
        self.set_reference(id, Reference::Overloads(vec!["select_optional_field"]));
    }

    fn resolve(&mut self, id: ExprId, function: &Function, call: &Call) {
        let nodes = call.target.as_deref().into_iter().chain(&call.args);
        let types: Vec<_> = nodes.map(|node| self.type_of(node)).collect();
        if matches!(function.name, "_&&_" | "_||_") {
            self.check_logical(id, function, &types, &call.args);
            return;
        }
        let mut result: Option<Type> = None;
        let mut matched = Vec::new();
        for overload in &function.overloads {
            if overload.member != call.target.is_some() {
                continue;
            }
            let Some(found) = self.try_overload(overload, &types) else { continue };
            matched.push(overload.id);
            match &result {
                None => result = Some(found),
                Some(first) if !first.is_dyn() && *first != found => result = Some(Type::Dyn),
                Some(_) => {}
            }
        }
        if let Some(ty) = result {
            self.set_type(id, ty);
            self.set_reference(id, Reference::Overloads(matched));
        } else {
            self.set_type(id, Type::Error);
            let shown: Vec<_> = types
                .iter()
                .map(|ty| self.unifier.resolve(ty, true).unwrap_or_else(|| ty.clone()))
                .collect();
            self.no_overload(id, function.name, &shown, call.target.is_some());
        }
    }

    fn no_overload(&mut self, id: ExprId, name: &str, types: &[Type], member: bool) {
        let texts: Vec<_> = types.iter().map(ToString::to_string).collect();
        let signature = match texts.split_first() {
            Some((target, args)) if member => format!("{target}.({})", args.join(", ")),
            _ => format!("({})", texts.join(", ")),
        };
        let message = format!("found no matching overload for '{name}' applied to '{signature}'");
        self.report(id, message);
    }

    fn check_logical(&mut self, id: ExprId, function: &Function, types: &[Type], args: &[Expr]) {
        let mut ok = true;
        for (ty, arg) in types.iter().zip(args) {
            if !self.unifier.assignable(ty, &Type::Bool) {
                self.mismatch(arg.id, &Type::Bool, ty);
                ok = false;
            }
        }
        self.set_type(id, if ok { Type::Bool } else { Type::Error });
        if let Some(overload) = function.overloads.first() {
            self.set_reference(id, Reference::Overloads(vec![overload.id]));
        }
    }

    /// The result type when the overload fits; what it says of type parameters then stays.
    fn try_overload(&mut self, overload: &Overload, types: &[Type]) -> Option<Type> {
        let fresh: Vec<_> =
            overload.params.iter().map(|letter| (*letter, self.unifier.fresh())).collect();
        if types.len() != overload.args.len() {
            return None;
        }
        if fresh.is_empty() {
            let fits = self.unifier.all_assignable(types, &overload.args);
            return fits.then(|| overload.result.clone());
        }
        let args: Vec<_> = overload.args.iter().map(|ty| instantiate(ty, &fresh)).collect();
        let fits = self.unifier.all_assignable(types, &args);
        fits.then(|| self.known(&instantiate(&overload.result, &fresh)))
    }

    fn check_list(&mut self, elements: &mut [Expr], optional: &[usize]) -> Type {
        let mut joined = None;
        for (index, element) in elements.iter_mut().enumerate() {
            self.check(element);
            let mut ty = self.type_of(element);
            if optional.contains(&index) {
                ty = self.unwrapped(element.id, ty);
            }
            joined = Some(self.join(joined, ty));
        }
        Type::list(joined.unwrap_or_else(|| self.unifier.fresh()))
    }

    /// The value type of what was written with `?`.
    fn unwrapped(&mut self, id: ExprId, ty: Type) -> Type {
        if let Some(value) = ty.optional_value() {
            value.clone()
        } else {
            if !ty.is_dyn() {
                self.mismatch(id, &Type::optional(ty.clone()), &ty);
            }
            ty
        }
    }

    fn check_map(&mut self, entries: &mut [crate::syntax::Entry]) -> Type {
        let mut keys = None;
        let mut values = None;
        for entry in entries {
            self.check(&mut entry.key);
            let key = self.type_of(&entry.key);
            keys = Some(self.join(keys, key));
            self.check(&mut entry.value);
            let mut value = self.type_of(&entry.value);
            if entry.optional {
                value = self.unwrapped(entry.value.id, value);
            }
            values = Some(self.join(values, value));
        }
        if let (Some(key), Some(value)) = (keys, values) {
            Type::map(key, value)
        } else {
            let key = self.unifier.fresh();
            Type::map(key, self.unifier.fresh())
        }
    }

    fn join(&mut self, previous: Option<Type>, current: Type) -> Type {
        let Some(previous) = previous else { return current };
        if self.unifier.assignable(&previous, &current) {
            return unify::most_general(&previous, &current).clone();
        }
        // A validator refuses mixed types later, where it matters.
        Type::Dyn
    }

    fn check_struct(&mut self, id: ExprId, name: &str, fields: &mut [crate::syntax::Field]) {
        let short = name.strip_prefix('.').unwrap_or(name);
        // The newer cel-go looks for types only.
        let meaning = if self.env.dialect().newer_cel_go {
            self.declared(short).filter(|meaning| matches!(meaning.ty, Type::Type(_)))
        } else {
            self.lookup(name)
        };
        let Some(meaning) = meaning else {
            self.undeclared(id, name);
            self.set_type(id, Type::Error);
            return;
        };
        let name = short;
        let mut struct_name = name.to_owned();
        let ty = match &meaning.ty {
            Type::Type(Some(named)) => match (messages::of_type(named), named.as_ref()) {
                (Some(message), _) => {
                    message.name.clone_into(&mut struct_name);
                    named.as_ref().clone()
                }
                (None, Type::Struct(found)) => {
                    (*found).clone_into(&mut struct_name);
                    Type::Struct(found)
                }
                (None, Type::Null) => {
                    "google.protobuf.NullValue".clone_into(&mut struct_name);
                    Type::Null
                }
                (None, other) => {
                    self.report(id, format!("'{}' is not a message type", other.runtime_name()));
                    Type::Error
                }
            },
            other => {
                self.report(id, format!("'{}' is not a type", other.runtime_name()));
                Type::Error
            }
        };
        self.set_type(id, ty);
        for field in fields {
            self.check(&mut field.value);
            let declared = self.field_type(field.id, &struct_name, &field.name);
            let mut value = self.type_of(&field.value);
            if field.optional {
                value = self.unwrapped(field.value.id, value);
            }
            if !self.unifier.assignable(&declared, &value) {
                let message = format!(
                    "expected type of field '{}' is '{declared}' but provided type is '{value}'",
                    field.name
                );
                self.report(field.id, message);
            }
        }
    }

    fn check_comprehension(&mut self, fold: &mut Comprehension) -> Type {
        self.check(&mut fold.range);
        self.check(&mut fold.accu_init);
        let range = self.known(&self.type_of(&fold.range));
        let accu = self.type_of(&fold.accu_init);
        let two = fold.iter_var2.is_some();
        let (first, second) = match &range {
            Type::List(element) if two => (Type::Int, element.as_ref().clone()),
            Type::List(element) => (element.as_ref().clone(), Type::Error),
            Type::Map(entry) => (entry.0.clone(), entry.1.clone()),
            Type::Dyn | Type::Error | Type::Param(_) => {
                self.unifier.assignable(&Type::Dyn, &range);
                (Type::Dyn, Type::Dyn)
            }
            other => {
                let message = format!(
                    "expression of type '{other}' cannot be range of a comprehension \
                     (must be list, map, or dynamic)"
                );
                self.report(fold.range.id, message);
                (Type::Error, Type::Error)
            }
        };
        let outer = self.scopes.len();
        self.scopes.push((fold.accu_var.clone(), accu.clone()));
        let inner = self.scopes.len();
        self.scopes.push((fold.iter_var.clone(), first));
        if let Some(var) = &fold.iter_var2 {
            self.scopes.push((var.clone(), second));
        }
        self.check(&mut fold.condition);
        self.assert_type(&fold.condition, &Type::Bool);
        self.check(&mut fold.step);
        self.assert_type(&fold.step, &accu);
        self.scopes.truncate(inner);
        self.check(&mut fold.result);
        self.scopes.truncate(outer);
        self.known(&self.type_of(&fold.result))
    }

    fn assert_type(&mut self, expr: &Expr, expected: &Type) {
        let found = self.type_of(expr);
        if !self.unifier.assignable(expected, &found) {
            self.mismatch(expr.id, expected, &found);
        }
    }
}

/// The type with fresh variables for the letters of its declaration.
fn instantiate(ty: &Type, fresh: &[(u8, Type)]) -> Type {
    match ty {
        Type::Param(Param::Declared(letter)) => {
            let found = fresh.iter().find(|(declared, _)| declared == letter);
            found.map_or_else(|| ty.clone(), |(_, variable)| variable.clone())
        }
        Type::List(element) => Type::list(instantiate(element, fresh)),
        Type::Map(entry) => Type::map(instantiate(&entry.0, fresh), instantiate(&entry.1, fresh)),
        Type::Opaque(opaque) if !opaque.1.is_empty() => {
            Type::opaque(opaque.0, opaque.1.iter().map(|ty| instantiate(ty, fresh)).collect())
        }
        Type::Type(Some(inner)) => Type::Type(Some(Rc::new(instantiate(inner, fresh)))),
        other => other.clone(),
    }
}
