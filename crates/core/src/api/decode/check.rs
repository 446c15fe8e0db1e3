//! Strict decoding: every field must exist and have the right type.

use std::borrow::Cow;

use crate::apimachinery::quantity::Quantity;
use crate::diagnostic::{Diagnostic, Fix, did_you_mean_field};
use crate::yaml::{Node, NodeKind, Resolved, Scalar, Style};

use super::super::codes;
use super::super::object::Refusal;
use super::super::schema::{Struct, Type, Versions};
use super::extract::quantity_text;
use super::path::Path;
use super::shapes;

/// Walks an object along its table.
pub(super) struct Checker<'a, 'd> {
    pub(super) text: &'a str,
    pub(super) root: &'static Struct,
    /// The whole object.
    pub(super) node: &'a Node,
    pub(super) versions: Versions,
    pub(super) minor: u8,
    /// The Go package of the object's types, e.g. `v1beta1`.
    pub(super) package: &'a str,
    pub(super) path: Path<'a>,
    pub(super) diagnostics: &'d mut Vec<Diagnostic>,
    /// Errors among them, as reasons to refuse the object.
    pub(super) refusals: Vec<Refusal>,
}

impl<'a> Checker<'a, '_> {
    pub(super) fn object(&mut self) {
        self.fields(self.node, self.root);
    }

    fn fields(&mut self, node: &'a Node, table: &'static Struct) {
        for (key, value) in node.entries().unwrap_or_default() {
            let name: &'a str = match key.scalar() {
                Some(scalar) => &scalar.value,
                None => continue,
            };
            match table.field(name, self.versions, self.minor) {
                Some(field) => {
                    self.path.field(field.name);
                    self.value(value, field.ty, table);
                    self.path.pop();
                }
                None => self.unknown(node, key, value, table),
            }
        }
    }

    fn value(&mut self, node: &'a Node, ty: Type, parent: &'static Struct) {
        if node.is_null() {
            return;
        }
        match (ty, &node.kind) {
            (Type::Any | Type::Object, _) => self.infinite(node),
            // UPSTREAM: whatever stands there, its text is parsed.
            (Type::Quantity, _) => self.quantity(node),
            (Type::Struct(table), NodeKind::Mapping(_)) => self.fields(node, table),
            (Type::List(item), NodeKind::Sequence(items)) => {
                for (idx, node) in items.iter().enumerate() {
                    self.path.index(idx);
                    self.value(node, *item, parent);
                    self.path.pop();
                }
            }
            (Type::Map(value), NodeKind::Mapping(entries)) => {
                for (key, node) in entries {
                    let Some(scalar) = key.scalar() else { continue };
                    self.path.key(&scalar.value);
                    self.unquoted(key, scalar, None);
                    self.value(node, *value, parent);
                    self.path.pop();
                }
            }
            (
                Type::String(_) | Type::Enum(..) | Type::Time | Type::Bool | Type::Int(_),
                NodeKind::Scalar(scalar),
            ) => self.scalar(node, scalar, ty, parent),
            _ => self.wrong_type(node, ty, parent),
        }
    }

    fn scalar(&mut self, node: &'a Node, scalar: &'a Scalar, ty: Type, parent: &'static Struct) {
        let resolved = scalar.resolve();
        let fits = match ty {
            Type::Bool => matches!(resolved, Resolved::Bool(_)),
            // UPSTREAM: kubectl reads numbers and writes them anew, so that `1e3` is fine.
            Type::Int(name) => resolved
                .as_int()
                .is_some_and(|value| name != "int32" || i32::try_from(value).is_ok()),
            Type::String(_) | Type::Enum(..) | Type::Time => {
                matches!(resolved, Resolved::String(_)) || scalar.style == Style::Plain
            }
            Type::Quantity
            | Type::Any
            | Type::Object
            | Type::List(_)
            | Type::Map(_)
            | Type::Struct(_) => false,
        };
        if !fits {
            return self.wrong_type(node, ty, parent);
        }
        if matches!(ty, Type::Time)
            && let Resolved::String(written) = resolved
            && let Some(problem) = super::time::problem(written)
        {
            let path = self.path.text();
            let diagnostic = codes::invalid_time(&path, written, &problem, node.span);
            return self.refuse(path, diagnostic);
        }
        if matches!(ty, Type::String(_) | Type::Enum(..) | Type::Time) {
            self.unquoted(node, scalar, Some((ty, parent)));
            // In commands of containers `${X}` is the shell's.
            let shell = parent.name == "v1.Container" && self.path.is_item();
            if !shell && has_placeholder(&scalar.value) {
                let path = self.path.text();
                self.diagnostics.push(codes::placeholder(&path, node.span));
            }
        }
    }

    /// Refuses a value without quotes that is no text; a key becomes a text, often another one.
    fn unquoted(&mut self, node: &Node, scalar: &Scalar, at: Option<(Type, &'static Struct)>) {
        if scalar.style != Style::Plain || matches!(scalar.resolve(), Resolved::String(_)) {
            return;
        }
        let read = scalar.resolve().into_text().unwrap_or(Cow::Borrowed(""));
        let path = self.path.text();
        match at {
            Some((ty, parent)) => {
                let go = (ty, &*self.go_field(parent), self.package);
                let diagnostic = codes::unquoted_scalar(&path, node, &scalar.value, go);
                self.refuse(path, diagnostic);
            }
            None => self.diagnostics.push(codes::unquoted_key(&path, node, &scalar.value, &read)),
        }
    }

    fn quantity(&mut self, node: &Node) {
        let parsed = match quantity_text(node) {
            Some(text) => text.parse::<Quantity>(),
            None => "".parse(),
        };
        let Err(error) = parsed else { return };
        let written = node.scalar().map_or("", |scalar| &*scalar.value);
        let path = self.path.text();
        let upstream = codes::infinite(node).unwrap_or_else(|| error.to_string());
        let mut diagnostic = codes::invalid_quantity(&path, written, &upstream, node.span);
        if let Some(mended) = mend_quantity(written) {
            diagnostic = diagnostic.propose(&mended, mended.as_str(), node.span, false);
        }
        self.refuse(path, diagnostic);
    }

    /// JSON has no such numbers, wherever they stand. Depth is bounded by the reader.
    fn infinite(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Scalar(_) => {
                if let Some(upstream) = codes::infinite(node) {
                    let path = self.path.text();
                    let diagnostic = codes::no_json_number(&path, node, upstream);
                    self.refuse(path, diagnostic);
                }
            }
            NodeKind::Sequence(items) => {
                for item in items {
                    self.infinite(item);
                }
            }
            NodeKind::Mapping(entries) => {
                for (_, value) in entries {
                    self.infinite(value);
                }
            }
        }
    }

    /// Adds an error and notes it as a reason to refuse the object.
    fn refuse(&mut self, path: String, diagnostic: Diagnostic) {
        let text = diagnostic.upstream.clone().unwrap_or_else(|| diagnostic.message.clone());
        self.refusals.push(Refusal { path, text });
        self.diagnostics.push(diagnostic);
    }

    fn wrong_type(&mut self, node: &Node, ty: Type, parent: &'static Struct) {
        if node.scalar().is_none() {
            self.infinite(node);
        }
        let path = self.path.text();
        let go_field = self.go_field(parent);
        let diagnostic = codes::wrong_type(&path, node, ty, &go_field, self.package);
        self.refuse(path, shapes::explain_type(diagnostic, node, ty, self.text));
    }

    /// The struct and the path as Go prints them.
    fn go_field(&self, parent: &'static Struct) -> String {
        let struct_name = parent.name.rsplit('.').next().unwrap_or(parent.name);
        format!("{struct_name}.{}", self.path.go())
    }

    fn unknown(&mut self, parent: &Node, key: &'a Node, value: &Node, table: &'static Struct) {
        let name = key.scalar().map_or("", |scalar| &*scalar.value);
        let path = self.path.join(name);
        self.infinite(value);
        let diagnostic = codes::unknown_field(&path, &self.path.strict(name), key.span);
        let place = shapes::Place {
            object: self.node,
            parent,
            key,
            value,
            table,
            shape: &self.path.shape(),
            text: self.text,
            versions: self.versions,
            minor: self.minor,
            root: self.root,
        };
        let (mut diagnostic, explained) = shapes::explain_unknown(diagnostic, &place);
        let known = table.fields.iter().filter(|f| f.exists(self.versions, self.minor));
        let known: Vec<&str> = known.map(|field| field.name).collect();
        let close = did_you_mean_field(name, &known);
        if let Some(close) = close.filter(|_| !explained) {
            let title = format!("rename it to `{close}`");
            diagnostic = diagnostic
                .note(format!("did you mean `{close}`?"))
                .fix(Fix::new(title, key.span, close, true));
        }
        self.refuse(path, diagnostic);
    }
}

