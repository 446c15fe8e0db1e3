//! The node plugins that run before devices are looked at, as far as a DRA scenario needs them.
//!
//! Upstream: the plugins `NodeUnschedulable`, `TaintToleration`, `NodeAffinity` and `NodeResourcesFit`, in
//! this order. A node without `status.allocatable` has room for everything.

use std::collections::{BTreeMap, BTreeSet};

use dra_playground_cel::order::Gather;

use crate::api::{Node, NodeTaint, Pod, PodToleration};
use crate::apimachinery::NodeSelectorOperator;
use crate::apimachinery::quantity::Quantity;
use crate::features::Behavior;

use super::attempt::Rejection;
use super::extended::{ClassResolver, is_extended_name, pod_requests};

/// The resources that are judged first, in this order.
const NATIVE: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];

/// The taint that a cordoned node has; source: `core/v1 TaintNodeUnschedulable`.
pub(crate) const CORDON_TAINT: &str = "node.kubernetes.io/unschedulable";

/// Why a node plugin refuses a node.
#[derive(Debug)]
pub(super) struct NodeRefusal {
    pub(super) rejection: Rejection,
    /// The plugin's words; several for short resources.
    pub(super) reasons: Vec<String>,
    /// Whether removing Pods from the node could help in principle.
    pub(super) resolvable: bool,
}

impl NodeRefusal {
    pub(super) fn of(rejection: Rejection, reason: &str) -> Self {
        Self { rejection, reasons: vec![reason.to_owned()], resolvable: false }
    }
}

/// What the plugins need to know of the Pod, gathered once for all nodes.
#[derive(Debug)]
pub(super) struct NodeFilters<'a> {
    pod: &'a Pod,
    requests: BTreeMap<String, Quantity>,
    used: &'a UsedByNode,
    resolver: Option<&'a ClassResolver>,
    taint_named: bool,
}

/// Requests and number of the Pods on each node.
#[derive(Clone, Debug, Default)]
pub(super) struct UsedByNode {
    nodes: BTreeMap<String, Used>,
}

#[derive(Clone, Debug, Default)]
struct Used {
    pods: i64,
    resources: BTreeMap<String, Quantity>,
}

impl UsedByNode {
    /// Sums up what runs where.
    pub(super) fn of<'p>(pods: impl IntoIterator<Item = &'p Pod>) -> Self {
        let mut used = Self::default();
        for pod in pods {
            if let Some(node) = pod.node_name.as_deref()
                && !is_terminal(pod)
            {
                used.add(node, pod);
            }
        }
        used
    }

    /// Adds a Pod to a node.
    pub(super) fn add(&mut self, node: &str, pod: &Pod) {
        let entry = match self.nodes.get_mut(node) {
            Some(entry) => entry,
            None => self.nodes.entry(node.to_owned()).or_default(),
        };
        entry.pods += 1;
        for (name, amount) in pod_requests(pod) {
            let known = entry.resources.get(&name);
            let sum = known.map_or_else(|| amount.clone(), |sum| sum.add(&amount));
            entry.resources.insert(name, sum);
        }
    }
}

impl<'a> NodeFilters<'a> {
    /// The resolver is absent while extended resources through classes are off.
    pub(super) fn new(
        used: &'a UsedByNode,
        pod: &'a Pod,
        resolver: Option<&'a ClassResolver>,
        behavior: &Behavior,
    ) -> Self {
        let taint_named = behavior.node_taint_named;
        Self { pod, requests: pod_requests(pod), used, resolver, taint_named }
    }

    /// The first plugin that refuses the node.
    pub(super) fn check(&self, node: &Node) -> Option<NodeRefusal> {
        self.unschedulable(node)
            .or_else(|| self.taints(node))
            .or_else(|| self.affinity(node))
            .or_else(|| self.resources(node))
    }

    fn unschedulable(&self, node: &Node) -> Option<NodeRefusal> {
        let tolerated = || {
            self.pod
                .tolerations
                .iter()
                .any(|toleration| pod_tolerates(toleration, CORDON_TAINT, "", "NoSchedule"))
        };
        (node.unschedulable && !tolerated())
            .then(|| NodeRefusal::of(Rejection::NodeUnschedulable, "node(s) were unschedulable"))
    }

    fn taints(&self, node: &Node) -> Option<NodeRefusal> {
        let untolerated = untolerated(self.pod, node)?;
        let reason = if self.taint_named {
            format!("node(s) had untolerated taint {{{}: {}}}", untolerated.key, untolerated.value)
        } else {
            "node(s) had untolerated taint(s)".to_owned()
        };
        Some(NodeRefusal::of(Rejection::NodeTaint, &reason))
    }

