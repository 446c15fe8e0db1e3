//! Nodes, drivers, pools and their slices.

use serde_json::{Map, Value, json};

use super::themes::{Amount, Themes};
use super::{Known, World};
use crate::random::Random;

pub(super) fn drivers(random: &mut Random, themes: &Themes) -> Vec<String> {
    let mut names = vec!["gpu.example.com".to_owned(), "nic.example.org".to_owned()];
    random.shuffle(&mut names);
    let two = themes.has("same-pool-name") || random.percent(35);
    names.truncate(if two { 2 } else { 1 });
    names
}

pub(super) fn nodes(random: &mut Random, world: &mut World) -> Vec<Value> {
    let count = random.between(1, 3);
    let mut nodes = Vec::new();
    for name in ["node-b", "node-a", "node-c"].into_iter().take(count) {
        let mut labels = Map::new();
        labels.insert("kubernetes.io/hostname".into(), json!(name));
        labels.insert("zone".into(), json!(random.text(&["z1", "z2"])));
        labels.insert("rank".into(), json!(random.text(&["0", "4", "9"])));
        if random.percent(40) {
            labels.insert("accel".into(), json!("true"));
        }
        let mut node = json!({
            "apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "labels": labels},
        });
        if world.themes.has("operations") && random.percent(50) {
            let declared = json!({"declaredFeatures": ["DRAOptionalNodeOperations"]});
            put(&mut node, "status", declared);
        }
        nodes.push(node);
        world.nodes.push(name.to_owned());
    }
    nodes
}

fn put(object: &mut Value, field: &str, value: Value) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
}

/// Where a pool's devices can be used.
#[derive(Debug, Clone)]
enum Scope {
    Node(String),
    AllNodes,
    Selector(Value),
    PerDevice,
    /// Each slice on a node of its own.
    Spread,
}

/// One pool under construction.
#[derive(Debug)]
struct Pool {
    driver: String,
    name: String,
    generation: usize,
    scope: Scope,
    counters: Vec<Value>,
    devices: Vec<Value>,
}

pub(super) fn slices(random: &mut Random, world: &mut World) -> Vec<Value> {
    let mut slices = Vec::new();
    let count = random.between(1, 3);
    for number in 0..count {
        let mut pool = pool(random, world, number);
        fill(random, world, &mut pool);
        publish(random, world, &pool, &mut slices);
    }
    random.shuffle(&mut slices);
    slices
}

fn pool(random: &mut Random, world: &World, number: usize) -> Pool {
    let driver = random.pick(&world.drivers).cloned().unwrap_or_default();
    let driver = if world.themes.has("same-pool-name") {
        world.drivers.get(number % 2).cloned().unwrap_or(driver)
    } else {
        driver
    };
    let name = if world.themes.has("same-pool-name") && number < 2 {
        "pool".to_owned()
    } else {
        format!("pool-{}", ["c", "a", "b"].get(number).copied().unwrap_or("d"))
    };
    let node = random.pick(&world.nodes).cloned().unwrap_or_default();
    let scope = if world.themes.has("per-device") && random.percent(60) {
        Scope::PerDevice
    } else {
        match random.below(10) {
            0..=3 => Scope::Node(node),
            4..=6 => Scope::AllNodes,
            7 | 8 => Scope::Selector(if world.themes.has("selectors") && random.percent(50) {
                faulty_selector(random, world.profile.minor)
            } else {
                node_selector(random)
            }),
            _ => Scope::Spread,
        }
    };
    Pool {
        driver,
        name,
        generation: random.between(1, 3),
        scope,
        counters: Vec::new(),
        devices: Vec::new(),
    }
}

