use std::collections::BTreeMap;

use crate::apimachinery::names::{is_semver, label_faults, label_key_faults};
use crate::apimachinery::quantity::Quantity;
use crate::apimachinery::{FieldError, quote};
use crate::features::Gate;

use super::super::object::Object;
use super::super::{Device, DeviceAttribute, DeviceTaint, DeviceTaintRule, ResourceSlice};
use super::capacity::capacity;
use super::faults::{Faults, Mark};
use super::formats::{
    TEXT_MAX, driver, entry, is_qualified_name, label, label_key, label_value, pool,
    qualified_name, subdomain, text, version,
};
use super::node_selector::{node_selector, terms_json};
use super::shown::item_json;
use super::{Rules, is_written};

const EFFECTS: [&str; 3] = ["NoExecute", "NoSchedule", "None"];
const NODE_SCOPES: &str =
    "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
const DEVICE_SCOPES: &str = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required \
    when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

/// Source: `validateResourceSliceSpec`.
pub(super) fn slice(
    slice: &ResourceSlice,
    object: &Object,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    driver("spec.driver", &slice.driver, faults);
    pool("spec.pool.name", &slice.pool.name, faults);
    if slice.pool.resource_slice_count <= 0 {
        let (path, count) = ("spec.pool.resourceSliceCount", slice.pool.resource_slice_count);
        faults.push(FieldError::invalid_raw(path, count, "must be greater than zero"));
    }
    if slice.pool.generation < 0 {
        let detail = "must be greater than or equal to zero";
        let generation = slice.pool.generation;
        faults.push(FieldError::invalid_raw("spec.pool.generation", generation, detail));
    }
    node_scope(slice, object, faults);
    // UPSTREAM: an empty list counts, too.
    let is_given = |path: &str, len: usize| len > 0 || is_written(object, path);
    if is_given("spec.devices", slice.devices.len())
        && (!slice.shared_counters.is_empty()
            || is_written(object, "spec.sharedCounters") && rules.on(Gate::PartitionableDevices))
    {
        let detail = "only one of `sharedCounters` or `devices` is allowed";
        let mark = Mark::Key("spec.sharedCounters".to_owned());
        faults.push_at(FieldError::invalid("spec", "", detail), mark);
    }
    devices(slice, object, rules, faults);
    counter_sets(slice, object, faults);
}

fn node_scope(slice: &ResourceSlice, object: &Object, faults: &mut Faults) {
    let mut set = Vec::new();
    match slice.node_name.as_deref() {
        Some("") => {
            let detail = "must be either unset or set to a non-empty string";
            faults.push(FieldError::invalid("spec.nodeName", "", detail));
        }
        Some(name) => {
            set.push("`nodeName`");
            subdomain("spec.nodeName", name, faults);
        }
        None => {}
    }
    if let Some(selector) = &slice.node_selector {
        set.push("`nodeSelector`");
        node_selector(selector, "spec.nodeSelector", faults);
        if selector.terms.len() != 1 {
            let path = "spec.nodeSelector.nodeSelectorTerms";
            let detail = "must have exactly one node selector term";
            faults.push(FieldError::invalid_raw(path, terms_json(selector, object, path), detail));
        }
    }
    let flags = [
        ("allNodes", "`allNodes`", slice.all_nodes),
        ("perDeviceNodeSelection", "`perDeviceNodeSelection`", slice.per_device_node_selection),
    ];
    for (field, quoted, value) in flags {
        match value {
            Some(true) => set.push(quoted),
            Some(false) => {
                let detail = "must be either unset or set to true";
                faults.push(FieldError::invalid_raw(format!("spec.{field}"), false, detail));
            }
            None => {}
        }
    }
    match set.len() {
        0 => faults.push(FieldError::required("spec", NODE_SCOPES)),
        1 => {}
        _ => {
            let detail = format!("{NODE_SCOPES}, but multiple fields are set");
            let value = format!("{{{}}}", set.join(", "));
            faults.push(FieldError::invalid("spec", &value, detail));
        }
    }
}

