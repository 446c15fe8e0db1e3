//! Device classes and the claims to allocate.

use serde_json::{Map, Value, json};

use super::World;
use super::selectors::selector;
use super::themes::Amount;
use crate::random::Random;

const CLASSES: [&str; 4] = ["any", "first", "second", "picky"];

pub(super) fn classes(random: &mut Random, world: &World) -> Vec<Value> {
    let of_driver = |at: usize| {
        let driver = world.drivers.get(at).or(world.drivers.first());
        format!("device.driver == \"{}\"", driver.map_or("", String::as_str))
    };
    let mut classes = Vec::new();
    for name in CLASSES {
        let expressions = match name {
            "first" => vec![of_driver(0)],
            "second" => vec![of_driver(1)],
            "picky" => vec![of_driver(0), selector(random, world)],
            _ => Vec::new(),
        };
        let mut spec = Map::new();
        if !expressions.is_empty() {
            spec.insert("selectors".into(), cel(&expressions));
        }
        if world.themes.has("config") && random.percent(70) {
            let count = random.between(1, 2);
            let entries =
                (0..count).map(|number| opaque(&world.drivers, &format!("{name}-{number}")));
            spec.insert("config".into(), Value::Array(entries.collect()));
        }
        classes.push(json!({
            "apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass",
            "metadata": {"name": name},
            "spec": spec,
        }));
    }
    classes
}

fn cel(expressions: &[String]) -> Value {
    let selectors = expressions.iter().map(|text| json!({"cel": {"expression": text}}));
    Value::Array(selectors.collect())
}

fn opaque(drivers: &[String], note: &str) -> Value {
    json!({"opaque": {"driver": drivers.first(), "parameters": {"note": note}}})
}

pub(super) fn claims(random: &mut Random, world: &World) -> Vec<Value> {
    let count = few(random);
    // The search is exponential in the devices asked for, the more so where it tries every order.
    let mut budget = if world.profile.minor < 36 { 4 } else { 7 };
    (0..count).map(|number| claim(random, world, number, &mut budget)).collect()
}

/// Mostly one, at most three: more are rarely satisfied together.
fn few(random: &mut Random) -> usize {
    match random.below(10) {
        0..=5 => 1,
        6..=8 => 2,
        _ => 3,
    }
}

fn claim(random: &mut Random, world: &World, number: usize, budget: &mut usize) -> Value {
    let mut requests = Vec::new();
    // The full names by which constraints and config can refer to a request.
    let mut names = Vec::new();
    let count = if random.percent(2) || *budget == 0 { 0 } else { few(random).min(*budget) };
    for at in 0..count {
        let name = format!("r{at}");
        let mut request = Map::new();
        request.insert("name".into(), json!(name));
        names.push(name.clone());
        if world.themes.has("alternatives") && random.percent(55) {
            let alternatives = random.between(1, 3);
            let mut list = Vec::new();
            for sub in 0..alternatives {
                let mut entry = exactly(random, world, Kind::Alternative, budget);
                entry.insert("name".into(), json!(format!("s{sub}")));
                names.push(format!("{name}/s{sub}"));
                list.push(Value::Object(entry));
            }
            request.insert("firstAvailable".into(), Value::Array(list));
        } else {
            request.insert(
                "exactly".into(),
                Value::Object(exactly(random, world, Kind::Whole, budget)),
            );
        }
        requests.push(Value::Object(request));
    }
    let mut devices = Map::new();
    devices.insert("requests".into(), Value::Array(requests));
    if world.themes.has("constraints") && random.percent(85) {
        let constraints = (0..random.between(1, 2)).map(|_| constraint(random, world, &names));
        devices.insert("constraints".into(), Value::Array(constraints.collect()));
    }
    if world.themes.has("config") && random.percent(75) {
        let config = (0..random.between(1, 3)).map(|at| {
            let mut entry = opaque(&world.drivers, &format!("claim-{at}"));
            if let (Some(entry), true) = (entry.as_object_mut(), random.percent(75)) {
                entry.insert("requests".into(), json!(subset(random, &names)));
            }
            entry
        });
        devices.insert("config".into(), Value::Array(config.collect()));
    }
    json!({
        "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
        "metadata": {"name": format!("claim-{number}"), "namespace": "default"},
        "spec": {"devices": devices},
    })
}

/// Some of the names, each at most once.
fn subset(random: &mut Random, names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    random.shuffle(&mut names);
    names.truncate(random.between(1, 3));
    names
}

/// What kind of request is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Under `exactly`.
    Whole,
    /// One of `firstAvailable`, which knows no admin access.
    Alternative,
}

