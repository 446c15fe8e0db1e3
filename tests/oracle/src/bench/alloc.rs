//! What an attempt over all nodes takes, on the shapes on which speed matters.

use std::io;

use dra_playground_core::allocator::{
    AllocatedState, Allocator, Context, Ground, Outcome, Pruning, ShareIds,
};
use dra_playground_core::api::ResourceClaim;
use dra_playground_core::conformance::alloc::Scene;
use dra_playground_core::selector::Selectors;
use serde_json::{Value, json};

use super::{Row, ask, measure, table};
use crate::process::Session;
use crate::release::Release;

/// Measures every shape with the same search calls as the real code, and as the page searches.
pub fn run(release: Release) -> io::Result<String> {
    let mut session = Session::start(release)?;
    let mut rows = Vec::new();
    let page = page_times()?;
    let mut out = format!("## Allocation, Kubernetes {}\n\n", release.name);
    for (name, mut record) in shapes() {
        put(&mut record, "bench", json!("alloc"));
        let real = ask(&mut session, &record)?;
        let scene = scene(record, release.name).map_err(io::Error::other)?;
        let number = |field: &str| real.get(field).and_then(Value::as_f64).unwrap_or_default();
        for (pruning, how) in [(Pruning::Proven, ""), (Pruning::Off, ", call by call")] {
            let mut fits = 0.0;
            let selectors = Selectors::new(&scene.behavior.cel);
            let ours = measure(|| fits = attempt(&scene, &selectors, pruning));
            if (fits - number("fits")).abs() > 0.5 {
                let text = format!("{name}: {fits} nodes fit, {} by the real code", number("fits"));
                return Err(io::Error::other(text));
            }
            rows.push(Row { name: format!("{name}{how}"), real: number("attempt"), ours });
        }
        let selectors = Selectors::new(&scene.behavior.cel);
        let ground = Ground::new(&scene.slices);
        let ours = measure(|| attempt_on(&scene, &ground, &selectors, Pruning::Proven));
        rows.push(Row { name: format!("{name}, again"), real: number("attempt"), ours });
        if let Some(ours) = page.get(name).and_then(Value::as_f64) {
            let name = format!("{name}, WebAssembly in Chromium");
            rows.push(Row { name, real: number("attempt"), ours });
        }
    }
    out.push_str(&table(&rows));
    Ok(out)
}

/// Nanoseconds of each shape in a browser, as `cargo xtask bench` measured them before.
fn page_times() -> io::Result<Value> {
    match std::env::var_os("DRA_PLAYGROUND_PAGE_TIMES") {
        Some(path) => Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?),
        None => Ok(Value::Null),
    }
}

/// A shape's record as our side reads it.
///
/// # Errors
/// What is wrong with the record.
pub fn scene(mut record: Value, release: &str) -> Result<Scene, String> {
    put(&mut record, "kubernetes", json!(release));
    Scene::read(&record.to_string())
}

/// One attempt over all nodes with nothing remembered; says how many fit.
pub fn attempt(scene: &Scene, selectors: &Selectors, pruning: Pruning) -> f64 {
    attempt_on(scene, &Ground::new(&scene.slices), selectors, pruning)
}

/// One attempt over all nodes with what earlier ones found out about the slices.
fn attempt_on(scene: &Scene, ground: &Ground, selectors: &Selectors, pruning: Pruning) -> f64 {
    let allocated = AllocatedState::from_claims(&scene.allocated, &scene.behavior);
    let claims: Vec<&ResourceClaim> = scene.claims.iter().collect();
    let mut allocator = Allocator::new(Context {
        behavior: &scene.behavior,
        ground,
        classes: &scene.classes,
        allocated: &allocated,
        selectors,
        pruning,
        budget: None,
        pool_order: None,
    });
    let mut fits = 0.0;
    for node in &scene.nodes {
        let attempt = allocator.allocate(node, &claims, &mut OneShare, &mut ());
        fits += f64::from(u8::from(matches!(attempt.outcome, Outcome::Allocated(_))));
    }
    fits
}

struct OneShare;

impl ShareIds for OneShare {
    fn next_share_id(&mut self) -> String {
        "share".to_owned()
    }
}