fn devices(slice: &ResourceSlice, object: &Object, rules: &Rules<'_>, faults: &mut Faults) {
    let is_list = |attribute: &DeviceAttribute| {
        attribute.ints.is_some()
            || attribute.bools.is_some()
            || attribute.strings.is_some()
            || attribute.versions.is_some()
    };
    let heavy = |device: &Device| {
        !device.taints.is_empty()
            || !device.consumes_counters.is_empty()
            || device.attributes.values().any(is_list)
    };
    let limit = if slice.devices.iter().any(heavy) { 64 } else { 128 };
    let check = |faults: &mut Faults| {
        for (idx, item) in slice.devices.iter().enumerate() {
            let path = format!("spec.devices[{idx}]");
            Checked { device: item, path: &path, slice, object, rules }.check(faults);
        }
    };
    if !faults.fits("spec.devices", slice.devices.len(), limit) {
        faults.only_declared(check);
        return;
    }
    check(faults);
    faults.unique("spec.devices", slice.devices.iter().map(|device| device.name.as_str()));
}

/// A device under examination.
struct Checked<'a> {
    device: &'a Device,
    path: &'a str,
    slice: &'a ResourceSlice,
    object: &'a Object,
    rules: &'a Rules<'a>,
}

impl Checked<'_> {
    fn check(&self, faults: &mut Faults) {
        let Self { device, path, rules, .. } = *self;
        label(&format!("{path}.name"), &device.name, faults);
        let count = device.attributes.len() + device.capacity.len();
        if count > 32 {
            let detail = "the total number of attributes and capacities must not exceed 32";
            faults.push(FieldError::invalid_raw(path, count, detail));
        }
        let values: usize = device.attributes.values().map(attribute_values).sum();
        if values > 48 {
            let detail = "the total number of attribute values must not exceed 48";
            faults.push(FieldError::invalid_raw(path, values, detail));
        }
        let attributes = format!("{path}.attributes");
        for (key, value) in device.attributes.iter() {
            // Large slices have many of them, nearly all fine.
            if !is_qualified_name(key) {
                let mark = Mark::Key(format!("{attributes}[{key}]"));
                qualified_name(&attributes, key, &mark, faults);
            }
            if !is_fine(value) {
                attribute(value, &attributes, key, faults);
            }
        }
        let capacities = format!("{path}.capacity");
        let shareable = device.allow_multiple_allocations == Some(true);
        for (key, value) in device.capacity.iter() {
            if !is_qualified_name(key) {
                let mark = Mark::Key(format!("{capacities}[{key}]"));
                qualified_name(&capacities, key, &mark, faults);
            }
            if value.request_policy.is_some() {
                capacity(value, shareable, &entry(&capacities, key), self.object, rules, faults);
            }
        }
        let taints = format!("{path}.taints");
        let each = |faults: &mut Faults| {
            for (idx, item) in device.taints.iter().enumerate() {
                taint(item, &format!("{taints}[{idx}]"), faults);
            }
        };
        if faults.fits(&taints, device.taints.len(), 16) {
            each(faults);
        } else {
            faults.only_declared(each);
        }
        self.consumptions(faults);
        device_scope(device, path, self.slice, faults);
        // The server stores an empty list as an absent one, but judges what was written.
        let given = |list: &Option<Vec<String>>, field: &str| {
            let written = list.is_some() || is_written(self.object, &format!("{path}.{field}"));
            written.then(|| list.clone().unwrap_or_default())
        };
        let (binding, failure) = (&device.binding_conditions, &device.binding_failure_conditions);
        if binding.is_some() || failure.is_some() {
            let binding = given(binding, "bindingConditions");
            let failure = given(failure, "bindingFailureConditions");
            conditions(path, binding.as_deref(), failure.as_deref(), faults);
        }
    }

    fn consumptions(&self, faults: &mut Faults) {
        let path = format!("{}.consumesCounters", self.path);
        let list = &self.device.consumes_counters;
        if !faults.declared(|faults| faults.fits(&path, list.len(), 2)) {
            return;
        }
        for (idx, consumption) in list.iter().enumerate() {
            let path = format!("{path}[{idx}]");
            let set = format!("{path}.counterSet");
            faults.declared(|faults| required_label(&set, &consumption.counter_set, faults));
            counters(&consumption.counters, &format!("{path}.counters"), faults);
        }
        let names = list.iter().map(|consumption| consumption.counter_set.as_str());
        let show = |idx| item_json(self.object, &format!("{path}[{idx}]"));
        faults.declared(|faults| faults.unique_items(&path, names, show));
    }
}