    fn affinity(&self, node: &Node) -> Option<NodeRefusal> {
        let labels = &node.metadata.labels;
        let selected =
            self.pod.node_selector.iter().all(|(key, value)| labels.get(key) == Some(value));
        let matched = self.pod.required_node_affinity.as_ref().is_none_or(|selector| {
            selector.matches_leniently(&node.metadata.name, labels).unwrap_or(false)
        });
        (!selected || !matched).then(|| {
            NodeRefusal::of(
                Rejection::NodeAffinity,
                "node(s) didn't match Pod's node affinity/selector",
            )
        })
    }

    fn resources(&self, node: &Node) -> Option<NodeRefusal> {
        let nothing = Used::default();
        let used = self.used.nodes.get(&node.metadata.name).unwrap_or(&nothing);
        let mut reasons = Vec::new();
        let mut resolvable = true;
        if let Some(limit) = node.allocatable.get("pods").map(Quantity::value_rounded_up)
            && used.pods.saturating_add(1) > limit
        {
            reasons.push("Too many pods".to_owned());
        }
        // UPSTREAM: extended resources come in random order.
        let named = |name: &&str| self.requests.get_key_value(*name);
        let first = NATIVE.iter().filter_map(named);
        let others = self.requests.iter().filter(|(name, _)| !NATIVE.contains(&name.as_str()));
        for (name, wanted) in first.chain(others) {
            if wanted.is_zero() || self.is_delegated(node, name) {
                continue;
            }
            let zero = Quantity::default();
            let total = match node.allocatable.get(name) {
                Some(total) => total,
                None if is_extended_name(name) => &zero,
                None => continue,
            };
            let left =
                used.resources.get(name).map_or_else(|| total.clone(), |used| total.sub(used));
            if wanted > &left {
                reasons.push(format!("Insufficient {name}"));
                resolvable &= wanted <= total;
            }
        }
        (!reasons.is_empty()).then_some(NodeRefusal {
            rejection: Rejection::NodeResources,
            reasons,
            resolvable,
        })
    }

    /// Whether devices are to satisfy a resource on the node.
    fn is_delegated(&self, node: &Node, resource: &str) -> bool {
        self.resolver.is_some_and(|resolver| {
            // UPSTREAM: 1.34 looks for classes only when a Pod wants what it knows as an extended
            // resource, and lets pass what it never looked up.
            let is_known = |(name, amount): (&String, &Quantity)| {
                !amount.is_zero() && resolver.is_extended(name)
            };
            let passes = resolver.is_plain
                && is_extended_name(resource)
                && !node.allocatable.contains_key(resource)
                && !self.requests.iter().any(is_known);
            passes || resolver.is_delegated(node, resource)
        })
    }
}

/// What PreFilter of `NodeAffinity` makes of terms that all name nodes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NamedNodes<'a> {
    /// Any node may do.
    Any,
    /// Only these are asked.
    Only(BTreeSet<&'a str>),
    /// The terms contradict themselves.
    Conflict,
}

/// The nodes to which required node affinity restricts a Pod by name.
pub(super) fn named_nodes(pod: &Pod) -> NamedNodes<'_> {
    let Some(selector) = &pod.required_node_affinity else { return NamedNodes::Any };
    if selector.terms.is_empty() {
        return NamedNodes::Any;
    }
    let mut all = BTreeSet::new();
    for term in &selector.terms {
        let mut of_term: Option<BTreeSet<&str>> = None;
        let by_name = term.match_fields.iter().filter(|field| {
            field.key == "metadata.name" && field.operator == NodeSelectorOperator::In
        });
        for field in by_name {
            let names: BTreeSet<&str> = field.values.iter().map(String::as_str).gathered();
            of_term = Some(match of_term {
                Some(known) => known.intersection(&names).copied().collect(),
                None => names,
            });
        }
        match of_term {
            Some(names) => all.extend(names),
            None => return NamedNodes::Any,
        }
    }
    if all.is_empty() { NamedNodes::Conflict } else { NamedNodes::Only(all) }
}

/// Whether a Pod has ended.
pub(crate) fn is_terminal(pod: &Pod) -> bool {
    matches!(pod.phase.as_str(), "Succeeded" | "Failed")
}

/// The first taint of a node that keeps a Pod away.
pub(crate) fn untolerated<'a>(pod: &Pod, node: &'a Node) -> Option<&'a NodeTaint> {
    let mut blocking = node.taints.iter().filter(|it| it.keeps_away());
    blocking.find(|taint| {
        let tolerates = |it| pod_tolerates(it, &taint.key, &taint.value, &taint.effect);
        !pod.tolerations.iter().any(tolerates)
    })
}

/// Whether a toleration of a Pod tolerates a taint of a node. Source: `core/v1 Toleration.ToleratesTaint`.
pub(crate) fn pod_tolerates(
    toleration: &PodToleration,
    key: &str,
    value: &str,
    effect: &str,
) -> bool {
    if !toleration.effect.is_empty() && toleration.effect != effect {
        return false;
    }
    if !toleration.key.is_empty() && toleration.key != key {
        return false;
    }
    match toleration.operator.as_str() {
        "" | "Equal" => toleration.value == value,
        "Exists" => true,
        _ => false,
    }
}
