use std::collections::BTreeMap;

use crate::apimachinery::names::{LABEL_MAX, label_faults, label_key_faults, subdomain_faults};
use crate::apimachinery::quantity::Quantity;
use crate::apimachinery::{FieldError, NodeSelector};
use crate::features::Gate;

use super::super::{
    CapacityRequestPolicy, CapacityRequestPolicyRange, Device, DeviceAttribute, DeviceCapacity,
    DeviceTaint, DeviceTaintRule, ResourceSlice,
};
use super::Rules;
use super::faults::{Faults, Mark};
use super::formats::{
    driver, entry, label, label_key, label_value, pool, qualified_name, shortened, text, version,
};

const EFFECTS: [&str; 3] = ["NoExecute", "NoSchedule", "None"];
const NODE_SCOPES: &str =
    "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
const DEVICE_SCOPES: &str = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required \
    when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

/// Source: `validateResourceSliceSpec`.
pub(super) fn slice(slice: &ResourceSlice, rules: &Rules<'_>, faults: &mut Faults) {
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
    node_scope(slice, faults);
    if !slice.devices.is_empty() && !slice.shared_counters.is_empty() {
        let detail = "only one of `sharedCounters` or `devices` is allowed";
        let mark = Mark::Key("spec.sharedCounters".to_owned());
        faults.push_at(FieldError::invalid("spec", "", detail), mark);
    }
    devices(slice, rules, faults);
    counter_sets(slice, faults);
}

