//! Which claims a Pod uses, and what PreEnqueue and PreFilter say of them.
//!
//! Upstream: `foreachPodResourceClaim` of the plugin and `dynamic-resource-allocation/resourceclaim`.

use std::rc::Rc;

use crate::api::{DeviceRequest, Pod, ResourceClaim};
use crate::apimachinery::aggregate;
use crate::cluster::Cluster;
use crate::features::{Behavior, Gate};

/// Pods that may use one claim at the same time. Source: `resource/v1`
/// `ResourceClaimReservedForMaxSize`.
pub(crate) const MAX_CONSUMERS: usize = 256;

/// The Pod's claims in the order of `spec.resourceClaims`.
///
/// # Errors
/// Upstream's words on the first claim that cannot be used.
pub fn pod_claims(
    cluster: &Cluster,
    pod: &Pod,
    behavior: &Behavior,
) -> Result<Vec<Rc<ResourceClaim>>, String> {
    let namespace = &pod.metadata.namespace;
    let pod_key = format!("{namespace}/{}", pod.metadata.name);
    let mut claims = Vec::new();
    for entry in &pod.resource_claims {
        let (name, generated) = match (
            &entry.resource_claim_name,
            &entry.resource_claim_template_name,
        ) {
            (Some(name), _) => (name.clone(), false),
            (None, Some(_)) => match generated_claim(pod, &entry.name) {
                Generated::Claim(name) => (name, true),
                Generated::NotNeeded => continue,
                Generated::NotYet => {
                    return Err(format!("pod \"{pod_key}\": ResourceClaim not created yet"));
                }
            },
            (None, None) => {
                return Err(format!(
                    "pod \"{pod_key}\", spec.resourceClaim \"{}\": none of the supported fields \
                     are set",
                    entry.name
                ));
            }
        };
        let claim = cluster
            .claims
            .get(namespace, &name)
            .map(|found| &found.value)
            .ok_or_else(|| format!("could not find ResourceClaim \"{namespace}/{name}\""))?;
        if claim.metadata.deletion_timestamp.is_some() {
            return Err(format!("resourceclaim \"{name}\" is being deleted"));
        }
        if generated && !is_owned_by(claim, pod) {
            let claim_key = format!("{namespace}/{name}");
            return Err(if behavior.owner_text_capitalized {
                format!(
                    "ResourceClaim {claim_key} was not created for Pod {pod_key} (Pod is not owner)"
                )
            } else {
                format!(
                    "ResourceClaim {claim_key} was not created for pod {pod_key} (pod is not owner)"
                )
            });
        }
        claims.push(Rc::clone(claim));
    }
    Ok(claims)
}

/// What a Pod's status says of an entry that names a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Generated {
    /// The controller has not seen to it yet.
    NotYet,
    /// The controller found that no claim is needed.
    NotNeeded,
    /// The name of the claim.
    Claim(String),
}

/// What the Pod's status says of an entry that names a template.
pub(crate) fn generated_claim(pod: &Pod, entry: &str) -> Generated {
    let mut statuses = pod.resource_claim_statuses.iter();
    match statuses.find(|status| status.name == entry) {
        None => Generated::NotYet,
        Some(status) => {
            status.resource_claim_name.clone().map_or(Generated::NotNeeded, Generated::Claim)
        }
    }
}

/// Whether the claim was made for the Pod.
pub(crate) fn is_owned_by(claim: &ResourceClaim, pod: &Pod) -> bool {
    claim.metadata.owner_references.iter().any(|owner| {
        owner.controller
            && owner.kind == "Pod"
            && owner.name == pod.metadata.name
            && (owner.uid.is_empty() || owner.uid == pod.metadata.uid)
    })
}

/// Whether the claim is reserved for the Pod.
pub(crate) fn is_reserved_for(claim: &ResourceClaim, pod: &Pod) -> bool {
    claim.status.reserved_for.iter().any(|consumer| {
        consumer.api_group.is_empty()
            && consumer.resource == "pods"
            && consumer.name == pod.metadata.name
            && (consumer.uid.is_empty() || consumer.uid == pod.metadata.uid)
    })
}

/// Why PreFilter ends an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PreFilterRefusal {
    /// The Pod has to wait; upstream's words.
    Unschedulable(String),
    /// The attempt fails; upstream's words.
    Error(String),
}

/// What PreFilter has against a claim.
///
/// # Errors
/// Why the attempt ends.
pub(super) fn pre_filter(
    cluster: &Cluster,
    claim: &ResourceClaim,
    behavior: &Behavior,
) -> Result<(), PreFilterRefusal> {
    if let Some(allocation) = &claim.status.allocation {
        // UPSTREAM: `CanBeReserved` is always true; the API server refuses one consumer too many.
        let faults = allocation.node_selector.as_ref().map(|s| s.faults("nodeSelectorTerms"));
        let faults = faults.unwrap_or_default();
        return if faults.is_empty() {
            Ok(())
        } else {
            Err(PreFilterRefusal::Error(aggregate(&faults)))
        };
    }
    let meta = &claim.metadata;
    let held = cluster.waiting.iter().flat_map(|waiting| &waiting.in_flight);
    if held.map(|claim| &claim.metadata).any(|known| {
        (&known.namespace, &known.name, &known.uid) == (&meta.namespace, &meta.name, &meta.uid)
    }) {
        return Err(PreFilterRefusal::Unschedulable(format!(
            "resource claim {}/{} is in the process of being allocated",
            meta.namespace, meta.name
        )));
    }
    claim
        .spec
        .requests
        .iter()
        .try_for_each(|request| classes_exist(cluster, claim, request, behavior))
}

fn classes_exist(
    cluster: &Cluster,
    claim: &ResourceClaim,
    request: &DeviceRequest,
    behavior: &Behavior,
) -> Result<(), PreFilterRefusal> {
    let class_exists = |class: &str, request: &str| {
        if class.is_empty() {
            let text = format!("request {request}: unsupported request type");
            Err(PreFilterRefusal::Error(text))
        } else if cluster.classes.get("", class).is_some() {
            Ok(())
        } else {
            let text = format!("request {request}: device class {class} does not exist");
            Err(PreFilterRefusal::Unschedulable(text))
        }
    };
    let refuse = |problem: &str| {
        let meta = &claim.metadata;
        Err(PreFilterRefusal::Unschedulable(format!(
            "resource claim {}/{}, request {}: {problem}",
            meta.namespace, meta.name, request.name
        )))
    };
    if let Some(exactly) = &request.exactly {
        return class_exists(&exactly.device_class_name, &request.name);
    }
    if request.first_available.is_empty() {
        return refuse("unknown request type");
    }
    if !behavior.gates.enabled(Gate::PrioritizedList) {
        return refuse("has subrequests, but the DRAPrioritizedList feature is disabled");
    }
    request.first_available.iter().try_for_each(|subrequest| {
        class_exists(
            &subrequest.request.device_class_name,
            &format!("{}/{}", request.name, subrequest.name),
        )
    })
}
