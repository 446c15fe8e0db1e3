//! Seeded scenarios for the scheduler and its controllers: nodes, claims in every state, Pods in
//! order, and what happens afterwards.

mod claims;
mod inventory;
mod nodes;
mod pods;
mod steps;
#[cfg(test)]
mod tests;
pub mod written;

use serde_json::{Map, Value, json};

use crate::random::Random;
use crate::release::Release;

/// Time at the beginning of every scene: 2026-01-01T00:00:00Z.
pub const NOW: i64 = 1_767_225_600;

/// The same in the API's form.
const NOW_TEXT: &str = "2026-01-01T00:00:00Z";

/// What a scene can be about; each has several.
const THEMES: [&str; 15] = [
    "placement",
    "fit",
    "shared",
    "allocated",
    "faults",
    "extended",
    "alternatives",
    "taints",
    "rules",
    "binding",
    "consumable",
    "admin",
    "gates",
    "steps",
    "crowd",
];

/// Gates that a scene may switch.
const GATES: [&str; 8] = [
    "DRAExtendedResource",
    "DRADeviceTaints",
    "DRADeviceTaintRules",
    "DRAPrioritizedList",
    "DRAConsumableCapacity",
    "DRADeviceBindingConditions",
    "DRAPartitionableDevices",
    "DRASchedulerFilterTimeout",
];

/// Gates that are off by default before 1.36, each with the theme that needs it.
const ALPHA: [(&str, &str); 6] = [
    ("DRAExtendedResource", "extended"),
    ("DRADeviceTaints", "taints"),
    ("DRADeviceTaints", "rules"),
    ("DRAConsumableCapacity", "consumable"),
    ("DRADeviceBindingConditions", "binding"),
    ("DRAPartitionableDevices", "crowd"),
];

/// Gates that are locked from 1.37 on.
const LOCKED: [&str; 2] = ["DRAExtendedResource", "DRAPrioritizedList"];

/// A scene while it is made.
#[derive(Debug)]
struct Scene {
    random: Random,
    minor: u32,
    themes: Vec<&'static str>,
    nodes: Vec<String>,
    /// Driver, pool and name of every device.
    devices: Vec<(String, String, String)>,
    templates: Vec<String>,
    /// Names of the written claims.
    claims: Vec<String>,
    pods: Vec<String>,
    /// Pods with the claims that are reserved for them: they use these.
    consumers: Vec<(String, String)>,
    rules: Vec<String>,
    objects: Vec<Value>,
}

impl Scene {
    fn has(&self, theme: &str) -> bool {
        self.themes.contains(&theme)
    }

    /// Adds an object with its API version.
    fn add(&mut self, version: &str, kind: &str, metadata: Value, rest: Map<String, Value>) {
        let mut object = rest;
        object.insert("apiVersion".to_owned(), version.into());
        object.insert("kind".to_owned(), kind.into());
        object.insert("metadata".to_owned(), metadata);
        self.objects.push(object.into());
    }
}

/// Case `index` under `seed`: a record without its answer.
pub fn scene(seed: u64, index: u64, release: Release) -> Value {
    let mut random = Random::new(seed, index);
    let themes = THEMES.into_iter().filter(|_| random.percent(28)).collect();
    let mut scene = Scene {
        random,
        minor: release.minor,
        themes,
        nodes: Vec::new(),
        devices: Vec::new(),
        templates: Vec::new(),
        claims: Vec::new(),
        pods: Vec::new(),
        consumers: Vec::new(),
        rules: Vec::new(),
        objects: Vec::new(),
    };
    nodes::nodes(&mut scene);
    inventory::classes(&mut scene);
    inventory::slices(&mut scene);
    inventory::rules(&mut scene);
    claims::templates(&mut scene);
    pods::name_pods(&mut scene);
    claims::claims(&mut scene);
    pods::pods(&mut scene);
    let gates = gates(&mut scene);
    let steps = steps::steps(&mut scene);
    let mut record = Map::new();
    record.insert("name".into(), json!(format!("scene-{seed}-{index:05}")));
    record.insert("kubernetes".into(), json!(release.name));
    record.insert("tags".into(), json!(scene.themes));
    if !gates.is_empty() {
        record.insert("gates".into(), Value::Object(gates));
    }
    record.insert("now".into(), json!(NOW));
    record.insert("objects".into(), Value::Array(scene.objects));
    record.insert("steps".into(), Value::Array(steps));
    Value::Object(record)
}

fn gates(scene: &mut Scene) -> Map<String, Value> {
    let mut gates = Map::new();
    if scene.minor < 36 {
        for (gate, theme) in ALPHA {
            if scene.has(theme) && scene.random.percent(85) {
                gates.insert(gate.into(), json!(true));
            }
        }
    }
    // Off by default before 1.37, and no gate of its own before 1.35.
    if scene.has("rules") && (35..37).contains(&scene.minor) && scene.random.percent(85) {
        gates.insert("DRADeviceTaintRules".into(), json!(true));
    }
    if scene.has("gates") {
        for _ in 0..scene.random.between(1, 2) {
            let gate = scene.random.text(&GATES);
            let on = scene.random.percent(15);
            let is_known = scene.minor > 34 || gate != "DRADeviceTaintRules";
            if is_known && (scene.minor < 37 || !LOCKED.contains(&gate)) {
                gates.insert(gate.into(), json!(on));
            }
        }
    }
    // A gate that depends on another one does not start without it.
    let has_taints = gates.get("DRADeviceTaints").map_or(scene.minor > 35, |on| *on == true);
    if !has_taints && scene.minor > 34 {
        gates.insert("DRADeviceTaintRules".into(), json!(false));
    }
    gates
}

/// Fields of an object from a JSON object.
fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
