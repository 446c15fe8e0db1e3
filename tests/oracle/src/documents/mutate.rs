//! Small damages of an object.

use serde_json::{Map, Value, json};

use super::values;
use crate::random::Random;

/// Sizes around the limits of lists and maps.
const SIZES: [usize; 14] = [2, 3, 5, 8, 9, 10, 11, 16, 17, 32, 33, 49, 65, 129];

/// Fields that exist somewhere, or that people think do.
const FIELDS: [&str; 74] = [
    "name",
    "exactly",
    "firstAvailable",
    "deviceClassName",
    "selectors",
    "cel",
    "expression",
    "count",
    "allocationMode",
    "adminAccess",
    "tolerations",
    "capacity",
    "requests",
    "constraints",
    "config",
    "matchAttribute",
    "distinctAttribute",
    "opaque",
    "driver",
    "parameters",
    "spec",
    "devices",
    "basic",
    "attributes",
    "taints",
    "consumesCounters",
    "sharedCounters",
    "nodeName",
    "nodeSelector",
    "allNodes",
    "perDeviceNodeSelection",
    "allowMultipleAllocations",
    "requestPolicy",
    "validValues",
    "validRange",
    "string",
    "ints",
    "bindsToNode",
    "bindingConditions",
    "extendedResourceName",
    "status",
    "source",
    "resourceClaimName",
    "request",
    "nodeAllocatableResources",
    "nodeAllocatableResourceMappings",
    "skipNodeOperations",
    "partitionTypeAttribute",
    "compatibilityGroups",
    "derivedAttributes",
    "consumedCapacity",
    "shareID",
    "bools",
    "strings",
    "versions",
    "value",
    "effect",
    "key",
    "operator",
    "metadata",
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
    "generateName",
    "namespace",
    "uid",
    "tolerationSeconds",
    "timeAdded",
    "resourceClaimTemplateName",
    "claims",
    "replicas",
    "template",
    "name",
];

/// Lists and maps whose entries have names of their own.
const FREE: [&str; 9] = [
    "attributes",
    "capacity",
    "counters",
    "labels",
    "annotations",
    "requests",
    "consumedCapacity",
    "limits",
    "parameters",
];

/// Changes one thing somewhere below `spec`, `status` or `metadata`.
pub(super) fn mutate(random: &mut Random, object: &mut Value) {
    let paths = paths(object);
    let Some(path) = random.pick(&paths) else { return };
    match random.below(40) {
        0 | 1 => return graft(random, object, &paths),
        2 => return set(object, path, values::any(random)),
        3 => return set(object, path, values::raw(random)),
        4 => return repeat(random, object, &paths),
        5 => return set(object, path, empty(random)),
        6 => return rare(random, object),
        _ => {}
    }
    let key = path.rsplit('/').find(|part| part.parse::<usize>().is_err()).unwrap_or_default();
    let key = key.replace("~1", "/").replace("~0", "~");
    let Some(target) = object.pointer_mut(path) else { return };
    match target {
        Value::Array(items) => list(random, items, &key),
        Value::Object(fields) => map(random, fields, &key),
        scalar => *scalar = values::value(random, &key),
    }
    if random.percent(10) {
        remove(object, path);
    }
}

/// Puts a field where it belongs that few people write: of a younger release, or beside another.
fn rare(random: &mut Random, object: &mut Value) {
    let fields = [
        ("/spec", "skipNodeOperations", json!(["*"])),
        ("/spec", "partitionTypeAttribute", json!("example.com/model")),
        (
            "/spec/devices/0",
            "nodeAllocatableResources",
            json!({"cpu": {"mapping": {"capacityKey": "memory", "capacityMultiplier": "2"}}}),
        ),
        ("/spec/devices/0/consumesCounters/0", "compatibilityGroups", json!(["a"])),
        (
            "/spec/devices/requests/0/exactly",
            "derivedAttributes",
            json!([{"name": "example.com/a"}]),
        ),
        (
            "/spec/devices/requests/1/firstAvailable/0",
            "derivedAttributes",
            json!([{"name": "example.com/a"}]),
        ),
        (
            "/spec/devices/requests/0",
            "firstAvailable",
            json!([{"name": "a", "deviceClassName": "a", "allocationMode": "any"}, {}]),
        ),
        (
            "/spec/spec/devices/requests/1",
            "exactly",
            json!({"deviceClassName": "", "count": -1, "selectors": [{}]}),
        ),
        ("/spec/metadata", "managedFields", json!([{"manager": "a"}])),
        ("/spec/metadata", "deletionTimestamp", json!("2026-01-02T03:04:05Z")),
        ("/metadata", "deletionTimestamp", json!("2026-01-02T03:04:05Z")),
        ("/metadata", "creationTimestamp", json!("2026-01-02T03:04:05Z")),
        ("/metadata", "deletionGracePeriodSeconds", json!(30)),
        ("/status", "declaredFeatures", json!(["a"])),
    ];
    let fits: Vec<_> = fields.iter().filter(|(path, ..)| object.pointer(path).is_some()).collect();
    let Some((path, name, value)) = random.pick(&fits) else { return };
    if let Some(Value::Object(fields)) = object.pointer_mut(path) {
        fields.insert((*name).to_owned(), value.clone());
    }
}

