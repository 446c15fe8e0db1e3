use std::collections::BTreeSet;

use crate::apimachinery::{FieldError, go_json};

use super::super::object::Object;
use super::super::{Container, Pod, PodResourceClaim};
use super::faults::{Faults, Mark};
use super::formats::{label, subdomain};
use super::is_written;
use super::node_selector::node_selector;

/// The rules that concern claims and nodes. Source: `corevalidation.ValidatePodSpec`.
pub(super) fn pod(pod: &Pod, object: &Object, faults: &mut Faults) {
    let path = "spec.resources.claims";
    if is_written(object, path) {
        let detail = "claims may not be set for Resources at pod-level";
        faults.push(FieldError::forbidden(path, detail));
    }
    let path = "spec.resourceClaims";
    let mut names = BTreeSet::new();
    for (idx, claim) in pod.resource_claims.iter().enumerate() {
        self::claim(claim, &format!("{path}[{idx}]"), &mut names, faults);
    }
    let groups = [("containers", &pod.containers), ("initContainers", &pod.init_containers)];
    for (field, containers) in groups {
        for (idx, container) in containers.iter().enumerate() {
            let path = format!("spec.{field}[{idx}].resources.claims");
            container_claims(container, &path, &names, faults);
        }
    }
    if let Some(selector) = &pod.required_node_affinity {
        let path = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
        node_selector(selector, path, faults);
    }
}

/// Source: `validatePodResourceClaim`, `validatePodResourceClaimSource`.
fn claim<'a>(
    claim: &'a PodResourceClaim,
    path: &str,
    names: &mut BTreeSet<&'a str>,
    faults: &mut Faults,
) {
    let name = format!("{path}.name");
    if claim.name.is_empty() {
        faults.required(name);
    } else if names.contains(claim.name.as_str()) {
        faults.push(FieldError::duplicate(name, &claim.name));
    } else {
        label(&name, &claim.name, faults);
        names.insert(&claim.name);
    }
    match (&claim.resource_claim_name, &claim.resource_claim_template_name) {
        (Some(_), Some(_)) => {
            let detail = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may \
                be specified";
            let value = serde_json::json!({
                "Name": claim.name,
                "ResourceClaimName": claim.resource_claim_name,
                "ResourceClaimTemplateName": claim.resource_claim_template_name,
            });
            faults.push(FieldError::invalid_raw(path, go_json(&value.to_string()), detail));
        }
        (None, None) => {
            let detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
            let value = serde_json::json!({
                "Name": claim.name,
                "ResourceClaimName": null,
                "ResourceClaimTemplateName": null,
            });
            faults.push(FieldError::invalid_raw(path, go_json(&value.to_string()), detail));
        }
        (Some(_), None) | (None, Some(_)) => {}
    }
    let references = [
        ("resourceClaimName", &claim.resource_claim_name),
        ("resourceClaimTemplateName", &claim.resource_claim_template_name),
    ];
    for (field, name) in references {
        if let Some(name) = name {
            subdomain(&format!("{path}.{field}"), name, faults);
        }
    }
}

/// Source: `validateResourceClaimNames`.
fn container_claims(
    container: &Container,
    path: &str,
    names: &BTreeSet<&str>,
    faults: &mut Faults,
) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (idx, claim) in container.claims.iter().enumerate() {
        let path = format!("{path}[{idx}]");
        if claim.name.is_empty() {
            faults.required(path);
            continue;
        }
        let request = claim.request.as_deref().filter(|request| !request.is_empty());
        if seen.contains(&claim.name) {
            // All requests of the claim are referred to already.
            faults.push(FieldError::duplicate(&path, &claim.name));
        } else {
            if let Some(request) = request {
                label(&format!("{path}.request"), request, faults);
            }
            let key = match request {
                None => claim.name.clone(),
                Some(request) => format!("{}/{request}", claim.name),
            };
            if seen.contains(&key) {
                faults.push(FieldError::duplicate(&path, &key));
            } else if request.is_none() {
                let parts = seen.iter().filter_map(|other| other.split_once('/'));
                for _ in parts.filter(|(name, _)| *name == claim.name) {
                    faults.push(FieldError::duplicate(&path, &claim.name));
                }
            }
            seen.insert(key);
        }
        if !names.contains(claim.name.as_str()) {
            let known: Vec<&str> = names.iter().copied().collect();
            let list = if known.is_empty() {
                " which is empty".to_owned()
            } else {
                format!(": {}", known.join(", "))
            };
            let detail = format!("must be one of the names in pod.spec.resourceClaims{list}");
            let mark = Mark::Named(path.clone(), claim.name.clone());
            faults.push_at(FieldError::not_found(path, &claim.name, detail), mark);
        }
    }
}