fn node_scope(slice: &ResourceSlice, faults: &mut Faults) {
    let mut set = Vec::new();
    match slice.node_name.as_deref() {
        Some("") => {
            let detail = "must be either unset or set to a non-empty string";
            faults.push(FieldError::invalid("spec.nodeName", "", detail));
        }
        Some(name) => {
            set.push("`nodeName`");
            faults.invalid("spec.nodeName", name, subdomain_faults(name));
        }
        None => {}
    }
    if let Some(selector) = &slice.node_selector {
        set.push("`nodeSelector`");
        node_selector(selector, "spec.nodeSelector", faults);
        if selector.terms.len() != 1 {
            let path = "spec.nodeSelector.nodeSelectorTerms";
            let detail = "must have exactly one node selector term";
            faults.push(FieldError::invalid_raw(path, terms_json(selector), detail));
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

/// Source: `corevalidation.ValidateNodeSelector`.
pub(super) fn node_selector(selector: &NodeSelector, path: &str, faults: &mut Faults) {
    let path = format!("{path}.nodeSelectorTerms");
    if selector.terms.is_empty() {
        let detail = "must have at least one node selector term";
        faults.push(FieldError::required(path, detail));
        return;
    }
    for fault in selector.faults(&path) {
        faults.push(fault);
    }
}

/// The terms as JSON, as the error shows them.
fn terms_json(selector: &NodeSelector) -> String {
    use crate::apimachinery::NodeSelectorRequirement;
    use serde_json::{Map, Value};
    let requirement = |requirement: &NodeSelectorRequirement| {
        // UPSTREAM: internal types have no JSON names, so the field names are Go's.
        Value::Object(Map::from_iter([
            ("Key".to_owned(), Value::from(requirement.key.clone())),
            ("Operator".to_owned(), Value::from(requirement.operator.as_str())),
            (
                "Values".to_owned(),
                match requirement.values.as_slice() {
                    [] => Value::Null,
                    values => Value::from(values.to_vec()),
                },
            ),
        ]))
    };
    let list = |requirements: &[NodeSelectorRequirement]| match requirements {
        [] => Value::Null,
        _ => Value::Array(requirements.iter().map(requirement).collect()),
    };
    let terms = selector.terms.iter().map(|term| {
        Value::Object(Map::from_iter([
            ("MatchExpressions".to_owned(), list(&term.match_expressions)),
            ("MatchFields".to_owned(), list(&term.match_fields)),
        ]))
    });
    Value::Array(terms.collect()).to_string()
}

fn devices(slice: &ResourceSlice, rules: &Rules<'_>, faults: &mut Faults) {
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
    if !faults.fits("spec.devices", slice.devices.len(), limit) {
        return;
    }
    for (idx, item) in slice.devices.iter().enumerate() {
        device(item, &format!("spec.devices[{idx}]"), slice, rules, faults);
    }
    faults.unique("spec.devices", slice.devices.iter().map(|device| device.name.as_str()));
}

fn device(
    device: &Device,
    path: &str,
    slice: &ResourceSlice,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
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
    for (key, value) in &device.attributes {
        qualified_name(&attributes, key, &Mark::Key(format!("{attributes}[{key}]")), faults);
        attribute(value, &entry(&attributes, key), faults);
    }
    let capacities = format!("{path}.capacity");
    let shareable = device.allow_multiple_allocations == Some(true);
    for (key, value) in &device.capacity {
        qualified_name(&capacities, key, &Mark::Key(format!("{capacities}[{key}]")), faults);
        capacity(value, shareable, &entry(&capacities, key), rules, faults);
    }
    let taints = format!("{path}.taints");
    if faults.fits(&taints, device.taints.len(), 16) {
        for (idx, item) in device.taints.iter().enumerate() {
            taint(item, &format!("{taints}[{idx}]"), faults);
        }
    }
    consumptions(device, path, faults);
    device_scope(device, path, slice, faults);
    conditions(device, path, faults);
}

fn attribute_values(attribute: &DeviceAttribute) -> usize {
    let count = attribute.ints.as_ref().map_or(0, Vec::len)
        + attribute.bools.as_ref().map_or(0, Vec::len)
        + attribute.strings.as_ref().map_or(0, Vec::len)
        + attribute.versions.as_ref().map_or(0, Vec::len);
    count.max(1)
}

fn attribute(attribute: &DeviceAttribute, path: &str, faults: &mut Faults) {
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
    for (idx, value) in attribute.strings.iter().flatten().enumerate() {
        text(&format!("{path}.strings[{idx}]"), value, faults);
    }
    for (idx, value) in attribute.versions.iter().flatten().enumerate() {
        version(&format!("{path}.versions[{idx}]"), value, faults);
    }
    let set = usize::from(attribute.int.is_some())
        + usize::from(attribute.bool.is_some())
        + usize::from(attribute.string.is_some())
        + usize::from(attribute.version.is_some())
        + lists.iter().filter(|(_, len)| len.is_some()).count();
    let detail = "exactly one value must be specified";
    match set {
        0 => faults.push(FieldError::invalid(path, "", detail)),
        1 => {}
        _ => faults.push(FieldError::invalid_raw(path, attribute_json(attribute), detail)),
    }
}

/// The attribute as JSON with Go's field names, as the error shows it.
fn attribute_json(attribute: &DeviceAttribute) -> String {
    use serde_json::{Map, Value};
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
    Value::Object(Map::from_iter(fields.map(|(key, value)| (key.to_owned(), value)))).to_string()
}

fn capacity(
    capacity: &DeviceCapacity,
    shareable: bool,
    path: &str,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    let Some(policy) = &capacity.request_policy else {
        return;
    };
    let path = format!("{path}.requestPolicy");
    if !shareable {
        faults.push(FieldError::forbidden(path, "allowMultipleAllocations must be true"));
        return;
    }
    let total = &capacity.value;
    match policy {
        CapacityRequestPolicy { valid_values, valid_range: Some(_), .. }
            if !valid_values.is_empty() =>
        {
            let detail = "exactly one policy can be specified, cannot specify \"validValues\" \
                and \"validRange\" at the same time";
            faults.push(FieldError::forbidden(path, detail));
        }
        CapacityRequestPolicy { default: None, valid_values, .. } if !valid_values.is_empty() => {
            let detail = "required when validValues is defined";
            faults.push(FieldError::required(format!("{path}.default"), detail));
        }
        CapacityRequestPolicy { default: None, valid_range: Some(_), .. } => {
            let detail = "required when validRange is defined";
            faults.push(FieldError::required(format!("{path}.default"), detail));
        }
        CapacityRequestPolicy { default: Some(default), valid_values, valid_range: None } => {
            if !valid_values.is_empty() {
                let path = format!("{path}.validValues");
                policy_values(default, total, valid_values, &path, faults);
            }
        }
        CapacityRequestPolicy { default: Some(default), valid_range: Some(range), .. } => {
            policy_range(default, total, range, &format!("{path}.validRange"), rules, faults);
        }
        CapacityRequestPolicy { default: None, valid_range: None, .. } => {}
    }
}

fn policy_values(
    default: &Quantity,
    total: &Quantity,
    values: &[Quantity],
    path: &str,
    faults: &mut Faults,
) {
    for (idx, pair) in values.windows(2).enumerate() {
        if let [earlier, later] = pair
            && earlier > later
        {
            let detail = "values must be sorted in ascending order";
            let path = format!("{path}[{}]", idx + 1);
            faults.push(FieldError::invalid(path, &later.to_string(), detail));
        }
    }
    if faults.fits(path, values.len(), 10) {
        for (idx, value) in values.iter().enumerate() {
            if value > total {
                let detail = format!("option is larger than capacity value: {total}");
                faults.push(FieldError::invalid(
                    format!("{path}[{idx}]"),
                    &value.to_string(),
                    detail,
                ));
            }
        }
        // UPSTREAM: values are told apart in whole units, rounded up.
        let keys: Vec<String> = values.iter().map(|v| v.value_rounded_up().to_string()).collect();
        faults.unique(path, keys.iter().map(String::as_str));
    }
    if values.len() > 10 || !values.contains(default) {
        let detail = "default value is not valid according to the requestPolicy";
        faults.push(FieldError::invalid(path, &default.to_string(), detail));
    }
}

fn policy_range(
    default: &Quantity,
    total: &Quantity,
    range: &CapacityRequestPolicyRange,
    path: &str,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    let policy = path.strip_suffix(".validRange").unwrap_or(path);
    let mut wrong = |field: &str, value: &Quantity, detail: String| {
        // The default stands beside the range, but its error has the path of the range.
        let above = if field == "default" { policy } else { path };
        let mark = Mark::Value(format!("{above}.{field}"));
        let error = FieldError::invalid(format!("{path}.{field}"), &value.to_string(), detail);
        faults.push_at(error, mark);
    };
    let Some(min) = &range.min else {
        let detail = "required when validRange is defined";
        faults.push(FieldError::required(format!("{path}.min"), detail));
        return;
    };
    if min > total {
        wrong("min", min, format!("min is larger than capacity value: {total}"));
    }
    if default < min {
        wrong("default", default, format!("default is less than min: {min}"));
    }
    if let Some(max) = &range.max {
        if min > max {
            wrong("max", min, format!("min is larger than max: {max}"));
        }
        if max > total {
            wrong("max", max, format!("max is larger than capacity value: {total}"));
        }
        if default > max {
            wrong("default", default, format!("default is more than max: {max}"));
        }
    }
    let Some(step) = &range.step else {
        return;
    };
    if step.sign() <= 0 {
        wrong("step", step, "must be greater than zero".to_owned());
        return;
    }
    let one = min.add(step);
    if &one > total {
        wrong("step", step, format!("one step {one} is larger than capacity value: {total}"));
    }
    let milli = rules.on(Gate::FractionalCapacityRange);
    for value in [Some(default), range.max.as_ref()].into_iter().flatten() {
        if !on_grid(value, min, step, milli) {
            let detail = format!("value is not a multiple of a given step ({step}) from ({min})");
            wrong("step", value, detail);
        }
    }
}

/// Whether `value` is `min` plus a multiple of `step`, in whole units or in thousandths.
fn on_grid(value: &Quantity, min: &Quantity, step: &Quantity, milli: bool) -> bool {
    let units = |quantity: &Quantity| {
        let whole = quantity.value_rounded_up();
        if !milli {
            return i128::from(whole);
        }
        // A thousandth of a unit is the finest grid there is.
        #[expect(clippy::cast_possible_truncation, reason = "a double of at most 64 bits fits")]
        let thousandths = (quantity.to_f64() * 1000.0).round() as i128;
        thousandths
    };
    let step = units(step);
    step != 0 && (units(value) - units(min)) % step == 0
}

fn consumptions(device: &Device, path: &str, faults: &mut Faults) {
    let path = format!("{path}.consumesCounters");
    let list = &device.consumes_counters;
    if !faults.fits(&path, list.len(), 2) {
        return;
    }
    for (idx, consumption) in list.iter().enumerate() {
        let path = format!("{path}[{idx}]");
        if consumption.counter_set.is_empty() {
            faults.required(format!("{path}.counterSet"));
        } else {
            label(&format!("{path}.counterSet"), &consumption.counter_set, faults);
        }
        counters(&consumption.counters, &format!("{path}.counters"), faults);
    }
    faults.unique(&path, list.iter().map(|consumption| consumption.counter_set.as_str()));
}

fn counter_sets(slice: &ResourceSlice, faults: &mut Faults) {
    let path = "spec.sharedCounters";
    let sets = &slice.shared_counters;
    if !faults.fits(path, sets.len(), 8) {
        return;
    }
    for (idx, set) in sets.iter().enumerate() {
        let path = format!("{path}[{idx}]");
        if set.name.is_empty() {
            faults.required(format!("{path}.name"));
        } else {
            label(&format!("{path}.name"), &set.name, faults);
        }
        counters(&set.counters, &format!("{path}.counters"), faults);
    }
    faults.unique(path, sets.iter().map(|set| set.name.as_str()));
}

fn counters(counters: &BTreeMap<String, Quantity>, path: &str, faults: &mut Faults) {
    if counters.is_empty() {
        faults.required(path.to_owned());
    } else if faults.fits(path, counters.len(), 32) {
        for key in counters.keys() {
            let mark = Mark::Key(format!("{path}[{}]", shortened(key, LABEL_MAX)));
            for detail in label_faults(key) {
                faults.push_at(FieldError::invalid(path, key, detail), mark.clone());
            }
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
            faults.invalid(&format!("{path}.nodeName"), name, subdomain_faults(name));
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

fn conditions(device: &Device, path: &str, faults: &mut Faults) {
    let binding = device.binding_conditions.as_deref().unwrap_or_default();
    let failure = device.binding_failure_conditions.as_deref().unwrap_or_default();
    let (binding_path, failure_path) =
        (format!("{path}.bindingConditions"), format!("{path}.bindingFailureConditions"));
    for (path, list) in [(&binding_path, binding), (&failure_path, failure)] {
        if faults.fits(path, list.len(), 4) {
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
    let empty = |list: &Option<Vec<String>>| if list.is_some() { "[]" } else { "null" };
    if binding.is_empty() && !failure.is_empty() {
        let detail = "bindingConditions are required to use bindingFailureConditions";
        let value = empty(&device.binding_conditions);
        faults.push(FieldError::invalid_raw(binding_path, value, detail));
    } else if failure.is_empty() && !binding.is_empty() {
        let detail = "bindingFailureConditions are required to use bindingConditions";
        let value = empty(&device.binding_failure_conditions);
        faults.push(FieldError::invalid_raw(failure_path, value, detail));
    }
}

fn taint(taint: &DeviceTaint, path: &str, faults: &mut Faults) {
    faults.invalid(&format!("{path}.key"), &taint.key, label_key_faults(&taint.key));
    label_value(&format!("{path}.value"), &taint.value, faults);
    effect(&taint.effect, &format!("{path}.effect"), faults);
    if taint.effect.is_empty() {
        faults.required(format!("{path}.effect"));
    }
}

/// An effect, where one is given.
pub(super) fn effect(effect: &str, path: &str, faults: &mut Faults) {
    if !effect.is_empty() && !EFFECTS.contains(&effect) {
        faults.push(FieldError::not_supported(path, effect, &EFFECTS));
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
