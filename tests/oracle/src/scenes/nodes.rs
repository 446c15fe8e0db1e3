//! Nodes with what keeps Pods away.

use serde_json::{Map, Value, json};

use super::{NOW_TEXT, Scene, fields};

pub(super) fn nodes(scene: &mut Scene) {
    let count = [1, 2, 2, 3, 3, 4];
    let count = scene.random.pick(&count).copied().unwrap_or(1);
    let mut names: Vec<String> = ["node-a", "node-b", "node-c", "node-d"]
        .into_iter()
        .take(count)
        .map(str::to_owned)
        .collect();
    scene.random.shuffle(&mut names);
    for name in names {
        node(scene, &name);
        scene.nodes.push(name);
    }
    scene.nodes.sort();
}

fn node(scene: &mut Scene, name: &str) {
    let mut labels = Map::new();
    labels.insert("zone".into(), json!(scene.random.text(&["z1", "z2"])));
    if scene.random.percent(40) {
        labels.insert("accel".into(), json!(scene.random.text(&["yes", "no"])));
    }
    let mut spec = Map::new();
    if scene.has("placement") {
        if scene.random.percent(15) {
            spec.insert("unschedulable".into(), json!(true));
        }
        if scene.random.percent(30) {
            let effect =
                scene.random.text(&["NoSchedule", "NoSchedule", "NoExecute", "PreferNoSchedule"]);
            let value = scene.random.text(&["", "blue"]);
            let mut taints = vec![json!({ "key": "dedicated", "value": value, "effect": effect })];
            if scene.random.percent(25) {
                taints.push(json!({ "key": "slow", "effect": "NoSchedule" }));
            }
            spec.insert("taints".into(), Value::Array(taints));
        }
    }
    let mut allocatable = Map::new();
    if scene.has("fit") {
        if scene.random.percent(80) {
            allocatable.insert("cpu".into(), json!(scene.random.text(&["1", "2", "1500m", "4"])));
        }
        if scene.random.percent(60) {
            allocatable.insert("memory".into(), json!(scene.random.text(&["1Gi", "2Gi", "8G"])));
        }
        if scene.random.percent(50) {
            allocatable.insert("pods".into(), json!(scene.random.text(&["1", "2", "110"])));
        }
    }
    if scene.has("extended") {
        for resource in
            ["example.com/gpu", "example.com/other", "deviceclass.resource.kubernetes.io/nic"]
        {
            if scene.random.percent(25) {
                allocatable.insert(resource.into(), json!(scene.random.text(&["0", "1", "2"])));
            }
        }
    }
    let mut rest = Map::new();
    if !spec.is_empty() {
        rest.insert("spec".into(), Value::Object(spec));
    }
    if !allocatable.is_empty() {
        rest.extend(fields(json!({ "status": { "allocatable": allocatable } })));
    }
    let metadata = json!({ "name": name, "labels": labels, "creationTimestamp": NOW_TEXT });
    scene.add("v1", "Node", metadata, rest);
}
