//! What controllers of the control plane do between scheduling attempts.
//!
//! Upstream: `pkg/controller/resourceclaim` and the Pod garbage of owner references.

use std::rc::Rc;

use crate::api::{
    ConsumerReference, DeviceRequest, Pod, PodResourceClaim, PodResourceClaimStatus, ResourceClaim,
    ResourceClaimTemplate,
};
use crate::apimachinery::{ObjectMeta, ObjectRef, OwnerReference};
use crate::cluster::{
    Cluster, Made, Object, Origin, format_time, generated_claim_name, stable_uuid,
};
use crate::features::{Behavior, Gate};
use crate::scheduler::{
    Generated, MAX_CONSUMERS, generated_claim, is_owned_by, is_reserved_for, is_special,
    is_terminal,
};

use super::timeline::{Event, EventKind};

/// Annotation of a generated claim: the entry of the Pod it is for.
const POD_CLAIM_NAME: &str = "resource.kubernetes.io/pod-claim-name";

/// A reference to a claim.
pub(super) fn claim_ref(claim: &ResourceClaim) -> ObjectRef {
    object_ref("ResourceClaim", &claim.metadata)
}

/// A reference to a Pod.
pub(super) fn pod_ref(pod: &Pod) -> ObjectRef {
    object_ref("Pod", &pod.metadata)
}

pub(super) fn object_ref(kind: &str, meta: &ObjectMeta) -> ObjectRef {
    ObjectRef { kind: kind.to_owned(), namespace: meta.namespace.clone(), name: meta.name.clone() }
}

/// What the scheduler adds to a claim that it allocates. Dumps are often pasted without it.
const FINALIZER: &str = "resource.kubernetes.io/delete-protection";

/// Does everything that controllers would do now; what they did is appended to the events.
pub(super) fn reconcile(
    cluster: &mut Cluster,
    behavior: &Behavior,
    step: usize,
    events: &mut Vec<Event>,
) {
    delete_orphans(cluster, behavior, events);
    let failing = generate_claims(cluster, behavior, step, events);
    reserve_for_running(cluster, &failing);
    release(cluster, behavior, events);
}

/// Deletes generated claims whose Pod is gone or done.
fn delete_orphans(cluster: &mut Cluster, behavior: &Behavior, events: &mut Vec<Event>) {
    let orphans: Vec<Rc<ResourceClaim>> = cluster
        .claims
        .iter()
        .filter(|claim| claim.origin.made != Made::Written || has_pod_owner(&claim.value))
        .filter(|claim| !owner_needs(cluster, behavior, claim))
        .map(|claim| Rc::clone(&claim.value))
        .collect();
    for claim in orphans {
        let meta = &claim.metadata;
        let mut users = claim.status.reserved_for.iter();
        if has_other_finalizers(&claim)
            || users.any(|user| !is_pod(user) || still_uses(cluster, behavior, &claim, user))
        {
            let now = format_time(cluster.now());
            cluster.claims.update(&meta.namespace, &meta.name, |claim| {
                claim.metadata.deletion_timestamp.get_or_insert(now);
            });
            continue;
        }
        cluster.claims.remove(&meta.namespace, &meta.name);
        events.push(Event {
            object: claim_ref(&claim),
            kind: EventKind::Deleted,
            text: "its Pod is gone or done".to_owned(),
        });
    }
}

/// Whether a claim was made for a Pod, which then controls it.
pub(crate) fn has_pod_owner(claim: &ResourceClaim) -> bool {
    claim.metadata.owner_references.iter().any(|owner| owner.kind == "Pod" && owner.controller)
}

