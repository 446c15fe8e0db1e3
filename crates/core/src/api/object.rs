use std::fmt;
use std::sync::Arc;

use crate::apimachinery::{ObjectMeta, ObjectRef};
use crate::source::{Origin, Span};
use crate::yaml::{self, Node as YamlNode, NodeKind};

use super::schema::{self, Struct, Versions};
use super::{
    DeviceClass, DeviceTaintRule, Namespace, Node, Pod, ResourceClaim, ResourceClaimTemplate,
    ResourceSlice,
};

/// The kinds that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `ResourceSlice` of `resource.k8s.io`.
    ResourceSlice,
    /// `DeviceClass` of `resource.k8s.io`.
    DeviceClass,
    /// `ResourceClaim` of `resource.k8s.io`.
    ResourceClaim,
    /// `ResourceClaimTemplate` of `resource.k8s.io`.
    ResourceClaimTemplate,
    /// `DeviceTaintRule` of `resource.k8s.io`.
    DeviceTaintRule,
    /// Core Pod.
    Pod,
    /// Core Node.
    Node,
    /// Core Namespace.
    Namespace,
    /// `dra-playground` Scenario.
    Scenario,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 9] = [
        Kind::ResourceSlice,
        Kind::DeviceClass,
        Kind::ResourceClaim,
        Kind::ResourceClaimTemplate,
        Kind::DeviceTaintRule,
        Kind::Pod,
        Kind::Node,
        Kind::Namespace,
        Kind::Scenario,
    ];

    /// The kind as written in YAML.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::ResourceSlice => "ResourceSlice",
            Kind::DeviceClass => "DeviceClass",
            Kind::ResourceClaim => "ResourceClaim",
            Kind::ResourceClaimTemplate => "ResourceClaimTemplate",
            Kind::DeviceTaintRule => "DeviceTaintRule",
            Kind::Pod => "Pod",
            Kind::Node => "Node",
            Kind::Namespace => "Namespace",
            Kind::Scenario => "Scenario",
        }
    }

    /// Whether objects of the kind live in a namespace.
    pub const fn is_namespaced(self) -> bool {
        matches!(self, Kind::ResourceClaim | Kind::ResourceClaimTemplate | Kind::Pod)
    }

    /// The API group; empty for the core group.
    pub const fn group(self) -> &'static str {
        match self {
            Kind::ResourceSlice
            | Kind::DeviceClass
            | Kind::ResourceClaim
            | Kind::ResourceClaimTemplate
            | Kind::DeviceTaintRule => "resource.k8s.io",
            Kind::Pod | Kind::Node | Kind::Namespace => "",
            Kind::Scenario => "dra-playground",
        }
    }

    /// The newest version that is read, as `apiVersion` has it.
    pub const fn api_version(self) -> &'static str {
        match self {
            Kind::Pod | Kind::Node | Kind::Namespace => "v1",
            Kind::Scenario => "dra-playground/v1",
            Kind::ResourceSlice
            | Kind::DeviceClass
            | Kind::ResourceClaim
            | Kind::ResourceClaimTemplate
            | Kind::DeviceTaintRule => "resource.k8s.io/v1",
        }
    }

    /// The table of its fields; `None` for scenarios.
    pub fn schema(self) -> Option<&'static Struct> {
        Some(match self {
            Kind::ResourceSlice => &schema::RESOURCE_SLICE,
            Kind::DeviceClass => &schema::DEVICE_CLASS,
            Kind::ResourceClaim => &schema::RESOURCE_CLAIM,
            Kind::ResourceClaimTemplate => &schema::RESOURCE_CLAIM_TEMPLATE,
            Kind::DeviceTaintRule => &schema::DEVICE_TAINT_RULE,
            Kind::Pod => &schema::POD,
            Kind::Node => &schema::NODE,
            Kind::Namespace => &schema::NAMESPACE,
            Kind::Scenario => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One object of the text.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its kind.
    pub kind: Kind,
    /// `apiVersion` as written.
    pub api_version: String,
    /// Its document, or its item of a list.
    pub span: Span,
    /// Number of its document among those of the text.
    pub document: usize,
    /// Where its fields are written.
    pub spans: FieldSpans,
    /// What it says.
    pub value: ObjectValue,
    /// Fields that the API server fills in.
    pub defaults: Vec<Defaulted>,
    /// Paths of fields that the API server drops, as v1 has them.
    pub dropped: Vec<String>,
    /// Whether the API server would refuse it.
    pub refused: bool,
    /// Why it would, with the field as the object's own version has it.
    pub refusals: Vec<Refusal>,
    /// The object of another kind that it was made from, e.g. `Deployment/web`.
    pub made_from: Option<ObjectRef>,
}

impl Object {
    /// Its metadata; `None` for scenarios.
    pub fn metadata(&self) -> Option<&ObjectMeta> {
        self.value.metadata()
    }

    /// Its name; empty for scenarios without one.
    pub fn name(&self) -> &str {
        self.metadata().map_or("", |metadata| &metadata.name)
    }

    /// Its namespace; empty for cluster-scoped kinds.
    pub fn namespace(&self) -> &str {
        self.metadata().map_or("", |metadata| &metadata.namespace)
    }

    /// Kind, namespace and name.
    pub fn key(&self) -> ObjectRef {
        ObjectRef {
            kind: self.kind.as_str().to_owned(),
            namespace: self.namespace().to_owned(),
            name: self.name().to_owned(),
        }
    }

    /// The place that stands for the object: its name, else its kind, else all of it.
    pub fn name_span(&self) -> Span {
        let spans = &self.spans;
        spans
            .get("metadata.name")
            .or_else(|| spans.get("metadata.generateName"))
            .or_else(|| spans.get("kind"))
            .map_or(self.span, |found| found.value)
    }
}

/// A reason to refuse an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The field, e.g. `spec.devices.requests[0].deviceClassName`.
    pub path: String,
    /// The API server's words, path included.
    pub text: String,
}

