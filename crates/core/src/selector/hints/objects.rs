//! Versions and quantities: what compares with them, and how.

use dra_playground_cel::quantity::Quantity;
use dra_playground_cel::semver::Version;
use dra_playground_cel::syntax::{Call, Expr, ExprKind, Literal};

use super::paths::Map;
use super::{Finder, Sample};
use crate::api::decode::mend_quantity;

/// What needs `compareTo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    Quantity,
    Version,
}

impl Object {
    /// The call that makes one of a text that stands there as written; none when it cannot.
    fn made_of(self, text: &str, written: &str) -> Option<String> {
        match self {
            Self::Quantity => text.parse::<Quantity>().ok().map(|_| format!("quantity({written})")),
            Self::Version if Version::parse(text).is_ok() => Some(format!("semver({written})")),
            Self::Version => {
                Version::parse_normalized(text).ok().map(|_| format!("semver({written}, true)"))
            }
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Self::Quantity => "quantities",
            Self::Version => "versions",
        }
    }
}

pub(super) fn mirrored(operator: &str) -> &str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        other => other,
    }
}

impl Finder<'_> {
    pub(super) fn comparison(&mut self, expr: &Expr, function: &str, left: &Expr, right: &Expr) {
        let operator = function.trim_matches('_');
        let (Some(extent), Some(left_text), Some(right_text)) =
            (self.ast.source.extent(expr.id), self.text_of(left), self.text_of(right))
        else {
            return;
        };
        let (kind, flipped) = match (self.object(left), self.object(right)) {
            (Some(kind), _) => (kind, false),
            (None, Some(kind)) => (kind, true),
            (None, None) => return,
        };
        let (object_text, other, other_text) =
            if flipped { (right_text, left, left_text) } else { (left_text, right, right_text) };
        let equality = matches!(operator, "==" | "!=");
        let are_objects = self.object(other).is_some();
        let wrapped = match &other.kind {
            ExprKind::Literal(Literal::String(text)) => kind.made_of(text, &other_text),
            ExprKind::Literal(Literal::Int(int)) if kind == Object::Quantity => {
                Some(format!("quantity(\"{int}\")"))
            }
            _ if are_objects => Some(other_text),
            _ => return,
        };
        if equality && are_objects {
            return;
        }
        let operator = if flipped { mirrored(operator) } else { operator };
        let always = match operator {
            "==" if matches!(&other.kind, ExprKind::Literal(Literal::String(_))) => {
                ", and `==` with a string fails"
            }
            "!=" if matches!(&other.kind, ExprKind::Literal(Literal::String(_))) => {
                ", and `!=` with a string is always true"
            }
            _ => "",
        };
        let message = format!("{} are compared with `compareTo`{always}", kind.plural());
        let text = wrapped.map(|it| format!("{object_text}.compareTo({it}) {operator} 0"));
        self.add(extent, message, text);
    }

    /// Whether an expression is a quantity or a version.
    pub(super) fn object(&self, expr: &Expr) -> Option<Object> {
        if let ExprKind::Call(call) = &expr.kind
            && call.target.is_none()
        {
            match call.function.as_ref() {
                "quantity" => return Some(Object::Quantity),
                "semver" => return Some(Object::Version),
                _ => {}
            }
        }
        let path = self.path(expr)?;
        path.name.as_ref()?;
        match self.published.sample(&path) {
            Some(Sample::Quantity) => Some(Object::Quantity),
            Some(Sample::Version) => Some(Object::Version),
            Some(_) => None,
            None => (path.map == Map::Capacity).then_some(Object::Quantity),
        }
    }

    /// A constant that is no quantity or full version, but can be read as one.
    pub(super) fn unread_constant(&mut self, call: &Expr, only: &Expr) {
        let (Some(kind), ExprKind::Literal(Literal::String(text)), Some(extent), Some(written)) =
            (self.object(call), &only.kind, self.ast.source.extent(only.id), self.text_of(only))
        else {
            return;
        };
        let meant = match kind {
            Object::Quantity if text.parse::<Quantity>().is_err() => {
                mend_quantity(text).map(|meant| {
                    let message = format!("`{text}` is no quantity, but `{meant}` is one");
                    (message, format!("\"{meant}\""))
                })
            }
            Object::Version
                if Version::parse(text).is_err() && Version::parse_normalized(text).is_ok() =>
            {
                let message =
                    format!("`{text}` is no full version; a second argument `true` completes it");
                Some((message, format!("{written}, true")))
            }
            _ => None,
        };
        if let Some((message, replacement)) = meant {
            self.add(extent, message, Some(replacement));
        }
    }

    /// A text where a version or a quantity is wanted.
    pub(super) fn text_for_an_object(&mut self, call: &Call) {
        let (Some(kind), "compareTo" | "isLessThan" | "isGreaterThan", [only]) =
            (call.target.as_deref().and_then(|it| self.object(it)), &*call.function, &*call.args)
        else {
            return;
        };
        if let (ExprKind::Literal(Literal::String(text)), Some(extent), Some(written)) =
            (&only.kind, self.ast.source.extent(only.id), self.text_of(only))
        {
            let message = format!("{0} are compared with {0}, not with texts", kind.plural());
            self.add(extent, message, kind.made_of(text, &written));
        }
    }
}