fn node_selector(random: &mut Random) -> Value {
    let requirement = match random.below(5) {
        0 => json!({"key": "zone", "operator": "NotIn", "values": ["z2"]}),
        1 => json!({"key": "accel", "operator": "Exists"}),
        2 => json!({"key": "accel", "operator": "DoesNotExist"}),
        3 => json!({"key": "rank", "operator": random.text(&["Gt", "Lt"]), "values": ["3"]}),
        _ => json!({"key": "zone", "operator": "In", "values": ["z1", "z3"]}),
    };
    let mut term = Map::new();
    term.insert("matchExpressions".into(), json!([requirement]));
    if random.percent(15) {
        term.insert(
            "matchFields".into(),
            json!([{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]),
        );
    }
    json!({"nodeSelectorTerms": [term]})
}

/// A selector that the API server would refuse; a library user can have it.
fn faulty_selector(random: &mut Random, minor: u32) -> Value {
    // The words about a faulty key are those of 1.36 on.
    let kinds = if minor < 36 { 5 } else { 6 };
    let mut requirements = vec![match random.below(kinds) {
        0 => json!({"key": "zone", "operator": "In"}),
        1 => json!({"key": "zone", "operator": "Exists", "values": ["z1", "z2"]}),
        2 => json!({"key": "rank", "operator": "Gt", "values": ["x"]}),
        3 => json!({"key": "rank", "operator": "Lt", "values": ["1", "2"]}),
        4 => json!({"key": "zone", "operator": "Like", "values": ["z1"]}),
        _ => json!({"key": "a/b/c", "operator": "In", "values": ["not a label", "z1"]}),
    }];
    if random.percent(30) {
        requirements.push(json!({"key": "zone", "operator": "NotIn", "values": []}));
    }
    let mut term = Map::new();
    term.insert("matchExpressions".into(), json!(requirements));
    if random.percent(30) {
        let fields = match random.below(3) {
            0 => json!([{"key": "metadata.name", "operator": "In", "values": ["a", "b"]}]),
            1 => json!([{"key": "metadata.name", "operator": "Exists"}]),
            _ => json!([{"key": "spec.unschedulable", "operator": "NotIn", "values": ["true"]}]),
        };
        term.insert("matchFields".into(), fields);
    }
    let good = json!({"matchExpressions": [{"key": "zone", "operator": "Exists"}]});
    if random.percent(30) {
        json!({"nodeSelectorTerms": [good, term]})
    } else {
        json!({"nodeSelectorTerms": [term]})
    }
}

fn fill(random: &mut Random, world: &mut World, pool: &mut Pool) {
    let partitions = world.themes.has("partitions") && random.percent(75);
    let shared = world.themes.has("shared") && random.percent(75);
    if partitions {
        for set in 0..random.between(1, 2) {
            let memory = random.text(&["80Gi", "8", "40Gi"]);
            pool.counters.push(json!({
                "name": format!("cs-{set}"),
                "counters": {"memory": {"value": memory}, "slots": {"value": "7"}},
            }));
        }
    }
    let count = random.between(2, 6);
    for number in 0..count {
        let mut name = format!("d{number}");
        if world.themes.has("pools") && number > 0 && random.percent(8) {
            "d0".clone_into(&mut name);
        }
        let multi = shared && random.percent(80);
        let device = device(random, world, pool, &name, multi);
        pool.devices.push(device);
    }
}

fn device(random: &mut Random, world: &mut World, pool: &Pool, name: &str, multi: bool) -> Value {
    let mut device = Map::new();
    device.insert("name".into(), json!(name));
    device.insert("attributes".into(), attributes(random, world, &pool.driver));
    let capacity = capacity(random, world, multi);
    world.devices.push(Known {
        driver: pool.driver.clone(),
        pool: pool.name.clone(),
        device: name.to_owned(),
        multi,
        capacities: capacity.keys().cloned().collect(),
    });
    if !capacity.is_empty() {
        device.insert("capacity".into(), Value::Object(capacity));
    }
    if multi {
        device.insert("allowMultipleAllocations".into(), json!(true));
    }
    if !pool.counters.is_empty() && random.percent(85) {
        device.insert("consumesCounters".into(), consumption(random, world, pool));
    }
    if world.themes.has("taints") && random.percent(45) {
        device.insert("taints".into(), taints(random, world));
    }
    if world.themes.has("binding") && random.percent(35) {
        device.insert("bindingConditions".into(), json!(["example.com/ready"]));
        device.insert("bindingFailureConditions".into(), json!(["example.com/failed"]));
        if random.percent(40) {
            device.insert("bindsToNode".into(), json!(true));
        }
    }
    if matches!(pool.scope, Scope::PerDevice) {
        match random.below(8) {
            0..=3 => device.insert("nodeName".into(), json!(random.pick(&world.nodes))),
            4 | 5 => device.insert("allNodes".into(), json!(true)),
            _ => device.insert("nodeSelector".into(), node_selector(random)),
        };
    }
    Value::Object(device)
}

fn attributes(random: &mut Random, world: &World, driver: &str) -> Value {
    let mut attributes = Map::new();
    if random.percent(90) {
        attributes.insert("model".into(), json!({"string": random.text(&["A100", "H100"])}));
    }
    if random.percent(85) {
        attributes.insert("numa".into(), json!({"int": random.below(3)}));
    }
    if random.percent(70) {
        attributes.insert("ecc".into(), json!({"bool": random.percent(50)}));
    }
    if random.percent(60) {
        let version = random.text(&["1.2.3", "2.0.0", "2.0.0-rc.1", "1.2.3+build"]);
        attributes.insert("fw".into(), json!({"version": version}));
    }
    if random.percent(50) {
        let root = random.text(&["pci0000:01", "pci0000:16"]);
        attributes.insert("resource.kubernetes.io/pcieRoot".into(), json!({"string": root}));
    }
    if random.percent(30) {
        let family = random.text(&["x", "y"]);
        attributes.insert(format!("{driver}/family"), json!({"string": family}));
    }
    if world.themes.has("lists") && random.percent(75) {
        attributes.insert("links".into(), list(random));
    }
    if world.themes.has("faults") && random.percent(2) {
        attributes.insert("broken".into(), json!({"version": "1.0"}));
    }
    Value::Object(attributes)
}

fn list(random: &mut Random) -> Value {
    match random.below(6) {
        0 => json!({"int": random.below(3)}),
        1 => json!({"strings": ["a", random.text(&["b", "c"])]}),
        2 => json!({"bools": [random.percent(50)]}),
        3 => json!({"versions": ["1.0.0", random.text(&["1.0.1", "2.0.0"])]}),
        _ => {
            let count = random.between(1, 3);
            json!({"ints": (0..count).map(|_| random.below(4)).collect::<Vec<_>>()})
        }
    }
}

fn capacity(random: &mut Random, world: &World, multi: bool) -> Map<String, Value> {
    let mut capacity = Map::new();
    if random.percent(if multi { 85 } else { 60 }) {
        let total = match world.themes.amount {
            Amount::Huge => random.text(&["9223372036854775807", "8Ei", "10"]),
            Amount::Fractional => random.text(&["2500m", "10", "1500m", "10G"]),
            Amount::Usual | Amount::Negative => random.text(&["10", "10Gi", "100G", "4"]),
        };
        let mut entry = Map::new();
        entry.insert("value".into(), json!(total));
        if multi && random.percent(60) {
            entry.insert("requestPolicy".into(), policy(random, world, total));
        }
        capacity.insert("bw".into(), Value::Object(entry));
    }
    if random.percent(30) {
        let memory = match world.themes.amount {
            Amount::Negative => random.text(&["-1", "8Gi"]),
            _ => random.text(&["8Gi", "16Gi", "1500M"]),
        };
        capacity.insert("memory".into(), json!({"value": memory}));
    }
    capacity
}

fn policy(random: &mut Random, world: &World, total: &str) -> Value {
    let fractional = world.themes.amount == Amount::Fractional;
    match random.below(4) {
        0 => json!({"default": random.text(&["1", "2", "1Gi"])}),
        1 => json!({"default": "1", "validValues": ["1", "2", "4"]}),
        2 if fractional => {
            json!({"default": "500m", "validRange": {"min": "500m", "max": total, "step": "250m"}})
        }
        2 => {
            json!({"default": "1", "validRange": {"min": "1", "max": total, "step": random.text(&["1", "3", "1k"])}})
        }
        _ => json!({"default": "2", "validRange": {"min": random.text(&["1", "2", "2k"])}}),
    }
}

fn consumption(random: &mut Random, world: &World, pool: &Pool) -> Value {
    let mut entries = Vec::new();
    let faulty = world.themes.has("pools") && random.percent(6);
    for set in &pool.counters {
        if !entries.is_empty() && random.percent(60) {
            break;
        }
        let mut counters = Map::new();
        let memory = random.text(&["80Gi", "40Gi", "20Gi", "8", "4", "2", "1"]);
        counters.insert("memory".into(), json!({"value": memory}));
        if random.percent(50) {
            counters.insert("slots".into(), json!({"value": random.text(&["7", "3", "2"])}));
        }
        if faulty && random.percent(50) {
            counters.insert("nosuch".into(), json!({"value": "1"}));
        }
        let name = if faulty { json!("cs-9") } else { json!(set.get("name")) };
        let mut entry = json!({"counterSet": name, "counters": counters});
        if world.themes.has("newest") && random.percent(20) {
            put(&mut entry, "compatibilityGroups", json!(["group-a"]));
        }
        entries.push(entry);
    }
    Value::Array(entries)
}

fn taints(random: &mut Random, world: &World) -> Value {
    let count = random.between(1, 2);
    let taints = (0..count).map(|number| {
        let effect = match random.below(5) {
            0 if world.profile.minor >= 35 => "None",
            1 | 2 => "NoExecute",
            _ => "NoSchedule",
        };
        let key = if number == 0 { "example.com/down" } else { "maintenance" };
        json!({"key": key, "value": random.text(&["yes", "no"]), "effect": effect, "timeAdded": "2026-01-01T00:00:00Z"})
    });
    Value::Array(taints.collect())
}

/// Splits a pool into slices, most of the time a complete pool of one generation.
fn publish(random: &mut Random, world: &World, pool: &Pool, slices: &mut Vec<Value>) {
    let broken = world.themes.has("pools");
    let parts = if pool.devices.len() > 1 { random.between(1, 2) } else { 1 };
    // Before 1.35 counters stand in the slice of the devices that consume them.
    let together =
        !pool.counters.is_empty() && random.percent(if world.profile.minor < 35 { 80 } else { 3 });
    let separate = usize::from(!pool.counters.is_empty() && !together);
    let mut declared = parts + separate;
    if broken && random.percent(20) {
        declared += 1;
    }
    let mut specs = Vec::new();
    let size = pool.devices.len().div_ceil(parts);
    for (at, devices) in pool.devices.chunks(size.max(1)).enumerate() {
        let mut spec = spec(pool, at, world, declared, pool.generation);
        spec.insert("devices".into(), json!(devices));
        if world.themes.has("operations") && random.percent(40) {
            spec.insert("skipNodeOperations".into(), json!(["*"]));
        }
        if together && at == 0 {
            spec.insert("sharedCounters".into(), json!(pool.counters));
        }
        specs.push(spec);
    }
    if separate == 1 {
        let mut spec = spec(pool, 0, world, declared, pool.generation);
        if matches!(pool.scope, Scope::PerDevice) {
            spec.remove("perDeviceNodeSelection");
            spec.insert("allNodes".into(), json!(true));
        } else if random.percent(12) {
            // Seen from a node that has none of the pool's devices.
            for scope in ["nodeName", "allNodes", "nodeSelector"] {
                spec.remove(scope);
            }
            spec.insert("nodeName".into(), json!(random.pick(&world.nodes)));
        }
        let mut counters = pool.counters.clone();
        if broken && random.percent(8) {
            counters.extend(counters.first().cloned());
        }
        spec.insert("sharedCounters".into(), Value::Array(counters));
        specs.push(spec);
    }
    if broken && random.percent(35) {
        // Another generation, of this node or of another one.
        let generation = if random.percent(60) { pool.generation - 1 } else { pool.generation + 1 };
        let mut spec = spec(pool, 1, world, 1, generation);
        let mut devices = pool.devices.clone();
        devices.truncate(1);
        spec.insert("devices".into(), Value::Array(devices));
        if random.percent(50) && !matches!(pool.scope, Scope::PerDevice) {
            for scope in ["nodeName", "allNodes", "nodeSelector"] {
                spec.remove(scope);
            }
            spec.insert("nodeName".into(), json!(random.pick(&world.nodes)));
        }
        specs.push(spec);
    }
    for spec in specs {
        let name = format!("{}-{}", random.text(&["s", "a", "z"]), slices.len() * 7 + 3);
        slices.push(json!({
            "apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
            "metadata": {"name": name},
            "spec": spec,
        }));
    }
}

fn spec(
    pool: &Pool,
    at: usize,
    world: &World,
    declared: usize,
    generation: usize,
) -> Map<String, Value> {
    let mut spec = Map::new();
    spec.insert("driver".into(), json!(pool.driver));
    spec.insert(
        "pool".into(),
        json!({"name": pool.name, "generation": generation, "resourceSliceCount": declared}),
    );
    match &pool.scope {
        Scope::Node(node) => spec.insert("nodeName".into(), json!(node)),
        Scope::AllNodes => spec.insert("allNodes".into(), json!(true)),
        Scope::Selector(selector) => spec.insert("nodeSelector".into(), selector.clone()),
        Scope::PerDevice => spec.insert("perDeviceNodeSelection".into(), json!(true)),
        Scope::Spread => {
            let node = world.nodes.get(at % world.nodes.len().max(1));
            spec.insert("nodeName".into(), json!(node))
        }
    };
    spec
}