/// A field that the API server fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defaulted {
    /// The field, e.g. `spec.devices.requests[0].exactly.count`.
    pub path: String,
    /// Its value, as YAML writes it.
    pub value: String,
}

/// An object by kind.
#[derive(Clone, Debug)]
pub enum ObjectValue {
    /// A slice.
    ResourceSlice(Box<ResourceSlice>),
    /// A class.
    DeviceClass(Box<DeviceClass>),
    /// A claim.
    ResourceClaim(Box<ResourceClaim>),
    /// A template.
    ResourceClaimTemplate(Box<ResourceClaimTemplate>),
    /// A taint rule.
    DeviceTaintRule(Box<DeviceTaintRule>),
    /// A Pod.
    Pod(Box<Pod>),
    /// A node.
    Node(Box<Node>),
    /// A namespace.
    Namespace(Box<Namespace>),
    /// A scenario, read by the `scenario` module.
    Scenario(Arc<YamlNode>),
}

impl ObjectValue {
    /// The metadata; `None` for scenarios.
    pub fn metadata(&self) -> Option<&ObjectMeta> {
        Some(match self {
            Self::ResourceSlice(value) => &value.metadata,
            Self::DeviceClass(value) => &value.metadata,
            Self::ResourceClaim(value) => &value.metadata,
            Self::ResourceClaimTemplate(value) => &value.metadata,
            Self::DeviceTaintRule(value) => &value.metadata,
            Self::Pod(value) => &value.metadata,
            Self::Node(value) => &value.metadata,
            Self::Namespace(value) => &value.metadata,
            Self::Scenario(_) => return None,
        })
    }

    /// The metadata, to change it.
    pub fn metadata_mut(&mut self) -> Option<&mut ObjectMeta> {
        Some(match self {
            Self::ResourceSlice(value) => &mut value.metadata,
            Self::DeviceClass(value) => &mut value.metadata,
            Self::ResourceClaim(value) => &mut value.metadata,
            Self::ResourceClaimTemplate(value) => &mut value.metadata,
            Self::DeviceTaintRule(value) => &mut value.metadata,
            Self::Pod(value) => &mut value.metadata,
            Self::Node(value) => &mut value.metadata,
            Self::Namespace(value) => &mut value.metadata,
            Self::Scenario(_) => return None,
        })
    }
}

/// Where a field is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpan {
    /// Its key, or the whole item for an item of a list.
    pub key: Span,
    /// Its value.
    pub value: Span,
}

