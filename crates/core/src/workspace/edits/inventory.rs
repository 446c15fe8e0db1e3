use std::fmt::Write as _;

/// Driver and class of the upstream example driver.
pub(crate) const DRIVER: &str = "gpu.example.com";
/// Node and pool on which the example driver's demo cluster runs.
pub(crate) const NODE: &str = "dra-example-driver-cluster-worker";

const MEMORY_MI: u64 = 80 * 1024;
const COMPUTE: u64 = 100;
const MODEL: &str = "LATEST-GPU-MODEL";

/// The most cards that an inventory can have.
pub const MAX_GPUS: u32 = 64;
/// The most partitions that a card can be cut into.
pub const MAX_PARTITIONS: u32 = 16;

// The API allows 8 counter sets in a slice, and 128 devices, or 64 when they consume counters.
const COUNTER_SETS_PER_SLICE: usize = 8;
const DEVICES_PER_SLICE: usize = 128;
const COUNTED_DEVICES_PER_SLICE: usize = 64;

/// UUIDs that the example driver derives from its demo node's name.
const UUIDS: [&str; 8] = [
    "gpu-6513270e-269e-0d37-f2a7-4de452e6b438",
    "gpu-d23f0824-128b-2f33-0c5c-7fd0a6a3a450",
    "gpu-9531985d-5d9d-c9f8-1818-e811892f902b",
    "gpu-36f675cc-81e7-4ef5-e8e2-5d940ed90475",
    "gpu-6b0d549b-6f03-675a-1600-a35a099950d8",
    "gpu-8d116ece-1738-f7d9-3d9c-172411e20b8f",
    "gpu-90c192cf-d3ac-94af-0f21-ddb66cad4a26",
    "gpu-a170b338-3926-3059-f28c-105d1fb17c23",
];

/// What the upstream example driver is told in its Helm values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inventory {
    /// Number of cards (`kubeletPlugin.numDevices`), at most [`MAX_GPUS`].
    pub gpus: u32,
    /// Partitions of each card (`gpuPartitions`), 0 for none, at most [`MAX_PARTITIONS`].
    pub gpu_partitions: u32,
    /// Whether several claims may share a device (`gpuAllowMultipleAllocations`).
    pub allow_multiple_allocations: bool,
}

/// Where and as which version an inventory is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub node: String,
    pub generation: i64,
    /// UUIDs of the cards; those missing are made up from the node's name.
    pub uuids: Vec<String>,
}

impl Inventory {
    /// The same within the limits.
    pub(crate) fn limited(&self) -> Self {
        Self {
            gpus: self.gpus.clamp(1, MAX_GPUS),
            gpu_partitions: self.gpu_partitions.min(MAX_PARTITIONS),
            allow_multiple_allocations: self.allow_multiple_allocations,
        }
    }
}

/// The node as a YAML document.
pub(crate) fn node_document(node: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Node\nmetadata:\n  name: {node}\n  labels:\n    \
         kubernetes.io/hostname: {node}\n"
    )
}

/// The class as a YAML document.
pub(crate) fn class_document() -> String {
    format!(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: {DRIVER}\nspec:\n  \
         selectors:\n  - cel:\n      expression: \"device.driver == '{DRIVER}'\"\n"
    )
}

/// The slices as YAML documents, counter sets first.
pub(crate) fn slice_documents(inventory: &Inventory, place: &Place) -> Vec<String> {
    let inventory = inventory.limited();
    let mut bodies = Vec::new();
    if inventory.gpu_partitions > 0 {
        let sets: Vec<String> = (0..inventory.gpus).map(counter_set).collect();
        for part in sets.chunks(COUNTER_SETS_PER_SLICE) {
            bodies.push(format!("  sharedCounters:\n{}", part.concat()));
        }
    }
    let devices: Vec<String> =
        (0..inventory.gpus).flat_map(|gpu| card(&inventory, gpu, &uuid(place, gpu))).collect();
    let limit =
        if inventory.gpu_partitions > 0 { COUNTED_DEVICES_PER_SLICE } else { DEVICES_PER_SLICE };
    for part in devices.chunks(limit) {
        bodies.push(format!("  devices:\n{}", part.concat()));
    }
    let count = bodies.len();
    bodies.iter().enumerate().map(|(index, body)| slice_head(index, count, place) + body).collect()
}

fn slice_head(index: usize, count: usize, place: &Place) -> String {
    let Place { node, generation, .. } = place;
    format!(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata:\n  name: \
         {index:05}-{DRIVER}-{node}\nspec:\n  driver: {DRIVER}\n  nodeName: {node}\n  pool:\n    \
         name: {node}\n    generation: {generation}\n    resourceSliceCount: {count}\n"
    )
}

fn counter_set(gpu: u32) -> String {
    format!(
        "  - name: gpu-{gpu}-counters\n    counters:\n      memory: {{value: {}}}\n      compute: \
         {{value: \"{COMPUTE}\"}}\n",
        memory(MEMORY_MI)
    )
}

