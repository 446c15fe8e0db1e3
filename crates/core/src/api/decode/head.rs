//! Which kind of object a document is.

use crate::diagnostic::{Diagnostic, Fix, did_you_mean};
use crate::source::Span;
use crate::yaml::{Node, NodeKind, Scalar, Style};

use super::super::object::Kind;
use super::super::schema::Versions;
use super::codes;
use super::workload::Workload;

const DRA_GROUP: &str = "resource.k8s.io";

/// What a document is.
pub(super) enum Head {
    /// An object of a kind that is read.
    Object { kind: Kind, api_version: String, node: Node },
    /// A workload that stands for Pods.
    Workload { workload: Workload, kind: String, api_version: String, node: Node },
    /// A list of objects.
    List(Vec<Node>),
    /// Nothing that is read; said why.
    Nothing,
}

/// The versions whose fields an object of this `apiVersion` has.
pub fn versions_of(api_version: &str) -> Versions {
    match api_version {
        "resource.k8s.io/v1beta1" => Versions::V1BETA1,
        "resource.k8s.io/v1beta2" => Versions::V1BETA2,
        "resource.k8s.io/v1alpha3" => Versions::V1ALPHA3,
        _ => Versions::V1,
    }
}

/// Looks at `apiVersion` and `kind`.
pub(super) fn read(node: Node, minor: u8, diagnostics: &mut Vec<Diagnostic>) -> Head {
    let Some(entries) = node.entries() else {
        if let NodeKind::Sequence(items) = node.kind {
            // A bare list of objects is what `items:` of a dump looks like without its frame.
            if items.iter().any(|item| item.get("kind").is_some()) {
                return Head::List(items.into());
            }
            let node = Node { span: node.span, kind: NodeKind::Sequence(Box::default()) };
            diagnostics.push(codes::not_an_object(&node));
        } else if !node.is_null() {
            diagnostics.push(codes::not_an_object(&node));
        }
        return Head::Nothing;
    };
    let text = |key: &str| node.get(key).and_then(Node::text).unwrap_or_default().into_owned();
    let (kind, api_version) = (text("kind"), text("apiVersion"));
    let is_list = node.get("items").is_some_and(|items| items.items().is_some())
        && (kind.is_empty() || kind.ends_with("List"));
    if is_list {
        return list(node, kind.strip_suffix("List").unwrap_or_default(), &api_version);
    }
    let missing = match (api_version.is_empty(), kind.is_empty()) {
        (true, true) => Some("`apiVersion` and `kind`"),
        (true, false) => Some("`apiVersion`"),
        (false, true) => Some("`kind`"),
        (false, false) => None,
    };
    if let Some(missing) = missing {
        let span = entries.first().map_or(node.span, |(key, _)| key.span);
        let diagnostic = codes::missing_kind(missing, span);
        diagnostics.push(suggest_version(diagnostic, &kind, &api_version, &node, minor));
        return Head::Nothing;
    }
    let span = |key: &str| node.get(key).map_or(node.span, |value| value.span);
    let name = node.get("metadata").and_then(|metadata| metadata.get("name"));
    let name = name.and_then(Node::text).unwrap_or_default().into_owned();
    let (kind_span, version_span) = (span("kind"), span("apiVersion"));
    match classify(&kind, &api_version, minor) {
        Class::Read(kind) => {
            if kind == Kind::DeviceTaintRule && !has_rules_in(&api_version, minor) {
                let right = newest(kind, minor);
                let fix = Fix::new(format!("write `{right}`"), version_span, right, true);
                let diagnostic = codes::later_version(kind, &api_version, &name, version_span);
                diagnostics.push(diagnostic.note(format!("it is in `{right}`")).fix(fix));
            }
            return Head::Object { kind, api_version, node };
        }
        Class::Workload(workload) => return Head::Workload { workload, kind, api_version, node },
        Class::Foreign => {
            let diagnostic = codes::skipped_kind(&kind, kind_span);
            diagnostics.push(if has_containers(&node) {
                diagnostic.note("it makes Pods, but only its controller knows which")
            } else {
                diagnostic
            });
        }
        Class::OldVersion => {
            let diagnostic = codes::old_api_version(&kind, &api_version, &name, version_span);
            diagnostics.push(diagnostic);
        }
        Class::WrongVersion(right) => {
            let diagnostic = codes::unknown_kind(&kind, &api_version, &name, version_span);
            let fix = Fix::new(format!("write `{right}`"), version_span, right, true);
            diagnostics.push(diagnostic.note(format!("it is in `{right}`")).fix(fix));
        }
        Class::WrongKind(right) => {
            let mut diagnostic = codes::unknown_kind(&kind, &api_version, &name, kind_span);
            if let Some(right) = right {
                diagnostic = diagnostic.propose(right, right, kind_span, true);
            }
            diagnostics.push(diagnostic);
        }
    }
    Head::Nothing
}