/// Puts a copy of one part of the object in another place.
fn graft(random: &mut Random, object: &mut Value, paths: &[String]) {
    let (Some(from), Some(to)) = (random.pick(paths), random.pick(paths)) else { return };
    let Some(copy) = object.pointer(from).cloned() else { return };
    let name = from.rsplit('/').find(|part| part.parse::<usize>().is_err()).unwrap_or_default();
    let name = name.replace("~1", "/").replace("~0", "~");
    match object.pointer_mut(to) {
        Some(Value::Object(fields)) => {
            fields.insert(name, copy);
        }
        Some(Value::Array(items)) => items.push(copy),
        Some(other) => *other = copy,
        None => {}
    }
}

/// Writes a key of a map once more, with another value.
fn repeat(random: &mut Random, object: &mut Value, paths: &[String]) {
    let Some(path) = random.pick(paths) else { return };
    let Some(Value::Object(fields)) = object.pointer_mut(path) else { return };
    let names: Vec<String> = fields.keys().cloned().collect();
    let Some(name) = random.pick(&names) else { return };
    let value = match random.below(2) {
        0 => fields.get(name).cloned().unwrap_or_default(),
        _ => values::value(random, name),
    };
    fields.insert(format!("{name}{}", values::AGAIN), value);
}

fn set(object: &mut Value, path: &str, value: Value) {
    if let Some(place) = object.pointer_mut(path) {
        *place = value;
    }
}

fn empty(random: &mut Random) -> Value {
    let empty = [json!(null), json!(""), json!([]), json!({}), json!([null]), json!([{}])];
    random.pick(&empty).cloned().unwrap_or_default()
}

fn list(random: &mut Random, items: &mut Vec<Value>, key: &str) {
    let last = items.last().cloned().unwrap_or_else(|| values::value(random, key));
    match random.below(7) {
        0 => items.clear(),
        1 => items.push(last),
        2 => {
            let size = random.pick(&SIZES).copied().unwrap_or(3);
            let first = items.len();
            for number in first..size.max(first) {
                items.push(renamed(&last, number));
            }
        }
        3 => items.push(values::value(random, key)),
        4 => items.insert(0, Value::Null),
        5 => items.push(json!({})),
        _ => items.reverse(),
    }
}

/// A copy with another name, so that it is no duplicate.
fn renamed(item: &Value, number: usize) -> Value {
    match item {
        Value::Object(fields) => {
            let mut fields = fields.clone();
            for key in ["name", "counterSet", "key", "uid", "device"] {
                if let Some(Value::String(text)) = fields.get_mut(key) {
                    *text = format!("{text}-{number}");
                }
            }
            Value::Object(fields)
        }
        Value::String(text) => json!(format!("{text}{number}")),
        Value::Number(_) => json!(number),
        other => other.clone(),
    }
}

fn map(random: &mut Random, fields: &mut Map<String, Value>, key: &str) {
    let names: Vec<String> = fields.keys().cloned().collect();
    let name = random.pick(&names).cloned().unwrap_or_default();
    if FREE.contains(&key) && random.percent(60) {
        let value = fields.get(&name).cloned().unwrap_or_else(|| values::value(random, &name));
        if random.percent(30) {
            let size = random.pick(&SIZES).copied().unwrap_or(3);
            for number in fields.len()..size {
                fields.insert(format!("k{number}"), value.clone());
            }
        } else {
            fields.insert(values::key(random), value);
        }
        return;
    }
    match random.below(8) {
        0 | 1 => {
            fields.remove(&name);
        }
        2 | 3 => {
            let new = random.text(&FIELDS).to_owned();
            let value = values::value(random, &new);
            fields.insert(new, value);
        }
        4 => {
            if let Some(value) = fields.remove(&name) {
                fields.insert(misspelled(random, &name), value);
            }
        }
        5 => {
            fields.insert(name, Value::Null);
        }
        6 => fields.clear(),
        _ => {
            let value = values::value(random, &name);
            fields.insert(name, value);
        }
    }
}

fn misspelled(random: &mut Random, name: &str) -> String {
    match random.below(4) {
        0 => name.to_uppercase(),
        1 => name.to_lowercase(),
        2 => format!("{name}s"),
        _ => name.chars().skip(1).collect(),
    }
}

/// JSON pointers of everything that may change.
fn paths(object: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for part in ["metadata", "spec", "status"] {
        if let Some(value) = object.get(part) {
            collect(value, &format!("/{part}"), &mut found);
        }
    }
    found
}

fn collect(value: &Value, path: &str, found: &mut Vec<String>) {
    // What the server keeps of writers is not looked into.
    if path == "/metadata/managedFields" {
        return;
    }
    found.push(path.to_owned());
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                collect(item, &format!("{path}/{at}"), found);
            }
        }
        Value::Object(fields) => {
            for (key, item) in fields {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect(item, &format!("{path}/{key}"), found);
            }
        }
        _ => {}
    }
}

fn remove(object: &mut Value, path: &str) {
    let Some((parent, key)) = path.rsplit_once('/') else { return };
    match object.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            fields.remove(&key.replace("~1", "/").replace("~0", "~"));
        }
        Some(Value::Array(items)) => {
            if let Ok(at) = key.parse::<usize>()
                && at < items.len()
            {
                items.remove(at);
            }
        }
        _ => {}
    }
}
