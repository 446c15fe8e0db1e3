//! What happens after the objects are there.

use serde_json::{Value, json};

use super::Scene;
use super::claims::condition;
use super::inventory::rule;
use super::pods::pod;

/// Seconds that a driver's new conditions need to be seen: the scheduler looks every five seconds.
const SEEN: &str = "5s";

pub(super) fn steps(scene: &mut Scene) -> Vec<Value> {
    let mut steps = Vec::new();
    let moving =
        scene.has("steps") || scene.has("binding") || scene.has("rules") || scene.has("taints");
    if !moving {
        return steps;
    }
    for number in 0..scene.random.between(1, 3) {
        let mut added = step(scene, number);
        steps.append(&mut added);
    }
    steps
}

fn step(scene: &mut Scene, number: usize) -> Vec<Value> {
    let choice = scene.random.below(if scene.has("binding") { 14 } else { 10 });
    match choice {
        0 | 1 => {
            let Some(name) = take(scene, |scene| &mut scene.pods) else { return Vec::new() };
            vec![json!({ "delete": { "kind": "Pod", "namespace": "default", "name": name } })]
        }
        2 => {
            let Some(name) = take(scene, |scene| &mut scene.pods) else { return Vec::new() };
            let phase = scene.random.text(&["Succeeded", "Failed"]);
            vec![json!({ "finish": { "pod": format!("default/{name}"), "phase": phase } })]
        }
        3 | 4 if scene.has("rules") => {
            let name = format!("late-rule-{number}");
            let rule = rule(scene, &name);
            scene.rules.push(name);
            vec![json!({ "apply": [rule] })]
        }
        5 if scene.has("rules") => {
            let Some(name) = take(scene, |scene| &mut scene.rules) else { return Vec::new() };
            vec![json!({ "delete": { "kind": "DeviceTaintRule", "name": name } })]
        }
        6 => {
            let name = format!("late-pod-{number}");
            scene.templates.retain(|name| {
                scene.objects.iter().any(|object| {
                    object.pointer("/metadata/name").and_then(Value::as_str) == Some(name)
                })
            });
            if scene.templates.is_empty() {
                return Vec::new();
            }
            let pod = pod(scene, &name);
            scene.pods.push(name);
            vec![json!({ "apply": [pod] })]
        }
        7 => republish(scene),
        10..=13 => {
            let (Some(claim), Some((_, _, device))) =
                (claim(scene), scene.random.pick(&scene.devices).cloned())
            else {
                return Vec::new();
            };
            let conditions = match scene.random.below(4) {
                0 => vec![condition("example.com/failed", "True")],
                1 => vec![condition("example.com/ready", "False")],
                _ => vec![condition("example.com/ready", "True")],
            };
            vec![
                json!({ "setConditions": {
                    "claim": format!("default/{claim}"), "device": device, "conditions": conditions
                } }),
                json!({ "advance": SEEN }),
            ]
        }
        _ => vec![json!({ "advance": scene.random.text(&["10s", "30s", "2m", "11m"]) })],
    }
}

/// A slice that is gone, or published anew with a device less or a device tainted.
fn republish(scene: &mut Scene) -> Vec<Value> {
    let is_slice = |object: &&Value| object.get("kind") == Some(&json!("ResourceSlice"));
    let slices: Vec<Value> = scene.objects.iter().filter(is_slice).cloned().collect();
    let Some(mut slice) = scene.random.pick(&slices).cloned() else { return Vec::new() };
    if scene.random.percent(25) {
        let name = slice.pointer("/metadata/name").cloned().unwrap_or_default();
        return vec![json!({ "delete": { "kind": "ResourceSlice", "name": name } })];
    }
    if let Some(generation) = slice.pointer_mut("/spec/pool/generation") {
        *generation = json!(2);
    }
    let taints = scene.random.percent(40);
    if let Some(Value::Array(devices)) = slice.pointer_mut("/spec/devices")
        && !devices.is_empty()
    {
        let at = scene.random.below(devices.len());
        if !taints {
            devices.remove(at);
        } else if let Some(device) = devices.get_mut(at) {
            let effect = scene.random.text(&["NoSchedule", "NoExecute"]);
            let added = "2026-01-01T00:00:00Z";
            device["taints"] = json!([
                { "key": "example.com/late", "effect": effect, "timeAdded": added }
            ]);
        }
    }
    vec![json!({ "apply": [slice] })]
}

/// A claim that is written, or that is generated for a Pod.
fn claim(scene: &mut Scene) -> Option<String> {
    let mut names = scene.claims.clone();
    names.extend(scene.pods.iter().map(|pod| format!("{pod}-e0")));
    scene.random.pick(&names).cloned()
}

fn take(scene: &mut Scene, list: impl Fn(&mut Scene) -> &mut Vec<String>) -> Option<String> {
    let count = list(scene).len();
    if count == 0 {
        return None;
    }
    let at = scene.random.below(count);
    Some(list(scene).remove(at))
}