/// Whether the Pod that owns a claim is there and not done.
///
/// A written claim whose owner is not in the text at all stays: people paste halves.
fn owner_needs(cluster: &Cluster, behavior: &Behavior, claim: &Object<ResourceClaim>) -> bool {
    let namespace = &claim.value.metadata.namespace;
    let mut owners = claim
        .value
        .metadata
        .owner_references
        .iter()
        .filter(|owner| owner.kind == "Pod" && owner.controller)
        .peekable();
    if owners.peek().is_none() {
        return true;
    }
    owners.any(|owner| match cluster.pods.get(namespace, &owner.name) {
        Some(pod) => {
            is_owned_by(&claim.value, &pod.value) && needs(behavior, &pod.value, &claim.value)
        }
        None => claim.origin.made == Made::Written && !cluster.was_seen(namespace, &owner.name),
    })
}

/// Whether a Pod counts as needing one of its claims: as long as it has not ended, as a rule.
fn needs(behavior: &Behavior, pod: &Pod, claim: &ResourceClaim) -> bool {
    !is_terminal(pod) || behavior.special_claims_outlive_end && is_special(claim)
}

/// Generates the claims that Pods want from templates, in Pod order; gives back the Pods for which
/// that fails, or that the controller passes over.
fn generate_claims(
    cluster: &mut Cluster,
    behavior: &Behavior,
    step: usize,
    events: &mut Vec<Event>,
) -> Vec<ObjectRef> {
    let pods: Vec<Rc<Pod>> = cluster
        .pods
        .iter()
        .map(|pod| Rc::clone(&pod.value))
        .filter(|pod| !is_terminal(pod) && pod.metadata.deletion_timestamp.is_none())
        .collect();
    let mut failing = Vec::new();
    for pod in pods {
        if behavior.idle_claim_ends_work && !has_work(cluster, &pod) {
            failing.push(pod_ref(&pod));
            continue;
        }
        match generate_for(cluster, (behavior, step), &pod, events) {
            Ok(names) => record_claims(cluster, &pod, names),
            Err(event) => {
                failing.push(event.object.clone());
                if !events.contains(&event) {
                    events.push(event);
                }
            }
        }
    }
    failing
}

/// Generates the claims of one Pod; gives back the entries with the names of their claims.
///
/// # Errors
/// The first entry that fails. The claims made before it stay, but the Pod does not hear of them.
fn generate_for(
    cluster: &mut Cluster,
    (behavior, step): (&Behavior, usize),
    pod: &Pod,
    events: &mut Vec<Event>,
) -> Result<Vec<(String, String)>, Event> {
    let mut names = Vec::new();
    for entry in &pod.resource_claims {
        let Some(template) = &entry.resource_claim_template_name else { continue };
        if let Some(name) =
            generate_claim(cluster, (behavior, step), (pod, entry, template), events)?
        {
            names.push((entry.name.clone(), name));
        }
    }
    Ok(names)
}

/// Whether an entry needs the controller before one that cannot be helped ends the search.
///
/// Source: `resourceclaim` `podNeedsWork` before 1.36.
fn has_work(cluster: &Cluster, pod: &Pod) -> bool {
    let namespace = pod.metadata.namespace.as_str();
    for entry in &pod.resource_claims {
        let is_generated = entry.resource_claim_template_name.is_some();
        let name = match generated_claim(pod, &entry.name) {
            Generated::NotNeeded if is_generated => return false,
            Generated::NotYet if is_generated => return true,
            Generated::Claim(name) if is_generated => name,
            _ => entry.resource_claim_name.clone().unwrap_or_default(),
        };
        let Some(claim) = cluster.claims.get(namespace, &name) else { return is_generated };
        if is_generated && !is_owned_by(&claim.value, pod) {
            return false;
        }
        let status = &claim.value.status;
        if pod.node_name.is_some()
            && status.allocation.is_some()
            && !is_reserved_for(&claim.value, pod)
            && status.reserved_for.len() < MAX_CONSUMERS
        {
            return true;
        }
    }
    false
}

