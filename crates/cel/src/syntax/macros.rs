//! Macros: calls that are rewritten while parsing. Ids follow upstream's order of creation.

use std::rc::Rc;

use super::ast::{Call, Comprehension, Entry, Expr, ExprId, ExprKind, Field, Literal, MacroCall};
use super::parser::Builder;

/// Name of the accumulator of loops.
const ACCUMULATOR: &str = "@result";
/// Former name of the accumulator, still refused as a variable.
const OLD_ACCUMULATOR: &str = "__result__";
/// Name of the loop variable that nothing can read.
const UNUSED: &str = "#unused";
const SORT_BY_INPUT: &str = "@__sortBy_input__";

type Args = (Option<Expr>, Vec<Expr>);

/// A problem of an argument: its id and the message.
struct Wrong(ExprId, String);

enum Quantifier {
    All,
    Exists,
    ExistsOne,
}

struct Maker<'a> {
    build: &'a mut Builder,
    offset: Option<u32>,
}

/// Expands a macro call, or gives its parts back when the call is no macro.
pub(super) fn expand(
    build: &mut Builder,
    id: ExprId,
    function: &str,
    target: Option<Expr>,
    args: Vec<Expr>,
) -> Result<Expr, Args> {
    if !is_macro(build, function, target.as_ref(), args.len()) {
        return Err((target, args));
    }
    let offset = build.source.offset(id);
    let mut maker = Maker { build, offset };
    let result = match target {
        None => maker.has(args),
        Some(target) => maker.member(function, target, args),
    };
    match result {
        Ok(expr) => {
            build.delete(id);
            build.source.macros.push(MacroCall { id: expr.id, name: function.into() });
            Ok(expr)
        }
        Err(Wrong(argument, message)) => {
            let place = build.source.offset(argument);
            build.delete(id);
            Ok(build.report(place, message))
        }
    }
}

fn is_macro(build: &Builder, function: &str, target: Option<&Expr>, args: usize) -> bool {
    let Some(target) = target else { return function == "has" && args == 1 };
    match function {
        "all" | "exists" | "exists_one" | "map" => args == 2 || args == 3,
        "filter" | "optMap" | "optFlatMap" => args == 2,
        "existsOne" => args == 3,
        "transformList" | "transformMap" | "transformMapEntry" => args == 3 || args == 4,
        "sortBy" => args == 2 && build.options.sort_by,
        "bind" => {
            args == 3 && matches!(&target.kind, ExprKind::Ident(name) if name.as_ref() == "cel")
        }
        _ => false,
    }
}

fn ident(expr: &Expr) -> Option<Rc<str>> {
    match &expr.kind {
        ExprKind::Ident(name) => Some(name.clone()),
        _ => None,
    }
}

/// A variable that may not be the accumulator.
fn variable(expr: &Expr, message: &str) -> Result<Rc<str>, Wrong> {
    let name = ident(expr).ok_or_else(|| Wrong(expr.id, message.to_owned()))?;
    not_accumulator(expr, &name)?;
    Ok(name)
}

fn not_accumulator(expr: &Expr, name: &str) -> Result<(), Wrong> {
    if name == ACCUMULATOR || name == OLD_ACCUMULATOR {
        let message = "iteration variable overwrites accumulator variable".to_owned();
        return Err(Wrong(expr.id, message));
    }
    Ok(())
}

fn two_variables(first: &Expr, second: &Expr) -> Result<(Rc<str>, Rc<str>), Wrong> {
    let simple = |expr: &Expr| {
        ident(expr).ok_or_else(|| Wrong(expr.id, "argument must be a simple name".to_owned()))
    };
    let key = simple(first)?;
    let value = simple(second)?;
    if key == value {
        return Err(Wrong(second.id, format!("duplicate variable name: {key}")));
    }
    not_accumulator(first, &key)?;
    not_accumulator(second, &value)?;
    Ok((key, value))
}

/// Takes the arguments apart; the count was checked by [`is_macro`].
struct Taken(std::vec::IntoIter<Expr>);

impl Taken {
    fn next(&mut self) -> Result<Expr, Wrong> {
        self.0.next().ok_or_else(|| Wrong(0, "missing argument".to_owned()))
    }
}