fn required_label(path: &str, name: &str, faults: &mut Faults) {
    if name.is_empty() {
        faults.required(path.to_owned());
    } else {
        label(path, name, faults);
    }
}

fn attribute_values(attribute: &DeviceAttribute) -> usize {
    let count = attribute.ints.as_ref().map_or(0, Vec::len)
        + attribute.bools.as_ref().map_or(0, Vec::len)
        + attribute.strings.as_ref().map_or(0, Vec::len)
        + attribute.versions.as_ref().map_or(0, Vec::len);
    count.max(1)
}

/// Whether one plain value is set, and nothing is wrong with it.
fn is_fine(attribute: &DeviceAttribute) -> bool {
    match attribute {
        DeviceAttribute {
            int,
            bool,
            string,
            version,
            ints: None,
            bools: None,
            strings: None,
            versions: None,
        } => match (int, bool, string, version) {
            (Some(_), None, None, None) | (None, Some(_), None, None) => true,
            (None, None, Some(text), None) => text.len() <= TEXT_MAX,
            (None, None, None, Some(text)) => text.len() <= TEXT_MAX && is_semver(text),
            _ => false,
        },
        _ => false,
    }
}

fn attribute(attribute: &DeviceAttribute, attributes: &str, key: &str, faults: &mut Faults) {
    let (path, whole) = (&entry(attributes, key), &format!("{attributes}[{key}]"));
    if let Some(value) = &attribute.string {
        text(&format!("{path}.string"), value, faults);
    }
    if let Some(value) = &attribute.version {
        version(&format!("{path}.version"), value, faults);
    }
    let lists = [
        ("bools", attribute.bools.as_ref().map(Vec::len)),
        ("ints", attribute.ints.as_ref().map(Vec::len)),
        ("strings", attribute.strings.as_ref().map(Vec::len)),
        ("versions", attribute.versions.as_ref().map(Vec::len)),
    ];
    for (field, len) in lists {
        if len == Some(0) {
            let path = format!("{path}.{field}");
            faults.push(FieldError::invalid_raw(path, "[]", "must not be empty if specified"));
        }
    }
    for (idx, value) in attribute.versions.iter().flatten().enumerate() {
        version(&format!("{path}.versions[{idx}]"), value, faults);
    }
    // UPSTREAM: declared rules show the whole key, so that they do not stand for the others.
    if faults.declares() && path != whole {
        faults.declared(|faults| covered(attribute, whole, faults));
        covered(attribute, path, faults);
    } else {
        faults.declared(|faults| covered(attribute, path, faults));
    }
}