/// The name of the claim of an entry that the Pod's status does not know yet.
fn generate_claim(
    cluster: &mut Cluster,
    (behavior, step): (&Behavior, usize),
    (pod, entry, template): (&Pod, &PodResourceClaim, &str),
    events: &mut Vec<Event>,
) -> Result<Option<String>, Event> {
    let namespace = pod.metadata.namespace.as_str();
    match generated_claim(pod, &entry.name) {
        Generated::NotNeeded => return Ok(None),
        Generated::Claim(name) if cluster.claims.get(namespace, &name).is_some() => {
            return Ok(None);
        }
        Generated::Claim(_) | Generated::NotYet => {}
    }
    if let Some(name) = existing_claim(cluster, pod, entry) {
        return Ok(Some(name));
    }
    let failed = |problem: &str| Event {
        object: pod_ref(pod),
        kind: EventKind::Failed,
        text: format!("PodResourceClaim {}: {problem}", entry.name),
    };
    let Some(found) = cluster.templates.get(namespace, template).cloned() else {
        return Err(failed(&format!(
            "resource claim template \"{template}\": \
             resourceclaimtemplate.resource.k8s.io \"{template}\" not found"
        )));
    };
    if let Some(problem) = disabled_feature(&found.value, behavior) {
        return Err(failed(problem));
    }
    let name =
        free_name(cluster, namespace, &generated_claim_name(&pod.metadata.name, &entry.name));
    let claim = claim_from_template(pod, entry, &found.value, &name);
    events.push(Event {
        object: claim_ref(&claim),
        kind: EventKind::Created,
        text: format!(
            "generated from ResourceClaimTemplate {template} for Pod {}",
            pod.metadata.name
        ),
    });
    cluster.claims.put(Object {
        value: Rc::new(claim),
        origin: Origin { source: found.origin.source, made: Made::FromTemplate },
        created_seconds: cluster.clock_seconds,
        since_step: step,
    });
    Ok(Some(name))
}

/// What a template asks for that is switched off; upstream's words.
fn disabled_feature(template: &ResourceClaimTemplate, behavior: &Behavior) -> Option<&'static str> {
    let mut requests = template.spec.requests.iter();
    let admin = |request: &DeviceRequest| {
        request.exactly.as_ref().is_some_and(|exactly| exactly.admin_access == Some(true))
    };
    if !behavior.gates.enabled(Gate::AdminAccess) && requests.clone().any(admin) {
        return Some("admin access is requested, but the feature is disabled");
    }
    let listed = |request: &DeviceRequest| !request.first_available.is_empty();
    (!behavior.gates.enabled(Gate::PrioritizedList) && requests.any(listed)).then_some(
        "template includes a prioritized list of subrequests, but the feature is disabled",
    )
}

fn claim_from_template(
    pod: &Pod,
    entry: &PodResourceClaim,
    template: &ResourceClaimTemplate,
    name: &str,
) -> ResourceClaim {
    let namespace = &pod.metadata.namespace;
    let mut annotations = template.claim_metadata.annotations.clone();
    annotations.insert(POD_CLAIM_NAME.to_owned(), entry.name.clone());
    ResourceClaim {
        metadata: ObjectMeta {
            uid: stable_uuid(&["ResourceClaim", namespace, name]),
            name: name.to_owned(),
            namespace: namespace.clone(),
            labels: template.claim_metadata.labels.clone(),
            annotations,
            owner_references: vec![owner(pod)],
            ..ObjectMeta::default()
        },
        spec: template.spec.clone(),
        ..ResourceClaim::default()
    }
}

/// The owner reference to a Pod.
pub(super) fn owner(pod: &Pod) -> OwnerReference {
    OwnerReference {
        api_version: "v1".to_owned(),
        kind: "Pod".to_owned(),
        name: pod.metadata.name.clone(),
        uid: pod.metadata.uid.clone(),
        controller: true,
    }
}

