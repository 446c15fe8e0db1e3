//! Templates, and claims in every state.

use serde_json::{Map, Value, json};

use super::inventory::V1;
use super::{Scene, fields};

pub(super) fn templates(scene: &mut Scene) {
    for number in 0..2 {
        let name = format!("template-{number}");
        let devices = devices(scene);
        let spec = json!({ "spec": { "spec": { "devices": devices } } });
        scene.add(
            V1,
            "ResourceClaimTemplate",
            json!({ "name": name, "namespace": "default" }),
            fields(spec),
        );
        scene.templates.push(name);
    }
}

fn devices(scene: &mut Scene) -> Value {
    let count = if scene.random.percent(75) { 1 } else { 2 };
    let requests: Vec<Value> = (0..count).map(|at| request(scene, &format!("r{at}"))).collect();
    json!({ "requests": requests })
}

fn request(scene: &mut Scene, name: &str) -> Value {
    if scene.has("alternatives") && scene.random.percent(60) {
        let count = scene.random.between(1, 3);
        let alternatives: Vec<Value> = (0..count)
            .map(|at| {
                let mut one = exactly(scene, false);
                one.insert("name".into(), json!(format!("s{at}")));
                Value::Object(one)
            })
            .collect();
        return json!({ "name": name, "firstAvailable": alternatives });
    }
    json!({ "name": name, "exactly": exactly(scene, true) })
}

fn exactly(scene: &mut Scene, whole: bool) -> Map<String, Value> {
    let mut class = scene.random.text(&["gpu", "gpu", "gpu", "nic", "any"]);
    if scene.has("faults") {
        if scene.random.percent(10) {
            class = "missing";
        } else if scene.random.percent(15) {
            class = "broken";
        }
    }
    let mut request = fields(json!({ "deviceClassName": class }));
    if scene.random.percent(20) {
        request.insert("count".into(), json!(2));
    } else if scene.random.percent(8) {
        request.insert("allocationMode".into(), json!("All"));
    }
    if scene.random.percent(if whole { 20 } else { 60 }) {
        let driver = if class == "nic" { super::inventory::NIC } else { super::inventory::GPU };
        let model = scene.random.text(&["big", "small"]);
        // A device of another driver has no such attribute.
        let expression = format!(
            "device.driver == \"{driver}\" && device.attributes[\"{driver}\"].model == \"{model}\""
        );
        request.insert("selectors".into(), json!([{ "cel": { "expression": expression } }]));
    }
    if (scene.has("taints") || scene.has("rules")) && scene.random.percent(35) {
        request.insert("tolerations".into(), json!([toleration(scene)]));
    }
    if whole && scene.has("admin") && scene.random.percent(50) {
        request.insert("adminAccess".into(), json!(true));
    }
    if scene.has("consumable") && scene.random.percent(50) {
        let amount = scene.random.text(&["1", "4", "7"]);
        request.insert("capacity".into(), json!({ "requests": { "bandwidth": amount } }));
    }
    request
}

fn toleration(scene: &mut Scene) -> Value {
    let mut toleration = Map::new();
    let key = scene.random.text(&["example.com/worn", "example.com/rule", ""]);
    if key.is_empty() {
        toleration.insert("operator".into(), json!("Exists"));
    } else {
        toleration.insert("key".into(), json!(key));
        if scene.random.percent(50) {
            toleration.insert("operator".into(), json!("Exists"));
        } else {
            toleration.insert("operator".into(), json!("Equal"));
            toleration.insert("value".into(), json!(scene.random.text(&["yes", "no"])));
        }
    }
    let effect = scene.random.text(&["", "NoSchedule", "NoExecute", "NoExecute"]);
    if !effect.is_empty() {
        toleration.insert("effect".into(), json!(effect));
    }
    if effect == "NoExecute" && scene.random.percent(60) {
        let seconds = [0, 20, 90];
        let seconds = scene.random.pick(&seconds).copied().unwrap_or_default();
        toleration.insert("tolerationSeconds".into(), json!(seconds));
    }
    Value::Object(toleration)
}

/// Written claims: shared ones, allocated ones, and such with a fault.
pub(super) fn claims(scene: &mut Scene) {
    let count = scene.random.between(0, 2)
        + usize::from(scene.has("allocated"))
        + usize::from(scene.has("shared"));
    for number in 0..count {
        claim(scene, &format!("claim-{number}"));
    }
    if scene.has("crowd") {
        crowded(scene);
    }
}

fn claim(scene: &mut Scene, name: &str) {
    let mut metadata =
        fields(json!({ "name": name, "namespace": "default", "uid": format!("uid-{name}") }));
    let mut rest = Map::new();
    if scene.has("allocated") && scene.random.percent(65) {
        let (spec, status) = allocated(scene, name);
        rest.insert("spec".into(), spec);
        rest.insert("status".into(), status);
        metadata.insert("finalizers".into(), json!(["resource.kubernetes.io/delete-protection"]));
    } else {
        rest.insert("spec".into(), json!({ "devices": devices(scene) }));
    }
    if scene.has("faults") && scene.random.percent(12) {
        metadata.insert("deletionTimestamp".into(), json!("2025-12-31T00:00:00Z"));
        metadata.insert("finalizers".into(), json!(["example.com/hold"]));
    }
    scene.claims.push(name.to_owned());
    scene.add(V1, "ResourceClaim", Value::Object(metadata), rest);
}

