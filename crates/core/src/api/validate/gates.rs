//! Fields behind a gate that is off: the API server drops them from new objects without a word.
//!
//! Source: `pkg/registry/resource/*/strategy.go dropDisabledFields`.

use crate::features::{Gate, Gates};

use super::super::object::ObjectValue;
use super::super::{Device, DeviceClaim, DeviceClass, ExactRequest, ResourceClaim, ResourceSlice};

/// A field that was dropped, and the gate that would keep it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dropped {
    pub(super) path: String,
    pub(super) gate: Gate,
}

/// Drops what the gates do not allow, in the order of the API server.
pub(super) fn drop_fields(value: &mut ObjectValue, gates: &Gates) -> Vec<Dropped> {
    let mut dropper = Dropper { gates, dropped: Vec::new() };
    match value {
        ObjectValue::ResourceSlice(slice) => dropper.slice(slice),
        ObjectValue::ResourceClaim(claim) => {
            dropper.spec(&mut claim.spec, "spec.devices");
            dropper.status(claim);
        }
        ObjectValue::ResourceClaimTemplate(template) => {
            dropper.spec(&mut template.spec, "spec.spec.devices");
        }
        ObjectValue::DeviceClass(class) => dropper.class(class),
        ObjectValue::DeviceTaintRule(_)
        | ObjectValue::Pod(_)
        | ObjectValue::Node(_)
        | ObjectValue::Namespace(_)
        | ObjectValue::Scenario(_) => {}
    }
    dropper.dropped
}

struct Dropper<'a> {
    gates: &'a Gates,
    dropped: Vec<Dropped>,
}