/// The devices of one card.
fn card(inventory: &Inventory, gpu: u32, uuid: &str) -> Vec<String> {
    let parts = u64::from(inventory.gpu_partitions);
    if parts == 0 {
        return vec![device(inventory, gpu, uuid, &Shape::Whole)];
    }
    let mut devices: Vec<String> = (0..inventory.gpu_partitions)
        .map(|partition| device(inventory, gpu, uuid, &Shape::Partition(partition)))
        .collect();
    devices.push(device(inventory, gpu, uuid, &Shape::Full));
    devices
}

enum Shape {
    /// The card of an inventory without partitions.
    Whole,
    /// One of the partitions.
    Partition(u32),
    /// The card as one device over the same counters as its partitions.
    Full,
}

fn device(inventory: &Inventory, gpu: u32, uuid: &str, shape: &Shape) -> String {
    let parts = match shape {
        Shape::Partition(_) => u64::from(inventory.gpu_partitions).max(1),
        Shape::Whole | Shape::Full => 1,
    };
    let (mem, compute) = (memory(MEMORY_MI / parts), COMPUTE / parts);
    let name = match shape {
        Shape::Whole => format!("gpu-{gpu}"),
        Shape::Partition(partition) => format!("gpu-{gpu}-partition-{partition}"),
        Shape::Full => format!("gpu-{gpu}-full"),
    };
    let shared = inventory.allow_multiple_allocations;
    let mut out = format!("  - name: {name}\n");
    if shared || !matches!(shape, Shape::Whole) {
        let _ = writeln!(out, "    allowMultipleAllocations: {shared}");
    }
    let _ = write!(
        out,
        "    attributes:\n      index: {{int: {gpu}}}\n      uuid: {{string: {uuid}}}\n      model: \
         {{string: {MODEL}}}\n      driverVersion: {{version: 1.0.0}}\n"
    );
    match shape {
        Shape::Whole => {}
        Shape::Partition(partition) => {
            let _ = write!(
                out,
                "      partition: {{int: {partition}}}\n      partitionable: {{bool: true}}\n"
            );
        }
        Shape::Full => {
            out.push_str(
                "      partitionable: {bool: true}
      full: {bool: true}
",
            );
        }
    }
    out.push_str("    capacity:\n");
    if shared {
        let _ = write!(
            out,
            "      memory:\n        value: \"{mem}\"\n        requestPolicy:\n          default: \
             \"{mem}\"\n          validRange: {{min: \"1Gi\", max: \"{mem}\", step: \"1Gi\"}}\n      \
             compute:\n        value: \"{compute}\"\n        requestPolicy:\n          default: \
             \"{compute}\"\n          validRange: {{min: \"1\", max: \"{compute}\", step: \"1\"}}\n"
        );
    } else {
        let _ = write!(
            out,
            "      memory: {{value: \"{mem}\"}}\n      compute: {{value: \"{compute}\"}}\n"
        );
    }
    if !matches!(shape, Shape::Whole) {
        let _ = write!(
            out,
            "    consumesCounters:\n    - counterSet: gpu-{gpu}-counters\n      counters:\n        \
             memory: {{value: {mem}}}\n        compute: {{value: \"{compute}\"}}\n"
        );
    }
    out
}

fn memory(mebi: u64) -> String {
    if mebi.is_multiple_of(1024) { format!("{}Gi", mebi / 1024) } else { format!("{mebi}Mi") }
}

fn uuid(place: &Place, gpu: u32) -> String {
    let index = gpu as usize;
    if let Some(known) = place.uuids.get(index).filter(|uuid| !uuid.is_empty()) {
        return known.clone();
    }
    if place.node == NODE
        && let Some(known) = UUIDS.get(index)
    {
        return (*known).to_owned();
    }
    // FNV-1a, twice with different starts: any spread will do, as long as it is always the same.
    let half = |start: u64| {
        let seed = format!("{}/{gpu}", place.node);
        seed.bytes()
            .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    let digits =
        format!("{:016x}{:016x}", half(0xcbf2_9ce4_8422_2325), half(0x8422_2325_cbf2_9ce4));
    let mut out = "gpu".to_owned();
    let mut rest = digits.chars();
    for length in [8, 4, 4, 4, 12] {
        out.push('-');
        out.extend(rest.by_ref().take(length));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inventories of the upstream driver stand among the recorded cases.
    #[test]
    #[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "recorded cases are files")]
    fn equals_the_upstream_driver() {
        let Ok(cases) = std::env::var("DRA_PLAYGROUND_CASES") else {
            println!("skipped: DRA_PLAYGROUND_CASES is not set");
            return;
        };
        for (file, gpu_partitions, allow_multiple_allocations) in
            [("plain", 0, false), ("partitioned", 2, false), ("shareable", 2, true)]
        {
            let path = format!("{cases}/scenarios/inventory-{file}.yaml");
            let recorded = std::fs::read_to_string(path).unwrap();
            let inventory = Inventory { gpus: 8, gpu_partitions, allow_multiple_allocations };
            let place = Place { node: NODE.to_owned(), generation: 1, uuids: Vec::new() };
            let mut documents = vec![node_document(NODE), class_document()];
            documents.extend(slice_documents(&inventory, &place));
            let ours = documents.join("---\n");
            let start = recorded.find("apiVersion").unwrap();
            assert_eq!(ours.trim(), recorded.get(start..).unwrap().trim(), "{file}");
        }
    }
}