/// A claim that was generated for the entry before, as pasted from a cluster.
fn existing_claim(cluster: &Cluster, pod: &Pod, entry: &PodResourceClaim) -> Option<String> {
    cluster
        .claims
        .iter()
        .map(|claim| claim.value.as_ref())
        .filter(|claim| claim.metadata.namespace == pod.metadata.namespace)
        .filter(|claim| is_owned_by(claim, pod))
        .find(|claim| claim.metadata.annotations.get(POD_CLAIM_NAME) == Some(&entry.name))
        .map(|claim| claim.metadata.name.clone())
}

/// A name that no claim has yet.
fn free_name(cluster: &Cluster, namespace: &str, base: &str) -> String {
    let mut name = base.to_owned();
    let mut number = 2;
    while cluster.claims.get(namespace, &name).is_some() {
        name = format!("{base}-{number}");
        number += 1;
    }
    name
}

/// Writes the names of claims into the Pod's status.
fn record_claims(cluster: &mut Cluster, pod: &Pod, names: Vec<(String, String)>) {
    if names.is_empty() {
        return;
    }
    let meta = &pod.metadata;
    cluster.pods.update(&meta.namespace, &meta.name, |pod| {
        for (entry, claim) in names {
            pod.resource_claim_statuses.retain(|status| status.name != entry);
            pod.resource_claim_statuses
                .push(PodResourceClaimStatus { name: entry, resource_claim_name: Some(claim) });
        }
    });
}

/// Reserves allocated claims for Pods that run already, as the controller does for Pods that were
/// bound without the scheduler and whose claims it could all see to.
fn reserve_for_running(cluster: &mut Cluster, failing: &[ObjectRef]) {
    let running: Vec<Rc<Pod>> = cluster
        .pods
        .iter()
        .map(|pod| Rc::clone(&pod.value))
        .filter(|pod| pod.node_name.is_some() && !is_terminal(pod))
        .filter(|pod| pod.metadata.deletion_timestamp.is_none())
        .filter(|pod| !failing.contains(&pod_ref(pod)))
        .collect();
    for pod in running {
        for name in claim_names(&pod) {
            // UPSTREAM: claims after a missing one are left alone.
            let Some(claim) = cluster.claims.get(&pod.metadata.namespace, &name) else { break };
            let claim = Rc::clone(&claim.value);
            let full = claim.status.reserved_for.len() >= MAX_CONSUMERS;
            if claim.status.allocation.is_some() && !is_reserved_for(&claim, &pod) && !full {
                reserve(cluster, &claim.metadata, &pod);
            }
        }
    }
}

/// Adds a Pod to `status.reservedFor`.
pub(super) fn reserve(cluster: &mut Cluster, claim: &ObjectMeta, pod: &Pod) {
    cluster.claims.update(&claim.namespace, &claim.name, |claim| {
        claim.status.reserved_for.push(ConsumerReference {
            api_group: String::new(),
            resource: "pods".to_owned(),
            name: pod.metadata.name.clone(),
            uid: pod.metadata.uid.clone(),
        });
    });
}

/// Names of the claims that a Pod uses.
pub(super) fn claim_names(pod: &Pod) -> Vec<String> {
    pod.resource_claims
        .iter()
        .filter_map(|entry| match &entry.resource_claim_name {
            Some(name) => Some(name.clone()),
            None => match generated_claim(pod, &entry.name) {
                Generated::Claim(name) => Some(name),
                Generated::NotYet | Generated::NotNeeded => None,
            },
        })
        .collect()
}

