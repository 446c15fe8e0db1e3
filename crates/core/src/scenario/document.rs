//! The scenario document: `apiVersion: dra-playground/v1`, `kind: Scenario`.

use std::borrow::Cow;

use crate::api::schema::{self, Field};
use crate::apimachinery::Condition;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml::Node;

use crate::cluster::parse_duration;

use super::codes;

/// The API version of scenario documents.
pub const API_VERSION: &str = "dra-playground/v1";

/// A text with its place.
pub type Placed<T> = (T, Span);

/// A scenario document, as written.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Where it is written.
    pub span: Span,
    /// `metadata.name`.
    pub name: String,
    /// `spec.title`.
    pub title: String,
    /// `spec.description`, Markdown.
    pub description: String,
    /// `spec.kubernetesVersion`.
    pub kubernetes_version: Option<Placed<String>>,
    /// `spec.featureGates`.
    pub feature_gates: Vec<Placed<(String, bool)>>,
    /// `spec.apiServerFeatureGates`: where the API server's differ from the other components'.
    pub api_server_feature_gates: Vec<Placed<(String, bool)>>,
    /// `spec.behavior`: whether known bugs are corrected.
    pub fixed: Option<Placed<bool>>,
    /// `spec.steps`.
    pub steps: Vec<Step>,
    /// `spec.expect`: lines that hold for the objects of the text, before the first step.
    pub expect: Vec<Placed<String>>,
}

/// One step, as written.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it is written.
    pub span: Span,
    /// Its name, when it has one.
    pub name: Option<String>,
    /// What is done.
    pub operation: Operation,
    /// Lines that hold after it.
    pub expect: Vec<Placed<String>>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Creates or replaces objects.
    Apply(Vec<Node>),
    /// Deletes an object.
    Delete {
        /// Kind.
        kind: String,
        /// Namespace; `None` when it is not written.
        namespace: Option<String>,
        /// Name.
        name: String,
    },
    /// Moves the clock on.
    Advance {
        /// By how much.
        seconds: u64,
    },
    /// Ends a Pod.
    Finish {
        /// `NAME` or `NAMESPACE/NAME`.
        pod: String,
        /// `Succeeded` or `Failed`.
        phase: String,
    },
    /// Sets conditions of an allocated device.
    SetConditions {
        /// `NAME` or `NAMESPACE/NAME`.
        claim: String,
        /// `DRIVER/POOL/DEVICE`, or the device's name where that is enough.
        device: String,
        /// The conditions.
        conditions: Vec<Condition>,
    },
}

/// Reads a scenario document; what is wrong with it is reported, the rest is used.
pub fn read_document(root: &Node, diagnostics: &mut Vec<Diagnostic>) -> Document {
    let mut reader = Reader { diagnostics };
    let mut document = Document { span: root.span, ..Document::default() };
    reader.fields("", root, &["apiVersion", "kind", "metadata", "spec"]);
    if let Some(metadata) = root.get("metadata") {
        reader.fields("metadata", metadata, &["name", "labels", "annotations"]);
        document.name = reader.written("metadata.name", metadata.get("name")).unwrap_or_default();
    }
    if let Some(spec) = root.get("spec") {
        reader.spec(spec, &mut document);
    }
    document
}

/// The names of fields.
fn names(fields: &[Field]) -> Vec<&'static str> {
    fields.iter().map(|field| field.name).collect()
}

