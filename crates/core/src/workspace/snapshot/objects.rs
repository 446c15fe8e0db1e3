use dra_playground_cel::order::Order;

use crate::api::{AllocationMode, DeviceRequest, ExactRequest, Pod, ResourceClaim};
use crate::apimachinery::{ObjectMeta, ObjectRef};
use crate::cluster::{Cluster, Made, Object, generated_claim_name};
use crate::features::Behavior;

use super::super::phrases::object_key_of;
use super::super::report::{
    AllocatedDevice, ClaimView, DeviceKey, NodeView, ObjectKey, PodView, PoolView, RequestView,
};
use super::super::status::status_yaml;
use super::Places;
use super::devices::amounts;
use super::pool_status::pool_statuses;
use super::world::{World, claim_key, pods_of};

/// The key of an object.
pub(in super::super) fn object_key(kind: &str, metadata: &ObjectMeta) -> ObjectKey {
    ObjectKey {
        kind: kind.to_owned(),
        namespace: metadata.namespace.clone(),
        name: metadata.name.clone(),
    }
}

/// Pods in text order, without the answers of the scheduler.
pub(super) fn pods(cluster: &Cluster, places: &dyn Places) -> Vec<PodView> {
    cluster.pods.iter().map(|pod| pod_view(cluster, pod, places)).collect()
}

fn pod_view(cluster: &Cluster, object: &Object<Pod>, places: &dyn Places) -> PodView {
    let pod = &object.value;
    let containers = pod.containers.len().max(1);
    let claims = pod_claims(cluster, pod);
    let status = match pod_status(pod) {
        // Devices are prepared before containers start.
        "Running" if claims.iter().any(|claim| lacks_devices(cluster, claim)) => {
            "ContainerCreating"
        }
        status => status,
    };
    let ready = if status == "Running" { containers } else { 0 };
    PodView {
        object: object_key("Pod", &pod.metadata),
        range: places.object(object.origin),
        hypothetical: object.origin.made == Made::Hypothetical,
        ready: format!("{ready}/{containers}"),
        status: status.to_owned(),
        said_pending: pod.said_pending,
        age_seconds: cluster.clock_seconds.saturating_sub(object.created_seconds),
        node: pod.node_name.clone(),
        claims,
        ..PodView::default()
    }
}

/// `STATUS` of `kubectl get pods`.
fn pod_status(pod: &Pod) -> &'static str {
    if pod.metadata.deletion_timestamp.is_some() {
        return "Terminating";
    }
    match pod.phase.as_str() {
        "Succeeded" => "Completed",
        "Failed" => "Error",
        _ if pod.node_name.is_some() => "Running",
        _ if !pod.scheduling_gates.is_empty() => "SchedulingGated",
        _ => "Pending",
    }
}

fn lacks_devices(cluster: &Cluster, claim: &ObjectKey) -> bool {
    let claim = cluster.claims.get(&claim.namespace, &claim.name);
    claim.is_some_and(|claim| claim.value.status.allocation.is_none())
}

/// The claims of a Pod in order of allocation, the special one for extended resources last.
fn pod_claims(cluster: &Cluster, pod: &Pod) -> Vec<ObjectKey> {
    let namespace = &pod.metadata.namespace;
    let mut claims: Vec<ObjectKey> = pod
        .resource_claims
        .iter()
        .filter_map(|entry| {
            let name = entry.resource_claim_name.clone().or_else(|| {
                let status =
                    pod.resource_claim_statuses.iter().find(|status| status.name == entry.name);
                match status {
                    Some(status) => status.resource_claim_name.clone(),
                    None => Some(generated_claim_name(&pod.metadata.name, &entry.name)),
                }
            })?;
            let claim = cluster.claims.get(namespace, &name)?;
            Some(claim_key(&claim.value))
        })
        .collect();
    for claim in cluster.claims.iter() {
        let is_special = claim.origin.made == Made::ForExtendedResources
            && claim.value.metadata.namespace == *namespace
            && claim
                .value
                .metadata
                .owner_references
                .iter()
                .any(|owner| owner.kind == "Pod" && owner.name == pod.metadata.name);
        if is_special {
            claims.push(claim_key(&claim.value));
        }
    }
    claims
}

/// Claims in text order; generated ones stand where their Pod stands.
pub(super) fn claims(cluster: &Cluster, pods: &[PodView], places: &dyn Places) -> Vec<ClaimView> {
    let mut views: Vec<(usize, ClaimView)> = cluster
        .claims
        .iter()
        .map(|claim| {
            let key = claim_key(&claim.value);
            // A claim that is written comes before all those that Pods brought.
            let rank = if claim.origin.made == Made::Written {
                0
            } else {
                1 + pods.iter().position(|pod| pod.claims.contains(&key)).unwrap_or(pods.len())
            };
            (rank, claim_view(cluster, claim, places))
        })
        .collect();
    views.order_by_key(|(rank, _)| *rank);
    views.into_iter().map(|(_, view)| view).collect()
}

