//! Old documents in the shape of v1, edited in place so that comments and layout stay.

use dra_playground_cel::order::Order;

use crate::diagnostic::{Diagnostic, Fix, TextEdit};
use crate::yaml::{Node, Resolved, Scalar};

use super::super::codes;
use super::super::object::Kind;
use super::super::schema::{EXACT_REQUEST, Versions};
use super::relocate::remove;
use super::shapes::{Site, unwrap, wrap};

/// Says that an object is of an older version, and offers to convert it.
pub(super) fn offer(
    kind: Kind,
    api_version: &str,
    versions: Versions,
    root: &Node,
    text: &str,
) -> Option<Diagnostic> {
    let newest = kind.api_version();
    if versions == Versions::V1 || kind.group() != "resource.k8s.io" {
        return None;
    }
    // In an item of a list it may stand with the list alone.
    let version = root.get("apiVersion").filter(|version| !version.span.is_empty())?;
    let diagnostic = codes::beta_version(api_version, version.span);
    // The rule in v1 came later than the releases that most clusters run.
    if kind == Kind::DeviceTaintRule {
        return None;
    }
    // In JSON, and where somebody likes quotes, they stay.
    let written = version.span.text(text);
    let quote = written.chars().next().filter(|first| matches!(first, '"' | '\''));
    let quote = quote.map(String::from).unwrap_or_default();
    let new = format!("{quote}{newest}{quote}");
    let mut edits = vec![TextEdit { span: version.span, text: new }];
    let complete = versions != Versions::V1BETA1 || shape(kind, root, text, &mut edits);
    edits.order_by_key(|edit| edit.span);
    let disjoint = edits.windows(2).all(|pair| match pair {
        [a, b] => a.span.end <= b.span.start,
        _ => true,
    });
    if complete && disjoint {
        let title = format!("convert to `{newest}`");
        return Some(diagnostic.fix(Fix { title, edits, safe: true }));
    }
    Some(diagnostic)
}

/// The edits for flat requests and devices below `basic`; whether all could be made.
fn shape(kind: Kind, root: &Node, text: &str, edits: &mut Vec<TextEdit>) -> bool {
    let spec = root.get("spec");
    let list = |node: Option<&Node>, key: &str| -> Vec<Node> {
        let items = node.and_then(|node| node.get(key)).and_then(Node::items);
        items.unwrap_or_default().to_vec()
    };
    match kind {
        Kind::ResourceSlice => {
            // Empty and false mean absent in v1beta1, but are refused in v1.
            let empty = |value: &&Node| match value.scalar().map(Scalar::resolve) {
                Some(Resolved::Bool(false)) => true,
                Some(Resolved::String(text)) => text.is_empty(),
                _ => false,
            };
            let fields = ["nodeName", "allNodes"].into_iter();
            let values = fields.filter_map(|field| spec?.get(field)).filter(empty);
            edits
                .extend(values.map(|value| TextEdit { span: value.span, text: "null".to_owned() }));
            let devices = list(spec, "devices");
            devices.iter().all(|device| match device.entry("basic") {
                None => true,
                Some((key, value)) => {
                    let site = Site { parent: device, key, value, text };
                    let is_empty = value.is_null() || value.entries().is_some_and(<[_]>::is_empty);
                    let fix = if is_empty { remove(&site) } else { unwrap(&site) };
                    fix.map(|fix| edits.extend(fix.edits)).is_some()
                }
            })
        }
        Kind::ResourceClaim | Kind::ResourceClaimTemplate => {
            let spec = match kind {
                Kind::ResourceClaimTemplate => spec.and_then(|spec| spec.get("spec")),
                _ => spec,
            };
            let requests = list(spec.and_then(|spec| spec.get("devices")), "requests");
            let names: Vec<&str> = EXACT_REQUEST.fields.iter().map(|field| field.name).collect();
            requests.iter().all(|request| {
                let mut entries = request.entries().unwrap_or_default().iter();
                let flat = entries.find(|(key, _)| names.contains(&key.key_text().as_ref()));
                let Some((key, value)) = flat else { return true };
                let fix = wrap(&Site { parent: request, key, value, text }, &names, "exactly");
                fix.map(|fix| edits.extend(fix.edits)).is_some()
            })
        }
        Kind::DeviceClass
        | Kind::DeviceTaintRule
        | Kind::Pod
        | Kind::Node
        | Kind::Namespace
        | Kind::Scenario => true,
    }
}
