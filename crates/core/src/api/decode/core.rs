use crate::yaml::Node;

use super::super::{
    Container, ContainerClaim, Namespace, Node as NodeObject, NodeTaint, Pod, PodResourceClaim,
    PodResourceClaimStatus, PodToleration,
};
use super::Defaulted;
use super::extract::{
    Quantities, items, metadata, node_selector, opt_bool, opt_int, opt_string, string, string_map,
    strings,
};

/// Reads a Pod whose spec is at `spec` of `root`.
pub(super) fn pod(
    root: &Node,
    quantities: Quantities,
    mut defaults: Option<&mut Vec<Defaulted>>,
) -> Pod {
    let empty = Node::empty();
    let spec = root.get("spec").unwrap_or(&empty);
    let status = root.get("status").unwrap_or(&empty);
    let affinity = spec.get("affinity").and_then(|affinity| affinity.get("nodeAffinity"));
    let mut containers = |key: &str| -> Vec<Container> {
        let nodes = items(spec, key).iter().enumerate();
        nodes
            .map(|(idx, node)| {
                let path = format!("spec.{key}[{idx}]");
                container(node, quantities, &path, defaults.as_deref_mut())
            })
            .collect()
    };
    let resources = spec.get("resources").unwrap_or(&empty);
    Pod {
        metadata: metadata(root, "metadata"),
        node_name: opt_string(spec, "nodeName").filter(|name| !name.is_empty()),
        node_selector: string_map(spec, "nodeSelector"),
        required_node_affinity: affinity
            .and_then(|node| node_selector(node, "requiredDuringSchedulingIgnoredDuringExecution")),
        tolerations: items(spec, "tolerations").iter().map(toleration).collect(),
        scheduling_gates: items(spec, "schedulingGates")
            .iter()
            .map(|g| string(g, "name"))
            .collect(),
        resource_claims: items(spec, "resourceClaims").iter().map(claim).collect(),
        init_containers: containers("initContainers"),
        containers: containers("containers"),
        overhead: quantities.resources(spec, "overhead"),
        requests: quantities.resources(resources, "requests"),
        limits: quantities.resources(resources, "limits"),
        phase: string(status, "phase"),
        said_pending: string(status, "phase") == "Pending",
        resource_claim_statuses: items(status, "resourceClaimStatuses")
            .iter()
            .map(|node| PodResourceClaimStatus {
                name: string(node, "name"),
                resource_claim_name: opt_string(node, "resourceClaimName"),
            })
            .collect(),
    }
}

/// The form with `source`, gone since Kubernetes 1.32, is read too: the API server refuses it.
fn claim(node: &Node) -> PodResourceClaim {
    let source = node.get("source").unwrap_or(node);
    let get = |key: &str| opt_string(node, key).or_else(|| opt_string(source, key));
    PodResourceClaim {
        name: string(node, "name"),
        resource_claim_name: get("resourceClaimName"),
        resource_claim_template_name: get("resourceClaimTemplateName"),
    }
}

fn toleration(node: &Node) -> PodToleration {
    PodToleration {
        key: string(node, "key"),
        operator: string(node, "operator"),
        value: string(node, "value"),
        effect: string(node, "effect"),
        toleration_seconds: opt_int(node, "tolerationSeconds"),
    }
}

fn container(
    node: &Node,
    quantities: Quantities,
    path: &str,
    defaults: Option<&mut Vec<Defaulted>>,
) -> Container {
    let empty = Node::empty();
    let resources = node.get("resources").unwrap_or(&empty);
    let limits = quantities.resources(resources, "limits");
    let mut requests = quantities.resources(resources, "requests");
    if let Some(defaults) = defaults {
        for (field, amounts) in [("limits", &limits), ("requests", &requests)] {
            let exact = quantities.map(resources, field);
            for (name, amount) in amounts.iter().filter(|(name, it)| exact.get(*name) != Some(it)) {
                let path = format!("{path}.resources.{field}[{name}]");
                defaults.push(Defaulted { path, value: amount.to_string() });
            }
        }
        for (name, limit) in &limits {
            if !requests.contains_key(name) {
                let path = format!("{path}.resources.requests[{name}]");
                defaults.push(Defaulted { path, value: limit.to_string() });
                requests.insert(name.clone(), limit.clone());
            }
        }
    }
    Container {
        name: string(node, "name"),
        restart_policy: opt_string(node, "restartPolicy"),
        requests,
        limits,
        claims: items(resources, "claims")
            .iter()
            .map(|claim| ContainerClaim {
                name: string(claim, "name"),
                request: opt_string(claim, "request").filter(|request| !request.is_empty()),
            })
            .collect(),
    }
}

pub(super) fn node(root: &Node, quantities: Quantities) -> NodeObject {
    let empty = Node::empty();
    let spec = root.get("spec").unwrap_or(&empty);
    let status = root.get("status").unwrap_or(&empty);
    // Source: `pkg/apis/core/v1 SetDefaults_NodeStatus`.
    let is_told = status.get("allocatable").is_some_and(|node| !node.is_null());
    let amounts = if is_told || !quantities.canonical { "allocatable" } else { "capacity" };
    NodeObject {
        metadata: metadata(root, "metadata"),
        unschedulable: opt_bool(spec, "unschedulable").unwrap_or_default(),
        taints: items(spec, "taints")
            .iter()
            .map(|node| NodeTaint {
                key: string(node, "key"),
                value: string(node, "value"),
                effect: string(node, "effect"),
            })
            .collect(),
        declared_features: strings(status, "declaredFeatures"),
        allocatable: quantities.resources(status, amounts),
    }
}

pub(super) fn namespace(root: &Node) -> Namespace {
    Namespace { metadata: metadata(root, "metadata") }
}
