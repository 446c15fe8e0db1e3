use crate::apimachinery::names::{label_faults, subdomain_faults};
use crate::apimachinery::{FieldError, ObjectMeta};

use super::super::object::{Kind, Object};
use super::faults::{Faults, Mark};
use super::formats::{label_key, label_value};

/// Longest annotations in all, in bytes.
const ANNOTATIONS_MAX: usize = 256 * 1024;

/// The rules for `metadata`.
pub(super) fn object(object: &Object, faults: &mut Faults) {
    let Some(metadata) = object.metadata() else {
        return;
    };
    let rule = match object.kind {
        Kind::Namespace => label_faults,
        Kind::ResourceSlice
        | Kind::DeviceClass
        | Kind::ResourceClaim
        | Kind::ResourceClaimTemplate
        | Kind::DeviceTaintRule
        | Kind::Pod
        | Kind::Node
        | Kind::Scenario => subdomain_faults,
    };
    let prefix = object.spans.node("metadata.generateName").and_then(crate::yaml::Node::text);
    let prefix = prefix.filter(|prefix| !prefix.is_empty());
    if let Some(prefix) = &prefix {
        let masked = match prefix.strip_suffix('-') {
            Some(head) if !head.is_empty() => format!("{head}a"),
            _ => prefix.clone().into_owned(),
        };
        faults.invalid_name("metadata.generateName", prefix, rule(&masked));
    }
    if !metadata.name.is_empty() {
        faults.invalid_name("metadata.name", &metadata.name, rule(&metadata.name));
    } else if prefix.is_none() {
        let detail = "name or generateName is required";
        faults.push(FieldError::required("metadata.name", detail));
    }
    if object.kind.is_namespaced() && !metadata.namespace.is_empty() {
        let found = label_faults(&metadata.namespace);
        faults.invalid_name("metadata.namespace", &metadata.namespace, found);
    }
    template(metadata, "metadata", faults);
}

/// Labels and annotations, also of what a template makes.
pub(super) fn template(metadata: &ObjectMeta, path: &str, faults: &mut Faults) {
    labels(metadata, &format!("{path}.labels"), faults);
    let annotations = format!("{path}.annotations");
    let mut size = 0;
    for (key, value) in &metadata.annotations {
        size += key.len() + value.len();
        // UPSTREAM: annotation keys are judged in lower case.
        for detail in crate::apimachinery::names::label_key_faults(&key.to_lowercase()) {
            let error = FieldError::invalid(&annotations, key, detail);
            faults.push_at(error, Mark::Key(format!("{annotations}[{key}]")));
        }
    }
    if size > ANNOTATIONS_MAX {
        faults.push(FieldError::too_long(annotations, ANNOTATIONS_MAX));
    }
}

fn labels(metadata: &ObjectMeta, path: &str, faults: &mut Faults) {
    for (key, value) in &metadata.labels {
        let mut found = Faults::default();
        label_key(path, key, &mut found);
        let keys = found.finish().into_iter();
        keys.for_each(|fault| faults.push_at(fault.error, Mark::Key(format!("{path}[{key}]"))));
        let mut found = Faults::default();
        label_value(path, value, &mut found);
        let values = found.finish().into_iter();
        values.for_each(|fault| faults.push_at(fault.error, Mark::Value(format!("{path}[{key}]"))));
    }
}