impl Dropper<'_> {
    fn off(&self, gate: Gate) -> bool {
        !self.gates.enabled(gate)
    }

    /// Empties a field, and notes it when something was there.
    fn clear<T: Default + PartialEq>(&mut self, field: &mut T, gate: Gate, path: String) {
        if *field != T::default() {
            *field = T::default();
            self.dropped.push(Dropped { path, gate });
        }
    }

    fn slice(&mut self, slice: &mut ResourceSlice) {
        let device = |idx: usize, field: &str| format!("spec.devices[{idx}].{field}");
        let gate = Gate::DeviceTaints;
        if self.off(gate) {
            for (idx, item) in devices_with(slice, |item| !item.taints.is_empty()) {
                self.clear(&mut item.taints, gate, device(idx, "taints"));
            }
        }
        let gate = Gate::PartitionableDevices;
        if self.off(gate) {
            self.clear(&mut slice.shared_counters, gate, "spec.sharedCounters".to_owned());
            let path = "spec.perDeviceNodeSelection".to_owned();
            self.clear(&mut slice.per_device_node_selection, gate, path);
            let drawn = |item: &Device| {
                !item.consumes_counters.is_empty()
                    || item.node_name.is_some()
                    || item.node_selector.is_some()
                    || item.all_nodes.is_some()
            };
            for (idx, item) in devices_with(slice, drawn) {
                let path = |field| device(idx, field);
                self.clear(&mut item.consumes_counters, gate, path("consumesCounters"));
                self.clear(&mut item.node_name, gate, path("nodeName"));
                self.clear(&mut item.node_selector, gate, path("nodeSelector"));
                self.clear(&mut item.all_nodes, gate, path("allNodes"));
            }
        }
        let gate = Gate::DeviceBindingConditions;
        if self.off(gate) || self.off(Gate::ResourceClaimDeviceStatus) {
            let binding = |item: &Device| {
                item.binding_conditions.is_some()
                    || item.binding_failure_conditions.is_some()
                    || item.binds_to_node.is_some()
            };
            for (idx, item) in devices_with(slice, binding) {
                let path = |field| device(idx, field);
                self.clear(&mut item.binding_conditions, gate, path("bindingConditions"));
                let failure = path("bindingFailureConditions");
                self.clear(&mut item.binding_failure_conditions, gate, failure);
                self.clear(&mut item.binds_to_node, gate, path("bindsToNode"));
            }
        }
        let gate = Gate::ConsumableCapacity;
        if self.off(gate) {
            let consumable = |item: &Device| {
                item.allow_multiple_allocations.is_some()
                    || item.capacity.iter().any(|(_, capacity)| capacity.request_policy.is_some())
            };
            for (idx, item) in devices_with(slice, consumable) {
                let multiple = device(idx, "allowMultipleAllocations");
                self.clear(&mut item.allow_multiple_allocations, gate, multiple);
                for (key, capacity) in item.capacity.iter_mut() {
                    let path = device(idx, &format!("capacity[{key}].requestPolicy"));
                    self.clear(&mut capacity.request_policy, gate, path);
                }
            }
        }
        let gate = Gate::DeviceCompatibilityGroups;
        if self.off(gate) {
            let grouped = |item: &Device| {
                item.consumes_counters.iter().any(|uses| uses.has_compatibility_groups)
            };
            for (idx, item) in devices_with(slice, grouped) {
                for (set, item) in item.consumes_counters.iter_mut().enumerate() {
                    let path = device(idx, &format!("consumesCounters[{set}].compatibilityGroups"));
                    self.clear(&mut item.has_compatibility_groups, gate, path);
                }
            }
        }
        self.lists(slice);
        let gate = Gate::OptionalNodeOperations;
        if self.off(gate) {
            self.clear(&mut slice.skip_node_operations, gate, "spec.skipNodeOperations".to_owned());
        }
    }

    fn lists(&mut self, slice: &mut ResourceSlice) {
        let gate = Gate::ListTypeAttributes;
        if !self.off(gate) {
            return;
        }
        let listing =
            |item: &Device| item.attributes.iter().any(|(_, attribute)| attribute.is_list());
        for (idx, item) in devices_with(slice, listing) {
            let lists = item.attributes.iter_mut().filter(|(_, attribute)| attribute.is_list());
            for (key, attribute) in lists {
                let path = |field| format!("spec.devices[{idx}].attributes[{key}].{field}");
                self.clear(&mut attribute.bools, gate, path("bools"));
                self.clear(&mut attribute.ints, gate, path("ints"));
                self.clear(&mut attribute.strings, gate, path("strings"));
                self.clear(&mut attribute.versions, gate, path("versions"));
            }
        }
    }

    fn spec(&mut self, spec: &mut DeviceClaim, path: &str) {
        for (idx, request) in spec.requests.iter_mut().enumerate() {
            let path = format!("{path}.requests[{idx}]");
            if self.off(Gate::PrioritizedList) {
                let gate = Gate::PrioritizedList;
                let path = format!("{path}.firstAvailable");
                self.clear(&mut request.first_available, gate, path);
            }
            if let Some(exact) = &mut request.exactly {
                let path = format!("{path}.exactly");
                if self.off(Gate::AdminAccess) {
                    let field = format!("{path}.adminAccess");
                    self.clear(&mut exact.admin_access, Gate::AdminAccess, field);
                }
                self.exact(exact, &path);
            }
            for (idx, sub) in request.first_available.iter_mut().enumerate() {
                self.exact(&mut sub.request, &format!("{path}.firstAvailable[{idx}]"));
            }
        }
        if self.off(Gate::ConsumableCapacity) {
            let gate = Gate::ConsumableCapacity;
            for (idx, constraint) in spec.constraints.iter_mut().enumerate() {
                let path = format!("{path}.constraints[{idx}].distinctAttribute");
                self.clear(&mut constraint.distinct_attribute, gate, path);
            }
        }
    }

    fn exact(&mut self, exact: &mut ExactRequest, path: &str) {
        if self.off(Gate::DeviceTaints) {
            let gate = Gate::DeviceTaints;
            self.clear(&mut exact.tolerations, gate, format!("{path}.tolerations"));
        }
        if self.off(Gate::ConsumableCapacity) {
            let gate = Gate::ConsumableCapacity;
            self.clear(&mut exact.capacity_requests, gate, format!("{path}.capacity"));
        }
        if self.off(Gate::DerivedAttributes) {
            let gate = Gate::DerivedAttributes;
            let path = format!("{path}.derivedAttributes");
            self.clear(&mut exact.has_derived_attributes, gate, path);
        }
    }

    fn status(&mut self, claim: &mut ResourceClaim) {
        if self.off(Gate::ResourceClaimDeviceStatus) {
            let gate = Gate::ResourceClaimDeviceStatus;
            self.clear(&mut claim.status.devices, gate, "status.devices".to_owned());
        }
    }

    fn class(&mut self, class: &mut DeviceClass) {
        if self.off(Gate::ExtendedResource) {
            let path = "spec.extendedResourceName".to_owned();
            self.clear(&mut class.extended_resource_name, Gate::ExtendedResource, path);
        }
    }
}

