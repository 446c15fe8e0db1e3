use crate::yaml::Node;

use super::super::{
    AllocatedDeviceStatus, AllocationConfig, AllocationMode, AllocationResult, ClaimConfig,
    ConfigSource, ConsumerReference, DeviceClaim, DeviceClass, DeviceConstraint, DeviceRequest,
    DeviceRequestAllocationResult, DeviceSelector, DeviceSubRequest, DeviceToleration,
    ExactRequest, OpaqueConfig, ResourceClaim, ResourceClaimStatus, ResourceClaimTemplate,
};
use super::Defaulted;
use super::extract::{
    Quantities, condition, int, items, metadata, node_selector, opt_bool, opt_int, opt_string,
    string, strings,
};

/// The fields that v1beta1 has directly in a request.
const FLAT: [&str; 8] = [
    "deviceClassName",
    "selectors",
    "allocationMode",
    "count",
    "adminAccess",
    "tolerations",
    "capacity",
    "derivedAttributes",
];

/// What of a claim's reading depends on its version and on the caller.
#[derive(Debug)]
pub(super) struct ClaimReader<'a> {
    /// v1beta1: requests are flat.
    pub(super) old: bool,
    /// The minor release: what it does not have is not there.
    pub(super) minor: u8,
    /// Where defaults are noted; `None` leaves fields as they are.
    pub(super) defaults: Option<&'a mut Vec<Defaulted>>,
    pub(super) quantities: Quantities,
}

impl ClaimReader<'_> {
    pub(super) fn claim(&mut self, root: &Node) -> ResourceClaim {
        ResourceClaim {
            metadata: metadata(root, "metadata"),
            spec: self.spec(root, "spec"),
            status: root.get("status").map(|node| self.status(node)).unwrap_or_default(),
        }
    }

    pub(super) fn template(&mut self, root: &Node) -> ResourceClaimTemplate {
        let empty = Node::empty();
        let spec = root.get("spec").unwrap_or(&empty);
        ResourceClaimTemplate {
            metadata: metadata(root, "metadata"),
            claim_metadata: metadata(spec, "metadata"),
            spec: self.spec(spec, "spec.spec"),
        }
    }

    /// The `spec` of a claim that stands in `parent`; `path` is where that is in the object.
    fn spec(&mut self, parent: &Node, path: &str) -> DeviceClaim {
        let Some(devices) = parent.get("spec").and_then(|spec| spec.get("devices")) else {
            return DeviceClaim::default();
        };
        let mut requests = Vec::new();
        for (idx, node) in items(devices, "requests").iter().enumerate() {
            requests.push(self.request(node, &format!("{path}.devices.requests[{idx}]")));
        }
        DeviceClaim {
            requests,
            constraints: items(devices, "constraints").iter().map(constraint).collect(),
            config: items(devices, "config")
                .iter()
                .map(|config| ClaimConfig {
                    requests: strings(config, "requests"),
                    opaque: opaque(config),
                })
                .collect(),
        }
    }

    fn request(&mut self, node: &Node, path: &str) -> DeviceRequest {
        // The last one came with 1.37.
        let flat = FLAT.iter().take(if self.minor >= 37 { 8 } else { 7 });
        let flat = self.old && flat.into_iter().any(|key| node.get(key).is_some_and(is_set));
        let exactly = if flat { Some(node) } else { node.get("exactly") };
        let exactly = exactly.filter(|exactly| exactly.entries().is_some());
        let exact_path = if flat { path.to_owned() } else { format!("{path}.exactly") };
        let subrequests = items(node, "firstAvailable").iter().enumerate();
        DeviceRequest {
            name: string(node, "name"),
            exactly: exactly.map(|exactly| self.exact(exactly, &exact_path)),
            first_available: subrequests
                .map(|(idx, sub)| DeviceSubRequest {
                    name: string(sub, "name"),
                    request: self.exact(sub, &format!("{path}.firstAvailable[{idx}]")),
                })
                .collect(),
        }
    }

    fn exact(&mut self, node: &Node, path: &str) -> ExactRequest {
        let class = string(node, "deviceClassName");
        let mode = string(node, "allocationMode");
        let mut count = int(node, "count");
        // UPSTREAM: a flat request of v1beta1 is defaulted only when it names a class.
        let flat = self.old && path.ends_with(']') && !path.contains("firstAvailable");
        let defaults = self.defaults.is_some() && !(flat && class.is_empty());
        let mode = match mode.as_str() {
            "ExactCount" => AllocationMode::ExactCount,
            "All" => AllocationMode::All,
            "" if defaults => {
                self.default(path, "allocationMode", "ExactCount");
                AllocationMode::ExactCount
            }
            _ => AllocationMode::Other(mode),
        };
        if defaults && count == 0 && mode == AllocationMode::ExactCount {
            self.default(path, "count", "1");
            count = 1;
        }
        let tolerations = items(node, "tolerations").iter().enumerate();
        let capacity = node.get("capacity").filter(|capacity| capacity.entries().is_some());
        ExactRequest {
            device_class_name: class,
            selectors: selectors(node),
            allocation_mode: mode,
            count,
            admin_access: opt_bool(node, "adminAccess"),
            tolerations: tolerations
                .map(|(idx, node)| {
                    let mut toleration = toleration(node);
                    if toleration.operator.is_empty() && self.defaults.is_some() {
                        self.default(&format!("{path}.tolerations[{idx}]"), "operator", "Equal");
                        "Equal".clone_into(&mut toleration.operator);
                    }
                    toleration
                })
                .collect(),
            capacity_requests: capacity.map(|node| self.quantities.map(node, "requests")),
            has_derived_attributes: self.minor >= 37
                && !items(node, "derivedAttributes").is_empty(),
        }
    }

    fn default(&mut self, path: &str, name: &str, value: &str) {
        if let Some(defaults) = &mut self.defaults {
            defaults.push(Defaulted { path: format!("{path}.{name}"), value: value.to_owned() });
        }
    }

    fn status(&self, node: &Node) -> ResourceClaimStatus {
        let allocation = node.get("allocation").filter(|node| node.entries().is_some());
        ResourceClaimStatus {
            allocation: allocation.map(|node| self.allocation(node)),
            reserved_for: items(node, "reservedFor")
                .iter()
                .map(|node| ConsumerReference {
                    api_group: string(node, "apiGroup"),
                    resource: string(node, "resource"),
                    name: string(node, "name"),
                    uid: string(node, "uid"),
                })
                .collect(),
            devices: items(node, "devices")
                .iter()
                .map(|node| AllocatedDeviceStatus {
                    driver: string(node, "driver"),
                    pool: string(node, "pool"),
                    device: string(node, "device"),
                    share_id: opt_string(node, "shareID"),
                    conditions: items(node, "conditions").iter().map(condition).collect(),
                })
                .collect(),
        }
    }

    fn allocation(&self, node: &Node) -> AllocationResult {
        let empty = Node::empty();
        let devices = node.get("devices").unwrap_or(&empty);
        AllocationResult {
            results: items(devices, "results").iter().map(|node| self.result(node)).collect(),
            config: items(devices, "config")
                .iter()
                .map(|node| AllocationConfig {
                    source: match string(node, "source").as_str() {
                        "FromClaim" => ConfigSource::FromClaim,
                        _ => ConfigSource::FromClass,
                    },
                    requests: strings(node, "requests"),
                    opaque: opaque(node),
                })
                .collect(),
            node_selector: node_selector(node, "nodeSelector"),
            allocation_timestamp: opt_string(node, "allocationTimestamp"),
        }
    }

    fn result(&self, node: &Node) -> DeviceRequestAllocationResult {
        let consumed = node.get("consumedCapacity").and_then(Node::entries);
        let consumed = consumed.filter(|entries| !entries.is_empty());
        DeviceRequestAllocationResult {
            request: string(node, "request"),
            driver: string(node, "driver"),
            pool: string(node, "pool"),
            device: string(node, "device"),
            admin_access: opt_bool(node, "adminAccess"),
            tolerations: items(node, "tolerations")
                .iter()
                .map(|node| {
                    let mut toleration = toleration(node);
                    if toleration.operator.is_empty() && self.defaults.is_some() {
                        "Equal".clone_into(&mut toleration.operator);
                    }
                    toleration
                })
                .collect(),
            binding_conditions: strings(node, "bindingConditions"),
            binding_failure_conditions: strings(node, "bindingFailureConditions"),
            share_id: opt_string(node, "shareID"),
            consumed_capacity: consumed.map(|_| self.quantities.map(node, "consumedCapacity")),
            skip_node_operations: if self.minor < 37 {
                Vec::new()
            } else {
                strings(node, "skipNodeOperations")
            },
        }
    }
}

