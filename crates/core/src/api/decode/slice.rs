use std::cell::RefCell;
use std::sync::Arc;

use crate::apimachinery::quantity::Quantity;
use crate::yaml::Node;

use super::super::{
    CapacityRequestPolicy, CapacityRequestPolicyRange, CounterSet, Device, DeviceAttribute,
    DeviceCapacity, DeviceCounterConsumption, DeviceTaint, DeviceTaintRule, DeviceTaintSelector,
    Devices, ResourcePool, ResourceSlice,
};
use super::claim::selectors;
use super::extract::{
    Quantities, int, items, map, metadata, node_selector, opt_bool, opt_bools, opt_int, opt_ints,
    opt_string, opt_strings, string, strings,
};

/// Slices among which one with the same devices is looked for.
const NEAR: usize = 8;

/// The devices of the last slices. Nodes of a kind publish the same ones: these are read and kept once.
#[derive(Default)]
pub(super) struct Known(RefCell<Vec<(Arc<Node>, SliceReader, Devices)>>);

impl Known {
    fn devices(&self, root: &Arc<Node>, reader: SliceReader) -> Devices {
        let Some(written) = written_devices(root) else { return Devices::default() };
        let mut known = self.0.borrow_mut();
        let is_same = |(other, by, _): &&(Arc<Node>, SliceReader, Devices)| {
            *by == reader && written_devices(other).is_some_and(|other| other.is_like(written))
        };
        if let Some((_, _, devices)) = known.iter().find(is_same) {
            return devices.clone();
        }
        let read = written.items().unwrap_or_default().iter().map(|node| reader.device(node));
        let devices = Devices::from(read.collect::<Vec<_>>());
        if known.len() == NEAR {
            known.remove(0);
        }
        known.push((Arc::clone(root), reader, devices.clone()));
        devices
    }
}

fn written_devices(root: &Node) -> Option<&Node> {
    root.get("spec")?.get("devices")
}

/// What of a slice's reading depends on its version and on the caller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SliceReader {
    /// v1beta1: devices below `basic`, plain strings and booleans for node names.
    pub(super) old: bool,
    /// The minor release: what it does not have is not there.
    pub(super) minor: u8,
    pub(super) quantities: Quantities,
}

impl SliceReader {
    pub(super) fn slice(self, root: &Arc<Node>, known: &Known) -> ResourceSlice {
        let empty = Node::empty();
        let spec = root.get("spec").unwrap_or(&empty);
        let pool = spec.get("pool").unwrap_or(&empty);
        ResourceSlice {
            metadata: metadata(root, "metadata"),
            driver: string(spec, "driver"),
            pool: ResourcePool {
                name: string(pool, "name"),
                generation: int(pool, "generation"),
                resource_slice_count: int(pool, "resourceSliceCount"),
            },
            // UPSTREAM: v1beta1 has plain values here, so that empty means absent.
            node_name: opt_string(spec, "nodeName").filter(|name| !(self.old && name.is_empty())),
            node_selector: node_selector(spec, "nodeSelector"),
            all_nodes: opt_bool(spec, "allNodes").filter(|all| *all || !self.old),
            per_device_node_selection: opt_bool(spec, "perDeviceNodeSelection"),
            devices: known.devices(root, self),
            shared_counters: items(spec, "sharedCounters")
                .iter()
                .map(|set| CounterSet { name: string(set, "name"), counters: self.counters(set) })
                .collect(),
            partition_type_attribute: opt_string(spec, "partitionTypeAttribute"),
            skip_node_operations: strings(
                if self.minor < 37 { &empty } else { spec },
                "skipNodeOperations",
            ),
        }
    }

