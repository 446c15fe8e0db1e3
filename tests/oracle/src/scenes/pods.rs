//! Pods with what they ask of nodes and claims.

use serde_json::{Map, Value, json};

use super::{Scene, fields};

pub(super) fn name_pods(scene: &mut Scene) {
    let count = scene.random.between(1, 4);
    scene.pods = (1..=count).map(|number| format!("pod-{number}")).collect();
}

pub(super) fn pods(scene: &mut Scene) {
    for name in scene.pods.clone() {
        let pod = pod(scene, &name);
        scene.objects.push(pod);
    }
    // A template that no Pod uses would get one of ours.
    let text = Value::Array(scene.objects.clone()).to_string();
    let is_used = |name: &str| text.contains(&format!("\"resourceClaimTemplateName\":\"{name}\""));
    scene.objects.retain(|object| {
        object.get("kind") != Some(&json!("ResourceClaimTemplate"))
            || object.pointer("/metadata/name").and_then(Value::as_str).is_some_and(is_used)
    });
}

pub(super) fn pod(scene: &mut Scene, name: &str) -> Value {
    let mut spec = Map::new();
    let mut status = Map::new();
    claims(scene, name, &mut spec, &mut status);
    containers(scene, &mut spec);
    if scene.has("placement") {
        placement(scene, &mut spec);
    }
    if scene.has("faults") && scene.random.percent(8) {
        spec.insert(
            "schedulingGates".into(),
            json!([{ "name": "example.com/wait" }, { "name": "b" }]),
        );
    } else if scene.random.percent(5) {
        spec.insert("nodeName".into(), json!(scene.random.pick(&scene.nodes)));
        status.insert("phase".into(), json!("Running"));
    }
    let mut pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": name, "namespace": "default", "uid": format!("uid-{name}") },
        "spec": spec,
    });
    if let (Some(fields), false) = (pod.as_object_mut(), status.is_empty()) {
        fields.insert("status".into(), Value::Object(status));
    }
    pod
}

fn claims(
    scene: &mut Scene,
    pod: &str,
    spec: &mut Map<String, Value>,
    status: &mut Map<String, Value>,
) {
    let count = match scene.random.below(10) {
        0 => 0,
        1..=6 => 1,
        7 | 8 => 2,
        _ => 3,
    };
    let own = scene.consumers.iter().enumerate().filter(|(_, (consumer, _))| consumer == pod);
    let mut entries: Vec<Value> = own
        .map(|(at, (_, claim))| json!({ "name": format!("own{at}"), "resourceClaimName": claim }))
        .collect();
    for at in 0..count {
        let name = format!("e{at}");
        let by_name = !scene.claims.is_empty()
            && scene.random.percent(if scene.has("shared") { 75 } else { 40 });
        let mut entry = if by_name {
            json!({ "name": name, "resourceClaimName": scene.random.pick(&scene.claims) })
        } else {
            json!({ "name": name, "resourceClaimTemplateName": scene.random.pick(&scene.templates) })
        };
        if scene.has("faults") {
            match scene.random.below(24) {
                0 => entry = json!({ "name": name, "resourceClaimName": "nowhere" }),
                1 => entry = json!({ "name": name, "resourceClaimTemplateName": "no-template" }),
                _ => {}
            }
        }
        // The API server takes no claim twice as a consumer's.
        let claim = |entry: &Value| entry.get("resourceClaimName").cloned();
        if claim(&entry).is_none() || !entries.iter().any(|known| claim(known) == claim(&entry)) {
            entries.push(entry);
        }
    }
    if !entries.is_empty() {
        spec.insert("resourceClaims".into(), Value::Array(entries));
    }
    // The controller says that an entry needs no claim.
    if scene.has("faults") && scene.random.percent(5) {
        status.insert("resourceClaimStatuses".into(), json!([{ "name": "e0" }]));
    }
}

