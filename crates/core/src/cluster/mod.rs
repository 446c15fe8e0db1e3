//! The objects of a scenario by kind and name, and what is allocated.
//!
//! A [`Cluster`] is a value: cloning it is cheap, because objects are shared, and a changed clone
//! leaves the original as it was. That is what makes a timeline of snapshots affordable.
//! Must not know how Pods are scheduled, nor steps. Upstream counterpart: the API server's storage
//! together with `dynamic-resource-allocation/resourceclaim`.

mod balance;
mod class_names;
mod names;
mod objects;
mod taint_rules;
#[cfg(test)]
mod tests;
mod time;

pub use balance::Balance;
pub use class_names::ClassNames;
pub use names::{generated_claim_name, stable_uuid};
pub use objects::{HasMeta, Made, Object, Objects, Origin};
pub use taint_rules::{ActiveRule, RuleMatcher};
pub use time::{DEFAULT_EPOCH, format_time, parse_duration, parse_time};

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::api::{
    DeviceClass, DeviceTaintRule, Namespace, Node, Pod, ResourceClaim, ResourceClaimTemplate,
    ResourceSlice,
};
use crate::apimachinery::ObjectRef;

/// The objects that exist at one moment.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// Nodes, in text order.
    pub nodes: Objects<Node>,
    /// Namespaces, in text order; only those that are written.
    pub namespaces: Objects<Namespace>,
    /// Device classes, in text order.
    pub classes: Objects<DeviceClass>,
    /// Which of them stand behind extended resources, by what became of them so far.
    pub class_names: ClassNames,
    /// Slices, in text order, without the taints of rules.
    pub slices: Objects<ResourceSlice>,
    /// Claims, in text order; a generated claim stands at the end when it is generated.
    pub claims: Objects<ResourceClaim>,
    /// Claim templates, in text order.
    pub templates: Objects<ResourceClaimTemplate>,
    /// Device taint rules, in text order.
    pub taint_rules: Objects<DeviceTaintRule>,
    /// Pods, in text order: the order in which they are tried.
    pub pods: Objects<Pod>,
    /// Seconds on the scenario's clock.
    pub clock_seconds: u64,
    /// Time at clock 0, in seconds since 1970.
    pub epoch_seconds: i64,
    /// Pods that wait for binding conditions, in the order in which they began to wait.
    pub waiting: Rc<Vec<WaitingPod>>,
    /// Pods that existed at some time, by namespace and name: a consumer that is none of them was
    /// never part of the text, and counts as running.
    pub seen_pods: Rc<BTreeSet<(String, String)>>,
}

/// A Pod that has devices and waits for them to become ready (KEP-5007).
#[derive(Clone, Debug, PartialEq)]
pub struct WaitingPod {
    /// Namespace.
    pub namespace: String,
    /// Name.
    pub name: String,
    /// The node it will run on.
    pub node: String,
    /// Clock time at which the scheduler gives up.
    pub deadline_seconds: u64,
    /// The names of its claims, in the scheduler's order.
    pub claims: Vec<String>,
    /// What the scheduler allocated for it and keeps in memory until it is bound, whatever becomes
    /// of the claims; empty where the release trusts the claims alone.
    pub in_flight: Vec<Rc<ResourceClaim>>,
    /// Clock time since which one of the claims is gone; the scheduler's next look finds that.
    pub missing_since: Option<u64>,
    /// Whether the Pod was deleted, which the scheduler does not notice here.
    pub is_gone: bool,
}

impl WaitingPod {
    /// Whether this is the Pod of that name, and it still exists.
    pub fn is(&self, pod: &Pod) -> bool {
        let meta = &pod.metadata;
        !self.is_gone && self.name == meta.name && self.namespace == meta.namespace
    }
}

impl Cluster {
    /// Whether a Pod of that name existed at some time.
    pub fn was_seen(&self, namespace: &str, pod: &str) -> bool {
        self.seen_pods.contains(&(namespace.to_owned(), pod.to_owned()))
    }

    /// The time on the scenario's clock, in seconds since 1970.
    pub fn now(&self) -> i64 {
        self.epoch_seconds.saturating_add_unsigned(self.clock_seconds)
    }

    /// When an object was created, in seconds since 1970.
    pub fn created<T: HasMeta>(&self, object: &Object<T>) -> i64 {
        let written = object.value.meta().creation_timestamp.as_deref().and_then(parse_time);
        written
            .unwrap_or_else(|| self.epoch_seconds.saturating_add_unsigned(object.created_seconds))
    }

    /// Adds a class or replaces it.
    pub fn put_class(&mut self, class: Object<DeviceClass>) {
        let old = self.classes.get("", &class.value.metadata.name).cloned();
        let created = self.created(old.as_ref().unwrap_or(&class));
        self.class_names.put(&class.value, old.as_ref().map(|old| &*old.value), created);
        self.classes.put(class);
    }

    /// Removes a class.
    pub fn remove_class(&mut self, name: &str) {
        if let Some(class) = self.classes.remove("", name) {
            self.class_names.remove(&class.value);
        }
    }

    /// Where an object comes from; `None` when it does not exist or its kind is not kept.
    pub fn origin(&self, object: &ObjectRef) -> Option<Origin> {
        let (namespace, name) = (object.namespace.as_str(), object.name.as_str());
        match object.kind.as_str() {
            "Node" => self.nodes.get("", name).map(|found| found.origin),
            "Namespace" => self.namespaces.get("", name).map(|found| found.origin),
            "DeviceClass" => self.classes.get("", name).map(|found| found.origin),
            "ResourceSlice" => self.slices.get("", name).map(|found| found.origin),
            "ResourceClaim" => self.claims.get(namespace, name).map(|found| found.origin),
            "ResourceClaimTemplate" => {
                self.templates.get(namespace, name).map(|found| found.origin)
            }
            "DeviceTaintRule" => self.taint_rules.get("", name).map(|found| found.origin),
            "Pod" => self.pods.get(namespace, name).map(|found| found.origin),
            _ => None,
        }
    }
}
