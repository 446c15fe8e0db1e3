use std::borrow::Cow;
use std::sync::Arc;

use crate::source::Span;

use super::resolve::{Resolved, resolve};

/// A value of a document with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it is written; for an alias, where its anchor is.
    pub span: Span,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// A single value.
    Scalar(Scalar),
    /// A list.
    Sequence(Box<[Node]>),
    /// A map, in text order; keys are unique, merge keys are already merged.
    Mapping(Box<[(Node, Node)]>),
}

/// A single value as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// The text without quotes, escapes and folding; scalars that say the same share it.
    pub value: Arc<str>,
    /// How it is written.
    pub style: Style,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes, or with an explicit tag of a type that is not a string.
    Plain,
    /// A number, boolean or null of JSON text.
    Json,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
    /// Tagged as a string: `!!str 12`.
    Tagged,
}

impl Scalar {
    /// What Kubernetes makes of it.
    pub fn resolve(&self) -> Resolved<'_> {
        match self.style {
            Style::Plain | Style::Json => resolve(&self.value),
            Style::SingleQuoted
            | Style::DoubleQuoted
            | Style::Literal
            | Style::Folded
            | Style::Tagged => Resolved::String(&self.value),
        }
    }
}

impl Node {
    /// A map without entries, to stand in for an absent one.
    pub fn empty() -> Self {
        Self { span: Span::default(), kind: NodeKind::Mapping(Box::default()) }
    }

    /// Whether another one says the same in the same way, wherever it is written.
    pub fn is_like(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (NodeKind::Scalar(a), NodeKind::Scalar(b)) => a == b,
            (NodeKind::Sequence(a), NodeKind::Sequence(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_like(b))
            }
            (NodeKind::Mapping(a), NodeKind::Mapping(b)) => {
                let alike = |((key, value), (other_key, other)): (&(Self, Self), &(Self, Self))| {
                    key.is_like(other_key) && value.is_like(other)
                };
                a.len() == b.len() && a.iter().zip(b).all(alike)
            }
            _ => false,
        }
    }

    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<&Scalar> {
        match &self.kind {
            NodeKind::Scalar(scalar) => Some(scalar),
            NodeKind::Sequence(_) | NodeKind::Mapping(_) => None,
        }
    }

    /// The items, if it is a list.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            NodeKind::Sequence(items) => Some(items),
            NodeKind::Scalar(_) | NodeKind::Mapping(_) => None,
        }
    }

    /// The entries, if it is a map.
    pub fn entries(&self) -> Option<&[(Node, Node)]> {
        match &self.kind {
            NodeKind::Mapping(entries) => Some(entries),
            NodeKind::Scalar(_) | NodeKind::Sequence(_) => None,
        }
    }

    /// Whether it is null: absent, for Kubernetes.
    pub fn is_null(&self) -> bool {
        self.scalar().is_some_and(|scalar| scalar.resolve() == Resolved::Null)
    }

    /// The entry of a map by key.
    pub fn entry(&self, key: &str) -> Option<&(Node, Node)> {
        self.entries()?.iter().find(|(node, _)| match node.scalar().map(Scalar::resolve) {
            Some(Resolved::String(text)) => text == key,
            _ => node.key_text() == key,
        })
    }

    /// The value of a map by key; null counts as a value.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, value)| value)
    }

    /// The text of a scalar as Kubernetes gives it to a string; `None` for null and collections.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        self.scalar()?.resolve().into_text()
    }

    /// The key as Kubernetes reads it: `on` as a key is `true`. Empty for collections and null.
    pub fn key_text(&self) -> Cow<'_, str> {
        self.text().unwrap_or_default()
    }

    /// What a sentence calls it: `a string`, `a list`.
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            NodeKind::Scalar(scalar) => match scalar.resolve() {
                Resolved::Null => "nothing",
                Resolved::Bool(_) => "a boolean",
                Resolved::Float(value) if value.fract() != 0.0 => "a fraction",
                Resolved::Int(_) | Resolved::Uint(_) | Resolved::Float(_) => "a number",
                Resolved::String(_) => "a string",
            },
            NodeKind::Sequence(_) => "a list",
            NodeKind::Mapping(_) => "a map",
        }
    }

    /// The value as JSON, for fields that carry any shape.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value;
        match &self.kind {
            NodeKind::Scalar(scalar) => scalar.resolve().into_json(),
            NodeKind::Sequence(items) => Value::Array(items.iter().map(Node::to_json).collect()),
            NodeKind::Mapping(entries) => Value::Object(
                entries
                    .iter()
                    .map(|(key, value)| (key.key_text().into_owned(), value.to_json()))
                    .collect(),
            ),
        }
    }
}