/// A claim with a device, as a cluster stores it.
fn allocated(scene: &mut Scene, name: &str) -> (Value, Value) {
    let (driver, pool, device) = scene.random.pick(&scene.devices).cloned().unwrap_or_default();
    let class = if driver == super::inventory::GPU { "gpu" } else { "nic" };
    let spec = json!({ "devices": { "requests": [{ "name": "r0", "exactly": { "deviceClassName": class } }] } });
    let mut result =
        fields(json!({ "request": "r0", "driver": driver, "pool": pool, "device": device }));
    if scene.random.percent(25) {
        let mut toleration = json!({ "operator": "Exists", "effect": "NoExecute" });
        let seconds = [0, 20, 90];
        if scene.random.percent(70)
            && let (Some(fields), Some(seconds)) =
                (toleration.as_object_mut(), scene.random.pick(&seconds))
        {
            fields.insert("tolerationSeconds".into(), json!(seconds));
        }
        result.insert("tolerations".into(), json!([toleration]));
    }
    let mut status = Map::new();
    let binds = scene.has("binding") && scene.random.percent(60);
    let mut allocation = Map::new();
    if binds {
        result.insert("bindingConditions".into(), json!(["example.com/ready"]));
        result.insert("bindingFailureConditions".into(), json!(["example.com/failed"]));
        // The timeout is 600 seconds.
        let since = scene.random.text(&["2025-12-31T23:49:00Z", "2025-12-31T23:59:00Z"]);
        allocation.insert("allocationTimestamp".into(), json!(since));
        let conditions = match scene.random.below(4) {
            0 => Vec::new(),
            1 => vec![condition("example.com/ready", "True")],
            2 => vec![condition("example.com/ready", "False")],
            _ => vec![
                condition("example.com/ready", "True"),
                condition("example.com/failed", "True"),
            ],
        };
        if !conditions.is_empty() || scene.random.percent(50) {
            let device = json!({ "driver": driver, "pool": pool, "device": device, "conditions": conditions });
            status.insert("devices".into(), json!([device]));
        }
    }
    allocation.insert("devices".into(), json!({ "results": [result] }));
    let local = scene.nodes.iter().find(|node| pool.ends_with(node.as_str())).cloned();
    if let Some(node) = local {
        allocation.insert(
            "nodeSelector".into(),
            json!({ "nodeSelectorTerms": [{ "matchFields": [
                { "key": "metadata.name", "operator": "In", "values": [node] }
            ] }] }),
        );
    }
    status.insert("allocation".into(), Value::Object(allocation));
    let mut consumers = Vec::new();
    if scene.random.percent(40) {
        consumers.push(json!({ "resource": "pods", "name": "stranger", "uid": "uid-stranger" }));
    }
    if scene.random.percent(25)
        && let Some(pod) = scene.random.pick(&scene.pods).cloned()
    {
        consumers.push(json!({ "resource": "pods", "name": pod, "uid": format!("uid-{pod}") }));
        scene.consumers.push((pod, name.to_owned()));
    }
    if !consumers.is_empty() {
        status.insert("reservedFor".into(), Value::Array(consumers));
    }
    (spec, Value::Object(status))
}

pub(super) fn condition(kind: &str, status: &str) -> Value {
    json!({
        "type": kind, "status": status, "reason": "Because", "message": "it \"is\" so",
        "lastTransitionTime": "2025-12-31T00:00:00Z",
    })
}

/// A claim with as many consumers as it may have, or one fewer.
fn crowded(scene: &mut Scene) {
    let Some((driver, pool, device)) = scene.random.pick(&scene.devices).cloned() else { return };
    let count = scene.random.between(255, 256);
    let mut consumers: Vec<Value> = (0..count)
        .map(|at| json!({ "resource": "pods", "name": format!("other-{at}"), "uid": format!("uid-other-{at}") }))
        .collect();
    if scene.random.percent(30)
        && let (Some(first), Some(pod)) =
            (consumers.first_mut(), scene.random.pick(&scene.pods).cloned())
    {
        *first = json!({ "resource": "pods", "name": pod, "uid": format!("uid-{pod}") });
        scene.consumers.push((pod, "crowded".to_owned()));
    }
    let metadata = json!({
        "name": "crowded", "namespace": "default", "uid": "uid-crowded",
        "finalizers": ["resource.kubernetes.io/delete-protection"],
    });
    let class = if driver == super::inventory::GPU { "gpu" } else { "nic" };
    let rest = fields(json!({
        "spec": { "devices": { "requests": [{ "name": "r0", "exactly": { "deviceClassName": class } }] } },
        "status": {
            "allocation": { "devices": { "results": [
                { "request": "r0", "driver": driver, "pool": pool, "device": device }
            ] } },
            "reservedFor": consumers,
        },
    }));
    scene.claims.push("crowded".to_owned());
    scene.add(V1, "ResourceClaim", metadata, rest);
}
