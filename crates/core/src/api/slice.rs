use std::collections::BTreeMap;

use crate::apimachinery::quantity::Quantity;
use crate::apimachinery::{Entries, NodeSelector, ObjectMeta};

use super::Devices;

/// One published part of a pool: devices or shared counters. Source: `resource/v1 ResourceSlice`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceSlice {
    /// Metadata.
    pub metadata: ObjectMeta,
    /// Name of the driver that publishes the slice.
    pub driver: String,
    /// The pool the slice is part of.
    pub pool: ResourcePool,
    /// The only node that can reach the devices.
    pub node_name: Option<String>,
    /// The nodes that can reach the devices.
    pub node_selector: Option<NodeSelector>,
    /// Whether every node can reach the devices.
    pub all_nodes: Option<bool>,
    /// Whether each device says itself which nodes can reach it.
    pub per_device_node_selection: Option<bool>,
    /// Devices, in the order in which they are tried.
    pub devices: Devices,
    /// Counter sets (KEP-4815).
    pub shared_counters: Vec<CounterSet>,
    /// Name of the attribute that tells the partition type; carried through.
    pub partition_type_attribute: Option<String>,
    /// KEP-5945: what the kubelet need not do for these devices; copied to results.
    pub skip_node_operations: Vec<String>,
}

impl ResourceSlice {
    /// The devices, to be changed; those that other slices share are copied before.
    pub fn devices_mut(&mut self) -> &mut Vec<Device> {
        self.devices.to_mut()
    }
}

/// Identity and completeness of a pool. Source: `resource/v1 ResourcePool`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourcePool {
    /// Name, unique per driver.
    pub name: String,
    /// Version of the pool; only the highest counts.
    pub generation: i64,
    /// Number of slices the pool has at this generation.
    pub resource_slice_count: i64,
}

/// A named set of counters. Source: `resource/v1 CounterSet`, KEP-4815.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CounterSet {
    /// Name, unique in the pool.
    pub name: String,
    /// Counters by name.
    pub counters: BTreeMap<String, Quantity>,
}

/// One allocatable device. Source: `resource/v1 Device`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Device {
    /// Name, unique in the pool.
    pub name: String,
    /// Attributes by qualified name.
    pub attributes: Entries<DeviceAttribute>,
    /// Capacities by qualified name.
    pub capacity: Entries<DeviceCapacity>,
    /// What the device takes from counter sets while it is allocated.
    pub consumes_counters: Vec<DeviceCounterConsumption>,
    /// The only node that can reach the device (`perDeviceNodeSelection`).
    pub node_name: Option<String>,
    /// The nodes that can reach the device (`perDeviceNodeSelection`).
    pub node_selector: Option<NodeSelector>,
    /// Whether every node can reach the device (`perDeviceNodeSelection`).
    pub all_nodes: Option<bool>,
    /// Taints set by the driver.
    pub taints: Vec<DeviceTaint>,
    /// Whether an allocation pins the claim to the node it was made for (KEP-5007).
    pub binds_to_node: Option<bool>,
    /// Conditions that must be true before a Pod is bound; `Some(vec![])` differs from `None`.
    pub binding_conditions: Option<Vec<String>>,
    /// Conditions of which one being true means that binding failed.
    pub binding_failure_conditions: Option<Vec<String>>,
    /// Whether several claims may share the device (KEP-5075).
    pub allow_multiple_allocations: Option<bool>,
}

/// The value of an attribute, as written: several fields can be set only in invalid input.
///
/// Source: `resource/v1 DeviceAttribute`; the list fields are KEP-5491.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceAttribute {
    /// `int`.
    pub int: Option<i64>,
    /// `bool`.
    pub bool: Option<bool>,
    /// `string`.
    pub string: Option<String>,
    /// `version`, a semantic version in text form.
    pub version: Option<String>,
    /// `ints`.
    pub ints: Option<Vec<i64>>,
    /// `bools`.
    pub bools: Option<Vec<bool>>,
    /// `strings`.
    pub strings: Option<Vec<String>>,
    /// `versions`.
    pub versions: Option<Vec<String>>,
}

impl DeviceAttribute {
    /// The names of its forms, in the order of the API, and whether each is set.
    pub fn forms(&self) -> [(&'static str, bool); 8] {
        [
            ("int", self.int.is_some()),
            ("bool", self.bool.is_some()),
            ("string", self.string.is_some()),
            ("version", self.version.is_some()),
            ("ints", self.ints.is_some()),
            ("bools", self.bools.is_some()),
            ("strings", self.strings.is_some()),
            ("versions", self.versions.is_some()),
        ]
    }

    /// Whether it has one of the list forms.
    pub fn is_list(&self) -> bool {
        self.ints.is_some()
            || self.bools.is_some()
            || self.strings.is_some()
            || self.versions.is_some()
    }
}

/// A capacity and how it may be consumed. Source: `resource/v1 DeviceCapacity`, KEP-5075.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceCapacity {
    /// How much there is.
    pub value: Quantity,
    /// How requests are rounded and limited.
    pub request_policy: Option<Box<CapacityRequestPolicy>>,
}

/// Rounding and limits of capacity requests. Source: `resource/v1 CapacityRequestPolicy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CapacityRequestPolicy {
    /// Consumed when a request does not name the capacity.
    pub default: Option<Quantity>,
    /// The only amounts that can be consumed, ascending.
    pub valid_values: Vec<Quantity>,
    /// The range and grid of amounts that can be consumed.
    pub valid_range: Option<CapacityRequestPolicyRange>,
}

/// Source: `resource/v1 CapacityRequestPolicyRange`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CapacityRequestPolicyRange {
    /// Smallest amount; smaller requests are raised to it.
    pub min: Option<Quantity>,
    /// Largest amount.
    pub max: Option<Quantity>,
    /// Grid on top of `min`.
    pub step: Option<Quantity>,
}

/// What a device takes from one counter set. Source: `resource/v1 DeviceCounterConsumption`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceCounterConsumption {
    /// Name of the counter set.
    pub counter_set: String,
    /// Amounts by counter name.
    pub counters: BTreeMap<String, Quantity>,
    /// Whether it names compatibility groups (KEP-5963, not modelled: 1.37 ignores such slices).
    pub has_compatibility_groups: bool,
}

/// A taint on a device. Source: `resource/v1 DeviceTaint`, KEP-5055.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceTaint {
    /// Key.
    pub key: String,
    /// Value; may be empty.
    pub value: String,
    /// `NoSchedule`, `NoExecute`, `None`, or what the user wrote.
    pub effect: String,
    /// RFC 3339 time as written.
    pub time_added: Option<String>,
}

impl DeviceTaint {
    /// Whether requests that do not tolerate it are kept away.
    pub fn keeps_away(&self) -> bool {
        super::node::keeps_away(&self.effect)
    }
}
