use crate::api::{self, DeviceClaim, Object, ObjectValue};
use crate::cluster::{Cluster, Made};
use crate::source::LineIndex;

use super::phrases::object_key_of;
use super::ranges::range;
use super::report::{ObjectKey, OutlineEntry};

/// The objects of the text, then those of ours that stand in for missing ones.
pub(super) fn outline(
    lines: &LineIndex,
    objects: &[std::rc::Rc<Object>],
    cluster: Option<&Cluster>,
) -> Vec<OutlineEntry> {
    let mut entries: Vec<OutlineEntry> = objects
        .iter()
        .map(|object| OutlineEntry {
            object: object_key_of(&object.key()),
            range: range(lines, object.span),
            fact: fact(&object.value),
            hypothetical: false,
        })
        .collect();
    let pods = cluster.iter().flat_map(|cluster| cluster.pods.iter());
    for pod in pods.filter(|pod| pod.origin.made == Made::Hypothetical) {
        let source = pod.origin.source.and_then(|source| objects.get(source));
        entries.push(OutlineEntry {
            object: ObjectKey {
                kind: "Pod".to_owned(),
                namespace: pod.value.metadata.namespace.clone(),
                name: pod.value.metadata.name.clone(),
            },
            range: source.map(|object| range(lines, object.span)).unwrap_or_default(),
            fact: String::new(),
            hypothetical: true,
        });
    }
    entries
}

/// One fact about an object, in few words.
fn fact(value: &ObjectValue) -> String {
    match value {
        ObjectValue::ResourceSlice(slice) => slice_fact(slice),
        ObjectValue::DeviceClass(class) => count(class.selectors.len(), "selector"),
        ObjectValue::ResourceClaim(claim) => claim_fact(&claim.spec),
        ObjectValue::ResourceClaimTemplate(template) => claim_fact(&template.spec),
        ObjectValue::DeviceTaintRule(rule) => format!("{}:{}", rule.taint.key, rule.taint.effect),
        ObjectValue::Pod(pod) => {
            let used = pod.resource_claims.iter().filter_map(|claim| {
                claim.resource_claim_name.as_ref().or(claim.resource_claim_template_name.as_ref())
            });
            used.cloned().collect::<Vec<_>>().join(", ")
        }
        ObjectValue::Scenario(root) => {
            let steps = root.get("spec").and_then(|spec| spec.get("steps")?.items());
            count(steps.map_or(0, <[_]>::len), "step")
        }
        ObjectValue::Node(_) | ObjectValue::Namespace(_) => String::new(),
    }
}

fn slice_fact(slice: &api::ResourceSlice) -> String {
    match (slice.devices.len(), slice.shared_counters.len()) {
        (0, 0) => "empty".to_owned(),
        (devices, 0) => count(devices, "device"),
        (0, sets) => count(sets, "counter set"),
        (devices, sets) => format!("{}, {}", count(devices, "device"), count(sets, "counter set")),
    }
}

fn claim_fact(claim: &DeviceClaim) -> String {
    let parts: Vec<String> = claim
        .requests
        .iter()
        .map(|request| match &request.exactly {
            Some(exact) => match exact.allocation_mode {
                api::AllocationMode::ExactCount => {
                    format!("{} × {}", exact.count, exact.device_class_name)
                }
                api::AllocationMode::All | api::AllocationMode::Other(_) => {
                    format!("all × {}", exact.device_class_name)
                }
            },
            None => format!("first of {}", request.first_available.len()),
        })
        .collect();
    parts.join(", ")
}

fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
