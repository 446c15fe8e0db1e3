//! Claims that already hold devices.

use serde_json::{Map, Value, json};

use super::{Known, World};
use crate::random::Random;

pub(super) fn allocated_claims(random: &mut Random, world: &World) -> Vec<Value> {
    if !world.themes.has("committed") || world.devices.is_empty() {
        return Vec::new();
    }
    let mut devices = world.devices.clone();
    random.shuffle(&mut devices);
    devices.truncate(random.between(1, 3));
    let mut claims = Vec::new();
    for (at, device) in devices.iter().enumerate() {
        let shares = if device.multi { random.between(1, 2) } else { 1 };
        for share in 0..shares {
            claims.push(holder(random, device, at * 10 + share));
        }
    }
    claims
}

fn holder(random: &mut Random, device: &Known, number: usize) -> Value {
    let mut result = Map::new();
    result.insert("request".into(), json!("r"));
    result.insert("driver".into(), json!(device.driver));
    result.insert("pool".into(), json!(device.pool));
    let vanished = random.percent(4);
    let name = if vanished { "gone" } else { device.device.as_str() };
    result.insert("device".into(), json!(name));
    if random.percent(8) {
        result.insert("adminAccess".into(), json!(true));
    }
    // A device may have been dedicated when it was allocated.
    if device.multi && random.percent(85) {
        let share = format!("00000000-0000-4000-8000-{number:012}");
        result.insert("shareID".into(), json!(share));
        if !device.capacities.is_empty() {
            let consumed: Map<_, _> = device
                .capacities
                .iter()
                .map(|name| (name.clone(), json!(random.text(&["1", "4", "2Gi", "0"]))))
                .collect();
            result.insert("consumedCapacity".into(), Value::Object(consumed));
        }
    }
    json!({
        "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
        "metadata": {"name": format!("held-{number}"), "namespace": "default", "uid": format!("uid-{number}")},
        "spec": {"devices": {"requests": [
            {"name": "r", "exactly": {"deviceClassName": "any", "allocationMode": "ExactCount", "count": 1}},
        ]}},
        "status": {"allocation": {"devices": {"results": [result]}}},
    })
}
