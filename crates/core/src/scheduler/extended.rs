//! Extended resources that are backed by device classes (KEP-5004).
//!
//! Upstream: `plugins/dynamicresources/extendeddynamicresources.go` and
//! `dynamic-resource-allocation/deviceclass/extendedresourcecache`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use dra_playground_cel::order::{Gather, Order};

use crate::api::{
    AllocationMode, Container, DeviceClass, DeviceRequest, ExactRequest, IMPLICIT_PREFIX, Node,
    Pod, ResourceClaim,
};
use crate::apimachinery::quantity::Quantity;
use crate::cluster::{Cluster, Object};
use crate::features::Behavior;

/// Name of the special claim while it exists only in the scheduler's memory.
pub const SPECIAL_CLAIM_NAME: &str = "<extended-resources>";

/// Second half of the special claim's name.
pub const EXTENDED_RESOURCES: &str = "extended-resources";

/// Annotation of the special claim.
pub(super) const SPECIAL_CLAIM_ANNOTATION: &str = "resource.kubernetes.io/extended-resource-claim";

/// Which class stands behind which resource name.
#[derive(Debug, Default)]
pub(super) struct ClassResolver {
    classes: BTreeMap<String, String>,
    /// [`Behavior::special_claim_plain`].
    pub(super) is_plain: bool,
}

impl ClassResolver {
    /// Of two classes with the same explicit name the newer one wins, then the smaller name. What
    /// becomes of the loser, and of both when one of them goes, is [`ClassNames`](crate::cluster::ClassNames)'s; in 1.34 no class
    /// with an explicit name has an implicit one.
    pub(super) fn new(cluster: &Cluster, behavior: &Behavior) -> Self {
        let is_plain = behavior.special_claim_plain;
        let mut resolver = Self { is_plain, ..Self::default() };
        if behavior.class_names_follow_events {
            let names = cluster.class_names.iter();
            resolver.classes =
                names.map(|(name, class)| (name.to_owned(), class.to_owned())).gathered();
            return resolver;
        }
        let mut explicit: BTreeMap<&str, &Object<DeviceClass>> = BTreeMap::new();
        for class in cluster.classes.iter() {
            let name = &class.value.metadata.name;
            if let Some(resource) = class.value.extended_resource_name.as_deref() {
                let rank = |class: &Object<DeviceClass>| {
                    (cluster.created(class), Reverse(class.value.metadata.name.clone()))
                };
                if explicit.get(resource).is_none_or(|winner| rank(class) > rank(winner)) {
                    explicit.insert(resource, class);
                    resolver.classes.insert(resource.to_owned(), name.clone());
                }
                if behavior.explicit_name_alone {
                    continue;
                }
            }
            resolver.classes.insert([IMPLICIT_PREFIX, name].concat(), name.clone());
        }
        resolver
    }

    /// The class behind a resource name.
    pub(super) fn class(&self, resource: &str) -> Option<&str> {
        self.classes.get(resource).map(String::as_str)
    }

    /// Whether a resource is one that devices may satisfy: 1.34 overlooks implicit names.
    pub(super) fn is_extended(&self, resource: &str) -> bool {
        is_extended_name(resource) && !(self.is_plain && resource.starts_with(IMPLICIT_PREFIX))
    }

    /// Whether devices are to satisfy a resource on the node.
    pub(super) fn is_delegated(&self, node: &Node, resource: &str) -> bool {
        let is_none = |amount: &Quantity| amount.is_zero() && !self.is_plain;
        self.class(resource).is_some() && node.allocatable.get(resource).is_none_or(is_none)
    }
}

/// Whether a resource name can be an extended resource. Source: `v1helper.IsExtendedResourceName`.
pub(super) fn is_extended_name(resource: &str) -> bool {
    if resource.starts_with(IMPLICIT_PREFIX) {
        return true;
    }
    let native = !resource.contains('/') || resource.contains("kubernetes.io/");
    !native && !resource.starts_with("requests.")
}

/// What a whole Pod requests of each resource, as kube-scheduler sums it up.
///
/// Containers and sidecars add up; a short-lived init container counts together with the sidecars
/// started before it. The overhead comes on top. Source: `component-helpers/resource` `PodRequests`.
pub(super) fn pod_requests(pod: &Pod) -> BTreeMap<String, Quantity> {
    let mut total = BTreeMap::new();
    for container in &pod.containers {
        add_all(&mut total, &container.requests);
    }
    let mut sidecars = BTreeMap::new();
    let mut peak = BTreeMap::new();
    for container in &pod.init_containers {
        let mut during = container.requests.clone();
        if is_sidecar(container) {
            add_all(&mut total, &container.requests);
            add_all(&mut sidecars, &container.requests);
            during = sidecars.clone();
        } else {
            add_all(&mut during, &sidecars);
        }
        raise_all(&mut peak, &during);
    }
    raise_all(&mut total, &peak);
    // What the Pod says as a whole counts; its limits where nobody requests anything.
    let whole = |(name, _): &(&String, &Quantity)| is_pod_level(name);
    total.extend(pod.requests.iter().filter(whole).map(|(name, it)| (name.clone(), it.clone())));
    for (name, limit) in pod.limits.iter().filter(whole) {
        total.entry(name.clone()).or_insert_with(|| limit.clone());
    }
    add_all(&mut total, &pod.overhead);
    total
}

/// Whether a Pod as a whole may request a resource. Source: `component-helpers/resource`
/// `IsSupportedPodLevelResource`.
fn is_pod_level(name: &str) -> bool {
    matches!(name, "cpu" | "memory") || name.starts_with("hugepages-")
}

