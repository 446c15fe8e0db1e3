use crate::apimachinery::names::{label_faults, label_key_faults, subdomain_faults};
use crate::apimachinery::{FieldError, ObjectMeta, OwnerReference};

use super::super::object::{Kind, Object};
use super::super::schema::OBJECT_META;
use super::faults::{Faults, Mark};
use super::formats::{label_key, label_value};
use super::shown::item_json;
use crate::yaml::NodeKind;

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
    // UPSTREAM: classes are judged by the name that comes out, and a hyphen at the end takes the
    // sign before it along.
    if let Some(prefix) = prefix.as_deref().filter(|_| object.kind != Kind::DeviceClass) {
        let masked = match prefix.strip_suffix('-') {
            Some(head) if !head.is_empty() => {
                format!("{}a", head.get(..head.len() - 1).unwrap_or(head))
            }
            _ => prefix.to_owned(),
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
    // A Pod that is made of a workload gets its owner from the controller.
    if object.made_from.is_none() {
        owners(object, metadata, faults);
        finalizers(object, faults);
    }
}

/// Source: `apimachinery/pkg/api/validation ValidateOwnerReferences`.
fn owners(object: &Object, metadata: &ObjectMeta, faults: &mut Faults) {
    const PATH: &str = "metadata.ownerReferences";
    let mut controller: Option<&OwnerReference> = None;
    for (idx, owner) in metadata.owner_references.iter().enumerate() {
        let fields = [
            ("apiVersion", &owner.api_version),
            ("kind", &owner.kind),
            ("name", &owner.name),
            ("uid", &owner.uid),
        ];
        for (field, _) in fields.into_iter().filter(|(_, text)| text.is_empty()) {
            let path = format!("{PATH}[{idx}].{field}");
            let mark = Mark::Value(path.clone());
            let detail = "must not be empty";
            let error = match (faults.declares(), field) {
                (true, _) => FieldError::required(path, detail),
                (false, "apiVersion") => {
                    FieldError::invalid(format!("{PATH}.{field}"), "", format!("version {detail}"))
                }
                (false, _) => FieldError::invalid(format!("{PATH}.{field}"), "", detail),
            };
            faults.push_at(error, mark);
        }
        match controller.filter(|_| owner.controller) {
            Some(first) => {
                let all = 0..metadata.owner_references.len();
                let all: Vec<String> =
                    all.map(|idx| item_json(object, &format!("{PATH}[{idx}]"))).collect();
                let detail = format!(
                    "Only one reference can have Controller set to true. Found \"true\" in \
                     references for {}/{} and {}/{}",
                    first.kind, first.name, owner.kind, owner.name
                );
                faults.push(FieldError::invalid_raw(PATH, format!("[{}]", all.join(",")), detail));
            }
            None if owner.controller => controller = Some(owner),
            None => {}
        }
    }
}

/// Source: `apimachinery/pkg/api/validation ValidateFinalizers`, and what the core API adds.
fn finalizers(object: &Object, faults: &mut Faults) {
    const PATH: &str = "metadata.finalizers";
    let items = object.spans.node(PATH).and_then(crate::yaml::Node::items);
    let names: Vec<_> =
        items.into_iter().flatten().map(|item| item.text().unwrap_or_default()).collect();
    for (idx, name) in names.iter().enumerate() {
        let mark = || Mark::Value(format!("{PATH}[{idx}]"));
        for detail in label_key_faults(name) {
            faults.push_at(FieldError::invalid(PATH, name, detail), mark());
        }
        let standard = ["kubernetes", "orphan", "foregroundDeletion"].contains(&name.as_ref());
        if !standard && !name.contains('/') {
            let detail = "name is neither a standard finalizer name nor is it fully qualified";
            faults.push_at(FieldError::invalid(format!("{PATH}[{idx}]"), name, detail), mark());
        }
    }
}

/// Labels and annotations, also of what a template makes.
pub(super) fn template(metadata: &ObjectMeta, path: &str, faults: &mut Faults) {
    labels(metadata, &format!("{path}.labels"), faults);
    let annotations = format!("{path}.annotations");
    let mut size = 0;
    for (key, value) in &metadata.annotations {
        size += key.len() + value.len();
        // UPSTREAM: annotation keys are judged in lower case.
        for detail in label_key_faults(&key.to_lowercase()) {
            let error = FieldError::invalid(&annotations, key, detail);
            faults.push_at(error, Mark::Key(format!("{annotations}[{key}]")));
        }
    }
    if size > ANNOTATIONS_MAX {
        faults.push(FieldError::too_long(annotations, ANNOTATIONS_MAX));
    }
}

/// What is made of a template gets labels and annotations from it, nothing else.
///
/// Source: `pkg/apis/core/validation ValidateTemplateObjectMeta`.
pub(super) fn only_labels(object: &Object, path: &str, faults: &mut Faults) {
    let entries = object.spans.node(path).and_then(crate::yaml::Node::entries);
    for (key, value) in entries.into_iter().flatten() {
        let name = key.key_text();
        let known = OBJECT_META.fields.iter().any(|field| field.name == name);
        let allowed = name == "labels" || name == "annotations";
        let empty = match &value.kind {
            NodeKind::Scalar(scalar) => value.is_null() || matches!(&*scalar.value, "" | "0"),
            NodeKind::Sequence(items) => items.is_empty(),
            NodeKind::Mapping(entries) => entries.is_empty(),
        };
        if known && !allowed && !empty {
            // UPSTREAM: the name of the field in Go with a small first letter.
            let shown = if name == "uid" { "uID" } else { &*name };
            let error = FieldError::forbidden(format!("{path}.{shown}"), "cannot be set");
            faults.push_at(error, Mark::Key(format!("{path}.{name}")));
        }
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
