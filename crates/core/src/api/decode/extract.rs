//! Values out of nodes, leniently: what is missing or wrong gives the empty value, since `check` has
//! already said so.

use std::collections::BTreeMap;

use crate::apimachinery::quantity::Quantity;
use crate::apimachinery::{
    Condition, NodeSelector, NodeSelectorOperator, NodeSelectorRequirement, NodeSelectorTerm,
    ObjectMeta, OwnerReference,
};
use crate::yaml::{Node, Resolved};

pub(super) fn string(node: &Node, key: &str) -> String {
    opt_string(node, key).unwrap_or_default()
}

pub(super) fn opt_string(node: &Node, key: &str) -> Option<String> {
    Some(node.get(key)?.text()?.into_owned())
}

pub(super) fn opt_bool(node: &Node, key: &str) -> Option<bool> {
    as_bool(node.get(key)?)
}

fn as_bool(node: &Node) -> Option<bool> {
    match node.scalar()?.resolve() {
        Resolved::Bool(value) => Some(value),
        Resolved::Null
        | Resolved::Int(_)
        | Resolved::Uint(_)
        | Resolved::Float(_)
        | Resolved::String(_) => None,
    }
}

pub(super) fn opt_int(node: &Node, key: &str) -> Option<i64> {
    node.get(key)?.scalar()?.resolve().as_int()
}

pub(super) fn int(node: &Node, key: &str) -> i64 {
    opt_int(node, key).unwrap_or_default()
}

pub(super) fn items<'a>(node: &'a Node, key: &str) -> &'a [Node] {
    node.get(key).and_then(Node::items).unwrap_or_default()
}

/// A list; `None` when it is absent or null, since some empty lists mean something.
pub(super) fn opt_list<T>(
    node: &Node,
    key: &str,
    item: impl Fn(&Node) -> Option<T>,
) -> Option<Vec<T>> {
    Some(node.get(key)?.items()?.iter().filter_map(item).collect())
}

pub(super) fn opt_strings(node: &Node, key: &str) -> Option<Vec<String>> {
    opt_list(node, key, |item| Some(item.text().unwrap_or_default().into_owned()))
}

pub(super) fn strings(node: &Node, key: &str) -> Vec<String> {
    opt_strings(node, key).unwrap_or_default()
}

pub(super) fn opt_ints(node: &Node, key: &str) -> Option<Vec<i64>> {
    opt_list(node, key, |item| Some(item.scalar()?.resolve().as_int().unwrap_or_default()))
}

pub(super) fn opt_bools(node: &Node, key: &str) -> Option<Vec<bool>> {
    opt_list(node, key, |item| Some(as_bool(item).unwrap_or_default()))
}

pub(super) fn map<'a>(node: &'a Node, key: &str) -> impl Iterator<Item = (String, &'a Node)> {
    let entries = node.get(key).and_then(Node::entries).unwrap_or_default();
    entries.iter().map(|(key, value)| (key.key_text().into_owned(), value))
}

pub(super) fn string_map(node: &Node, key: &str) -> BTreeMap<String, String> {
    map(node, key)
        .map(|(key, value)| (key, value.text().unwrap_or_default().into_owned()))
        .collect()
}

/// The text that a quantity is parsed from; `None` for what is no quantity at all.
pub(in crate::api) fn quantity_text(node: &Node) -> Option<String> {
    let scalar = node.scalar()?;
    match scalar.resolve() {
        Resolved::Null => Some("0".to_owned()),
        Resolved::Bool(_) => None,
        Resolved::String(text) => Some(text.trim().to_owned()).filter(|t| t == text),
        number @ (Resolved::Int(_) | Resolved::Uint(_) | Resolved::Float(_)) => {
            number.number_text()
        }
    }
}

/// Reads quantities as they are, or as the API server hands them out again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quantities {
    pub(super) canonical: bool,
}

impl Quantities {
    pub(super) fn read(self, node: &Node) -> Quantity {
        self.stored(quantity_text(node).and_then(|text| text.parse().ok()).unwrap_or_default())
    }

    fn stored(self, parsed: Quantity) -> Quantity {
        if self.canonical { parsed.to_string().parse().unwrap_or(parsed) } else { parsed }
    }

    /// Amounts of cpu and the like, which the server keeps in thousandths.
    ///
    /// Source: `pkg/apis/core/v1 SetDefaults_ResourceList`.
    pub(super) fn resources(self, node: &Node, key: &str) -> BTreeMap<String, Quantity> {
        let mut amounts = self.map(node, key);
        if self.canonical {
            for amount in amounts.values_mut() {
                *amount = self.stored(std::mem::take(amount).rounded_to_millis());
            }
        }
        amounts
    }

    pub(super) fn opt(self, node: &Node, key: &str) -> Option<Quantity> {
        node.get(key).filter(|value| !value.is_null()).map(|value| self.read(value))
    }

    pub(super) fn map(self, node: &Node, key: &str) -> BTreeMap<String, Quantity> {
        map(node, key).map(|(key, value)| (key, self.read(value))).collect()
    }
}

pub(super) fn metadata(node: &Node, key: &str) -> ObjectMeta {
    let Some(node) = node.get(key) else {
        return ObjectMeta::default();
    };
    let owner = |owner: &Node| OwnerReference {
        api_version: string(owner, "apiVersion"),
        kind: string(owner, "kind"),
        name: string(owner, "name"),
        uid: string(owner, "uid"),
        controller: opt_bool(owner, "controller").unwrap_or_default(),
    };
    ObjectMeta {
        name: string(node, "name"),
        namespace: string(node, "namespace"),
        uid: string(node, "uid"),
        labels: string_map(node, "labels"),
        annotations: string_map(node, "annotations"),
        creation_timestamp: opt_string(node, "creationTimestamp"),
        deletion_timestamp: opt_string(node, "deletionTimestamp"),
        finalizers: strings(node, "finalizers"),
        owner_references: items(node, "ownerReferences").iter().map(owner).collect(),
    }
}

pub(super) fn condition(node: &Node) -> Condition {
    Condition {
        type_: string(node, "type"),
        status: string(node, "status"),
        reason: string(node, "reason"),
        message: string(node, "message"),
        last_transition_time: opt_string(node, "lastTransitionTime"),
    }
}

pub(super) fn node_selector(node: &Node, key: &str) -> Option<NodeSelector> {
    let node = node.get(key).filter(|value| value.entries().is_some())?;
    let term = |term: &Node| NodeSelectorTerm {
        match_expressions: items(term, "matchExpressions").iter().map(requirement).collect(),
        match_fields: items(term, "matchFields").iter().map(requirement).collect(),
    };
    Some(NodeSelector { terms: items(node, "nodeSelectorTerms").iter().map(term).collect() })
}

fn requirement(node: &Node) -> NodeSelectorRequirement {
    let operator = string(node, "operator");
    NodeSelectorRequirement {
        key: string(node, "key"),
        operator: match operator.as_str() {
            "In" => NodeSelectorOperator::In,
            "NotIn" => NodeSelectorOperator::NotIn,
            "Exists" => NodeSelectorOperator::Exists,
            "DoesNotExist" => NodeSelectorOperator::DoesNotExist,
            "Gt" => NodeSelectorOperator::Gt,
            "Lt" => NodeSelectorOperator::Lt,
            _ => NodeSelectorOperator::Other(operator),
        },
        values: strings(node, "values"),
    }
}