struct Reader<'a> {
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn spec(&mut self, spec: &Node, document: &mut Document) {
        self.fields("spec", spec, &names(schema::SCENARIO_SPEC.fields));
        document.title = self.written("spec.title", spec.get("title")).unwrap_or_default();
        document.description =
            self.written("spec.description", spec.get("description")).unwrap_or_default();
        document.kubernetes_version = self
            .placed_string("spec.kubernetesVersion", spec.get("kubernetesVersion"))
            .map(|(read, span)| {
                let scalar = spec.get("kubernetesVersion").and_then(Node::scalar);
                (scalar.map_or(read, |scalar| scalar.value.to_string()), span)
            });
        document.fixed = self.behavior(spec.get("behavior"));
        document.feature_gates = self.gates("featureGates", spec);
        document.api_server_feature_gates = self.gates("apiServerFeatureGates", spec);
        document.expect = self.expect("spec.expect", spec.get("expect"));
        for (index, step) in self.list("spec.steps", spec.get("steps")).into_iter().enumerate() {
            document.steps.extend(self.step(&format!("spec.steps[{index}]"), step));
        }
    }

    fn behavior(&mut self, node: Option<&Node>) -> Option<Placed<bool>> {
        let (text, span) = self.placed_string("spec.behavior", node)?;
        match text.as_str() {
            "asReleased" => Some((false, span)),
            "fixed" => Some((true, span)),
            other => {
                self.diagnostics.push(codes::invalid_value(
                    "spec.behavior",
                    other,
                    "`asReleased` or `fixed`",
                    span,
                ));
                None
            }
        }
    }

    fn gates(&mut self, field: &str, spec: &Node) -> Vec<Placed<(String, bool)>> {
        let at = format!("spec.{field}");
        let Some(entries) = spec.get(field).and_then(|node| self.map(&at, node)) else {
            return Vec::new();
        };
        let mut gates = Vec::new();
        for (key, value) in entries {
            let name = key.key_text().into_owned();
            let path = format!("{at}.{name}");
            match value.text().as_deref() {
                Some("true") => gates.push(((name, true), key.span)),
                Some("false") => gates.push(((name, false), key.span)),
                _ => self.diagnostics.push(codes::wrong_type(
                    &path,
                    value.describe(),
                    "true or false",
                    value.span,
                )),
            }
        }
        gates
    }

    fn step(&mut self, path: &str, node: &Node) -> Option<Step> {
        self.map(path, node)?;
        let operations = names(&schema::OPERATIONS);
        let known: Vec<&str> =
            ["name"].iter().chain(&operations).chain(&["expect"]).copied().collect();
        self.fields(path, node, &known);
        let found: Vec<&str> =
            operations.iter().copied().filter(|name| node.get(name).is_some()).collect();
        let [operation] = found.as_slice() else {
            self.diagnostics.push(codes::one_operation(path, &found, node.span));
            return None;
        };
        let at = codes::join(path, operation);
        let argument = node.get(operation)?;
        let operation = match *operation {
            "apply" => Some(Operation::Apply(match argument.items() {
                Some(items) => items.to_vec(),
                None => vec![argument.clone()],
            })),
            "delete" => self.delete(&at, argument),
            "advance" => self.advance(&at, argument),
            "finish" => self.finish(&at, argument),
            _ => self.set_conditions(&at, argument),
        };
        let name = self.written(&codes::join(path, "name"), node.get("name"));
        let expect = self.expect(&codes::join(path, "expect"), node.get("expect"));
        Some(Step { span: node.span, name, operation: operation?, expect })
    }

    fn delete(&mut self, path: &str, node: &Node) -> Option<Operation> {
        self.map(path, node)?;
        self.fields(path, node, &["kind", "namespace", "name"]);
        let kind = self.required(path, "kind", node);
        let name = self.required(path, "name", node);
        let namespace = self.string(&codes::join(path, "namespace"), node.get("namespace"));
        Some(Operation::Delete { kind: kind?, namespace, name: name? })
    }

    fn advance(&mut self, path: &str, node: &Node) -> Option<Operation> {
        let (text, span) = self.placed_string(path, Some(node))?;
        if let Some(seconds) = parse_duration(&text) {
            Some(Operation::Advance { seconds })
        } else {
            let expected = "a duration of whole seconds such as `90s`, `5m` or `1h30m`";
            self.diagnostics.push(codes::invalid_value(path, &text, expected, span));
            None
        }
    }

    fn finish(&mut self, path: &str, node: &Node) -> Option<Operation> {
        self.map(path, node)?;
        self.fields(path, node, &["pod", "phase"]);
        let pod = self.required(path, "pod", node);
        let phase = self.required(path, "phase", node);
        let phase = phase?;
        if !matches!(phase.as_str(), "Succeeded" | "Failed") {
            let expected = "`Succeeded` or `Failed`";
            let path = codes::join(path, "phase");
            self.diagnostics.push(codes::invalid_value(&path, &phase, expected, node.span));
            return None;
        }
        Some(Operation::Finish { pod: pod?, phase })
    }

    fn set_conditions(&mut self, path: &str, node: &Node) -> Option<Operation> {
        self.map(path, node)?;
        self.fields(path, node, &["claim", "device", "conditions"]);
        let claim = self.required(path, "claim", node);
        let device = self.required(path, "device", node);
        let at = codes::join(path, "conditions");
        let mut conditions = Vec::new();
        // The short form: a map from type to status.
        if let Some(entries) = node.get("conditions").and_then(Node::entries) {
            for (type_, status) in entries {
                let type_ = type_.key_text().into_owned();
                if let Some(status) = self.string(&codes::join(&at, &type_), Some(status)) {
                    let status = condition_status(status);
                    conditions.push(Condition { type_, status, ..Condition::default() });
                }
            }
            return Some(Operation::SetConditions { claim: claim?, device: device?, conditions });
        }
        for (index, item) in self.list(&at, node.get("conditions")).into_iter().enumerate() {
            conditions.extend(self.condition(&format!("{at}[{index}]"), item));
        }
        Some(Operation::SetConditions { claim: claim?, device: device?, conditions })
    }

    fn condition(&mut self, path: &str, node: &Node) -> Option<Condition> {
        self.map(path, node)?;
        self.fields(path, node, &["type", "status", "reason", "message", "lastTransitionTime"]);
        let type_ = self.required(path, "type", node);
        let status = self.required(path, "status", node);
        let text =
            |reader: &mut Self, key: &str| reader.string(&codes::join(path, key), node.get(key));
        Some(Condition {
            reason: text(self, "reason").unwrap_or_default(),
            message: text(self, "message").unwrap_or_default(),
            last_transition_time: text(self, "lastTransitionTime"),
            type_: type_?,
            status: condition_status(status?),
        })
    }

    fn expect(&mut self, path: &str, node: Option<&Node>) -> Vec<Placed<String>> {
        let mut lines = Vec::new();
        for (index, item) in self.list(path, node).into_iter().enumerate() {
            lines.extend(self.placed_string(&format!("{path}[{index}]"), Some(item)));
        }
        lines
    }

    /// Reports fields that are not known.
    fn fields(&mut self, path: &str, node: &Node, known: &[&str]) {
        let at = if path.is_empty() { "the document" } else { path };
        let Some(entries) = self.map(at, node) else { return };
        for (key, _) in entries {
            let name = key.key_text();
            if !known.contains(&name.as_ref()) {
                self.diagnostics.push(codes::unknown_field(path, &name, known, key.span));
            }
        }
    }

    fn map<'n>(&mut self, path: &str, node: &'n Node) -> Option<&'n [(Node, Node)]> {
        let entries = node.entries();
        if entries.is_none() && !node.is_null() {
            self.diagnostics.push(codes::wrong_type(path, node.describe(), "a map", node.span));
        }
        entries
    }

    fn list<'n>(&mut self, path: &str, node: Option<&'n Node>) -> Vec<&'n Node> {
        match node {
            None => Vec::new(),
            Some(node) if node.is_null() => Vec::new(),
            Some(node) => {
                if let Some(items) = node.items() {
                    items.iter().collect()
                } else {
                    let found = codes::wrong_type(path, node.describe(), "a list", node.span);
                    self.diagnostics.push(found);
                    Vec::new()
                }
            }
        }
    }

    fn required(&mut self, path: &str, key: &str, node: &Node) -> Option<String> {
        let Some(value) = node.get(key).filter(|value| !value.is_null()) else {
            self.diagnostics.push(codes::missing_field(path, key, node.span));
            return None;
        };
        self.string(&codes::join(path, key), Some(value))
    }

    /// A text of our own: `y` and `1.30` stay what is written, as nobody means `true` and `1.3`.
    fn written(&mut self, path: &str, node: Option<&Node>) -> Option<String> {
        let read = self.string(path, node)?;
        let scalar = node.and_then(Node::scalar);
        Some(scalar.map_or(read, |scalar| scalar.value.to_string()))
    }

    fn string(&mut self, path: &str, node: Option<&Node>) -> Option<String> {
        self.placed_string(path, node).map(|(text, _)| text)
    }

    fn placed_string(&mut self, path: &str, node: Option<&Node>) -> Option<Placed<String>> {
        let node = node.filter(|node| !node.is_null())?;
        if let Some(text) = node.text() {
            Some((Cow::into_owned(text), node.span))
        } else {
            let found = codes::wrong_type(path, node.describe(), "a string", node.span);
            self.diagnostics.push(match node.entries() {
                Some(_) => found.note("a text with `: ` inside must stand in quotes"),
                None => found,
            });
            None
        }
    }
}

/// YAML makes a boolean of an unquoted `True`.
fn condition_status(status: String) -> String {
    match status.as_str() {
        "true" => "True".to_owned(),
        "false" => "False".to_owned(),
        _ => status,
    }
}
