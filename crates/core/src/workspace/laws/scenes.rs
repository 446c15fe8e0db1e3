//! Random scenarios as text: pools of every kind, Pods of few shapes, and Pods that go again.

use std::fmt::Write as _;

use proptest::prelude::*;

/// Requests that the Pods of a scenario choose from.
const REQUESTS: [&str; 10] = [
    "requests: [{name: r, exactly: {deviceClassName: any}}]",
    "requests: [{name: r, exactly: {deviceClassName: big}}]",
    "requests: [{name: r, exactly: {deviceClassName: any, count: 2}}]",
    "requests: [{name: r, exactly: {deviceClassName: any, selectors: [{cel: {expression: 'device.attributes[\"d.example.com\"].model == \"b\"'}}]}}]",
    "requests: [{name: r, exactly: {deviceClassName: any, tolerations: [{operator: Exists}]}}, {name: q, exactly: {deviceClassName: any}}]",
    "requests: [{name: r, exactly: {deviceClassName: any, count: 1, capacity: {requests: {bw: 3}}}}]",
    "requests: [{name: r, firstAvailable: [{name: three, deviceClassName: any, count: 3}, {name: one, deviceClassName: big}]}]",
    "requests: [{name: r, exactly: {deviceClassName: any, count: 2}}]\n      constraints: [{matchAttribute: d.example.com/root}]",
    "requests: [{name: r, exactly: {deviceClassName: any}}, {name: q, exactly: {deviceClassName: big}}]\n      constraints: [{distinctAttribute: d.example.com/root}]",
    "requests: [{name: r, exactly: {deviceClassName: big, allocationMode: All}}]",
];

const CLASSES: &str = "\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: any}
spec: {selectors: [{cel: {expression: device.driver == 'd.example.com'}}]}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: big}
spec:
  selectors:
  - cel: {expression: device.driver == 'd.example.com'}
  - cel: {expression: 'device.attributes[\"d.example.com\"].size > 1'}
";

/// A device: size, model, root, and whether it has a taint.
pub(super) type Shape = (u8, bool, u8, bool);

/// One pool: what kind its devices are of, and the devices.
pub(super) type Pool = (u8, Vec<Shape>);

fn attributes((size, model, root, _): Shape) -> String {
    let model = if model { "b" } else { "a" };
    let root = if root == 0 { String::new() } else { format!(", root: {{int: {root}}}") };
    format!("attributes: {{size: {{int: {size}}}, model: {{string: {model}}}{root}}}")
}

fn device(name: &str, kind: u8, shape: Shape) -> String {
    let more = match kind {
        1 => format!(
            "    consumesCounters: [{{counterSet: card, counters: {{mem: {{value: {}}}}}}}]\n",
            shape.0 + 1
        ),
        2 => format!(
            "    allowMultipleAllocations: true\n    capacity: {{bw: {{value: {}, requestPolicy: \
             {{default: 1, validRange: {{min: 1, max: 3, step: 2}}}}}}}}\n",
            shape.0 + 2
        ),
        _ => String::new(),
    };
    let taint = if shape.3 { "    taints: [{key: hot, effect: NoSchedule}]\n" } else { "" };
    format!("  - name: {name}\n    {}\n{more}{taint}", attributes(shape))
}

fn slice(out: &mut String, name: &str, pool: &str, scope: &str, pool_of: &str, rest: &str) {
    write!(
        out,
        "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {name}}}\n\
         spec:\n  driver: d.example.com\n  {scope}\n  pool: {{name: {pool}, {pool_of}}}\n{rest}"
    )
    .unwrap();
}

/// Kinds: plain devices, partitions of a card, devices with shares, an incomplete pool, one with an
/// older generation beside it.
fn add_pool(out: &mut String, name: &str, scope: &str, (kind, shapes): &Pool) {
    let devices = shapes.iter().enumerate();
    let devices: String =
        devices.map(|(at, shape)| device(&format!("{name}-d{at}"), *kind, *shape)).collect();
    let devices = format!("  devices:\n{devices}");
    let count = match kind {
        1 | 3 => 2,
        _ => 1,
    };
    let of = |generation: u8| format!("generation: {generation}, resourceSliceCount: {count}");
    if *kind == 1 {
        let set = "  sharedCounters: [{name: card, counters: {mem: {value: 5}}}]\n";
        slice(out, &format!("{name}-card"), name, scope, &of(2), set);
    }
    if *kind == 4 {
        slice(out, &format!("{name}-old"), name, scope, &of(1), &devices);
    }
    slice(out, name, name, scope, &of(2), &devices);
}

/// The text of a scenario. Pods come one after the other; then some of them are deleted.
pub(super) fn scene(
    nodes: &[Pool],
    network: Option<&Pool>,
    pods: &[usize],
    gone: &[usize],
) -> String {
    let mut out = String::from(CLASSES);
    for (number, pool) in nodes.iter().enumerate() {
        let name = format!("n{number}");
        write!(out, "---\napiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}\n").unwrap();
        add_pool(&mut out, &name, &format!("nodeName: {name}"), pool);
    }
    if let Some(pool) = network {
        add_pool(&mut out, "net", "allNodes: true", pool);
    }
    for (number, shape) in pods.iter().enumerate() {
        write!(
            out,
            "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n\
             metadata: {{name: c{number}, namespace: default}}\nspec:\n  devices:\n      {}\n\
             ---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p{number}, namespace: default}}\n\
             spec:\n  containers: [{{name: c, image: i}}]\n  \
             resourceClaims: [{{name: x, resourceClaimName: c{number}}}]\n",
            REQUESTS[*shape]
        )
        .unwrap();
    }
    out += "---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {name: random}\nspec:\n  \
            kubernetesVersion: 1.37.2\n  steps:\n  - {name: wait, advance: 1s}\n";
    for pod in gone.iter().filter(|pod| **pod < pods.len()) {
        writeln!(
            out,
            "  - {{name: g{pod}, delete: {{kind: Pod, namespace: default, name: p{pod}}}}}"
        )
        .unwrap();
    }
    out
}

/// All of them.
pub(super) fn scenes() -> impl Strategy<Value = String> {
    let shape = (1..4u8, any::<bool>(), 0..3u8, prop::bool::weighted(0.2));
    let kind = prop::sample::select(vec![0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4]);
    let pool = (kind, prop::collection::vec(shape, 1..4));
    let nodes = prop::collection::vec(pool.clone(), 1..3);
    let pods = prop::collection::vec(0..REQUESTS.len(), 1..5);
    let gone = prop::sample::subsequence(vec![0usize, 1, 2, 3], 0..2);
    (nodes, prop::option::weighted(0.3, pool), pods, gone)
        .prop_map(|(nodes, network, pods, gone)| scene(&nodes, network.as_ref(), &pods, &gone))
}
