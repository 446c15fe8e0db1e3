//! Items of lists as errors show them: JSON as the server would write the object's own version.

use std::fmt::Write;

use dra_playground_cel::order::Order;

use crate::yaml::{Node, NodeKind, Resolved};

use super::super::object::Object;
use super::super::schema::{Field, Struct, Type, Versions, type_at};

/// The item at a path, its fields in the order of the API, defaults filled in.
pub(super) fn item_json(object: &Object, path: &str) -> String {
    let node = object.spans.node(path);
    let (Some(root), Some(node)) = (object.kind.schema(), node) else {
        return "{}".to_owned();
    };
    let versions = object.spans.versions();
    let written: Vec<String> = steps(path, versions);
    let steps: Vec<&str> = written.iter().map(String::as_str).collect();
    let Some(ty) = type_at(root, &steps, versions, NEWEST) else {
        return node.to_json().to_string();
    };
    let mut out = String::new();
    Shown { object, versions }.value(node, ty, path, &mut out);
    crate::apimachinery::go_json(&out)
}

/// Fields that a release does not have are refused before anything is shown.
const NEWEST: u8 = u8::MAX;

/// The steps to an item; devices of v1beta1 have their fields below `basic`.
fn steps(path: &str, versions: Versions) -> Vec<String> {
    let path = path.replace('[', ".").replace(']', "");
    let mut steps: Vec<String> = path.split('.').map(str::to_owned).collect();
    if versions == Versions::V1BETA1 && path.starts_with("spec.devices.") && steps.len() > 3 {
        let is_index = steps.get(2).is_some_and(|step| step.parse::<usize>().is_ok());
        if is_index {
            steps.insert(3, "basic".to_owned());
        }
    }
    steps
}

struct Shown<'a> {
    object: &'a Object,
    versions: Versions,
}

impl Shown<'_> {
    fn value(&self, node: &Node, ty: Type, path: &str, out: &mut String) {
        match (ty, &node.kind) {
            (Type::Struct(table), NodeKind::Mapping(_)) => self.fields(node, table, path, out),
            (Type::Struct(table), NodeKind::Scalar(_)) => {
                self.fields(&Node::empty(), table, path, out);
            }
            (Type::List(item), NodeKind::Sequence(items)) => {
                out.push('[');
                for (idx, node) in items.iter().enumerate() {
                    if idx > 0 {
                        out.push(',');
                    }
                    self.value(node, *item, &format!("{path}[{idx}]"), out);
                }
                out.push(']');
            }
            (Type::Map(value), NodeKind::Mapping(entries)) => {
                let mut entries: Vec<_> = entries.iter().collect();
                entries.order_by_key(|(key, _)| key.key_text().into_owned());
                out.push('{');
                for (idx, (key, node)) in entries.into_iter().enumerate() {
                    if idx > 0 {
                        out.push(',');
                    }
                    let key = key.key_text();
                    let _ = write!(out, "{}:", serde_json::Value::from(key.as_ref()));
                    self.value(node, *value, &format!("{path}[{key}]"), out);
                }
                out.push('}');
            }
            (Type::Quantity, _) => {
                let text = super::super::decode::quantity_text(node).unwrap_or_default();
                let parsed = text.parse::<crate::apimachinery::quantity::Quantity>();
                let text = parsed.map_or(text, |quantity| quantity.to_string());
                let _ = write!(out, "{}", serde_json::Value::from(text));
            }
            (Type::String(_) | Type::Enum(..) | Type::Time, _) => {
                let text = node.text().unwrap_or_default();
                let _ = write!(out, "{}", serde_json::Value::from(text.as_ref()));
            }
            _ => {
                let _ = write!(out, "{}", node.to_json());
            }
        }
    }

    fn fields(&self, node: &Node, table: &'static Struct, path: &str, out: &mut String) {
        out.push('{');
        let mut first = true;
        for field in table.fields.iter().filter(|field| field.exists(self.versions, NEWEST)) {
            let inner = format!("{path}.{}", field.name);
            let mut text = String::new();
            let written = node.get(field.name).filter(|node| !node.is_null());
            match written.filter(|_| !self.is_dropped(&inner)) {
                Some(node) if field.always || !is_empty(node, field.ty) => {
                    self.value(node, field.ty, &inner, &mut text);
                }
                _ => match self.default_of(&inner, field) {
                    Some(default) => text = default,
                    None if field.always => text.push_str(zero(field.ty)),
                    None => continue,
                },
            }
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            let _ = write!(out, "\"{}\":{text}", field.name);
        }
        out.push('}');
    }

    /// Whether a gate that is off has emptied the field.
    fn is_dropped(&self, path: &str) -> bool {
        self.object.dropped.iter().any(|dropped| is_same(dropped, path))
    }

    /// What the server has filled in; defaults are noted with the path of v1.
    fn default_of(&self, path: &str, field: &Field) -> Option<String> {
        let mut defaults = self.object.defaults.iter();
        let default = defaults.find(|default| is_same(&default.path, path))?;
        Some(match field.ty {
            Type::Int(_) | Type::Bool => default.value.clone(),
            _ => serde_json::Value::from(default.value.as_str()).to_string(),
        })
    }
}

/// Whether paths are of one field; requests of v1beta1 are flat.
fn is_same(path: &str, other: &str) -> bool {
    path == other || path.replace("].exactly.", "].") == other.replace("].exactly.", "].")
}

/// What Go leaves out of optional fields.
fn is_empty(node: &Node, ty: Type) -> bool {
    match &node.kind {
        NodeKind::Sequence(items) => items.is_empty(),
        // A type of the API is behind a pointer, which is there.
        NodeKind::Mapping(entries) => entries.is_empty() && !matches!(ty, Type::Struct(_)),
        NodeKind::Scalar(scalar) => match scalar.resolve() {
            Resolved::String(text) => text.is_empty(),
            Resolved::Int(0) => true,
            _ => false,
        },
    }
}

fn zero(ty: Type) -> &'static str {
    match ty {
        Type::String(_) | Type::Enum(..) => "\"\"",
        Type::Bool => "false",
        Type::Int(_) => "0",
        Type::Quantity => "\"0\"",
        Type::Struct(_) | Type::Map(_) | Type::Object => "{}",
        Type::Time | Type::Any | Type::List(_) => "null",
    }
}
