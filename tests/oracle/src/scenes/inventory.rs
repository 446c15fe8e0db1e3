//! Classes, slices, and rules that taint devices.

use serde_json::{Map, Value, json};

use super::{Scene, fields};

/// The API version of everything but rules.
pub(super) const V1: &str = "resource.k8s.io/v1";

pub(super) const GPU: &str = "gpu.example.com";
pub(super) const NIC: &str = "nic.example.com";

pub(super) fn classes(scene: &mut Scene) {
    let of =
        |driver: &str| json!({ "cel": { "expression": format!("device.driver == \"{driver}\"") } });
    let extended = scene.has("extended");
    let mut classes = vec![("gpu", vec![of(GPU)]), ("nic", vec![of(NIC)]), ("any", Vec::new())];
    if scene.has("faults") && scene.random.percent(40) {
        let expression = format!("device.attributes[\"{GPU}\"].nothing == \"x\"");
        classes.push(("broken", vec![of(GPU), json!({ "cel": { "expression": expression } })]));
    }
    if extended && scene.random.percent(40) {
        classes.push(("gpu-two", vec![of(GPU)]));
    }
    scene.random.shuffle(&mut classes);
    for (name, selectors) in classes {
        let mut spec = Map::new();
        if !selectors.is_empty() {
            spec.insert("selectors".into(), Value::Array(selectors));
        }
        if extended && name.starts_with("gpu") && scene.random.percent(80) {
            spec.insert("extendedResourceName".into(), json!("example.com/gpu"));
        }
        if extended && name == "any" && scene.random.percent(40) {
            spec.insert("extendedResourceName".into(), json!("example.com/other"));
        }
        let created = scene.random.text(&[
            "2025-06-01T00:00:00Z",
            "2025-06-01T00:00:00Z",
            "2025-07-01T00:00:00Z",
        ]);
        let metadata = json!({ "name": name, "creationTimestamp": created });
        scene.add(V1, "DeviceClass", metadata, fields(json!({ "spec": spec })));
    }
}

pub(super) fn slices(scene: &mut Scene) {
    for node in scene.nodes.clone() {
        for (driver, short) in [(GPU, "gpu"), (NIC, "nic")] {
            if !scene.random.percent(if short == "gpu" { 80 } else { 45 }) {
                continue;
            }
            let place = fields(json!({ "nodeName": node }));
            pool(scene, driver, &format!("{short}-{node}"), &place);
        }
    }
    if scene.random.percent(30) {
        let place = if scene.random.percent(50) {
            json!({ "allNodes": true })
        } else {
            let zone = scene.random.text(&["z1", "z2"]);
            json!({ "nodeSelector": { "nodeSelectorTerms": [
                { "matchExpressions": [{ "key": "zone", "operator": "In", "values": [zone] }] }
            ] } })
        };
        pool(scene, NIC, "fabric", &fields(place));
    }
}

fn pool(scene: &mut Scene, driver: &str, name: &str, place: &Map<String, Value>) {
    let count = scene.random.between(1, 3);
    let devices: Vec<Value> =
        (0..count).map(|at| device(scene, driver, &format!("d{at}"))).collect();
    for at in 0..count {
        scene.devices.push((driver.to_owned(), name.to_owned(), format!("d{at}")));
    }
    // Now and then a part of the pool is missing.
    let slices = if scene.has("faults") && scene.random.percent(12) { 2 } else { 1 };
    let mut spec = fields(json!({
        "driver": driver,
        "pool": { "name": name, "generation": 1, "resourceSliceCount": slices },
        "devices": devices,
    }));
    spec.extend(place.clone());
    let metadata = json!({ "name": format!("slice-{name}") });
    scene.add(V1, "ResourceSlice", metadata, fields(json!({ "spec": spec })));
}

fn device(scene: &mut Scene, driver: &str, name: &str) -> Value {
    let mut device = Map::new();
    device.insert("name".into(), json!(name));
    let model = scene.random.text(&["big", "small"]);
    let mut attributes = fields(json!({ "model": { "string": model } }));
    if scene.has("faults") && scene.random.percent(20) {
        attributes.insert("nothing".into(), json!({ "string": "x" }));
    }
    device.insert("attributes".into(), Value::Object(attributes));
    if scene.has("taints") && scene.random.percent(30) {
        let effect = scene.random.text(&["NoSchedule", "NoExecute", "None"]);
        let added = scene.random.text(&["2025-12-31T23:59:00Z", "2026-01-01T00:00:00Z"]);
        let mut taint = json!({ "key": "example.com/worn", "value": "yes", "effect": effect, "timeAdded": added });
        if scene.random.percent(20)
            && let Some(fields) = taint.as_object_mut()
        {
            fields.remove("timeAdded");
        }
        device.insert("taints".into(), json!([taint]));
    }
    if scene.has("binding") && scene.random.percent(50) {
        device.insert("bindingConditions".into(), json!(["example.com/ready"]));
        device.insert("bindingFailureConditions".into(), json!(["example.com/failed"]));
        if scene.random.percent(30) {
            device.insert("bindsToNode".into(), json!(true));
        }
    }
    if scene.has("consumable") && driver == NIC && scene.random.percent(70) {
        device.insert("allowMultipleAllocations".into(), json!(true));
        device.insert(
            "capacity".into(),
            json!({ "bandwidth": { "value": scene.random.text(&["4", "10"]) } }),
        );
    }
    Value::Object(device)
}

pub(super) fn rules(scene: &mut Scene) {
    if !scene.has("rules") {
        return;
    }
    for number in 0..scene.random.between(0, 2) {
        let name = format!("rule-{number}");
        let rule = rule(scene, &name);
        scene.objects.push(rule);
        scene.rules.push(name);
    }
}

/// A rule for the devices of a driver, a pool, one device, or all devices.
pub(super) fn rule(scene: &mut Scene, name: &str) -> Value {
    let (driver, pool, device) = scene.random.pick(&scene.devices).cloned().unwrap_or_default();
    let mut selector = Map::new();
    if scene.random.percent(80) {
        selector.insert("driver".into(), json!(driver));
    }
    if scene.random.percent(70) {
        selector.insert("pool".into(), json!(pool));
    }
    if scene.random.percent(60) {
        selector.insert("device".into(), json!(device));
    }
    let effect = scene.random.text(&["NoSchedule", "NoExecute", "NoExecute", "None"]);
    let mut taint = fields(json!({ "key": "example.com/rule", "effect": effect }));
    if scene.random.percent(60) {
        taint.insert("value".into(), json!("yes"));
    }
    let mut spec = Map::new();
    if !selector.is_empty() {
        spec.insert("deviceSelector".into(), Value::Object(selector));
    }
    spec.insert("taint".into(), Value::Object(taint));
    let version = match scene.minor {
        ..36 => "resource.k8s.io/v1alpha3",
        36 => "resource.k8s.io/v1beta2",
        _ => V1,
    };
    json!({ "apiVersion": version, "kind": "DeviceTaintRule", "metadata": { "name": name }, "spec": spec })
}