fn containers(scene: &mut Scene, spec: &mut Map<String, Value>) {
    let count = if scene.random.percent(70) { 1 } else { 2 };
    let containers: Vec<Value> = (0..count).map(|at| container(scene, &format!("c{at}"))).collect();
    spec.insert("containers".into(), Value::Array(containers));
    if scene.has("fit") && scene.random.percent(15) {
        spec.insert("overhead".into(), json!({ "cpu": scene.random.text(&["250m", "2"]) }));
    }
    if scene.has("fit") && scene.random.percent(15) {
        let amounts = json!({ "cpu": scene.random.text(&["2", "3500m"]), "memory": "1Gi" });
        spec.insert("resources".into(), json!({ "requests": amounts }));
    }
    if (scene.has("fit") || scene.has("extended")) && scene.random.percent(35) {
        let count = scene.random.between(1, 2);
        let inits: Vec<Value> = (0..count)
            .map(|at| {
                let mut container = fields(container(scene, &format!("i{at}")));
                if scene.random.percent(35) {
                    container.insert("restartPolicy".into(), json!("Always"));
                }
                Value::Object(container)
            })
            .collect();
        spec.insert("initContainers".into(), Value::Array(inits));
    }
}

fn container(scene: &mut Scene, name: &str) -> Value {
    let mut requests = Map::new();
    if scene.has("fit") {
        if scene.random.percent(60) {
            requests.insert("cpu".into(), json!(scene.random.text(&["1", "500m", "3"])));
        }
        if scene.random.percent(40) {
            requests.insert("memory".into(), json!(scene.random.text(&["512Mi", "1Gi", "4Gi"])));
        }
    }
    let mut limits = Map::new();
    if scene.has("extended") {
        for resource in [
            "example.com/gpu",
            "example.com/other",
            "deviceclass.resource.kubernetes.io/gpu",
            "deviceclass.resource.kubernetes.io/nic",
            "example.com/unknown",
        ] {
            let share = if resource == "example.com/gpu" { 45 } else { 8 };
            if scene.random.percent(share) {
                let amount = json!(scene.random.text(&["1", "1", "2", "0"]));
                limits.insert(resource.into(), amount.clone());
                if scene.random.percent(60) {
                    requests.insert(resource.into(), amount);
                }
            }
        }
    }
    let mut container = fields(json!({ "name": name, "image": "example.com/image" }));
    let mut resources = Map::new();
    for (key, list) in [("requests", requests), ("limits", limits)] {
        if !list.is_empty() {
            resources.insert(key.into(), Value::Object(list));
        }
    }
    if !resources.is_empty() {
        container.insert("resources".into(), Value::Object(resources));
    }
    Value::Object(container)
}

fn placement(scene: &mut Scene, spec: &mut Map<String, Value>) {
    if scene.random.percent(25) {
        spec.insert(
            "nodeSelector".into(),
            json!({ "zone": scene.random.text(&["z1", "z2", "z9"]) }),
        );
    }
    if scene.random.percent(30) {
        let mut terms = vec![term(scene)];
        if scene.random.percent(25) {
            terms.push(term(scene));
        }
        spec.insert(
            "affinity".into(),
            json!({ "nodeAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": terms
            } } }),
        );
    }
    if scene.random.percent(35) {
        let tolerations = [
            json!({ "key": "dedicated", "operator": "Exists" }),
            json!({ "key": "dedicated", "operator": "Equal", "value": "blue", "effect": "NoSchedule" }),
            json!({ "operator": "Exists" }),
            json!({ "key": "node.kubernetes.io/unschedulable", "operator": "Exists", "effect": "NoSchedule" }),
        ];
        spec.insert("tolerations".into(), json!([scene.random.pick(&tolerations)]));
    }
}

fn term(scene: &mut Scene) -> Value {
    let mut names: Vec<String> = scene.nodes.clone();
    names.push("node-x".to_owned());
    match scene.random.below(6) {
        0 => {
            json!({ "matchExpressions": [{ "key": "zone", "operator": "NotIn", "values": ["z1"] }] })
        }
        1 => json!({ "matchExpressions": [{ "key": "accel", "operator": "DoesNotExist" }] }),
        2 => {
            json!({ "matchExpressions": [{ "key": "accel", "operator": "In", "values": ["yes"] }] })
        }
        3 => json!({
            "matchExpressions": [{ "key": "zone", "operator": "Exists" }],
            "matchFields": [{ "key": "metadata.name", "operator": "In", "values": [scene.random.pick(&names)] }],
        }),
        4 => json!({
            "matchFields": [{ "key": "metadata.name", "operator": "NotIn", "values": [scene.random.pick(&names)] }],
        }),
        _ => json!({
            "matchFields": [{ "key": "metadata.name", "operator": "In", "values": [scene.random.pick(&names)] }],
        }),
    }
}
