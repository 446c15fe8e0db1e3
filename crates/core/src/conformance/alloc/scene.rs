use std::rc::Rc;

use serde_json::Value;

use crate::api::decode::{Options as DecodeOptions, object_from_tree};
use crate::api::{DeviceClass, Node, ObjectValue, ResourceClaim, ResourceSlice};
use crate::features::{AllocatorFeatures, Behavior, Gate, Gates, Release, Variant};
use crate::yaml;

use super::Shared;

/// The objects and switches of a line.
#[derive(Debug)]
pub struct Scene {
    /// Name of the scenario.
    pub name: String,
    /// How the recorded release behaves.
    pub behavior: Behavior,
    /// Nodes in the order given.
    pub nodes: Vec<Node>,
    /// Classes by name.
    pub classes: Shared<DeviceClass>,
    /// Slices in the order given.
    pub slices: Vec<Rc<ResourceSlice>>,
    /// Claims to allocate.
    pub claims: Vec<ResourceClaim>,
    /// Claims that are allocated already.
    pub allocated: Vec<ResourceClaim>,
    /// What was recorded.
    pub expected: Value,
}

/// Names of the allocator's features in the records, and the gates they follow.
const FEATURES: [(&str, &[Gate]); 11] = [
    ("AdminAccess", &[Gate::AdminAccess]),
    ("CompatibilityGroups", &[Gate::DeviceCompatibilityGroups]),
    ("ConsumableCapacity", &[Gate::ConsumableCapacity]),
    ("DerivedAttributes", &[Gate::DerivedAttributes]),
    ("DeviceBindingAndStatus", &[Gate::DeviceBindingConditions, Gate::ResourceClaimDeviceStatus]),
    ("DeviceTaints", &[Gate::DeviceTaints]),
    ("FractionalCapacityRange", &[Gate::FractionalCapacityRange]),
    ("ListTypeAttributes", &[Gate::ListTypeAttributes]),
    ("OptionalNodeOperations", &[Gate::OptionalNodeOperations]),
    ("PartitionableDevices", &[Gate::PartitionableDevices]),
    ("PrioritizedList", &[Gate::PrioritizedList]),
];

impl Scene {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with the line, in words.
    pub fn read(line: &str) -> Result<Self, String> {
        let tree = yaml::parse_json(line).map_err(|error| error.message.clone())?;
        let json: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |key: &str| json.get(key).and_then(Value::as_str).unwrap_or_default();
        let release = Release::parse(text("kubernetes")).map_err(|error| error.to_string())?;
        let behavior = behavior(&json, release)?;
        let mut scene = Self {
            name: text("name").to_owned(),
            behavior,
            nodes: Vec::new(),
            classes: Shared::new(),
            slices: Vec::new(),
            claims: Vec::new(),
            allocated: Vec::new(),
            expected: json.get("expected").cloned().unwrap_or_default(),
        };
        let options = DecodeOptions {
            release,
            defaults: json.get("noDefaults") != Some(&Value::Bool(true)),
            default_namespace: false,
            strict: false,
        };
        for list in ["nodes", "deviceClasses", "resourceSlices", "claims", "allocatedClaims"] {
            for node in tree.get(list).and_then(yaml::Node::items).into_iter().flatten() {
                let object = object_from_tree(node.clone(), &options)
                    .map_err(|error| error.message.clone())?;
                scene.add(object.value, list == "allocatedClaims");
            }
        }
        Ok(scene)
    }

    fn add(&mut self, value: ObjectValue, is_allocated: bool) {
        match value {
            ObjectValue::Node(node) => self.nodes.push(*node),
            ObjectValue::DeviceClass(class) => {
                self.classes.insert(class.metadata.name.clone(), Rc::new(*class));
            }
            ObjectValue::ResourceSlice(slice) => self.slices.push(Rc::new(*slice)),
            ObjectValue::ResourceClaim(claim) if is_allocated => self.allocated.push(*claim),
            ObjectValue::ResourceClaim(claim) => self.claims.push(*claim),
            ObjectValue::ResourceClaimTemplate(_)
            | ObjectValue::DeviceTaintRule(_)
            | ObjectValue::Pod(_)
            | ObjectValue::Namespace(_)
            | ObjectValue::Scenario(_) => {}
        }
    }
}

fn behavior(json: &Value, release: Release) -> Result<Behavior, String> {
    let on =
        |name: &str| json.get("features").and_then(|f| f.get(name)) == Some(&Value::Bool(true));
    let mut gates = Gates::defaults(release);
    for (name, of_feature) in FEATURES {
        for gate in of_feature {
            gates.set(*gate, on(name));
        }
    }
    let features = AllocatorFeatures {
        admin_access: on("AdminAccess"),
        compatibility_groups: on("CompatibilityGroups"),
        consumable_capacity: on("ConsumableCapacity"),
        derived_attributes: on("DerivedAttributes"),
        device_binding: on("DeviceBindingAndStatus") || on("DeviceBinding"),
        // A feature of its own in 1.34 alone.
        device_status: on("DeviceStatus") || release.minor() == 34 && on("DeviceBindingAndStatus"),
        device_taints: on("DeviceTaints"),
        fractional_capacity_range: on("FractionalCapacityRange"),
        list_type_attributes: on("ListTypeAttributes"),
        optional_node_operations: on("OptionalNodeOperations"),
        partitionable_devices: on("PartitionableDevices"),
        prioritized_list: on("PrioritizedList"),
    };
    let forced = json.get("allocator").and_then(Value::as_str).and_then(Variant::from_name);
    Behavior::for_features(gates, features, forced).map_err(|error| error.to_string())
}