    fn device(self, node: &Node) -> Device {
        let empty = Node::empty();
        // `basic` is read in every version: the API server refuses it, but nobody means nothing.
        let body = match node.get("basic") {
            Some(basic) => basic,
            None if self.old => &empty,
            None => node,
        };
        Device {
            name: string(node, "name"),
            attributes: map(body, "attributes").map(|(k, v)| (k, attribute(v))).collect(),
            capacity: map(body, "capacity").map(|(k, v)| (k, self.capacity(v))).collect(),
            consumes_counters: items(body, "consumesCounters")
                .iter()
                .map(|consumption| DeviceCounterConsumption {
                    counter_set: string(consumption, "counterSet"),
                    counters: self.counters(consumption),
                    has_compatibility_groups: self.minor >= 37
                        && !items(consumption, "compatibilityGroups").is_empty(),
                })
                .collect(),
            node_name: opt_string(body, "nodeName"),
            node_selector: node_selector(body, "nodeSelector"),
            all_nodes: opt_bool(body, "allNodes"),
            taints: items(body, "taints").iter().map(taint).collect(),
            binds_to_node: opt_bool(body, "bindsToNode"),
            binding_conditions: self.list(body, "bindingConditions"),
            binding_failure_conditions: self.list(body, "bindingFailureConditions"),
            allow_multiple_allocations: opt_bool(body, "allowMultipleAllocations"),
        }
    }

    /// A list whose absence matters; the API server stores an empty one as an absent one.
    fn list(self, node: &Node, key: &str) -> Option<Vec<String>> {
        opt_strings(node, key).filter(|list| !(self.quantities.canonical && list.is_empty()))
    }

    fn counters(self, node: &Node) -> std::collections::BTreeMap<String, Quantity> {
        map(node, "counters").map(|(key, value)| (key, self.value(value))).collect()
    }

    /// A quantity below `value`, or a bare one, which the API server refuses.
    fn value(self, node: &Node) -> Quantity {
        match node.get("value") {
            Some(value) => self.quantities.read(value),
            None => self.quantities.read(node),
        }
    }

    fn capacity(self, node: &Node) -> DeviceCapacity {
        let policy = node.get("requestPolicy").filter(|policy| policy.entries().is_some());
        DeviceCapacity {
            value: self.value(node),
            request_policy: policy.map(|policy| {
                Box::new(CapacityRequestPolicy {
                    default: self.quantities.opt(policy, "default"),
                    valid_values: items(policy, "validValues")
                        .iter()
                        .map(|value| self.quantities.read(value))
                        .collect(),
                    valid_range: policy.get("validRange").filter(|r| r.entries().is_some()).map(
                        |range| CapacityRequestPolicyRange {
                            min: self.quantities.opt(range, "min"),
                            max: self.quantities.opt(range, "max"),
                            step: self.quantities.opt(range, "step"),
                        },
                    ),
                })
            }),
        }
    }
}

fn attribute(node: &Node) -> DeviceAttribute {
    DeviceAttribute {
        int: opt_int(node, "int"),
        bool: opt_bool(node, "bool"),
        string: opt_string(node, "string"),
        version: opt_string(node, "version"),
        ints: opt_ints(node, "ints"),
        bools: opt_bools(node, "bools"),
        strings: opt_strings(node, "strings"),
        versions: opt_strings(node, "versions"),
    }
}

fn taint(node: &Node) -> DeviceTaint {
    DeviceTaint {
        key: string(node, "key"),
        value: string(node, "value"),
        effect: string(node, "effect"),
        time_added: opt_string(node, "timeAdded"),
    }
}

/// `minor`: since 1.35 rules select neither by class nor by expressions.
pub(super) fn taint_rule(root: &Node, minor: u8) -> DeviceTaintRule {
    let old = minor < 35;
    let empty = Node::empty();
    let spec = root.get("spec").unwrap_or(&empty);
    let selector = spec.get("deviceSelector").filter(|selector| selector.entries().is_some());
    DeviceTaintRule {
        metadata: metadata(root, "metadata"),
        device_selector: selector.map(|selector| DeviceTaintSelector {
            driver: opt_string(selector, "driver"),
            pool: opt_string(selector, "pool"),
            device: opt_string(selector, "device"),
            device_class_name: opt_string(selector, "deviceClassName").filter(|_| old),
            selectors: if old { selectors(selector) } else { Vec::new() },
        }),
        taint: spec.get("taint").map(taint).unwrap_or_default(),
    }
}
