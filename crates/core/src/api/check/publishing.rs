//! What drivers get wrong when they publish: names that are not theirs, counters out of reach.

use std::collections::{BTreeMap, BTreeSet};

use crate::apimachinery::NodeSelector;
use crate::diagnostic::Diagnostic;

use super::super::{Device, ResourceSlice, codes};
use super::Known;

/// Domains that belong to the Kubernetes project.
///
/// Source: `api/resource/v1 QualifiedName`, `deviceattribute.StandardDeviceAttributePrefix`.
const RESERVED: [&str; 2] = ["k8s.io", "kubernetes.io"];

/// Attributes with a reserved domain that every driver may publish.
///
/// Source: `k8s.io/dynamic-resource-allocation/deviceattribute`.
const STANDARD: [&str; 3] = [
    "resource.kubernetes.io/numaNode",
    "resource.kubernetes.io/pciBusID",
    "resource.kubernetes.io/pcieRoot",
];

fn is_reserved(name: &str) -> bool {
    let Some((domain, _)) = name.split_once('/') else { return false };
    let below = |reserved: &str| {
        domain.strip_suffix(reserved).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    RESERVED.into_iter().any(below) && !STANDARD.contains(&name)
}

/// Attributes and capacities in a domain of the Kubernetes project; each name once.
pub(super) fn reserved_names(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for (object, slice) in known.own_slices() {
        // A driver of the project itself may.
        if is_reserved(&format!("{}/x", slice.driver)) {
            continue;
        }
        for (idx, device) in slice.devices.iter().enumerate() {
            let attributes = device.attributes.keys().map(|name| ("attributes", name));
            let capacities = device.capacity.keys().map(|name| ("capacity", name));
            for (field, name) in attributes.chain(capacities) {
                if !is_reserved(name) || !seen.insert((slice.driver.as_str(), name.as_str())) {
                    continue;
                }
                let path = format!("spec.devices[{idx}].{field}[{name}]");
                let span = object.spans.get(&path).map_or(object.span, |found| found.key);
                let message =
                    format!("`{name}` is in a domain that is reserved for the Kubernetes project");
                let standard = STANDARD.map(|name| format!("`{name}`")).join(", ");
                diagnostics.push(
                    Diagnostic::new(codes::RESERVED_DOMAIN, message, span)
                        .note(format!("common to all drivers are {standard}"))
                        .note(format!(
                            "other names belong into a domain of the driver's own, e.g. `{}`",
                            slice.driver
                        )),
                );
            }
        }
    }
}

/// A node as far as slices choose it.
struct Place<'a> {
    name: &'a str,
    labels: BTreeMap<String, String>,
}

impl Place<'_> {
    fn is_in(
        &self,
        node_name: Option<&str>,
        all_nodes: Option<bool>,
        selector: Option<&NodeSelector>,
    ) -> bool {
        match (node_name, all_nodes, selector) {
            (Some(name), _, _) if !name.is_empty() => name == self.name,
            (_, Some(true), _) => true,
            (_, _, Some(selector)) => {
                selector.matches_leniently(self.name, &self.labels).unwrap_or_default()
            }
            _ => false,
        }
    }

    fn reaches(&self, slice: &ResourceSlice) -> bool {
        slice.per_device_node_selection == Some(true)
            || self.is_in(slice.node_name.as_deref(), slice.all_nodes, slice.node_selector.as_ref())
    }

    fn reaches_device(&self, slice: &ResourceSlice, device: &Device) -> bool {
        if slice.per_device_node_selection == Some(true) {
            let selector = device.node_selector.as_ref();
            return self.is_in(device.node_name.as_deref(), device.all_nodes, selector);
        }
        self.reaches(slice)
    }
}

/// Devices on nodes that do not reach the slice with the counters that they draw from.
pub(super) fn unreachable_counters(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if known.slices().all(|(_, slice)| slice.shared_counters.is_empty()) {
        return;
    }
    let places = places(known);
    for (object, slice) in known.own_slices() {
        for (idx, device) in slice.devices.iter().enumerate() {
            for (entry, consumption) in device.consumes_counters.iter().enumerate() {
                let set = consumption.counter_set.as_str();
                let homes: Vec<&ResourceSlice> = known
                    .slices()
                    .map(|(_, other)| other)
                    .filter(|other| {
                        (&other.driver, &other.pool.name, other.pool.generation)
                            == (&slice.driver, &slice.pool.name, slice.pool.generation)
                            && other.shared_counters.iter().any(|counters| counters.name == set)
                    })
                    .collect();
                let out_of_reach = places.iter().find(|place| {
                    place.reaches_device(slice, device)
                        && !homes.iter().any(|home| place.reaches(home))
                });
                let (Some(place), Some(home)) = (out_of_reach, homes.first()) else { continue };
                let path = format!("spec.devices[{idx}].consumesCounters[{entry}].counterSet");
                let message = format!(
                    "device `{}` can be reached from node `{}`, but counter set `{set}` cannot: \
                     it stands in slice `{}`",
                    device.name, place.name, home.metadata.name
                );
                diagnostics.push(
                    Diagnostic::new(codes::COUNTERS_UNREACHABLE, message, object.spans.mark(&path))
                        .note("give both slices the same nodes; releases differ in whether such a pool can be used"),
                );
                // One device tells it all.
                return;
            }
        }
    }
}

/// The nodes of the text, and those that slices name.
fn places<'a>(known: &Known<'a>) -> Vec<Place<'a>> {
    let mut places: BTreeMap<&str, Place<'_>> = BTreeMap::new();
    for node in known.nodes() {
        let (name, labels) = (node.metadata.name.as_str(), node.metadata.labels.clone());
        places.insert(name, Place { name, labels });
    }
    for (_, slice) in known.slices() {
        let devices = slice.devices.iter().filter_map(|device| device.node_name.as_deref());
        for name in slice.node_name.as_deref().into_iter().chain(devices) {
            places.entry(name).or_insert(Place { name, labels: BTreeMap::new() });
        }
    }
    places.into_values().collect()
}
