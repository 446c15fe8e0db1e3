//! How long allocation takes on the shapes on which the real allocator was timed.
//!
//! Beside each shape stands what the real one (Go, native, v0.36.2) took on it.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark that reports")]
#![expect(clippy::disallowed_methods, reason = "it reads the clock")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;
use std::time::Instant;

use dra_playground_core::allocator::{
    AllocatedState, Allocator, Attempt, Context, Ground, Outcome, Pruning, ShareIds,
};
use dra_playground_core::api::{
    self, DeviceClass, Node, ObjectValue, ResourceClaim, ResourceSlice,
};
use dra_playground_core::features::Behavior;
use dra_playground_core::selector::Selectors;

struct Shape {
    name: &'static str,
    real_micros: f64,
    yaml: String,
}

struct Cluster {
    nodes: Vec<Node>,
    slices: Vec<Rc<ResourceSlice>>,
    classes: BTreeMap<String, Rc<DeviceClass>>,
    claims: Vec<ResourceClaim>,
}

struct NoShares;

impl ShareIds for NoShares {
    fn next_share_id(&mut self) -> String {
        String::new()
    }
}

const CLASS: &str = "
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: 'device.driver == \"gpu.example.com\"'}}]}
";

fn main() {
    // `cargo bench -- TEXT` measures the shapes with that text in their name.
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let is_wanted = |shape: &Shape| wanted.as_ref().is_none_or(|text| shape.name.contains(text));
    let shapes = [partitions(), nodes(), matching(), unsatisfiable()];
    for shape in shapes.into_iter().filter(is_wanted) {
        for pruning in [Pruning::Off, Pruning::Proven] {
            run(&shape, pruning);
        }
    }
}

fn run(shape: &Shape, pruning: Pruning) {
    let cluster = cluster(&shape.yaml);
    let behavior = Behavior::default_release();
    let selectors = Selectors::new(&behavior.cel);
    let mut best = f64::MAX;
    let mut last = (0, 0);
    let begin = Instant::now();
    let mut rounds = 0;
    while rounds < 3 || (begin.elapsed().as_millis() < 500 && rounds < 2000) {
        let start = Instant::now();
        let attempts = attempt(&cluster, &behavior, &selectors, pruning);
        best = best.min(start.elapsed().as_secs_f64() * 1e6);
        let fits = attempts.iter().filter(|a| matches!(a.outcome, Outcome::Allocated(_))).count();
        last = (fits, attempts.iter().filter_map(|a| a.search_calls).sum());
        rounds += 1;
    }
    println!(
        "{:<38} {pruning:?}: {best:>10.1} µs, {:>6.1} times as fast; {} nodes fit, {} calls",
        shape.name,
        shape.real_micros / best,
        last.0,
        last.1
    );
}

fn attempt(
    cluster: &Cluster,
    behavior: &Behavior,
    selectors: &Selectors,
    pruning: Pruning,
) -> Vec<Attempt> {
    let allocated = AllocatedState::default();
    let claims: Vec<&ResourceClaim> = cluster.claims.iter().collect();
    let ground = Ground::new(&cluster.slices);
    let mut allocator = Allocator::new(Context {
        behavior,
        ground: &ground,
        classes: &cluster.classes,
        allocated: &allocated,
        selectors,
        pruning,
        budget: None,
        pool_order: None,
    });
    let nodes = cluster.nodes.iter();
    nodes.map(|node| allocator.allocate(node, &claims, &mut NoShares, &mut ())).collect()
}

fn cluster(yaml: &str) -> Cluster {
    let mut cluster = Cluster {
        nodes: Vec::new(),
        slices: Vec::new(),
        classes: BTreeMap::new(),
        claims: Vec::new(),
    };
    for object in api::decode::read(yaml).objects {
        match object.value {
            ObjectValue::Node(node) => cluster.nodes.push(*node),
            ObjectValue::ResourceSlice(slice) => cluster.slices.push(Rc::new(*slice)),
            ObjectValue::DeviceClass(class) => {
                cluster.classes.insert(class.metadata.name.clone(), Rc::new(*class));
            }
            ObjectValue::ResourceClaim(claim) => cluster.claims.push(*claim),
            _ => {}
        }
    }
    cluster
}