/// Removes consumers that are gone or done; the last one takes the allocation with it.
fn release(cluster: &mut Cluster, behavior: &Behavior, events: &mut Vec<Event>) {
    let claims: Vec<Rc<ResourceClaim>> = cluster
        .claims
        .iter()
        .map(|claim| Rc::clone(&claim.value))
        .filter(|claim| !claim.status.reserved_for.is_empty() || is_leftover(claim))
        // UPSTREAM: "unsupported ReservedFor entry".
        .filter(|claim| {
            !behavior.odd_consumer_ends_work || claim.status.reserved_for.iter().all(is_pod)
        })
        .collect();
    for claim in claims {
        let kept: Vec<ConsumerReference> = claim
            .status
            .reserved_for
            .iter()
            .filter(|user| !is_pod(user) || still_uses(cluster, behavior, &claim, user))
            .cloned()
            .collect();
        if kept.len() == claim.status.reserved_for.len() && !is_leftover(&claim) {
            continue;
        }
        let finalizers = &claim.metadata.finalizers;
        if kept.is_empty() && !finalizers.is_empty() && !finalizers.iter().any(|f| f == FINALIZER) {
            // UPSTREAM: nobody but the scheduler allocates, and it leaves its finalizer.
            cluster.claims.update(&claim.metadata.namespace, &claim.metadata.name, |claim| {
                claim.status.reserved_for.clear();
            });
        } else if kept.is_empty() {
            deallocate(cluster, &claim);
            let held = has_other_finalizers(&claim);
            if held {
                let meta = &claim.metadata;
                cluster.claims.update(&meta.namespace, &meta.name, |claim| {
                    claim.metadata.finalizers.retain(|finalizer| finalizer != FINALIZER);
                });
            }
            let (kind, text) = if claim.metadata.deletion_timestamp.is_some() && !held {
                cluster.claims.remove(&claim.metadata.namespace, &claim.metadata.name);
                (EventKind::Deleted, "it was to be deleted and its last consumer is gone")
            } else {
                (EventKind::Deallocated, "its last consumer is gone")
            };
            events.push(Event { object: claim_ref(&claim), kind, text: text.to_owned() });
        } else {
            cluster.claims.update(&claim.metadata.namespace, &claim.metadata.name, |claim| {
                claim.status.reserved_for = kept;
            });
        }
    }
}

/// Whether the scheduler's finalizer keeps a claim that is to be deleted, and nobody uses it.
fn is_leftover(claim: &ResourceClaim) -> bool {
    claim.metadata.deletion_timestamp.is_some()
        && claim.metadata.finalizers.iter().any(|finalizer| finalizer == FINALIZER)
        && claim.status.reserved_for.is_empty()
}

/// Adds the scheduler's finalizer to others; a claim without any counts as having it.
pub(super) fn add_finalizer(claim: &mut ResourceClaim) {
    let finalizers = &mut claim.metadata.finalizers;
    if !finalizers.is_empty() && !finalizers.iter().any(|finalizer| finalizer == FINALIZER) {
        finalizers.push(FINALIZER.to_owned());
    }
}

/// Whether finalizers of others than the scheduler keep a claim.
pub(super) fn has_other_finalizers(claim: &ResourceClaim) -> bool {
    claim.metadata.finalizers.iter().any(|finalizer| finalizer != FINALIZER)
}

fn is_pod(consumer: &ConsumerReference) -> bool {
    consumer.resource == "pods" && consumer.api_group.is_empty()
}

/// Whether a consumer still counts. A Pod that the text never had counts: people paste halves.
fn still_uses(
    cluster: &Cluster,
    behavior: &Behavior,
    claim: &ResourceClaim,
    consumer: &ConsumerReference,
) -> bool {
    let namespace = &claim.metadata.namespace;
    match cluster.pods.get(namespace, &consumer.name) {
        Some(pod) => needs(behavior, &pod.value, claim) && is_reserved_for(claim, &pod.value),
        None => !cluster.was_seen(namespace, &consumer.name),
    }
}

/// Takes the devices away from a claim.
pub(super) fn deallocate(cluster: &mut Cluster, claim: &ResourceClaim) {
    cluster.claims.update(&claim.metadata.namespace, &claim.metadata.name, |claim| {
        claim.status.allocation = None;
        claim.status.reserved_for.clear();
        claim.status.devices.clear();
    });
}
