//! Values that are used as if they were of another type, and answers that surprise.

use dra_playground_cel::syntax::{Call, Comprehension, Expr, ExprKind, Literal};

use super::objects::{Object, mirrored};
use super::paths::{Map, Path};
use super::{Finder, Sample, length};
use crate::features::AttributeType;

/// A literal with the text it has in the expression.
struct Written {
    literal: Literal,
    text: String,
}

impl Finder<'_> {
    /// `index == "3"`: never true, because the types differ.
    pub(super) fn literal_of_another_type(
        &mut self,
        operator: &str,
        left: &Expr,
        right: &Expr,
    ) -> bool {
        let (attribute, other, flipped) = match (self.path(left), self.path(right)) {
            (Some(path), None) => (path, right, false),
            (None, Some(path)) => (path, left, true),
            _ => return false,
        };
        let (Some(sample), Some(written), Some(name), Some(extent)) = (
            self.published.sample(&attribute),
            self.written(other),
            &attribute.name,
            self.ast.source.extent(other.id),
        ) else {
            return false;
        };
        let Some((what, replacement)) = meant(sample, &written) else { return false };
        let operator = if flipped { mirrored(operator) } else { operator };
        let effect = match operator {
            "==" => "is never equal to",
            "!=" => "is always different from",
            _ => "cannot be compared with",
        };
        let published = sample.article();
        let message = format!("`{}` is published as {published}, which {effect} {what}", name.text);
        self.add(extent, message, replacement);
        true
    }

    /// `q == x.add(y)`: equality knows results of `add` and `sub` on its left only.
    pub(super) fn result_on_the_right(
        &mut self,
        expr: &Expr,
        operator: &str,
        left: &Expr,
        right: &Expr,
    ) -> bool {
        let effect = match operator {
            "==" => "fails",
            "!=" => "is always true",
            _ => return false,
        };
        let ExprKind::Call(call) = &right.kind else { return false };
        let (function, Some(target)) = (call.function.as_ref(), call.target.as_deref()) else {
            return false;
        };
        if !matches!(function, "add" | "sub") || self.object(target) != Some(Object::Quantity) {
            return false;
        }
        let (Some(extent), Some(left), Some(right)) =
            (self.ast.source.extent(expr.id), self.text_of(left), self.text_of(right))
        else {
            return false;
        };
        let message = format!(
            "the result of `{function}` is not known on the right of `{operator}`, which then \
             {effect}: compare with `compareTo`"
        );
        let text = format!("{left}.compareTo({right}) {operator} 0");
        self.add(extent, message, Some(text));
        true
    }

    fn written(&self, expr: &Expr) -> Option<Written> {
        let ExprKind::Literal(literal) = &expr.kind else { return None };
        Some(Written { literal: literal.clone(), text: self.text_of(expr)? })
    }

    /// Functions of versions and quantities on attributes that are texts or numbers.
    pub(super) fn member_of_another_type(&mut self, call: &Call) {
        let Some(target) = call.target.as_deref() else { return };
        let (Some(path), Some(text), Some(extent)) =
            (self.path(target), self.text_of(target), self.ast.source.extent(target.id))
        else {
            return;
        };
        let (Some(sample), Some(name)) = (self.published.sample(&path), &path.name) else { return };
        let wanted = match call.args.as_slice() {
            [only] => object_function(only),
            _ => None,
        };
        let function = call.function.as_ref();
        let wanted = match function {
            "major" | "minor" | "patch" => Some("semver"),
            "asInteger" | "isInteger" | "asApproximateFloat" => Some("quantity"),
            "compareTo" | "isLessThan" | "isGreaterThan" => wanted,
            _ => None,
        };
        match (wanted, sample) {
            (Some(wanted), Sample::Text) => {
                let kind = if wanted == "semver" { "a version" } else { "a quantity" };
                let message = format!("`{}` is published as a string, not as {kind}", name.text);
                self.add(extent, message, Some(format!("{wanted}({text})")));
            }
            (Some("quantity"), Sample::Quantity)
                if matches!(function, "asInteger") && path.map == Map::Capacity =>
            {
                let message = format!(
                    "`{}` may be an amount that has no whole number, such as `1500m` or `100Ti`: \
                     `asInteger` then fails, `compareTo` does not",
                    name.text
                );
                self.add(extent, message, None);
            }
            _ => {}
        }
    }

    /// `has(device.attributes["x"])`: true for every domain.
    pub(super) fn presence_of_a_domain(&mut self, expr: &Expr, path: &Path) {
        let (Some(domain), None, true) = (&path.domain, &path.name, path.is_test) else { return };
        let Some(extent) = self.ast.source.extent(expr.id) else { return };
        let map = path.map.field();
        let text = format!("\"{}\" in device.{map}", domain.text);
        let message = format!(
            "this is true for every domain, because a missing one reads as an empty map: ask \
             whether it is `in device.{map}`"
        );
        self.add(extent, message, Some(text));
    }

    /// `firmware in ["1.2.3"]` fails: a version is no member of a list of constants.
    pub(super) fn version_in_constants(&mut self, expr: &Expr, element: &Expr, list: &Expr) {
        let ExprKind::List { elements, .. } = &list.kind else { return };
        let constant = |expr: &Expr| matches!(&expr.kind, ExprKind::Literal(Literal::String(_)));
        let Some(path) = self.path(element) else { return };
        if elements.is_empty()
            || !elements.iter().all(constant)
            || self.published.sample(&path) != Some(Sample::Version)
        {
            return;
        }
        let (Some(name), Some(extent)) = (&path.name, self.ast.source.extent(expr.id)) else {
            return;
        };
        let (Some(version), Some(list)) = (self.text_of(element), self.text_of(list)) else {
            return;
        };
        let message = format!(
            "`{}` is published as a version, and looking for one in a list of constants fails",
            name.text
        );
        let text = format!("{list}.exists(v, {version}.compareTo(semver(v)) == 0)");
        self.add(extent, message, Some(text));
    }

    /// Without the gate for lists an attribute has the type `any` in new expressions, over which no
    /// loop may go, though the scheduler of 1.37 knows better when it reads a stored one.
    pub(super) fn loop_over_an_attribute(&mut self, fold: &Comprehension) {
        if self.attribute_type == AttributeType::Dyn {
            return;
        }
        let Some(path) = self.path(&fold.range) else { return };
        let (Some(name), Map::Attributes) = (&path.name, path.map) else { return };
        if !matches!(self.published.sample(&path), None | Some(Sample::List)) {
            return;
        }
        let (Some(text), Some(extent)) =
            (self.text_of(&fold.range), self.ast.source.extent(fold.range.id))
        else {
            return;
        };
        let message = format!(
            "the checker does not know that `{}` is a list: say that its type is told at run time",
            name.text
        );
        self.add(extent, message, Some(format!("dyn({text})")));
    }
}