fn claim_view(cluster: &Cluster, object: &Object<ResourceClaim>, places: &dyn Places) -> ClaimView {
    let claim = &object.value;
    let reserved_for = pods_of(claim);
    let generated = object.origin.made == Made::FromTemplate;
    let prefix = if generated { "spec.spec" } else { "spec" };
    let state = match (&claim.status.allocation, reserved_for.is_empty()) {
        (None, _) => "pending",
        (Some(_), true) => "allocated",
        (Some(_), false) => "allocated,reserved",
    };
    ClaimView {
        object: claim_key(claim),
        range: places.object(object.origin),
        template: if generated {
            template_of(cluster, claim).as_ref().map(object_key_of)
        } else {
            None
        },
        hypothetical: object.origin.made == Made::Hypothetical,
        state: state.to_owned(),
        reserved_for,
        requests: claim
            .spec
            .requests
            .iter()
            .enumerate()
            .flat_map(|(index, request)| {
                let path = format!("{prefix}.devices.requests[{index}]");
                request_views(request, &path, |path| places.field(object.origin, path))
            })
            .collect(),
        devices: allocated_devices(claim),
        status_yaml: status_yaml(&claim.status),
        ..ClaimView::default()
    }
}

/// The template from which a Pod's claim was generated.
pub(in super::super) fn template_of(cluster: &Cluster, claim: &ResourceClaim) -> Option<ObjectRef> {
    let namespace = &claim.metadata.namespace;
    let owner = claim.metadata.owner_references.iter().find(|owner| owner.kind == "Pod")?;
    let pod = &cluster.pods.get(namespace, &owner.name)?.value;
    let entry = pod.resource_claims.iter().find(|entry| {
        let status = pod.resource_claim_statuses.iter().find(|status| status.name == entry.name);
        status.and_then(|status| status.resource_claim_name.as_ref()) == Some(&claim.metadata.name)
    })?;
    Some(ObjectRef {
        kind: "ResourceClaimTemplate".to_owned(),
        namespace: namespace.clone(),
        name: entry.resource_claim_template_name.clone()?,
    })
}

fn request_views(
    request: &DeviceRequest,
    path: &str,
    place: impl Fn(&str) -> Option<super::super::report::Range>,
) -> Vec<RequestView> {
    let view = |name: String, exact: &ExactRequest, path: &str| RequestView {
        name,
        wants: wants(exact),
        admin_access: exact.admin_access == Some(true),
        capacity: exact.capacity_requests.as_ref().map(amounts).unwrap_or_default(),
        range: place(path),
    };
    let mut views = Vec::new();
    if let Some(exact) = &request.exactly {
        views.push(view(request.name.clone(), exact, path));
    }
    for (index, alternative) in request.first_available.iter().enumerate() {
        let name = format!("{}/{}", request.name, alternative.name);
        let path = format!("{path}.firstAvailable[{index}]");
        views.push(view(name, &alternative.request, &path));
    }
    views
}

/// `1 × gpu.example.com`, `all × nic.example.com`, with `(admin)` where it is admin access.
fn wants(exact: &ExactRequest) -> String {
    let count = match &exact.allocation_mode {
        AllocationMode::ExactCount => exact.count.to_string(),
        AllocationMode::All => "all".to_owned(),
        AllocationMode::Other(mode) => mode.clone(),
    };
    let admin = if exact.admin_access == Some(true) { " (admin)" } else { "" };
    format!("{count} × {}{admin}", exact.device_class_name)
}

fn allocated_devices(claim: &ResourceClaim) -> Vec<AllocatedDevice> {
    let Some(allocation) = &claim.status.allocation else { return Vec::new() };
    allocation
        .results
        .iter()
        .map(|result| AllocatedDevice {
            request: result.request.clone(),
            device: DeviceKey {
                driver: result.driver.clone(),
                pool: result.pool.clone(),
                device: result.device.clone(),
            },
            share_id: result.share_id.clone(),
            consumed: result.consumed_capacity.as_ref().map(amounts).unwrap_or_default(),
            admin_access: result.admin_access == Some(true),
        })
        .collect()
}

/// Nodes in name order. `reached` counts the devices that a node can reach.
pub(super) fn nodes(
    cluster: &Cluster,
    places: &dyn Places,
    reached: impl Fn(&crate::api::Node) -> usize,
) -> Vec<NodeView> {
    let mut nodes: Vec<NodeView> = cluster
        .nodes
        .iter()
        .map(|node| NodeView {
            name: node.value.metadata.name.clone(),
            range: match node.origin.made {
                Made::Written => places.object(node.origin),
                Made::FromTemplate | Made::ForExtendedResources | Made::Hypothetical => None,
            },
            devices: reached(&node.value),
        })
        .collect();
    nodes.order_by(|a, b| a.name.cmp(&b.name));
    nodes
}

/// Pools by driver and name.
pub(super) fn pools(
    cluster: &Cluster,
    world: &World,
    behavior: &Behavior,
    places: &dyn Places,
) -> Vec<PoolView> {
    world
        .pools
        .iter()
        .enumerate()
        .filter(|(_, pool)| pool.newest)
        .zip(pool_statuses(cluster, world, behavior))
        .map(|((index, pool), status)| {
            let announced =
                pool.slices.first().map_or(0, |slice| slice.value.pool.resource_slice_count);
            let complete = i64::try_from(pool.slices.len()).is_ok_and(|have| have == announced);
            let fault = world.pool_fault(index);
            let (state, detail) = match fault {
                _ if !complete => ("incomplete", String::new()),
                Some(fault) => ("invalid", fault),
                None => ("complete", String::new()),
            };
            PoolView {
                driver: pool.driver.clone(),
                pool: pool.name.clone(),
                generation: pool.generation,
                slices: pool.slices.len(),
                expected_slices: announced,
                state: state.to_owned(),
                detail,
                counter_sets: pool
                    .slices
                    .iter()
                    .map(|slice| slice.value.shared_counters.len())
                    .sum(),
                devices: pool.slices.iter().map(|slice| slice.value.devices.len()).sum(),
                range: pool.slices.first().and_then(|slice| places.object(slice.origin)),
                status,
            }
        })
        .collect()
}
