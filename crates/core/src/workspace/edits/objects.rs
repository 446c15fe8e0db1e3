use crate::source::LineIndex;

use super::super::report::Edit;
use super::inventory::{DRIVER, NODE};
use super::outline::{Outline, append};

/// A kind of object that can be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InsertKind {
    /// A Pod with a claim template of the text.
    Pod,
    /// A claim for one device.
    ResourceClaim,
    /// A template for such claims.
    ResourceClaimTemplate,
    /// A class.
    DeviceClass,
    /// A slice with one device.
    ResourceSlice,
    /// A node.
    Node,
    /// A namespace.
    Namespace,
    /// A rule that taints one device.
    DeviceTaintRule,
    /// A scenario document.
    Scenario,
}

impl InsertKind {
    /// All of them, in the order of a menu.
    pub const ALL: [InsertKind; 9] = [
        Self::Pod,
        Self::ResourceClaim,
        Self::ResourceClaimTemplate,
        Self::DeviceClass,
        Self::ResourceSlice,
        Self::Node,
        Self::Namespace,
        Self::DeviceTaintRule,
        Self::Scenario,
    ];

    /// The kind as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pod => "Pod",
            Self::ResourceClaim => "ResourceClaim",
            Self::ResourceClaimTemplate => "ResourceClaimTemplate",
            Self::DeviceClass => "DeviceClass",
            Self::ResourceSlice => "ResourceSlice",
            Self::Node => "Node",
            Self::Namespace => "Namespace",
            Self::DeviceTaintRule => "DeviceTaintRule",
            Self::Scenario => "Scenario",
        }
    }
}

/// Adds an object to the end of the text, filled with names that the text has.
pub fn insert_object(text: &str, kind: InsertKind) -> Vec<Edit> {
    let outline = Outline::of(text);
    vec![append(text, &LineIndex::new(text), &[Draft { outline: &outline }.object(kind)])]
}

struct Draft<'a> {
    outline: &'a Outline,
}

impl Draft<'_> {
    fn object(&self, kind: InsertKind) -> String {
        let name = |stem: &str| self.free_name(kind.name(), stem);
        let class = || self.first("DeviceClass", DRIVER);
        let node = || self.first("Node", NODE);
        let dra = |kind: &str| format!("apiVersion: resource.k8s.io/v1\nkind: {kind}\n");
        match kind {
            InsertKind::Pod => format!(
                "apiVersion: v1\nkind: Pod\nmetadata:\n{}  name: {}\nspec:\n  containers:\n  - name: \
                 ctr\n    image: ubuntu:22.04\n    command: [\"sleep\", \"9999\"]\n    resources:\n      \
                 claims:\n      - name: gpu\n  resourceClaims:\n  - name: gpu\n    \
                 resourceClaimTemplateName: {}\n",
                self.namespace_line(),
                name("pod"),
                self.first("ResourceClaimTemplate", "single-gpu"),
            ),
            InsertKind::ResourceClaim => format!(
                "{}metadata:\n{}  name: {}\nspec:\n{}",
                dra("ResourceClaim"),
                self.namespace_line(),
                name("claim"),
                requests("  ", &class()),
            ),
            InsertKind::ResourceClaimTemplate => format!(
                "{}metadata:\n{}  name: {}\nspec:\n  spec:\n{}",
                dra("ResourceClaimTemplate"),
                self.namespace_line(),
                name("single-gpu"),
                requests("    ", &class()),
            ),
            InsertKind::DeviceClass => {
                let name = name(DRIVER);
                format!(
                    "{}metadata:\n  name: {name}\nspec:\n  selectors:\n  - cel:\n      expression: \
                     \"device.driver == '{DRIVER}'\"\n",
                    dra("DeviceClass")
                )
            }
            InsertKind::ResourceSlice => {
                let node = node();
                let name = name(&format!("{node}-slice"));
                format!(
                    "{}metadata:\n  name: {name}\nspec:\n  driver: {DRIVER}\n  nodeName: {node}\n  \
                     pool:\n    name: {name}\n    generation: 1\n    resourceSliceCount: 1\n  \
                     devices:\n  - name: gpu-0\n    attributes:\n      index: {{int: 0}}\n    \
                     capacity:\n      memory: {{value: 80Gi}}\n",
                    dra("ResourceSlice")
                )
            }
            InsertKind::Node => {
                let name = name("node");
                format!(
                    "apiVersion: v1\nkind: Node\nmetadata:\n  name: {name}\n  labels:\n    \
                     kubernetes.io/hostname: {name}\n"
                )
            }
            InsertKind::Namespace => {
                format!(
                    "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {}\n",
                    name("gpu-test")
                )
            }
            InsertKind::DeviceTaintRule => format!(
                "apiVersion: resource.k8s.io/v1beta2\nkind: DeviceTaintRule\nmetadata:\n  name: \
                 {}\nspec:\n  deviceSelector:\n    driver: {DRIVER}\n    pool: {}\n    device: gpu-0\n  \
                 taint:\n    key: example.com/unhealthy\n    value: \"true\"\n    effect: NoSchedule\n",
                name("unhealthy"),
                node(),
            ),
            InsertKind::Scenario => format!(
                "apiVersion: dra-playground/v1\nkind: Scenario\nmetadata:\n  name: {}\nspec:\n  title: \
                 A scenario\n  steps: []\n",
                name("scenario")
            ),
        }
    }

    /// The name of the first object of a kind, or a fallback.
    fn first(&self, kind: &str, fallback: &str) -> String {
        let named = self.outline.entries.iter().find(|entry| entry.kind == kind);
        named
            .map(|entry| entry.name.clone())
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| fallback.to_owned())
    }

    /// `stem`, or `stem2`, `stem3` when it is taken.
    fn free_name(&self, kind: &str, stem: &str) -> String {
        let mut name = stem.to_owned();
        let mut number = 1;
        while self.outline.has(kind, &name) {
            number += 1;
            name = format!("{stem}{number}");
        }
        name
    }

    /// The namespace in which the text's templates and Pods live; nothing for the default one.
    fn namespace_line(&self) -> String {
        let used = self.outline.entries.iter().find(|entry| !entry.namespace.is_empty());
        used.map(|entry| format!("  namespace: {}\n", entry.namespace)).unwrap_or_default()
    }
}

fn requests(pad: &str, class: &str) -> String {
    format!(
        "{pad}devices:\n{pad}  requests:\n{pad}  - name: gpu\n{pad}    exactly:\n{pad}      \
         deviceClassName: {class}\n"
    )
}