/// Finds fields of an object in the text by their v1 path.
///
/// Paths are those of API errors: `spec.devices.requests[0].exactly.count`, map keys in brackets:
/// `spec.devices[0].attributes[gpu.example.com/model].string`. In objects of v1beta1 the same paths
/// lead to the flat request and below `basic`.
#[derive(Clone, Debug)]
pub struct FieldSpans {
    root: Arc<YamlNode>,
    versions: Versions,
}

impl FieldSpans {
    pub(super) fn new(root: Arc<YamlNode>, versions: Versions) -> Self {
        Self { root, versions }
    }

    /// The object's tree.
    pub fn root(&self) -> &YamlNode {
        &self.root
    }

    /// The version that the object is written in.
    pub fn versions(&self) -> Versions {
        self.versions
    }

    /// Where a field is written; `None` when it is not.
    pub fn get(&self, path: &str) -> Option<FieldSpan> {
        let (found, complete) = self.walk(path);
        complete.then_some(found.1)
    }

    /// Where a field is written, or else the closest field above it that is.
    pub fn nearest(&self, path: &str) -> FieldSpan {
        let (found, _) = self.walk(path);
        found.1
    }

    /// What to mark when something is wrong with a field: a single value as it stands, the key of a
    /// list or map, and for a field that is not written the key of what it should be in.
    pub fn mark(&self, path: &str) -> Span {
        let ((node, found), _) = self.walk(path);
        let first = |node: &YamlNode| match &node.kind {
            NodeKind::Mapping(entries) => entries.first().map(|(key, _)| key.span),
            NodeKind::Scalar(_) | NodeKind::Sequence(_) => None,
        };
        match node.kind {
            NodeKind::Scalar(_) if !found.value.is_empty() => found.value,
            // An item of a list has no key of its own.
            NodeKind::Mapping(_) if found.key == found.value => first(node).unwrap_or(found.value),
            NodeKind::Scalar(_) | NodeKind::Sequence(_) | NodeKind::Mapping(_) => found.key,
        }
    }

    /// What a field holds.
    pub fn node(&self, path: &str) -> Option<&YamlNode> {
        let (found, complete) = self.walk(path);
        complete.then_some(found.0)
    }

    /// Maps offsets inside a text field (e.g. a CEL expression) to the scenario text.
    pub fn origin(&self, text: &str, path: &str) -> Option<Origin> {
        yaml::origin(text, self.node(path)?)
    }

    fn walk(&self, path: &str) -> ((&YamlNode, FieldSpan), bool) {
        let mut node: &YamlNode = &self.root;
        let mut found = FieldSpan { key: node.span, value: node.span };
        for segment in segments(path) {
            let next = step(node, segment).or_else(|| self.old_shape(node, segment));
            match next {
                Some((next, key)) => {
                    node = next;
                    found = FieldSpan { key, value: node.span };
                }
                // The flat request of v1beta1 stands for its `exactly`.
                None if segment == "exactly" && self.versions == Versions::V1BETA1 => {}
                None => return ((node, found), false),
            }
        }
        ((node, found), true)
    }

    /// Device fields below `basic`, as v1beta1 has them.
    fn old_shape<'a>(&self, node: &'a YamlNode, segment: &str) -> Option<(&'a YamlNode, Span)> {
        let old = self.versions == Versions::V1BETA1;
        step(node.get("basic").filter(|_| old)?, segment)
    }
}

/// Field names and the contents of brackets.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path;
    std::iter::from_fn(move || {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if rest.is_empty() {
            return None;
        }
        if let Some(inside) = rest.strip_prefix('[') {
            let end = inside.find(']').unwrap_or(inside.len());
            rest = inside.get(end + 1..).unwrap_or_default();
            return inside.get(..end);
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let segment = rest.get(..end);
        rest = rest.get(end..).unwrap_or_default();
        segment
    })
}

fn step<'a>(node: &'a YamlNode, segment: &str) -> Option<(&'a YamlNode, Span)> {
    match &node.kind {
        NodeKind::Mapping(_) => {
            let (key, value) = node.entry(segment)?;
            Some((value, key.span))
        }
        NodeKind::Sequence(items) => {
            let item = items.get(segment.parse::<usize>().ok()?)?;
            Some((item, item.span))
        }
        NodeKind::Scalar(_) => None,
    }
}