/// `quantity` or `semver` when an expression calls one of them.
fn object_function(expr: &Expr) -> Option<&'static str> {
    let ExprKind::Call(call) = &expr.kind else { return None };
    match call.function.as_ref() {
        "quantity" => Some("quantity"),
        "semver" => Some("semver"),
        _ => None,
    }
}

/// What a literal is, and what was meant when it is none of the published type; nothing when it
/// fits or when the comparison is told elsewhere.
fn meant(sample: Sample, written: &Written) -> Option<(&'static str, Option<String>)> {
    let inner = |text: &str| text.trim_matches(['"', '\'']).to_owned();
    match (sample, &written.literal) {
        (Sample::Int, Literal::String(text)) => {
            let number = text.trim().parse::<i64>().is_ok();
            Some(("a string", number.then(|| inner(&written.text))))
        }
        (Sample::Bool, Literal::String(text)) => {
            let is_bool = matches!(text.as_ref(), "true" | "false");
            Some(("a string", is_bool.then(|| inner(&written.text))))
        }
        (Sample::Bool, Literal::Int(number)) => Some((
            "a number",
            match number {
                0 => Some("false".to_owned()),
                1 => Some("true".to_owned()),
                _ => None,
            },
        )),
        (Sample::Text, Literal::Int(_) | Literal::Uint(_) | Literal::Double(_)) => {
            Some(("a number", Some(format!("\"{}\"", written.text))))
        }
        (Sample::Text, Literal::Bool(_)) => Some(("a bool", Some(format!("\"{}\"", written.text)))),
        (Sample::Int, Literal::Bool(_)) => Some(("a bool", None)),
        _ => None,
    }
}

impl Sample {
    fn article(self) -> &'static str {
        match self {
            Self::Int => "an int",
            Self::Bool => "a bool",
            Self::Text => "a string",
            Self::Version => "a version",
            Self::List => "a list",
            Self::Quantity => "a quantity",
        }
    }
}

/// The text with the map of a path exchanged, e.g. `device.capacity["d"].memory`.
pub(super) fn with_other_map(text: &str, map: Map) -> Option<String> {
    let (from, to) = (format!(".{}", map.field()), format!(".{}", map.other().field()));
    (length(text) > 0 && text.contains(&from)).then(|| text.replacen(&from, &to, 1))
}
