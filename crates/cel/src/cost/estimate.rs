//! The static cost: what an expression costs at worst. Source: cel-go `checker/cost.go`.

use std::rc::Rc;

use super::calls::{self, Node};
use super::size::Range;
use crate::check::Checked;
use crate::env::{Dialect, Sizes};
use crate::syntax::{Call, Comprehension, Entry, Expr, ExprId, ExprKind, Literal};
use crate::types::Type;

/// Cost factor of looking at a text once.
pub(super) const TRAVERSAL: f64 = 0.1;
/// Cost factor of a regular expression's length.
pub(super) const REGEX: f64 = 0.25;

pub(super) type Path = Vec<Rc<str>>;

/// The worst case.
pub(crate) fn estimate(checked: &Checked, sizes: &dyn Sizes, dialect: Dialect) -> u64 {
    let count = checked.source.end();
    let mut coster = Coster {
        checked,
        sizes,
        dialect,
        paths: vec![None; count],
        computed: vec![None; count],
        entries: vec![None; count],
        locals: Vec::new(),
    };
    coster.cost(&checked.root).max
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    List,
    Map,
    Other,
}

/// Sizes of the keys and values of a list or map.
#[derive(Clone, Copy)]
struct EntrySize {
    container: Container,
    key: Range,
    value: Range,
}

struct LocalVar {
    name: Rc<str>,
    path: Path,
    size: Option<Range>,
    entry: Option<EntrySize>,
}

pub(super) struct Coster<'a> {
    checked: &'a Checked,
    pub(super) sizes: &'a dyn Sizes,
    pub(super) dialect: Dialect,
    paths: Vec<Option<Path>>,
    computed: Vec<Option<Range>>,
    entries: Vec<Option<EntrySize>>,
    locals: Vec<LocalVar>,
}

fn get<T: Clone>(table: &[Option<T>], id: ExprId) -> Option<T> {
    table.get(id as usize).cloned().flatten()
}

fn set<T>(table: &mut [Option<T>], id: ExprId, value: T) {
    if let Some(slot) = table.get_mut(id as usize) {
        *slot = Some(value);
    }
}

fn union_entries(a: Option<EntrySize>, b: Option<EntrySize>) -> Option<EntrySize> {
    let (a, b) = (a?, b?);
    Some(EntrySize {
        container: a.container,
        key: a.key.union(b.key),
        value: a.value.union(b.value),
    })
}

