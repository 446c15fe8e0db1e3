use std::borrow::Cow;

use crate::source::{LineIndex, Span};
use crate::yaml::{self, Node};

use super::super::ranges::range;
use super::super::report::{Edit, ObjectKey};

/// Kinds and names of what stands in a text, as far as it parses.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub entries: Vec<Entry>,
}

/// One object of a text.
#[derive(Debug)]
pub(super) struct Entry {
    pub kind: String,
    pub namespace: String,
    pub name: String,
    /// Its document.
    pub span: Span,
    pub root: Node,
    /// Whether it is an item of a list.
    pub in_list: bool,
}

impl Outline {
    pub(super) fn of(text: &str) -> Self {
        let mut outline = Self::default();
        for document in yaml::read(text).documents {
            if let Some(root) = document.root {
                outline.add(document.span, root, false);
            }
        }
        outline
    }

    fn add(&mut self, span: Span, root: Node, in_list: bool) {
        let has_items =
            root.get("kind").and_then(Node::text).is_some_and(|kind| kind.ends_with("List"));
        if has_items && let Some(items) = root.get("items").and_then(Node::items) {
            for item in items {
                self.add(item.span, item.clone(), true);
            }
            return;
        }
        let text_of = |node: Option<&Node>| {
            node.and_then(Node::text).map(Cow::into_owned).unwrap_or_default()
        };
        let metadata = root.get("metadata");
        self.entries.push(Entry {
            kind: text_of(root.get("kind")),
            namespace: text_of(metadata.and_then(|metadata| metadata.get("namespace"))),
            name: text_of(metadata.and_then(|metadata| metadata.get("name"))),
            span,
            root,
            in_list,
        });
    }

    /// Whether an object of that kind and name is there, in any namespace.
    pub(super) fn has(&self, kind: &str, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.kind == kind && entry.name == name)
    }

    /// The object of that kind, namespace and name; no namespace in the text means `default`.
    pub(super) fn find(&self, object: &ObjectKey) -> Option<&Entry> {
        let namespace = |name: &str| if name.is_empty() { "default" } else { name }.to_owned();
        self.entries.iter().find(|entry| {
            entry.kind == object.kind
                && entry.name == object.name
                && (object.namespace.is_empty()
                    || namespace(&entry.namespace) == namespace(&object.namespace))
        })
    }

    /// Whether a slice of that pool is there.
    pub(super) fn has_pool(&self, driver: &str, pool: &str) -> bool {
        let is = |node: Option<&Node>, text: &str| {
            node.and_then(Node::text).is_some_and(|found| found == text)
        };
        self.entries.iter().filter(|entry| entry.kind == "ResourceSlice").any(|entry| {
            let Some(spec) = entry.root.get("spec") else { return false };
            let name = spec.get("pool").and_then(|pool| pool.get("name"));
            is(spec.get("driver"), driver) && is(name, pool)
        })
    }
}

/// An edit that adds documents at the end.
pub(super) fn append(text: &str, lines: &LineIndex, documents: &[String]) -> Edit {
    let end = Span::at(text.len());
    let mut added = String::new();
    if !text.is_empty() && !text.ends_with('\n') {
        added.push('\n');
    }
    let ends_with_marker = text.trim_end().ends_with("---");
    if !text.trim().is_empty() && !ends_with_marker {
        added.push_str("---\n");
    }
    added.push_str(&documents.join("---\n"));
    Edit { range: range(lines, end), text: added }
}
