//! `device.attributes["domain"].name` and the like.

use dra_playground_cel::syntax::{Expr, ExprKind, Extent, Literal, SourceInfo};

use crate::selector::environment::{ATTRIBUTES, CAPACITY, DEVICE};

/// Which map of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Map {
    Attributes,
    Capacity,
}

impl Map {
    pub(super) fn field(self) -> &'static str {
        match self {
            Self::Attributes => ATTRIBUTES,
            Self::Capacity => CAPACITY,
        }
    }

    pub(super) fn other(self) -> Self {
        match self {
            Self::Attributes => Self::Capacity,
            Self::Capacity => Self::Attributes,
        }
    }

    pub(super) fn singular(self) -> &'static str {
        match self {
            Self::Attributes => "attribute",
            Self::Capacity => "capacity",
        }
    }

    pub(super) fn article(self) -> &'static str {
        match self {
            Self::Attributes => "an attribute",
            Self::Capacity => "a capacity",
        }
    }
}

/// A constant key and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) text: String,
    pub(super) extent: Extent,
    /// Whether it stands after a dot; else it stands in quotes.
    pub(super) is_field: bool,
}

impl Key {
    /// How another key would be written in its place.
    pub(super) fn rewritten(&self, text: &str) -> String {
        if self.is_field { text.to_owned() } else { format!("\"{text}\"") }
    }
}

/// A way into the attributes or capacities of the device.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) map: Map,
    /// None when it is computed, such as `device.driver`.
    pub(super) domain: Option<Key>,
    pub(super) name: Option<Key>,
    /// Whether only presence is asked.
    pub(super) is_test: bool,
}

impl Path {
    /// The same for every way to write the path.
    pub(super) fn key(&self) -> String {
        let text = |key: &Option<Key>| key.as_ref().map_or("*", |key| key.text.as_str()).to_owned();
        format!("{}/{}/{}", self.map.field(), text(&self.domain), text(&self.name))
    }

    /// The path that an expression is; one level for a domain, two for a name.
    pub(super) fn of(expr: &Expr, source: &SourceInfo) -> Option<Self> {
        let (operand, key, is_test) = step(expr, source)?;
        if let Some(map) = device_map(operand) {
            return Some(Self { map, domain: key, name: None, is_test });
        }
        let (device_field, domain, _) = step(operand, source)?;
        let map = device_map(device_field)?;
        key.as_ref()?;
        Some(Self { map, domain, name: key, is_test })
    }
}

fn device_map(expr: &Expr) -> Option<Map> {
    let ExprKind::Select { operand, field, .. } = &expr.kind else { return None };
    let is_device = matches!(&operand.kind, ExprKind::Ident(name) if name.as_ref() == DEVICE);
    match field.as_ref() {
        ATTRIBUTES if is_device => Some(Map::Attributes),
        CAPACITY if is_device => Some(Map::Capacity),
        _ => None,
    }
}

/// Takes one select or index apart: what it looks into, the key if it is constant, and whether only
/// presence is asked.
fn step<'a>(expr: &'a Expr, source: &SourceInfo) -> Option<(&'a Expr, Option<Key>, bool)> {
    match &expr.kind {
        ExprKind::Select { operand, field, test_only } => {
            let whole = source.extent(expr.id)?;
            let length = u32::try_from(field.chars().count()).ok()?;
            // `has(…)` ends with a bracket after the name.
            let to = whole.to.saturating_sub(u32::from(*test_only));
            let extent = Extent { from: to.saturating_sub(length), to };
            let key = Key { text: field.to_string(), extent, is_field: true };
            Some((operand, Some(key), *test_only))
        }
        ExprKind::Call(call) => {
            let is_field = match call.function.as_ref() {
                "_[_]" | "_[?_]" => false,
                "_?._" => true,
                _ => return None,
            };
            let [operand, index] = call.args.as_slice() else { return None };
            let key = match &index.kind {
                ExprKind::Literal(Literal::String(text)) => {
                    let extent = source.extent(index.id)?;
                    Some(Key { text: text.to_string(), extent, is_field })
                }
                _ => None,
            };
            Some((operand, key, false))
        }
        _ => None,
    }
}