fn add_all(total: &mut BTreeMap<String, Quantity>, more: &BTreeMap<String, Quantity>) {
    for (name, amount) in more {
        let sum = total.get(name).map_or_else(|| amount.clone(), |known| known.add(amount));
        total.insert(name.clone(), sum);
    }
}

fn raise_all(total: &mut BTreeMap<String, Quantity>, floor: &BTreeMap<String, Quantity>) {
    for (name, amount) in floor {
        if total.get(name).is_none_or(|known| known < amount) {
            total.insert(name.clone(), amount.clone());
        }
    }
}

fn is_sidecar(container: &Container) -> bool {
    container.restart_policy.as_deref() == Some("Always")
}

/// Which container gets which request of the special claim. Source: `core/v1
/// ContainerExtendedResourceRequest`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestMapping {
    /// Container.
    pub container: String,
    /// Resource.
    pub resource: String,
    /// Request of the special claim.
    pub request: String,
}

/// The special claim's requests for the resources that a node has to offer through classes.
pub(super) fn special_requests(
    pod: &Pod,
    resources: &BTreeSet<String>,
    resolver: &ClassResolver,
) -> (Vec<DeviceRequest>, Vec<RequestMapping>) {
    let containers: Vec<&Container> = pod.init_containers.iter().chain(&pod.containers).collect();
    let short_lived: Vec<bool> = containers
        .iter()
        .enumerate()
        .map(|(index, container)| index < pod.init_containers.len() && !is_sidecar(container))
        .collect();
    let mut requests = Vec::new();
    let mut mappings = Vec::new();
    for resource in resources {
        if let Some(class) = resolver.class(resource) {
            let needs =
                Needs { containers: &containers, short_lived: &short_lived, resource, class };
            if resolver.is_plain {
                let all = 0..containers.len();
                requests.extend(all.filter_map(|at| needs.request(at, &[], &mut mappings)));
            } else {
                needs.collect(&mut requests, &mut mappings);
            }
        }
    }
    if resolver.is_plain {
        return (requests, mappings);
    }
    requests.order_by(|a: &DeviceRequest, b| a.name.cmp(&b.name));
    (requests, mappings)
}

/// What the containers of a Pod need of one resource.
struct Needs<'a> {
    containers: &'a [&'a Container],
    short_lived: &'a [bool],
    resource: &'a str,
    class: &'a str,
}

impl Needs<'_> {
    fn collect(&self, requests: &mut Vec<DeviceRequest>, mappings: &mut Vec<RequestMapping>) {
        let mut long_lived: Vec<Option<DeviceRequest>> = Vec::new();
        for index in 0..self.containers.len() {
            long_lived.push(if self.is_short_lived(index) {
                None
            } else {
                self.request(index, &[], mappings)
            });
        }
        let mut largest: Option<DeviceRequest> = None;
        let mut short_names = BTreeSet::new();
        let mut short_mappings = Vec::new();
        for index in 0..self.containers.len() {
            if !self.is_short_lived(index) {
                continue;
            }
            let later = long_lived.get(index..).unwrap_or_default();
            if let Some(request) = self.request(index, later, &mut short_mappings) {
                short_names.insert(request.name.clone());
                if largest.as_ref().is_none_or(|known| count(known) < count(&request)) {
                    largest = Some(request);
                }
            }
        }
        if let Some(largest) = largest {
            for mapping in &mut short_mappings {
                if short_names.contains(&mapping.request) {
                    mapping.request.clone_from(&largest.name);
                }
            }
            requests.push(largest);
        }
        requests.extend(long_lived.into_iter().flatten());
        mappings.extend(short_mappings);
    }

    fn is_short_lived(&self, index: usize) -> bool {
        self.short_lived.get(index).copied().unwrap_or_default()
    }

    /// The container's own request, after what it can reuse of later containers.
    fn request(
        &self,
        index: usize,
        reusable: &[Option<DeviceRequest>],
        mappings: &mut Vec<RequestMapping>,
    ) -> Option<DeviceRequest> {
        let container = self.containers.get(index)?;
        let needed = container.requests.get(self.resource)?.as_i64()?;
        if needed == 0 {
            return None;
        }
        let mapping = |request: &str| RequestMapping {
            container: container.name.clone(),
            resource: self.resource.to_owned(),
            request: request.to_owned(),
        };
        let mut found: i64 = 0;
        for other in reusable.iter().flatten() {
            found = found.saturating_add(count(other));
            mappings.push(mapping(&other.name));
            if found >= needed {
                return None;
            }
        }
        let position =
            container.requests.keys().position(|name| name == self.resource).unwrap_or_default();
        let name = special_request_name(index, position);
        mappings.push(mapping(&name));
        Some(DeviceRequest {
            name,
            exactly: Some(ExactRequest {
                device_class_name: self.class.to_owned(),
                allocation_mode: AllocationMode::ExactCount,
                count: needed - found,
                ..ExactRequest::default()
            }),
            first_available: Vec::new(),
        })
    }
}

fn count(request: &DeviceRequest) -> i64 {
    request.exactly.as_ref().map_or(0, |exactly| exactly.count)
}

/// Name of a request of the special claim: the container counts init containers first, the
/// position is that of the resource among the container's.
fn special_request_name(container: usize, position: usize) -> String {
    format!("container-{container}-request-{position}")
}

/// The container and the position behind the name of a request of the special claim.
pub fn special_request(name: &str) -> Option<(usize, usize)> {
    let (container, position) = name.strip_prefix("container-")?.split_once("-request-")?;
    Some((container.parse().ok()?, position.parse().ok()?))
}

/// Whether a claim is the special one for extended resources of a Pod.
pub fn is_special(claim: &ResourceClaim) -> bool {
    claim.metadata.annotations.get(SPECIAL_CLAIM_ANNOTATION).is_some_and(|value| value == "true")
}
