//! What the text leaves out: Pods for templates and claims that nobody uses, nodes for slices.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use dra_playground_cel::order::{Gather, Order};

use crate::api::{Node, Pod, PodResourceClaim, ResourceSlice};
use crate::apimachinery::{NodeSelector, NodeSelectorOperator, ObjectMeta, ObjectRef};
use crate::cluster::{Cluster, stable_uuid};

use super::controllers::object_ref;
use super::objects::hypothetical;
use super::timeline::{Remark, RemarkKind};

/// The name of a hypothetical Pod's only entry of `spec.resourceClaims`.
const ENTRY: &str = "claim";

/// The node that stands in when nothing names one.
const NODE: &str = "node-1";

/// Adds what is missing and says so.
pub(super) fn complete(cluster: &mut Cluster, remarks: &mut Vec<Remark>) {
    let text_has_pods = !cluster.pods.is_empty();
    add_nodes(cluster, remarks);
    let mut unused = unused_templates(cluster);
    if !text_has_pods {
        unused.extend(unused_claims(cluster));
    }
    unused.order_by_key(|unused| unused.source);
    for unused in unused {
        add_pod(cluster, unused, remarks);
    }
}

/// A template or claim that no Pod uses.
struct Unused {
    about: ObjectRef,
    entry: PodResourceClaim,
    source: Option<usize>,
}

/// Nodes named by slices and Pods when the text has none at all.
fn add_nodes(cluster: &mut Cluster, remarks: &mut Vec<Remark>) {
    let nothing = cluster.slices.is_empty()
        && cluster.pods.is_empty()
        && cluster.claims.is_empty()
        && cluster.templates.is_empty();
    if nothing || !cluster.nodes.is_empty() {
        return;
    }
    let mut names: BTreeMap<String, Option<usize>> = BTreeMap::new();
    for slice in cluster.slices.iter() {
        for name in node_names(&slice.value) {
            names.entry(name.to_owned()).or_insert(slice.origin.source);
        }
    }
    for pod in cluster.pods.iter() {
        if let Some(name) = &pod.value.node_name {
            names.entry(name.clone()).or_insert(pod.origin.source);
        }
    }
    if names.is_empty() {
        names.insert(NODE.to_owned(), None);
    }
    let labels = wanted_labels(cluster);
    for (name, source) in names {
        let mut labels = labels.clone();
        labels.insert("kubernetes.io/hostname".to_owned(), name.clone());
        let metadata = ObjectMeta {
            uid: stable_uuid(&["Node", &name]),
            name: name.clone(),
            labels,
            ..ObjectMeta::default()
        };
        remarks.push(Remark {
            kind: RemarkKind::Hypothetical,
            text: format!("the text has no Node: Node `{name}` is assumed"),
            object: Some(object_ref("Node", &metadata)),
            reference: None,
            fixed_in: None,
        });
        cluster.nodes.put(hypothetical(Node { metadata, ..Node::default() }, source));
    }
}

fn node_names(slice: &ResourceSlice) -> impl Iterator<Item = &str> {
    let of_devices = slice.devices.iter().filter_map(|device| device.node_name.as_deref());
    slice.node_name.as_deref().into_iter().chain(of_devices).filter(|name| !name.is_empty())
}

/// Labels that make a node satisfy the first term of every node selector of a slice, as far as
/// they do not contradict each other.
fn wanted_labels(cluster: &Cluster) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    let selectors = cluster.slices.iter().flat_map(|slice| {
        let of_devices =
            slice.value.devices.iter().filter_map(|device| device.node_selector.as_ref());
        slice.value.node_selector.as_ref().into_iter().chain(of_devices)
    });
    for selector in selectors {
        for (key, value) in first_term(selector) {
            labels.entry(key).or_insert(value);
        }
    }
    labels
}

fn first_term(selector: &NodeSelector) -> Vec<(String, String)> {
    let Some(term) = selector.terms.first() else { return Vec::new() };
    term.match_expressions
        .iter()
        .filter_map(|requirement| match (&requirement.operator, requirement.values.first()) {
            (NodeSelectorOperator::In, Some(value)) => {
                Some((requirement.key.clone(), value.clone()))
            }
            (NodeSelectorOperator::Exists, _) => Some((requirement.key.clone(), String::new())),
            _ => None,
        })
        .collect()
}

fn unused_templates(cluster: &Cluster) -> Vec<Unused> {
    let used: BTreeSet<(String, String)> = cluster
        .pods
        .iter()
        .flat_map(|pod| {
            let namespace = &pod.value.metadata.namespace;
            pod.value.resource_claims.iter().filter_map(move |entry| {
                let template = entry.resource_claim_template_name.clone()?;
                Some((namespace.clone(), template))
            })
        })
        .gathered();
    cluster
        .templates
        .iter()
        .filter(|template| {
            let meta = &template.value.metadata;
            !used.contains(&(meta.namespace.clone(), meta.name.clone()))
        })
        .map(|template| Unused {
            about: object_ref("ResourceClaimTemplate", &template.value.metadata),
            entry: PodResourceClaim {
                name: ENTRY.to_owned(),
                resource_claim_template_name: Some(template.value.metadata.name.clone()),
                resource_claim_name: None,
            },
            source: template.origin.source,
        })
        .collect()
}

/// Claims that are neither allocated nor reserved, in a text without Pods.
fn unused_claims(cluster: &Cluster) -> Vec<Unused> {
    cluster
        .claims
        .iter()
        .filter(|claim| {
            let status = &claim.value.status;
            status.allocation.is_none() && status.reserved_for.is_empty()
        })
        .map(|claim| Unused {
            about: object_ref("ResourceClaim", &claim.value.metadata),
            entry: PodResourceClaim {
                name: ENTRY.to_owned(),
                resource_claim_name: Some(claim.value.metadata.name.clone()),
                resource_claim_template_name: None,
            },
            source: claim.origin.source,
        })
        .collect()
}

/// A Pod of the same name that uses it.
fn add_pod(cluster: &mut Cluster, unused: Unused, remarks: &mut Vec<Remark>) {
    let Unused { about, entry, source } = unused;
    let like = about.clone();
    let mut name = like.name.clone();
    while cluster.pods.get(&like.namespace, &name).is_some() {
        name.push_str("-pod");
    }
    let metadata = ObjectMeta {
        uid: stable_uuid(&["Pod", &like.namespace, &name, "hypothetical"]),
        name: name.clone(),
        namespace: like.namespace.clone(),
        ..ObjectMeta::default()
    };
    remarks.push(Remark {
        kind: RemarkKind::Hypothetical,
        text: format!("no Pod uses {} `{}`: Pod `{name}` is assumed", about.kind, about.name),
        object: Some(object_ref("Pod", &metadata)),
        reference: None,
        fixed_in: None,
    });
    Rc::make_mut(&mut cluster.seen_pods).insert((like.namespace, name));
    let pod = Pod { metadata, resource_claims: vec![entry], ..Pod::default() };
    cluster.pods.put(hypothetical(pod, source));
}
