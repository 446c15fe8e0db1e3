//! Names and values that the scenario already has.

use std::collections::BTreeMap;

use dra_playground_cel::order::Order;

use crate::features::Release;

use super::super::report::{Analysis, DeviceView};

/// Most devices that are read: after some thousands hardly a new name comes up.
const MOST_DEVICES: usize = 4_000;
/// Most values that are told of an attribute.
const MOST_VALUES: usize = 6;

/// An attribute or capacity of the devices, and how often it is there.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// `int`, `string`, …, or `quantity`.
    pub kind: String,
    /// Devices that have it.
    pub count: usize,
    /// Its values, the first few.
    pub values: Vec<String>,
    /// Whether there are more.
    pub more: bool,
}

impl Known {
    fn add(&mut self, kind: &str, value: &str) {
        kind.clone_into(&mut self.kind);
        self.count += 1;
        if self.values.iter().any(|it| it == value) {
        } else if self.values.len() < MOST_VALUES {
            self.values.push(value.to_owned());
        } else {
            self.more = true;
        }
    }

    /// Type and values, e.g. `int: 0, 1, 2, …`.
    pub(super) fn detail(&self) -> String {
        let more = if self.more { ", …" } else { "" };
        format!("{}: {}{more}", self.kind, self.values.join(", "))
    }
}

/// Domain and name of a published key: one without a domain belongs to the driver.
pub(super) fn qualified<'a>(device: &'a DeviceView, key: &'a str) -> (&'a str, &'a str) {
    key.split_once('/').unwrap_or((&device.device.driver, key))
}

/// Attributes by domain and name.
pub(super) fn attributes(analysis: &Analysis) -> BTreeMap<(String, String), Known> {
    let mut known: BTreeMap<(String, String), Known> = BTreeMap::new();
    for device in analysis.snapshot.devices.iter().take(MOST_DEVICES) {
        for attribute in &device.attributes {
            let (domain, name) = qualified(device, &attribute.name);
            let entry = known.entry((domain.to_owned(), name.to_owned())).or_default();
            entry.add(&attribute.kind, &attribute.value);
        }
    }
    known
}

/// Capacities by domain and name.
pub(super) fn capacities(analysis: &Analysis) -> BTreeMap<(String, String), Known> {
    let mut known: BTreeMap<(String, String), Known> = BTreeMap::new();
    for device in analysis.snapshot.devices.iter().take(MOST_DEVICES) {
        for capacity in &device.capacity {
            let (domain, name) = qualified(device, &capacity.name);
            let entry = known.entry((domain.to_owned(), name.to_owned())).or_default();
            entry.add("quantity", &capacity.total);
        }
    }
    known
}

/// Objects of a kind with one fact about each.
fn objects(analysis: &Analysis, kind: &str) -> Vec<(String, String)> {
    let of_kind = analysis.outline.iter().filter(|it| it.object.kind == kind && !it.hypothetical);
    unique(of_kind.map(|it| (it.object.name.clone(), it.fact.clone())))
}

fn unique(names: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = names.collect();
    all.order();
    all.dedup_by(|a, b| a.0 == b.0);
    all
}

fn alone(names: impl Iterator<Item = String>) -> Vec<(String, String)> {
    unique(names.map(|name| (name, String::new())))
}

/// What the field at the end of a path may name.
pub(super) fn of_field(path: &[&str], analysis: &Analysis) -> Vec<(String, String)> {
    let snapshot = &analysis.snapshot;
    match path {
        [.., "deviceClassName"] => objects(analysis, "DeviceClass"),
        [.., "resourceClaimTemplateName"] => objects(analysis, "ResourceClaimTemplate"),
        [.., "resourceClaimName"] | ["spec", "steps", _, "setConditions", "claim"] => {
            objects(analysis, "ResourceClaim")
        }
        [.., "nodeName"] => alone(snapshot.nodes.iter().map(|it| it.name.clone())),
        ["metadata", "namespace"] => objects(analysis, "Namespace"),
        [.., "driver"] => alone(snapshot.pools.iter().map(|it| it.driver.clone())),
        [.., "counterSet"] => alone(snapshot.counter_sets.iter().map(|it| it.name.clone())),
        [.., "matchAttribute" | "distinctAttribute"] => {
            let names = attributes(analysis).into_iter();
            names.map(|((domain, name), it)| (format!("{domain}/{name}"), it.detail())).collect()
        }
        ["spec", "kubernetesVersion"] => {
            let releases = Release::OFFERED.into_iter().rev();
            releases.map(|release| (release.to_string(), String::new())).collect()
        }
        ["spec", "steps", _, "delete", "kind"] => {
            alone(analysis.outline.iter().map(|it| it.object.kind.clone()))
        }
        ["spec", "steps", _, "delete", "name"] => {
            let all = analysis.outline.iter().filter(|it| it.object.kind != "Scenario");
            unique(all.map(|it| (it.object.name.clone(), it.object.kind.clone())))
        }
        ["spec", "steps", _, "finish", "pod"] => objects(analysis, "Pod"),
        _ => Vec::new(),
    }
}

/// Keys that the map at a path may have.
pub(super) fn keys(path: &[&str], analysis: &Analysis) -> Vec<(String, String)> {
    match path {
        [.., "capacity", "requests"] => {
            let names = capacities(analysis).into_iter();
            unique(names.map(|((_, name), it)| (name, it.detail())))
        }
        ["spec", "featureGates" | "apiServerFeatureGates"] => {
            let gates = analysis.kubernetes.gates.iter();
            gates.map(|gate| (gate.name.clone(), gate.stage.clone())).collect()
        }
        [.., "attributes"] => {
            let names = attributes(analysis).into_iter();
            unique(names.map(|((_, name), it)| (name, it.detail())))
        }
        [.., "counters"] => {
            let columns = analysis.snapshot.counter_sets.iter().flat_map(|it| &it.columns);
            alone(columns.map(|it| it.name.clone()))
        }
        _ => Vec::new(),
    }
}