impl Coster<'_> {
    fn type_of(&self, expr: &Expr) -> &Type {
        self.checked.type_of(expr.id)
    }

    fn local(&self, name: &str) -> Option<&LocalVar> {
        self.locals.iter().rev().find(|local| local.name.as_ref() == name)
    }

    fn path(&self, expr: &Expr) -> Path {
        if let ExprKind::Ident(name) = &expr.kind
            && let Some(local) = self.local(name)
        {
            return local.path.clone();
        }
        get(&self.paths, expr.id).unwrap_or_default()
    }

    fn subpath(&self, expr: &Expr, name: &str) -> Path {
        let mut path = self.path(expr);
        path.push(name.into());
        path
    }

    fn cost(&mut self, expr: &Expr) -> Range {
        match &expr.kind {
            ExprKind::Unspecified | ExprKind::Literal(_) => Range::fixed(0),
            ExprKind::Ident(name) => {
                let local = self.local(name).map(|local| local.path.clone());
                set(&mut self.paths, expr.id, local.unwrap_or_else(|| vec![name.clone()]));
                Range::fixed(1)
            }
            ExprKind::Select { operand, test_only: true, .. } => self.cost(operand),
            ExprKind::Select { operand, field, .. } => {
                let cost = self.cost(operand);
                let counted = matches!(
                    self.type_of(operand),
                    Type::Map(_) | Type::Struct(_) | Type::Param(_)
                );
                let path = self.subpath(operand, field);
                set(&mut self.paths, expr.id, path);
                if counted { cost.add(Range::fixed(1)) } else { cost }
            }
            ExprKind::Call(call) => self.call(expr, call),
            ExprKind::List { elements, .. } => self.list(expr.id, elements),
            ExprKind::Map(entries) => self.map(expr.id, entries),
            ExprKind::Struct { fields, .. } => {
                let mut sum = Range::fixed(40);
                for field in fields {
                    sum = sum.add(self.cost(&field.value));
                }
                sum
            }
            ExprKind::Comprehension(fold) if is_bind(fold) => self.bind(expr, fold),
            ExprKind::Comprehension(fold) => self.comprehension(expr, fold),
        }
    }

    fn list(&mut self, id: ExprId, elements: &[Expr]) -> Range {
        let mut sum = Range::fixed(10);
        let mut item = if elements.is_empty() { Range::fixed(0) } else { Range::NOTHING };
        for element in elements {
            sum = sum.add(self.cost(element));
            item = item.union(self.size_or_unknown(element));
        }
        let entry = EntrySize { container: Container::List, key: Range::fixed(1), value: item };
        set(&mut self.entries, id, entry);
        sum
    }

    fn map(&mut self, id: ExprId, entries: &[Entry]) -> Range {
        let mut sum = Range::fixed(30);
        let start = if entries.is_empty() { Range::fixed(0) } else { Range::NOTHING };
        let mut sizes = EntrySize { container: Container::Map, key: start, value: start };
        for entry in entries {
            sum = sum.add(self.cost(&entry.key)).add(self.cost(&entry.value));
            sizes.key = sizes.key.union(self.size_or_unknown(&entry.key));
            sizes.value = sizes.value.union(self.size_or_unknown(&entry.value));
        }
        set(&mut self.entries, id, sizes);
        sum
    }

    fn bind(&mut self, expr: &Expr, fold: &Comprehension) -> Range {
        let mut sum = self.cost(&fold.range).add(self.cost(&fold.accu_init));
        self.push_accumulator(fold);
        sum = sum.add(self.cost(&fold.result));
        self.locals.pop();
        self.copy_sizes(expr.id, &fold.result);
        sum
    }

    fn copy_sizes(&mut self, id: ExprId, from: &Expr) {
        if let Some(size) = self.compute_size(from) {
            set(&mut self.computed, id, size);
        }
        if let Some(entry) = self.entry_size(from) {
            set(&mut self.entries, id, entry);
        }
    }

    fn push_accumulator(&mut self, fold: &Comprehension) {
        let local = LocalVar {
            name: fold.accu_var.clone(),
            path: self.path(&fold.accu_init),
            size: self.compute_size(&fold.accu_init),
            entry: self.entry_size(&fold.accu_init),
        };
        self.locals.push(local);
    }

    fn comprehension(&mut self, expr: &Expr, fold: &Comprehension) -> Range {
        let mut sum = self.cost(&fold.range).add(self.cost(&fold.accu_init));
        self.push_accumulator(fold);
        let depth = self.locals.len();
        self.push_variables(fold);
        let condition = self.cost(&fold.condition);
        let step = self.cost(&fold.step);
        self.locals.truncate(depth);
        sum = sum.add(self.cost(&fold.result));
        self.locals.pop();
        let rounds = self.size_or_unknown(&fold.range);
        sum = sum.add(rounds.times(step.add(condition)));
        match &fold.accu_init.kind {
            ExprKind::Literal(_) => {
                if let Some(size) = self.compute_size(&fold.accu_init) {
                    set(&mut self.computed, expr.id, size);
                }
            }
            ExprKind::List { .. } | ExprKind::Map(_) => {
                set(&mut self.computed, expr.id, rounds);
                if let Some(entry) = self.entry_size(&fold.step) {
                    set(&mut self.entries, expr.id, entry);
                }
            }
            _ => {}
        }
        sum
    }

    fn push_variables(&mut self, fold: &Comprehension) {
        let entry = self.entry_size(&fold.range);
        let container = entry.map_or_else(
            || match self.type_of(&fold.range) {
                Type::List(_) => Container::List,
                Type::Map(_) => Container::Map,
                _ => Container::Other,
            },
            |entry| entry.container,
        );
        let list = container == Container::List;
        let key_size = entry.map(|entry| entry.key);
        let value_size = entry.map(|entry| entry.value);
        // UPSTREAM: both paths are appended to one slice; where it has room, which is at every
        // length but a power of two, the second overwrites the end of the first.
        let length = self.path(&fold.range).len();
        let shared = length > 0 && !length.is_power_of_two();
        let mut push = |name: &Rc<str>, sub: &str, size| {
            let path = self.subpath(&fold.range, sub);
            self.locals.push(LocalVar { name: name.clone(), path, size, entry: None });
        };
        match &fold.iter_var2 {
            Some(second) => {
                let value = if list { "@items" } else { "@values" };
                let key = match list {
                    _ if shared => value,
                    true => "@indices",
                    false => "@keys",
                };
                push(&fold.iter_var, key, key_size);
                push(second, value, value_size);
            }
            None if list => push(&fold.iter_var, "@items", value_size),
            None => push(&fold.iter_var, "@keys", key_size),
        }
    }

    pub(super) fn size_or_unknown(&mut self, expr: &Expr) -> Range {
        self.compute_size(expr).unwrap_or(Range::UNKNOWN)
    }

    fn compute_size(&mut self, expr: &Expr) -> Option<Range> {
        if let Some(size) = get(&self.computed, expr.id) {
            return Some(size);
        }
        if let Some(size) = literal_size(expr) {
            return Some(Range::fixed(size));
        }
        if let Some(size) = self.sizes.max_size(&self.path(expr)) {
            let size = Range::new(0, size);
            set(&mut self.computed, expr.id, size);
            return Some(size);
        }
        if is_scalar(self.type_of(expr)) {
            return Some(Range::fixed(1));
        }
        match &expr.kind {
            ExprKind::Ident(name) => self.local(name).and_then(|local| local.size),
            _ => None,
        }
    }

    fn entry_size(&self, expr: &Expr) -> Option<EntrySize> {
        if let Some(entry) = get(&self.entries, expr.id) {
            return Some(entry);
        }
        match &expr.kind {
            ExprKind::Ident(name) => self.local(name).and_then(|local| local.entry),
            _ => None,
        }
    }

    fn node<'n>(&mut self, expr: &'n Expr) -> Node<'n> {
        let path = self.path(expr);
        let is_accumulator =
            path.first().is_some_and(|name| matches!(name.as_ref(), "@result" | "__result__"));
        Node {
            path: if is_accumulator { Vec::new() } else { path },
            ty: self.type_of(expr).clone(),
            expr: Some(expr),
            size: self.compute_size(expr),
        }
    }

    fn call(&mut self, expr: &Expr, call: &Call) -> Range {
        if call.function.as_ref() == "dyn"
            && let [arg] = call.args.as_slice()
        {
            let cost = self.cost(arg);
            self.copy_sizes(expr.id, arg);
            return cost.add(Range::fixed(1));
        }
        let mut costs = Vec::with_capacity(call.args.len());
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            costs.push(self.cost(arg));
            args.push(self.node(arg));
        }
        let overloads = self.checked.overloads(expr.id);
        if overloads.is_empty() {
            return Range::fixed(0);
        }
        let mut sum = Range::fixed(0);
        let mut target = None;
        if let Some(node) = &call.target {
            sum = self.cost(node);
            target = Some(self.node(node));
        }
        let mut cost = Range::NOTHING;
        let mut result: Option<Range> = None;
        for overload in overloads {
            let (call_cost, size) =
                self.overload(expr, &call.function, overload, target.as_ref(), &args, &costs);
            cost = cost.union(call_cost);
            if let Some(size) = size {
                result = Some(result.map_or(size, |known| known.union(size)));
            }
            let sub = match *overload {
                "index_list" => "@items",
                "index_map" => "@values",
                _ => "",
            };
            if let (false, Some(operand)) = (sub.is_empty(), call.args.first()) {
                result = self.entry_size(operand).map(|entry| entry.value);
                let path = self.subpath(operand, sub);
                set(&mut self.paths, expr.id, path);
            }
            if result.is_none() {
                result = self.compute_size(expr);
            }
        }
        if let Some(size) = result {
            set(&mut self.computed, expr.id, size);
        }
        sum.add(cost)
    }

    fn overload(
        &mut self,
        expr: &Expr,
        function: &str,
        overload: &str,
        target: Option<&Node<'_>>,
        args: &[Node<'_>],
        costs: &[Range],
    ) -> (Range, Option<Range>) {
        let all = costs.iter().fold(Range::fixed(0), |sum, cost| sum.add(*cost));
        if let Some((cost, size)) = calls::estimate(self, function, overload, target, args) {
            return (cost.add(all), size);
        }
        match (overload, args, costs) {
            ("logical_or" | "logical_and", _, [left, right]) => {
                (Range::new(left.min, left.add(*right).max), None)
            }
            ("conditional", [_, yes, no], [condition, yes_cost, no_cost]) => {
                let size = yes.size_or_unknown().union(no.size_or_unknown());
                if let (Some(yes), Some(no)) = (yes.expr, no.expr)
                    && let Some(entry) = union_entries(self.entry_size(yes), self.entry_size(no))
                {
                    set(&mut self.entries, expr.id, entry);
                }
                (condition.add(yes_cost.union(*no_cost)), Some(size))
            }
            ("add_string" | "add_bytes" | "add_list", [left, right], _) => {
                let size = left.size_or_unknown().add(right.size_or_unknown());
                if let (Some(left), Some(right)) = (left.expr, right.expr)
                    && let Some(entry) =
                        union_entries(self.entry_size(left), self.entry_size(right))
                {
                    set(&mut self.entries, expr.id, entry);
                }
                let cost =
                    if overload == "add_list" { Range::fixed(1) } else { size.scaled(TRAVERSAL) };
                (cost.add(all), Some(size))
            }
            _ => {
                let (cost, size) =
                    calls::standard(overload, target, args).unwrap_or((Range::fixed(1), None));
                (cost.add(all), size)
            }
        }
    }
}

fn is_bind(fold: &Comprehension) -> bool {
    let empty = matches!(&fold.range.kind, ExprKind::List { elements, .. } if elements.is_empty());
    let never = matches!(fold.condition.kind, ExprKind::Literal(Literal::Bool(false)));
    empty && never && fold.accu_var.as_ref() != "__result__"
}

fn literal_size(expr: &Expr) -> Option<u64> {
    let size = match &expr.kind {
        ExprKind::Literal(Literal::String(text)) => text.chars().count(),
        ExprKind::Literal(Literal::Bytes(bytes)) => bytes.len(),
        ExprKind::Literal(_) => 1,
        ExprKind::List { elements, .. } => elements.len(),
        ExprKind::Map(entries) => entries.len(),
        _ => return None,
    };
    Some(size as u64)
}

fn is_scalar(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Double | Type::Duration | Type::Int | Type::Timestamp | Type::Uint => {
            true
        }
        Type::Wrapper(inner) => is_scalar(inner),
        other => other.optional_value().is_some_and(is_scalar),
    }
}