fn exactly(
    random: &mut Random,
    world: &World,
    kind: Kind,
    budget: &mut usize,
) -> Map<String, Value> {
    let mut request = Map::new();
    let class = match random.below(10) {
        0..=3 => "any",
        4..=6 => "first",
        7 | 8 => "second",
        _ => "picky",
    };
    let class = if world.themes.has("faults") && random.percent(4) { "nosuch" } else { class };
    request.insert("deviceClassName".into(), json!(class));
    if random.percent(25) {
        let expressions: Vec<_> =
            (0..random.between(1, 2)).map(|_| selector(random, world)).collect();
        request.insert("selectors".into(), cel(&expressions));
    }
    if world.themes.has("all") && random.percent(50) {
        request.insert("allocationMode".into(), json!("All"));
    } else {
        request.insert("allocationMode".into(), json!("ExactCount"));
        let many = world.themes.has("amounts") && world.profile.minor >= 36;
        let count = match random.below(40) {
            0 if world.themes.has("amounts") => 40,
            1 if many => 17,
            0..=24 => 1,
            25..=34 => 2.min(*budget).max(1),
            _ => 3.min(*budget).max(1),
        };
        if count < 4 {
            *budget = budget.saturating_sub(count);
        }
        request.insert("count".into(), json!(count));
    }
    if kind == Kind::Whole && world.themes.has("admin") && random.percent(45) {
        request.insert("adminAccess".into(), json!(random.percent(85)));
    }
    if world.themes.has("newest") && random.percent(8) {
        let derived = json!([{"name": "example.com/size", "expression": "device.driver"}]);
        request.insert("derivedAttributes".into(), derived);
    }
    if world.themes.has("taints") && random.percent(50) {
        let tolerations = (0..random.between(1, 2)).map(|_| toleration(random));
        request.insert("tolerations".into(), Value::Array(tolerations.collect()));
    }
    if world.themes.has("shared") && random.percent(50) || random.percent(4) {
        let wanted = capacity_request(random, world);
        request.insert("capacity".into(), json!({"requests": wanted}));
    }
    request
}

fn toleration(random: &mut Random) -> Value {
    let mut toleration = Map::new();
    if random.percent(80) {
        let key = random.text(&["example.com/down", "maintenance", "other"]);
        toleration.insert("key".into(), json!(key));
    }
    if random.percent(50) || !toleration.contains_key("key") {
        toleration.insert("operator".into(), json!("Exists"));
    } else {
        toleration.insert("operator".into(), json!("Equal"));
        toleration.insert("value".into(), json!(random.text(&["yes", "no"])));
    }
    if random.percent(50) {
        let effect = random.text(&["NoSchedule", "NoExecute"]);
        toleration.insert("effect".into(), json!(effect));
        if effect == "NoExecute" && random.percent(30) {
            toleration.insert("tolerationSeconds".into(), json!(60));
        }
    }
    Value::Object(toleration)
}

fn capacity_request(random: &mut Random, world: &World) -> Map<String, Value> {
    let mut wanted = Map::new();
    let amount = match world.themes.amount {
        Amount::Huge => random.text(&["9223372036854775807", "9223372036854775806", "10E", "1"]),
        Amount::Fractional => random.text(&["1", "1500m", "600m", "1u", "3", "1.5G"]),
        Amount::Usual | Amount::Negative => {
            random.text(&["1", "2", "3", "5", "10", "1Gi", "60G", "1500k"])
        }
    };
    wanted.insert("bw".into(), json!(amount));
    if random.percent(15) {
        wanted.insert("memory".into(), json!(random.text(&["1Gi", "8Gi"])));
    }
    if random.percent(5) {
        let driver = world.drivers.first().map_or("", String::as_str);
        wanted.insert(format!("{driver}/bw"), json!("1"));
    }
    wanted
}

fn constraint(random: &mut Random, world: &World, names: &[String]) -> Value {
    let driver = random.pick(&world.drivers).map_or("", String::as_str);
    let attribute = match random.below(9) {
        0..=2 => format!("{driver}/numa"),
        3 => format!("{driver}/model"),
        4 => format!("{driver}/fw"),
        5 => format!("{driver}/family"),
        6 if world.themes.has("lists") => format!("{driver}/links"),
        6 => format!("{driver}/ecc"),
        7 => "other.example.com/zone".to_owned(),
        _ => "resource.kubernetes.io/pcieRoot".to_owned(),
    };
    let attribute = if world.themes.has("lists") && random.percent(40) {
        format!("{driver}/links")
    } else {
        attribute
    };
    let mut constraint = Map::new();
    if random.percent(50) {
        constraint.insert("requests".into(), json!(subset(random, names)));
    }
    // The theme `faults` leaves a constraint without any attribute.
    if !(world.themes.has("faults") && random.percent(4)) {
        let kind = if random.percent(60) { "matchAttribute" } else { "distinctAttribute" };
        constraint.insert(kind.into(), json!(attribute));
    }
    Value::Object(constraint)
}
