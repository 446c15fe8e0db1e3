use crate::diagnostic::{Diagnostic, Fix, did_you_mean_field};
use crate::source::Span;
use crate::yaml::{Node, Resolved};

use super::super::codes;

/// Reads the fields of a map one by one and, at the end, names those nobody asked for.
///
/// For documents of our own, such as scenarios.
#[derive(Debug)]
pub struct Fields<'a, 'd> {
    node: &'a Node,
    path: String,
    asked: Vec<&'static str>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a, 'd> Fields<'a, 'd> {
    /// Starts with a map; `None`, with a diagnostic, when it is none.
    ///
    /// # Diagnostics
    /// `wrong-type`
    pub fn new(
        node: &'a Node,
        path: impl Into<String>,
        diagnostics: &'d mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let path = path.into();
        if node.entries().is_none() {
            diagnostics.push(wrong(&path, "a map", node));
            return None;
        }
        Some(Self { node, path, asked: Vec::new(), diagnostics })
    }

    /// The map itself.
    pub fn node(&self) -> &'a Node {
        self.node
    }

    /// The path of a field.
    pub fn path(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// A place to say more.
    pub fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        self.diagnostics
    }

    /// Key and value of a field that is there and not null.
    pub fn entry(&mut self, name: &'static str) -> Option<(&'a Node, &'a Node)> {
        self.asked.push(name);
        let (key, value) = self.node.entry(name)?;
        (!value.is_null()).then_some((key, value))
    }

    /// A field of any type.
    pub fn any(&mut self, name: &'static str) -> Option<&'a Node> {
        self.entry(name).map(|(_, value)| value)
    }

    /// A text with its place.
    pub fn string(&mut self, name: &'static str) -> Option<(String, Span)> {
        let value = self.any(name)?;
        let Some(scalar) = value.scalar() else {
            let path = self.path(name);
            self.diagnostics.push(wrong(&path, "a string", value));
            return None;
        };
        // Our own documents take what is written: a version `1.30` must not become `1.3`.
        Some((scalar.value.to_string(), value.span))
    }

    /// A truth value.
    pub fn bool(&mut self, name: &'static str) -> Option<bool> {
        let value = self.any(name)?;
        if let Some(Resolved::Bool(found)) = value.scalar().map(crate::yaml::Scalar::resolve) {
            return Some(found);
        }
        let path = self.path(name);
        self.diagnostics.push(wrong(&path, "a boolean", value));
        None
    }

    /// A whole number.
    pub fn int(&mut self, name: &'static str) -> Option<i64> {
        let value = self.any(name)?;
        let found = value.scalar().and_then(|scalar| scalar.resolve().as_int());
        if found.is_none() {
            let path = self.path(name);
            self.diagnostics.push(wrong(&path, "a whole number", value));
        }
        found
    }

    /// The items of a list; empty when it is absent.
    pub fn list(&mut self, name: &'static str) -> &'a [Node] {
        let Some(value) = self.any(name) else {
            return &[];
        };
        if value.items().is_none() {
            let path = self.path(name);
            self.diagnostics.push(wrong(&path, "a list", value));
        }
        value.items().unwrap_or_default()
    }

    /// The entries of a map with free keys; empty when it is absent.
    pub fn map(&mut self, name: &'static str) -> &'a [(Node, Node)] {
        let Some(value) = self.any(name) else {
            return &[];
        };
        if value.entries().is_none() {
            let path = self.path(name);
            self.diagnostics.push(wrong(&path, "a map", value));
        }
        value.entries().unwrap_or_default()
    }

    /// Names every field that was not asked for.
    ///
    /// # Diagnostics
    /// `unknown-field`
    pub fn finish(self) {
        for (key, _) in self.node.entries().unwrap_or_default() {
            let name = key.key_text();
            if self.asked.contains(&name.as_ref()) {
                continue;
            }
            let path = self.path(&name);
            let mut diagnostic =
                Diagnostic::new(codes::UNKNOWN_FIELD, format!("unknown field `{path}`"), key.span);
            if let Some(close) = did_you_mean_field(&name, &self.asked) {
                let title = format!("rename it to `{close}`");
                diagnostic = diagnostic
                    .note(format!("did you mean `{close}`?"))
                    .fix(Fix::new(title, key.span, close, true));
            }
            self.diagnostics.push(diagnostic);
        }
    }
}

fn wrong(path: &str, expected: &str, node: &Node) -> Diagnostic {
    let message = format!("`{path}` must be {expected}, not {}", node.describe());
    Diagnostic::new(codes::WRONG_TYPE, message, node.span)
}