/// Whether a flat field of v1beta1 has a value at all.
fn is_set(node: &Node) -> bool {
    !node.is_null() && node.text().is_none_or(|text| !text.is_empty() && text != "0")
}

pub(super) fn class(root: &Node) -> DeviceClass {
    let empty = Node::empty();
    let spec = root.get("spec").unwrap_or(&empty);
    DeviceClass {
        metadata: metadata(root, "metadata"),
        selectors: selectors(spec),
        config: items(spec, "config").iter().filter_map(opaque).collect(),
        extended_resource_name: opt_string(spec, "extendedResourceName"),
    }
}

pub(super) fn selectors(node: &Node) -> Vec<DeviceSelector> {
    let expression = |node: &Node| {
        let cel = node.get("cel").filter(|cel| cel.entries().is_some())?;
        Some(string(cel, "expression"))
    };
    items(node, "selectors")
        .iter()
        .map(|node| DeviceSelector { cel_expression: expression(node) })
        .collect()
}

fn opaque(node: &Node) -> Option<OpaqueConfig> {
    let opaque = node.get("opaque").filter(|node| node.entries().is_some())?;
    let parameters = opaque.get("parameters").map(Node::to_json).unwrap_or_default();
    Some(OpaqueConfig { driver: string(opaque, "driver"), parameters })
}

fn constraint(node: &Node) -> DeviceConstraint {
    DeviceConstraint {
        requests: strings(node, "requests"),
        match_attribute: opt_string(node, "matchAttribute"),
        distinct_attribute: opt_string(node, "distinctAttribute"),
    }
}

fn toleration(node: &Node) -> DeviceToleration {
    DeviceToleration {
        key: string(node, "key"),
        operator: string(node, "operator"),
        value: string(node, "value"),
        effect: string(node, "effect"),
        toleration_seconds: opt_int(node, "tolerationSeconds"),
    }
}
