//! Objects as people write them, as a record of allocation.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

const GROUP: &str = "resource.k8s.io/v1";

/// A record of the objects in a text; nothing when no claim is to be allocated or a document cannot
/// be read. Nodes that slices name exist.
pub(super) fn record(name: &str, text: &str) -> Option<Value> {
    let mut objects = Vec::new();
    for document in serde_yaml::Deserializer::from_str(text) {
        let object = Value::deserialize(document).ok()?;
        match object.get("items").and_then(Value::as_array) {
            Some(items) => objects.extend(items.iter().cloned()),
            None => objects.push(object),
        }
    }
    let text = |object: &Value, path: &str| {
        object.pointer(path).and_then(Value::as_str).map(str::to_owned).unwrap_or_default()
    };
    let mut lists: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for mut object in objects {
        let list = match (text(&object, "/apiVersion").as_str(), text(&object, "/kind").as_str()) {
            ("v1", "Node") => "nodes",
            (GROUP, "DeviceClass") => "deviceClasses",
            (GROUP, "ResourceSlice") => "resourceSlices",
            (GROUP, "ResourceClaim") if object.pointer("/status/allocation").is_some() => {
                "allocatedClaims"
            }
            (GROUP, "ResourceClaim") => "claims",
            (GROUP, "ResourceClaimTemplate") => {
                object = json!({
                    "apiVersion": GROUP, "kind": "ResourceClaim",
                    "metadata": {
                        "name": text(&object, "/metadata/name"),
                        "namespace": text(&object, "/metadata/namespace"),
                    },
                    "spec": object.pointer("/spec/spec").cloned().unwrap_or_default(),
                });
                "claims"
            }
            _ => continue,
        };
        lists.entry(list).or_default().push(object);
    }
    if lists.get("claims").is_none_or(Vec::is_empty) {
        return None;
    }
    let slices = lists.get("resourceSlices").map_or(&[][..], Vec::as_slice);
    let mut named: Vec<String> = slices.iter().map(|slice| text(slice, "/spec/nodeName")).collect();
    named.push("node-a".to_owned());
    named.retain(|name| !name.is_empty());
    named.sort();
    named.dedup();
    let nodes = lists.entry("nodes").or_default();
    if nodes.is_empty() {
        let node = |name| json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}});
        nodes.extend(named.into_iter().map(node));
    }
    let on = [
        "AdminAccess",
        "ConsumableCapacity",
        "DeviceBindingAndStatus",
        "DeviceTaints",
        "PartitionableDevices",
        "PrioritizedList",
    ];
    let features: Map<_, _> = on.map(|name| (name.to_owned(), json!(true))).into_iter().collect();
    let mut record = Map::new();
    record.insert("name".into(), json!(name));
    record.insert("features".into(), Value::Object(features));
    for list in super::LISTS {
        record.insert(list.into(), Value::Array(lists.remove(list).unwrap_or_default()));
    }
    Some(Value::Object(record))
}
