//! Laws of reading: any text returns, with spans inside the text.

use dra_playground_core::api::{self, check, validate};
use dra_playground_core::diagnostic::{self, Diagnostic, render};
use dra_playground_core::features::{Gates, Release};
use dra_playground_core::source::{LineIndex, Span};
use dra_playground_core::yaml::{self, Node, NodeKind};

/// YAML to nodes, and what they are as JSON.
pub(crate) fn yaml(bytes: &[u8]) {
    let text = crate::text(bytes);
    read_nodes(&text);
    for document in yaml::read(&text).documents {
        let Some(root) = document.root else { continue };
        let json = root.to_json();
        // A map with two keys that read alike has no JSON of its own.
        if let Ok(again) = yaml::parse_json(&json.to_string()) {
            assert_eq!(again.to_json(), json, "{text:?}");
        }
    }
}

/// Documents to objects, and what the API server and the cross-checks say of them.
pub(crate) fn documents(bytes: &[u8]) {
    let text = crate::text(bytes);
    assert_eq!(read_all(&text), read_all(&text), "{text:?}");
}

/// Whether a span lies inside a text, at the boundaries of characters.
pub fn inside(text: &str, span: Span) -> bool {
    text.get(span.start as usize..span.end as usize).is_some()
}

fn nodes_inside(text: &str, node: &Node) -> bool {
    inside(text, node.span)
        && match &node.kind {
            NodeKind::Scalar(scalar) => {
                // Every character of the value is written somewhere in the scalar.
                yaml::origin(text, node).is_some_and(|origin| {
                    scalar.value.char_indices().all(|(at, c)| {
                        let span = origin.span(at, at + c.len_utf8());
                        inside(text, span)
                    })
                })
            }
            NodeKind::Sequence(items) => items.iter().all(|item| nodes_inside(text, item)),
            NodeKind::Mapping(entries) => {
                entries.iter().all(|(k, v)| nodes_inside(text, k) && nodes_inside(text, v))
            }
        }
}

fn read_nodes(text: &str) {
    for document in yaml::read(text).documents {
        assert!(inside(text, document.span), "{text:?}");
        if let Some(root) = &document.root {
            assert!(nodes_inside(text, root), "{text:?}\n{root:?}");
        }
    }
}

/// Everything that reading does with a text.
///
/// # Panics
///
/// When a law is broken.
pub fn read_all(text: &str) -> Vec<Diagnostic> {
    read_nodes(text);
    let mut read = api::read(text);
    let gates = Gates::defaults(Release::DEFAULT);
    let rules = validate::Rules::new(&gates, &|_| None, &read.objects);
    let mut diagnostics = std::mem::take(&mut read.diagnostics);
    diagnostics.extend(validate::check(&mut read.objects, &rules));
    diagnostics.extend(check::check(text, &read.objects, &[]));
    diagnostic::look_alikes(text, &mut diagnostics);
    let index = LineIndex::new(text);
    for diagnostic in &diagnostics {
        assert!(inside(text, diagnostic.primary.span), "{text:?}\n{diagnostic:?}");
        assert!(!render(diagnostic, "text", text, &index).is_empty());
        for label in &diagnostic.secondary {
            assert!(inside(text, label.span), "{text:?}\n{diagnostic:?}");
        }
        for fix in &diagnostic.fixes {
            let mut end = 0;
            for edit in &fix.edits {
                assert!(inside(text, edit.span), "{text:?}\n{diagnostic:?}");
                assert!(edit.span.start >= end, "edits overlap: {text:?}\n{diagnostic:?}");
                end = edit.span.end;
            }
            let _ = fix.apply(text);
        }
    }
    diagnostics
}