/// The rules of an attribute that are both handwritten and declared.
fn covered(attribute: &DeviceAttribute, path: &str, faults: &mut Faults) {
    for (idx, value) in attribute.strings.iter().flatten().enumerate() {
        text(&format!("{path}.strings[{idx}]"), value, faults);
    }
    let mut fields = attribute.forms();
    if faults.are_declared() {
        // UPSTREAM: declared rules take an empty list for none.
        let empty = [
            attribute.ints.as_ref().is_some_and(Vec::is_empty),
            attribute.bools.as_ref().is_some_and(Vec::is_empty),
            attribute.strings.as_ref().is_some_and(Vec::is_empty),
            attribute.versions.as_ref().is_some_and(Vec::is_empty),
        ];
        for ((_, set), empty) in fields.iter_mut().skip(4).zip(empty) {
            *set &= !empty;
        }
    }
    let quoted = |wanted: bool| -> String {
        let names = fields.iter().filter(|(_, set)| *set || !wanted);
        names.map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let set = fields.iter().filter(|(_, set)| *set).count();
    let written = attribute.forms().iter().filter(|(_, set)| *set).count();
    // What no declared rule finds is still told by the handwritten one.
    let declared = faults.are_declared() && set != 1;
    let (value, detail) = match (if declared { set } else { written }, declared) {
        (1, _) => return,
        (0, true) => (quote(""), format!("must specify one of: {}", quoted(false))),
        (_, true) => {
            let value = quote(&format!("{{{}}}", quoted(true).replace('`', "")));
            (value, format!("must specify exactly one of: {}", quoted(false)))
        }
        (0, false) => (quote(""), "exactly one value must be specified".to_owned()),
        (_, false) => (attribute_json(attribute), "exactly one value must be specified".to_owned()),
    };
    let error = FieldError::invalid_raw(path, value, detail);
    if declared { faults.push(error) } else { faults.handwritten(|faults| faults.push(error)) }
}

/// The attribute as JSON with Go's field names, as the error shows it.
fn attribute_json(attribute: &DeviceAttribute) -> String {
    use serde_json::Value;
    let fields = [
        ("IntValue", Value::from(attribute.int)),
        ("BoolValue", Value::from(attribute.bool)),
        ("StringValue", Value::from(attribute.string.clone())),
        ("VersionValue", Value::from(attribute.version.clone())),
        ("IntValues", Value::from(attribute.ints.clone())),
        ("BoolValues", Value::from(attribute.bools.clone())),
        ("StringValues", Value::from(attribute.strings.clone())),
        ("VersionValues", Value::from(attribute.versions.clone())),
    ];
    let fields = fields.map(|(key, value)| format!("\"{key}\":{value}"));
    crate::apimachinery::go_json(&format!("{{{}}}", fields.join(",")))
}

fn counter_sets(slice: &ResourceSlice, object: &Object, faults: &mut Faults) {
    let path = "spec.sharedCounters";
    let sets = &slice.shared_counters;
    faults.declared(|faults| {
        if !faults.fits(path, sets.len(), 8) {
            return;
        }
        for (idx, set) in sets.iter().enumerate() {
            let path = format!("{path}[{idx}]");
            required_label(&format!("{path}.name"), &set.name, faults);
            counters(&set.counters, &format!("{path}.counters"), faults);
        }
        let names = sets.iter().map(|set| set.name.as_str());
        faults.unique_items(path, names, |idx| item_json(object, &format!("{path}[{idx}]")));
    });
}

fn counters(counters: &BTreeMap<String, Quantity>, path: &str, faults: &mut Faults) {
    if counters.is_empty() {
        faults.declared(|faults| faults.required(path.to_owned()));
    } else if faults.fits(path, counters.len(), 32) || faults.declares() {
        for key in counters.keys() {
            let mark = Mark::Key(format!("{path}[{key}]"));
            faults.declared(|faults| faults.invalid_name_at(path, key, label_faults(key), &mark));
        }
    }
}

fn device_scope(device: &Device, path: &str, slice: &ResourceSlice, faults: &mut Faults) {
    if slice.per_device_node_selection != Some(true) {
        let any = device.node_name.is_some()
            || device.node_selector.is_some()
            || device.all_nodes.is_some();
        if any {
            let detail = "`nodeName`, `nodeSelector` and `allNodes` can only be set if \
                `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
            faults.push(FieldError::invalid_raw(path, "null", detail));
        }
        return;
    }
    let mut set = Vec::new();
    match device.node_name.as_deref() {
        Some("") => {
            let path = format!("{path}.nodeName");
            faults.push(FieldError::invalid(path, "", "must not be empty"));
        }
        Some(name) => {
            set.push("`nodeName`");
            subdomain(&format!("{path}.nodeName"), name, faults);
        }
        None => {}
    }
    if let Some(selector) = &device.node_selector {
        set.push("`nodeSelector`");
        node_selector(selector, &format!("{path}.nodeSelector"), faults);
    }
    match device.all_nodes {
        Some(true) => set.push("`allNodes`"),
        Some(false) => {
            let detail = "must be either unset or set to true";
            faults.push(FieldError::invalid_raw(format!("{path}.allNodes"), false, detail));
        }
        None => {}
    }
    match set.len() {
        0 => faults.push(FieldError::required(path, DEVICE_SCOPES)),
        1 => {}
        _ => {
            let value = format!("{{{}}}", set.join(", "));
            faults.push(FieldError::invalid(path, &value, DEVICE_SCOPES));
        }
    }
}

/// Source: `validateDeviceBindingParameters`.
pub(super) fn conditions(
    path: &str,
    given_binding: Option<&[String]>,
    given_failure: Option<&[String]>,
    faults: &mut Faults,
) {
    let binding = given_binding.unwrap_or_default();
    let failure = given_failure.unwrap_or_default();
    let (binding_path, failure_path) =
        (format!("{path}.bindingConditions"), format!("{path}.bindingFailureConditions"));
    for (path, list) in [(&binding_path, binding), (&failure_path, failure)] {
        if faults.declared(|faults| faults.fits(path, list.len(), 4)) {
            for (idx, condition) in list.iter().enumerate() {
                label_key(&format!("{path}[{idx}]"), condition, faults);
            }
        }
    }
    faults.unique(&binding_path, binding.iter().map(String::as_str));
    faults.unique(&failure_path, failure.iter().map(String::as_str));
    for (idx, condition) in failure.iter().enumerate().filter(|(_, c)| binding.contains(c)) {
        let detail = "bindingFailureConditions must not overlap with bindingConditions";
        faults.push(FieldError::invalid(format!("{failure_path}[{idx}]"), condition, detail));
    }
    let empty = |list: Option<&[String]>| if list.is_some() { "[]" } else { "null" };
    if binding.is_empty() && !failure.is_empty() {
        let detail = "bindingConditions are required to use bindingFailureConditions";
        let value = empty(given_binding);
        faults.push(FieldError::invalid_raw(binding_path, value, detail));
    } else if failure.is_empty() && !binding.is_empty() {
        let detail = "bindingFailureConditions are required to use bindingConditions";
        let value = empty(given_failure);
        faults.push(FieldError::invalid_raw(failure_path, value, detail));
    }
}

fn taint(taint: &DeviceTaint, path: &str, faults: &mut Faults) {
    faults.invalid(&format!("{path}.key"), &taint.key, label_key_faults(&taint.key));
    label_value(&format!("{path}.value"), &taint.value, faults);
    effect(&taint.effect, &format!("{path}.effect"), faults);
    if taint.effect.is_empty() {
        faults.declared(|faults| faults.required(format!("{path}.effect")));
    }
}

/// An effect, where one is given.
pub(super) fn effect(effect: &str, path: &str, faults: &mut Faults) {
    if !effect.is_empty() && !EFFECTS.contains(&effect) {
        let error = FieldError::not_supported(path, effect, &EFFECTS);
        faults.declared(|faults| faults.push(error));
    }
}

/// Source: `validateDeviceTaintRuleSpec`.
pub(super) fn taint_rule(rule: &DeviceTaintRule, faults: &mut Faults) {
    if let Some(selector) = &rule.device_selector {
        let path = "spec.deviceSelector";
        if let Some(name) = &selector.driver {
            driver(&format!("{path}.driver"), name, faults);
        }
        if let Some(name) = &selector.pool {
            pool(&format!("{path}.pool"), name, faults);
        }
        if let Some(name) = &selector.device {
            label(&format!("{path}.device"), name, faults);
        }
    }
    taint(&rule.taint, "spec.taint", faults);
}