/// The items of a list; `kind` and version are those of items that do not say it themselves.
fn list(node: Node, kind: &str, api_version: &str) -> Head {
    let NodeKind::Mapping(entries) = node.kind else {
        return Head::Nothing;
    };
    let items = entries.into_iter().find(|(key, _)| key.key_text() == "items");
    let Some(NodeKind::Sequence(mut items)) = items.map(|(_, value)| value.kind) else {
        return Head::Nothing;
    };
    // UPSTREAM: the API server leaves both out of the items of a typed list.
    for item in items.iter_mut().filter(|_| !kind.is_empty()) {
        let at = Span { start: item.span.start, end: item.span.start };
        let text = |value: &str| Node {
            span: at,
            kind: NodeKind::Scalar(Scalar { value: value.into(), style: Style::Tagged }),
        };
        match &mut item.kind {
            NodeKind::Mapping(entries)
                if entries.iter().all(|(key, _)| {
                    let key = key.key_text();
                    key != "kind" && key != "apiVersion"
                }) =>
            {
                let said = [("apiVersion", api_version), ("kind", kind)];
                let said = said.map(|(key, value)| (text(key), text(value)));
                *entries = std::mem::take(entries).into_iter().chain(said).collect();
            }
            NodeKind::Mapping(_) | NodeKind::Sequence(_) | NodeKind::Scalar(_) => {}
        }
    }
    Head::List(items.into())
}

enum Class {
    Read(Kind),
    Workload(Workload),
    Foreign,
    OldVersion,
    WrongVersion(&'static str),
    WrongKind(Option<&'static str>),
}

fn classify(kind: &str, api_version: &str, minor: u8) -> Class {
    if let Some(workload) = Workload::of(kind, api_version) {
        return Class::Workload(workload);
    }
    let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
    let known = Kind::ALL.into_iter().find(|known| known.as_str() == kind);
    match known {
        Some(known) if known.group() == group => {
            let versions: &[&str] = match known {
                Kind::DeviceTaintRule => &["v1", "v1beta2", "v1alpha3"],
                _ if group == DRA_GROUP => &["v1", "v1beta2", "v1beta1"],
                _ => &["v1"],
            };
            match version {
                version if versions.contains(&version) => Class::Read(known),
                "v1alpha1" | "v1alpha2" | "v1alpha3" if group == DRA_GROUP => Class::OldVersion,
                _ => Class::WrongVersion(newest(known, minor)),
            }
        }
        // Another group may well have a kind of the same name, but not one of these.
        Some(known) if known.group() == DRA_GROUP || group.is_empty() => {
            Class::WrongVersion(newest(known, minor))
        }
        Some(_) => Class::Foreign,
        None if group == DRA_GROUP => match kind {
            "ResourceClass"
            | "ResourceClassParameters"
            | "ResourceClaimParameters"
            | "PodSchedulingContext"
            | "PodScheduling" => Class::OldVersion,
            "ResourcePoolStatusRequest" | "DeviceTaint" => Class::Foreign,
            _ => Class::WrongKind(close_kind(kind)),
        },
        None if group == "dra-playground" => Class::WrongKind(Some("Scenario")),
        None => match close_kind(kind).filter(|_| group.is_empty()) {
            Some(close) if close.eq_ignore_ascii_case(kind) => Class::WrongKind(Some(close)),
            _ => Class::Foreign,
        },
    }
}

/// Whether a release has `DeviceTaintRule` in a version.
fn has_rules_in(api_version: &str, minor: u8) -> bool {
    match versions_of(api_version) {
        Versions::V1 => minor >= 37,
        Versions::V1BETA2 => minor >= 36,
        _ => true,
    }
}

/// The newest version of a kind that a release has.
fn newest(kind: Kind, minor: u8) -> &'static str {
    match kind {
        Kind::DeviceTaintRule if minor < 36 => "resource.k8s.io/v1alpha3",
        Kind::DeviceTaintRule if minor < 37 => "resource.k8s.io/v1beta2",
        _ => kind.api_version(),
    }
}

/// Whether there is a Pod template somewhere inside. Depth is bounded by the reader.
fn has_containers(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Scalar(_) => false,
        NodeKind::Sequence(items) => items.iter().any(has_containers),
        NodeKind::Mapping(entries) => entries
            .iter()
            .any(|(key, value)| key.key_text() == "containers" || has_containers(value)),
    }
}

fn close_kind(kind: &str) -> Option<&'static str> {
    did_you_mean(kind, Kind::ALL.into_iter().map(Kind::as_str))
}

/// A missing `apiVersion` is clear from the kind.
fn suggest_version(
    diagnostic: Diagnostic,
    kind: &str,
    api_version: &str,
    node: &Node,
    minor: u8,
) -> Diagnostic {
    let known = Kind::ALL.into_iter().find(|known| known.as_str() == kind);
    match known {
        Some(known) if api_version.is_empty() => {
            let line = format!("apiVersion: {}\n", newest(known, minor));
            let at = Span { start: node.span.start, end: node.span.start };
            let title = format!("insert `{}`", line.trim_end());
            // Only a block map takes a line of its own.
            let block = node.entries().and_then(|entries| entries.first());
            match block {
                Some((key, _)) if key.span.start == node.span.start => {
                    diagnostic.fix(Fix::new(title, at, line, true))
                }
                _ => diagnostic,
            }
        }
        _ => diagnostic,
    }
}