/// `{{ … }}`, `${NAME}`, or all of it `$NAME` or `<name>`.
fn has_placeholder(text: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b" _-".contains(&b))
    };
    let inside = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    if inside.or(text.strip_prefix('$')).is_some_and(is_name) {
        return true;
    }
    let dollar = text.split("${").skip(1).any(|rest| {
        let name = rest.split('}').next().unwrap_or_default();
        rest.len() > name.len()
            && !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    });
    dollar || (text.contains("{{") && text.contains("}}"))
}

/// The quantity that a text such as `6 GiB` was meant as.
pub fn mend_quantity(text: &str) -> Option<String> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let digits = compact.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(compact.len());
    let (number, unit) = compact.split_at_checked(digits)?;
    let unit = unit.strip_suffix(['B', 'b']).unwrap_or(unit);
    let mut letters = unit.chars();
    let first = letters.next().map(|c| if c == 'K' { 'k' } else { c });
    let rest = letters.as_str();
    let candidates = [
        unit.to_owned(),
        first.map(|c| c.to_string()).unwrap_or_default() + &rest.to_lowercase(),
        first.map(|c| c.to_uppercase().to_string()).unwrap_or_default() + &rest.to_lowercase(),
    ];
    let mut candidates = candidates.iter().map(|unit| format!("{number}{unit}"));
    candidates.find(|text| !text.is_empty() && text.parse::<Quantity>().is_ok())
}