fn node(yaml: &mut String, name: &str) {
    writeln!(yaml, "---\napiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}").unwrap();
}

fn slice(yaml: &mut String, node: &str, part: &str, of: usize) {
    writeln!(
        yaml,
        "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {node}-{part}}}\n\
         spec:\n  driver: gpu.example.com\n  nodeName: {node}\n\
         \x20 pool: {{name: {node}, generation: 1, resourceSliceCount: {of}}}"
    )
    .unwrap();
}

fn claim(yaml: &mut String, requests: &[&str], more: &str) {
    writeln!(
        yaml,
        "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: c}}\n\
         spec:\n  devices:\n    requests:"
    )
    .unwrap();
    for (number, request) in requests.iter().enumerate() {
        writeln!(yaml, "    - {{name: r{number}, exactly: {{deviceClassName: gpu, {request}}}}}")
            .unwrap();
    }
    yaml.push_str(more);
}

fn partitions() -> Shape {
    let mut yaml = String::from(CLASS);
    node(&mut yaml, "n");
    slice(&mut yaml, "n", "counters", 2);
    yaml.push_str("  sharedCounters:\n");
    for gpu in 0..8 {
        writeln!(
            yaml,
            "  - {{name: g{gpu}, counters: {{memory: {{value: 80Gi}}, compute: {{value: '100'}}}}}}"
        )
        .unwrap();
    }
    slice(&mut yaml, "n", "devices", 2);
    yaml.push_str("  devices:\n");
    for gpu in 0..8 {
        for (name, memory, compute) in [("half0", 40, 50), ("half1", 40, 50), ("full", 80, 100)] {
            writeln!(
                yaml,
                "  - name: g{gpu}-{name}\n    attributes: {{index: {{int: {gpu}}}}}\n\
                 \x20   consumesCounters: [{{counterSet: g{gpu}, counters: \
                 {{memory: {{value: {memory}Gi}}, compute: {{value: '{compute}'}}}}}}]"
            )
            .unwrap();
        }
    }
    claim(&mut yaml, &["count: 1"], "");
    Shape { name: "24 partitionable devices, count 1", real_micros: 43.0, yaml }
}

fn devices(yaml: &mut String, count: usize, per_numa: usize) {
    yaml.push_str("  devices:\n");
    for device in 0..count {
        let numa = device / per_numa;
        writeln!(yaml, "  - {{name: d{device:03}, attributes: {{numa: {{int: {numa}}}}}}}")
            .unwrap();
    }
}

fn nodes() -> Shape {
    let mut yaml = String::from(CLASS);
    for number in 0..100 {
        let name = format!("n{number:02}");
        node(&mut yaml, &name);
        slice(&mut yaml, &name, "devices", 1);
        devices(&mut yaml, 8, 4);
    }
    claim(&mut yaml, &["count: 1"], "");
    Shape { name: "100 nodes of 8 devices, count 1", real_micros: 9_600.0, yaml }
}

fn matching() -> Shape {
    let mut yaml = String::from(CLASS);
    node(&mut yaml, "n");
    for part in 0..8 {
        slice(&mut yaml, "n", &part.to_string(), 8);
        yaml.push_str("  devices:\n");
        for device in 0..125 {
            let numa = device % 50;
            writeln!(
                yaml,
                "  - {{name: d{part}-{device:03}, attributes: {{numa: {{int: {numa}}}}}}}"
            )
            .unwrap();
        }
    }
    claim(&mut yaml, &["count: 8"], "    constraints: [{matchAttribute: gpu.example.com/numa}]\n");
    Shape { name: "1000 devices, count 8, matchAttribute", real_micros: 10_000.0, yaml }
}

fn unsatisfiable() -> Shape {
    let mut yaml = String::from(CLASS);
    node(&mut yaml, "n");
    slice(&mut yaml, "n", "devices", 1);
    devices(&mut yaml, 11, 20);
    claim(&mut yaml, &["count: 4", "count: 4", "count: 4"], "");
    Shape { name: "3 times 4 of 11 devices", real_micros: 222_000.0, yaml }
}