/// The devices of a slice with their places, when some of them has what is to be dropped; where none
/// has, they stay shared with alike slices.
fn devices_with(
    slice: &mut ResourceSlice,
    has: impl Fn(&Device) -> bool,
) -> impl Iterator<Item = (usize, &mut Device)> {
    let found = slice.devices.iter().any(has).then(|| slice.devices_mut());
    found.into_iter().flatten().enumerate()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{DeviceTaint, Options, read_with};
    use crate::features::Release;

    #[test]
    fn alike_slices_share_their_devices_unless_something_is_dropped() {
        let mut off = Gates::defaults(Release::DEFAULT);
        off.known().collect::<Vec<_>>().iter().for_each(|it| off.set(it.gate, false));
        let plain = Device { name: "a".into(), ..Device::default() };
        let tainted = Device { taints: vec![DeviceTaint::default()], ..plain.clone() };
        let drops = |device: &Device| {
            let slice = ResourceSlice {
                devices: vec![plain.clone(), device.clone()].into(),
                ..ResourceSlice::default()
            };
            let mut value = ObjectValue::ResourceSlice(Box::new(slice.clone()));
            let dropped = drop_fields(&mut value, &off);
            let ObjectValue::ResourceSlice(after) = value else { return (false, dropped) };
            (std::ptr::eq(slice.devices.as_ptr(), after.devices.as_ptr()), dropped)
        };
        assert_eq!(drops(&plain), (true, Vec::new()));
        let path = "spec.devices[1].taints".to_owned();
        let dropped = vec![Dropped { path, gate: Gate::DeviceTaints }];
        assert_eq!(drops(&tainted), (false, dropped));
    }
    /// What is looked for before devices are touched is all that is dropped from them.
    #[test]
    fn each_field_is_dropped_where_it_stands_alone() {
        let text = "\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  perDeviceNodeSelection: true
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices: [{name: a, FIELD}]
";
        for (gate, field, path) in [
            (Gate::DeviceTaints, "taints: [{key: k, effect: NoSchedule}]", "taints"),
            (Gate::PartitionableDevices, "nodeName: n", "nodeName"),
            (Gate::PartitionableDevices, "nodeSelector: {nodeSelectorTerms: []}", "nodeSelector"),
            (Gate::PartitionableDevices, "allNodes: true", "allNodes"),
            (Gate::PartitionableDevices, "consumesCounters: [{counterSet: c}]", "consumesCounters"),
            (Gate::DeviceBindingConditions, "bindingConditions: [c]", "bindingConditions"),
            (
                Gate::DeviceBindingConditions,
                "bindingFailureConditions: [c]",
                "bindingFailureConditions",
            ),
            (Gate::DeviceBindingConditions, "bindsToNode: true", "bindsToNode"),
            (
                Gate::ConsumableCapacity,
                "allowMultipleAllocations: true",
                "allowMultipleAllocations",
            ),
            (
                Gate::ConsumableCapacity,
                "capacity: {c: {value: '1', requestPolicy: {default: '1'}}}",
                "capacity[c].requestPolicy",
            ),
            (
                Gate::DeviceCompatibilityGroups,
                "consumesCounters: [{counterSet: c, compatibilityGroups: [g]}]",
                "consumesCounters[0].compatibilityGroups",
            ),
            (Gate::ListTypeAttributes, "attributes: {a: {ints: [1]}}", "attributes[a].ints"),
            (Gate::ListTypeAttributes, "attributes: {a: {bools: [true]}}", "attributes[a].bools"),
            (Gate::ListTypeAttributes, "attributes: {a: {strings: [s]}}", "attributes[a].strings"),
            (
                Gate::ListTypeAttributes,
                "attributes: {a: {versions: [1.0.0]}}",
                "attributes[a].versions",
            ),
        ] {
            let mut gates = Gates::defaults(Release::DEVELOPMENT);
            gates.known().collect::<Vec<_>>().iter().for_each(|it| gates.set(it.gate, true));
            gates.set(gate, false);
            let options = Options { release: gates.release(), ..Options::default() };
            let read = read_with(&text.replace("FIELD", field), &options);
            let mut value = read.objects.into_iter().next().unwrap().value;
            let dropped = drop_fields(&mut value, &gates);
            let path = format!("spec.devices[0].{path}");
            assert!(dropped.contains(&Dropped { path, gate }), "{field}: {dropped:?}");
        }
    }
}