/// The shapes by name, as records of allocation.
pub fn shapes() -> [(&'static str, Value); 4] {
    [
        ("24 partitionable devices, count 1", partitions()),
        ("100 nodes of 8 devices, count 1", nodes()),
        ("1,000 devices, count 8, matchAttribute", matching()),
        ("3 × 4 of 11 devices, unsatisfiable", unsatisfiable()),
    ]
}

const DRIVER: &str = "gpu.example.com";

fn record(nodes: &[String], slices: &[Value], requests: &[i64], constraints: &Value) -> Value {
    let requests = requests.iter().enumerate().map(|(number, count)| {
        json!({"name": format!("r{number}"), "exactly": {
            "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count,
        }})
    });
    let node =
        |name: &String| json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}});
    let on = [
        "AdminAccess",
        "ConsumableCapacity",
        "DeviceBindingAndStatus",
        "DeviceTaints",
        "PartitionableDevices",
        "PrioritizedList",
    ];
    let features: serde_json::Map<_, _> =
        on.map(|name| (name.to_owned(), json!(true))).into_iter().collect();
    json!({
        "features": features,
        "nodes": nodes.iter().map(node).collect::<Vec<_>>(),
        "deviceClasses": [{
            "apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"},
            "spec": {"selectors": [{"cel": {"expression": format!("device.driver == '{DRIVER}'")}}]},
        }],
        "resourceSlices": slices,
        "claims": [{
            "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
            "metadata": {"name": "c", "namespace": "default"},
            "spec": {"devices": {"requests": requests.collect::<Vec<_>>(), "constraints": constraints}},
        }],
        "allocatedClaims": [],
    })
}

fn put(object: &mut Value, field: &str, value: Value) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
}

fn slice(node: &str, part: &str, of: usize, content: &str, items: &[Value]) -> Value {
    json!({
        "apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
        "metadata": {"name": format!("{node}-{part}")},
        "spec": {
            "driver": DRIVER, "nodeName": node,
            "pool": {"name": node, "generation": 1, "resourceSliceCount": of},
            content: items,
        },
    })
}

fn device(name: &str, numa: usize) -> Value {
    json!({"name": name, "attributes": {"numa": {"int": numa}}})
}

fn partitions() -> Value {
    let counters = (0..8).map(|gpu| {
        json!({"name": format!("g{gpu}"), "counters": {
            "memory": {"value": "80Gi"}, "compute": {"value": "100"},
        }})
    });
    let mut devices = Vec::new();
    for gpu in 0..8 {
        for (part, memory, compute) in
            [("half0", "40Gi", "50"), ("half1", "40Gi", "50"), ("full", "80Gi", "100")]
        {
            let mut device = device(&format!("g{gpu}-{part}"), gpu);
            let consumption = json!([{"counterSet": format!("g{gpu}"), "counters": {
                "memory": {"value": memory}, "compute": {"value": compute},
            }}]);
            put(&mut device, "consumesCounters", consumption);
            devices.push(device);
        }
    }
    let slices = vec![
        slice("n", "counters", 2, "sharedCounters", &counters.collect::<Vec<_>>()),
        slice("n", "devices", 2, "devices", &devices),
    ];
    record(&["n".to_owned()], &slices, &[1], &json!([]))
}

fn nodes() -> Value {
    let names: Vec<String> = (0..100).map(|number| format!("n{number:02}")).collect();
    let slices = names.iter().map(|name| {
        let devices = (0..8).map(|number| device(&format!("d{number}"), number / 4));
        slice(name, "devices", 1, "devices", &devices.collect::<Vec<_>>())
    });
    record(&names, &slices.collect::<Vec<_>>(), &[1], &json!([]))
}

fn matching() -> Value {
    let slices = (0..8).map(|part| {
        let devices = (0..125).map(|number| device(&format!("d{part}-{number:03}"), number % 50));
        slice("n", &part.to_string(), 8, "devices", &devices.collect::<Vec<_>>())
    });
    let constraints = json!([{"matchAttribute": format!("{DRIVER}/numa")}]);
    record(&["n".to_owned()], &slices.collect::<Vec<_>>(), &[8], &constraints)
}

fn unsatisfiable() -> Value {
    let devices = (0..11).map(|number| device(&format!("d{number:02}"), 0));
    let slices = vec![slice("n", "devices", 1, "devices", &devices.collect::<Vec<_>>())];
    record(&["n".to_owned()], &slices, &[4, 4, 4], &json!([]))
}