impl Maker<'_> {
    fn node(&mut self, kind: ExprKind) -> Expr {
        let id = self.build.id(self.offset);
        Expr { id, kind }
    }

    fn literal(&mut self, value: Literal) -> Expr {
        self.node(ExprKind::Literal(value))
    }

    fn ident(&mut self, name: &str) -> Expr {
        self.node(ExprKind::Ident(name.into()))
    }

    fn accumulator(&mut self) -> Expr {
        self.ident(ACCUMULATOR)
    }

    fn call(&mut self, function: &str, args: Vec<Expr>) -> Expr {
        self.node(ExprKind::Call(Call { function: function.into(), target: None, args }))
    }

    fn member_call(&mut self, function: &str, target: Expr, args: Vec<Expr>) -> Expr {
        let target = Some(Box::new(target));
        self.node(ExprKind::Call(Call { function: function.into(), target, args }))
    }

    fn list(&mut self, elements: Vec<Expr>) -> Expr {
        self.node(ExprKind::List { elements, optional: Vec::new() })
    }

    fn has(&mut self, args: Vec<Expr>) -> Result<Expr, Wrong> {
        let argument = Taken(args.into_iter()).next()?;
        let id = argument.id;
        match argument.kind {
            ExprKind::Select { operand, field, .. } => {
                Ok(self.node(ExprKind::Select { operand, field, test_only: true }))
            }
            _ => Err(Wrong(id, "invalid argument to has() macro".to_owned())),
        }
    }

    fn member(&mut self, function: &str, target: Expr, args: Vec<Expr>) -> Result<Expr, Wrong> {
        let count = args.len();
        let args = Taken(args.into_iter());
        match (function, count) {
            ("all", 2) => self.quantifier(&Quantifier::All, target, args),
            ("exists", 2) => self.quantifier(&Quantifier::Exists, target, args),
            ("exists_one", 2) => self.quantifier(&Quantifier::ExistsOne, target, args),
            ("map", _) => self.map(target, args, count == 3),
            ("filter", _) => self.filter(target, args),
            ("all", _) => self.quantifier2(&Quantifier::All, target, args),
            ("exists", _) => self.quantifier2(&Quantifier::Exists, target, args),
            ("exists_one" | "existsOne", _) => {
                self.quantifier2(&Quantifier::ExistsOne, target, args)
            }
            ("transformList" | "transformMap" | "transformMapEntry", _) => {
                self.transform(function, target, args, count == 4)
            }
            ("bind", _) => self.bind(args),
            ("sortBy", _) => self.sort_by(target, args),
            _ => self.opt_map(function, target, args),
        }
    }

    /// Start value, condition, step and result, numbered in this order.
    fn quantifier_parts(&mut self, kind: &Quantifier, predicate: Expr) -> [Expr; 4] {
        let init = match kind {
            Quantifier::All => Literal::Bool(true),
            Quantifier::Exists => Literal::Bool(false),
            Quantifier::ExistsOne => Literal::Int(0),
        };
        let init = self.literal(init);
        let condition = match kind {
            Quantifier::All => {
                let accu = self.accumulator();
                self.call("@not_strictly_false", vec![accu])
            }
            Quantifier::Exists => {
                let accu = self.accumulator();
                let not = self.call("!_", vec![accu]);
                self.call("@not_strictly_false", vec![not])
            }
            Quantifier::ExistsOne => self.literal(Literal::Bool(true)),
        };
        let accu = self.accumulator();
        let step = match kind {
            Quantifier::All => self.call("_&&_", vec![accu, predicate]),
            Quantifier::Exists => self.call("_||_", vec![accu, predicate]),
            Quantifier::ExistsOne => {
                let one = self.literal(Literal::Int(1));
                let more = self.call("_+_", vec![accu, one]);
                let same = self.accumulator();
                self.call("_?_:_", vec![predicate, more, same])
            }
        };
        let accu = self.accumulator();
        let result = match kind {
            Quantifier::All | Quantifier::Exists => accu,
            Quantifier::ExistsOne => {
                let one = self.literal(Literal::Int(1));
                self.call("_==_", vec![accu, one])
            }
        };
        [init, condition, step, result]
    }

    fn fold(
        &mut self,
        range: Expr,
        vars: (Rc<str>, Option<Rc<str>>),
        accu_var: &str,
        [accu_init, condition, step, result]: [Expr; 4],
    ) -> Expr {
        let (iter_var, iter_var2) = vars;
        self.node(ExprKind::Comprehension(Box::new(Comprehension {
            range,
            iter_var,
            iter_var2,
            accu_var: accu_var.into(),
            accu_init,
            condition,
            step,
            result,
        })))
    }

    fn quantifier(
        &mut self,
        kind: &Quantifier,
        target: Expr,
        mut args: Taken,
    ) -> Result<Expr, Wrong> {
        let var = variable(&args.next()?, "argument must be a simple name")?;
        let parts = self.quantifier_parts(kind, args.next()?);
        Ok(self.fold(target, (var, None), ACCUMULATOR, parts))
    }

    fn quantifier2(
        &mut self,
        kind: &Quantifier,
        target: Expr,
        mut args: Taken,
    ) -> Result<Expr, Wrong> {
        let (key, value) = two_variables(&args.next()?, &args.next()?)?;
        let parts = self.quantifier_parts(kind, args.next()?);
        Ok(self.fold(target, (key, Some(value)), ACCUMULATOR, parts))
    }

    /// The step that adds to the accumulator, guarded by a filter.
    fn guarded(&mut self, filter: Option<Expr>, step: Expr) -> Expr {
        match filter {
            Some(filter) => {
                let same = self.accumulator();
                self.call("_?_:_", vec![filter, step, same])
            }
            None => step,
        }
    }

    fn append(&mut self, element: Expr) -> Expr {
        let accu = self.accumulator();
        let list = self.list(vec![element]);
        self.call("_+_", vec![accu, list])
    }

    fn map(&mut self, target: Expr, mut args: Taken, filtered: bool) -> Result<Expr, Wrong> {
        let var = variable(&args.next()?, "argument is not an identifier")?;
        let filter = if filtered { Some(args.next()?) } else { None };
        let transform = args.next()?;
        let init = self.list(Vec::new());
        let condition = self.literal(Literal::Bool(true));
        let step = self.append(transform);
        let step = self.guarded(filter, step);
        let result = self.accumulator();
        Ok(self.fold(target, (var, None), ACCUMULATOR, [init, condition, step, result]))
    }

    fn filter(&mut self, target: Expr, mut args: Taken) -> Result<Expr, Wrong> {
        let element = args.next()?;
        let var = variable(&element, "argument is not an identifier")?;
        let filter = args.next()?;
        let init = self.list(Vec::new());
        let condition = self.literal(Literal::Bool(true));
        let step = self.append(element);
        let step = self.guarded(Some(filter), step);
        let result = self.accumulator();
        Ok(self.fold(target, (var, None), ACCUMULATOR, [init, condition, step, result]))
    }

    fn transform(
        &mut self,
        function: &str,
        target: Expr,
        mut args: Taken,
        filtered: bool,
    ) -> Result<Expr, Wrong> {
        let (key, value) = two_variables(&args.next()?, &args.next()?)?;
        let filter = if filtered { Some(args.next()?) } else { None };
        let transform = args.next()?;
        let step = if function == "transformList" {
            self.append(transform)
        } else {
            let mut inserted = vec![self.accumulator()];
            if function == "transformMap" {
                inserted.push(self.ident(&key));
            }
            inserted.push(transform);
            self.call("cel.@mapInsert", inserted)
        };
        let step = self.guarded(filter, step);
        let init = if function == "transformList" {
            self.list(Vec::new())
        } else {
            self.node(ExprKind::Map(Vec::new()))
        };
        let condition = self.literal(Literal::Bool(true));
        let result = self.accumulator();
        let parts = [init, condition, step, result];
        Ok(self.fold(target, (key, Some(value)), ACCUMULATOR, parts))
    }

    fn bind(&mut self, mut args: Taken) -> Result<Expr, Wrong> {
        let name = args.next()?;
        let Some(var) = ident(&name) else {
            let message = "cel.bind() variable names must be simple identifiers".to_owned();
            return Err(Wrong(name.id, message));
        };
        let init = args.next()?;
        let body = args.next()?;
        let range = self.list(Vec::new());
        let condition = self.literal(Literal::Bool(false));
        let step = self.ident(&var);
        Ok(self.fold(range, (UNUSED.into(), None), &var, [init, condition, step, body]))
    }

    fn opt_map(&mut self, function: &str, target: Expr, mut args: Taken) -> Result<Expr, Wrong> {
        let name = args.next()?;
        let Some(var) = ident(&name) else {
            let message = format!("{function}() variable name must be a simple identifier");
            return Err(Wrong(name.id, message));
        };
        let body = args.next()?;
        // UPSTREAM: the target is copied, so it is evaluated twice.
        let original = target.clone();
        let has_value = self.member_call("hasValue", target, Vec::new());
        let range = self.list(Vec::new());
        let copied = self.copy(&original);
        let init = self.member_call("value", copied, Vec::new());
        let condition = self.literal(Literal::Bool(false));
        let step = self.ident(&var);
        let mut mapped =
            self.fold(range, (UNUSED.into(), None), &var, [init, condition, step, body]);
        if function == "optMap" {
            mapped = self.call("optional.of", vec![mapped]);
        }
        let none = self.call("optional.none", Vec::new());
        Ok(self.call("_?_:_", vec![has_value, mapped, none]))
    }

    fn sort_by(&mut self, target: Expr, args: Taken) -> Result<Expr, Wrong> {
        let input = self.ident(SORT_BY_INPUT);
        if matches!(
            target.kind,
            ExprKind::Literal(_)
                | ExprKind::Map(_)
                | ExprKind::Struct { .. }
                | ExprKind::Unspecified
        ) {
            let message = "sortBy can only be applied to a list, identifier, comprehension, \
                           call or select expression";
            return Err(Wrong(target.id, message.to_owned()));
        }
        let copied = self.copy(&input);
        let keys = self.map(copied, args, false)?;
        let copied = self.copy(&input);
        let sorted = self.member_call("@sortByAssociatedKeys", copied, vec![keys]);
        let range = self.list(Vec::new());
        let condition = self.literal(Literal::Bool(false));
        let parts = [target, condition, input, sorted];
        Ok(self.fold(range, (UNUSED.into(), None), SORT_BY_INPUT, parts))
    }

    /// A copy with ids of its own at the places of the original.
    fn copy(&mut self, expr: &Expr) -> Expr {
        let place = self.build.source.offset(expr.id);
        let id = self.build.id(place);
        let kind = match &expr.kind {
            ExprKind::Unspecified => ExprKind::Unspecified,
            ExprKind::Literal(value) => ExprKind::Literal(value.clone()),
            ExprKind::Ident(name) => ExprKind::Ident(name.clone()),
            ExprKind::Select { operand, field, test_only } => ExprKind::Select {
                operand: Box::new(self.copy(operand)),
                field: field.clone(),
                test_only: *test_only,
            },
            ExprKind::Call(call) => {
                let args = call.args.iter().map(|arg| self.copy(arg)).collect();
                let target = call.target.as_ref().map(|target| Box::new(self.copy(target)));
                ExprKind::Call(Call { function: call.function.clone(), target, args })
            }
            ExprKind::List { elements, optional } => ExprKind::List {
                elements: elements.iter().map(|element| self.copy(element)).collect(),
                optional: optional.clone(),
            },
            ExprKind::Map(entries) => {
                ExprKind::Map(entries.iter().map(|entry| self.copy_entry(entry)).collect())
            }
            ExprKind::Struct { name, fields } => ExprKind::Struct {
                name: name.clone(),
                fields: fields.iter().map(|field| self.copy_field(field)).collect(),
            },
            ExprKind::Comprehension(fold) => ExprKind::Comprehension(Box::new(Comprehension {
                range: self.copy(&fold.range),
                iter_var: fold.iter_var.clone(),
                iter_var2: fold.iter_var2.clone(),
                accu_var: fold.accu_var.clone(),
                accu_init: self.copy(&fold.accu_init),
                condition: self.copy(&fold.condition),
                step: self.copy(&fold.step),
                result: self.copy(&fold.result),
            })),
        };
        Expr { id, kind }
    }

    fn copy_entry(&mut self, entry: &Entry) -> Entry {
        let id = self.build.id(self.offset);
        Entry {
            id,
            key: self.copy(&entry.key),
            value: self.copy(&entry.value),
            optional: entry.optional,
        }
    }

    fn copy_field(&mut self, field: &Field) -> Field {
        let id = self.build.id(self.offset);
        let name = field.name.clone();
        Field { id, name, value: self.copy(&field.value), optional: field.optional }
    }
}
