//! Reading slices: with positions, decoded and validated, beside readers that do less.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::time::{Duration, Instant};

use dra_playground_core::api::{self, validate};
use dra_playground_core::features::{Gates, Release as CoreRelease};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Row, ask, median, table};
use crate::process::{Program, Session};
use crate::release::{Release, SERVERS};

/// Bytes of the text that is read.
const SIZE: usize = 1_000_000;

/// Runs of a measurement, and how long it goes on for more.
const FEWEST_RUNS: usize = 11;
const LONGEST_MEASUREMENT: Duration = Duration::from_secs(1);

/// The readers in turns, so that all meet the same machine; medians over all turns.
const TURNS: usize = 3;

/// Times to read slices of a megabyte.
pub(super) fn run(release: Release) -> io::Result<String> {
    let [.., newest] = SERVERS;
    let server = SERVERS.into_iter().find(|server| server.name == release.name).unwrap_or(newest);
    let kubernetes = CoreRelease::parse(server.name)
        .map_err(|_| io::Error::other(format!("the core does not know {}", server.name)))?;
    let text = slices();
    let devices = read_plainly(&text)?;
    let gates = Gates::defaults(kubernetes);
    check_all_read(&text, &gates, devices)?;
    let mut session = Session::start_by(Program::Admission, server)?;
    let record = json!({"bench": "yaml", "text": text});
    let (mut real, mut plain, mut ours) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let measured = ask(&mut session, &record)?;
        real.push(measured.get("read").and_then(Value::as_f64).unwrap_or(f64::NAN));
        // One after the other, so that both meet the same moments of the machine.
        let start = Instant::now();
        let mut rounds = 0;
        while rounds < FEWEST_RUNS || start.elapsed() < LONGEST_MEASUREMENT {
            plain.push(time(|| read_plainly(&text).unwrap_or_default()));
            ours.push(time(|| read_wholly(&text, &gates)));
            rounds += 1;
        }
    }
    let (real, plain, ours) = (median(&mut real), median(&mut plain), median(&mut ours));
    let row = |name: &str, real: f64| Row { name: name.to_owned(), real, ours };
    let mut out = format!(
        "## Slices of {} KB ({devices} devices): read with positions, decoded, validated\n\n",
        text.len() / 1000
    );
    let rows = [
        row("sigs.k8s.io/yaml into the types of the API", real),
        row("the serde YAML crate into plain structs", plain),
    ];
    out.push_str(&table(&rows).replace("| Kubernetes |", "| the other reader |"));
    // Writing into a string cannot fail.
    let _ = writeln!(
        out,
        "Ours takes {:.2} times the serde YAML crate and {:.2} times sigs.k8s.io/yaml of {}.\n",
        ours / plain,
        ours / real,
        server.name
    );
    Ok(out)
}

/// Nanoseconds of one call.
fn time<T>(call: impl FnOnce() -> T) -> f64 {
    let before = Instant::now();
    std::hint::black_box(call());
    before.elapsed().as_secs_f64() * 1e9
}

/// As `kubectl get resourceslices -o yaml` has them, in several documents.
fn slices() -> String {
    let mut text = String::new();
    let mut slice = 0;
    while text.len() < SIZE {
        if slice > 0 {
            text.push_str("---\n");
        }
        let _ = write!(
            text,
            "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata:\n  creationTimestamp: \
             \"2026-01-02T03:04:05Z\"\n  generateName: node-{slice}-gpu.example.com-\n  generation: 1\n  \
             name: node-{slice}-gpu.example.com-x7k2q\n  ownerReferences:\n  - apiVersion: v1\n    \
             controller: true\n    kind: Node\n    name: node-{slice}\n    uid: \
             0f7f3a52-7a2c-4a8e-9d1a-{slice:012}\n  resourceVersion: \"{slice}17\"\n  uid: \
             5d0c8f6e-0f5a-4a38-8f0e-{slice:012}\nspec:\n  devices:\n"
        );
        for device in 0..16 {
            let _ = write!(
                text,
                "  - attributes:\n      architecture:\n        string: Ampere\n      brand:\n        \
                 string: Nvidia\n      cudaComputeCapability:\n        version: 8.0.0\n      \
                 driverVersion:\n        version: 550.54.15\n      index:\n        int: {device}\n      \
                 healthy:\n        bool: true\n      productName:\n        string: NVIDIA \
                 A100-SXM4-40GB\n      resource.kubernetes.io/pcieRoot:\n        string: \
                 pci0000:{device:02}\n      uuid:\n        string: \
                 GPU-{slice:08}-18de-b3a5-5c2f-{device:012}\n    capacity:\n      memory:\n        value: \
                 40Gi\n      multiprocessors:\n        value: \"108\"\n    name: gpu-{device}\n"
            );
        }
        let _ = write!(
            text,
            "  driver: gpu.example.com\n  nodeName: node-{slice}\n  pool:\n    generation: 1\n    name: \
             node-{slice}\n    resourceSliceCount: 1\n"
        );
        slice += 1;
    }
    text
}

/// Positions, strict decoding, defaults and validation; the number of objects that are accepted.
fn read_wholly(text: &str, gates: &Gates) -> usize {
    let options = api::Options { release: gates.release(), ..api::Options::default() };
    let mut read = api::read_with(text, &options);
    let rules = validate::Rules::new(gates, &|_| None, &read.objects);
    let _ = validate::check(&mut read.objects, &rules);
    read.objects.iter().filter(|object| !object.refused).count()
}

/// All readers must have read all.
fn check_all_read(text: &str, gates: &Gates, devices: usize) -> io::Result<()> {
    let accepted = read_wholly(text, gates);
    if accepted > 0 && accepted * 16 == devices {
        return Ok(());
    }
    Err(io::Error::other(format!("{accepted} slices accepted, {devices} devices read")))
}

/// The number of devices.
fn read_plainly(text: &str) -> io::Result<usize> {
    let mut devices = 0;
    for document in serde_yaml::Deserializer::from_str(text) {
        let slice = Slice::deserialize(document).map_err(io::Error::other)?;
        devices += std::hint::black_box(slice).spec.devices.len();
    }
    Ok(devices)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only read")]
struct Slice {
    api_version: String,
    kind: String,
    metadata: Metadata,
    spec: Spec,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Metadata {
    name: String,
    generate_name: String,
    uid: String,
    resource_version: String,
    generation: i64,
    creation_timestamp: Option<String>,
    labels: BTreeMap<String, String>,
    annotations: BTreeMap<String, String>,
    owner_references: Vec<BTreeMap<String, serde_yaml::Value>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only read")]
struct Spec {
    driver: String,
    node_name: Option<String>,
    pool: Pool,
    devices: Vec<Device>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only read")]
struct Pool {
    name: String,
    generation: i64,
    resource_slice_count: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only read")]
struct Device {
    name: String,
    #[serde(default)]
    attributes: BTreeMap<String, Attribute>,
    #[serde(default)]
    capacity: BTreeMap<String, Capacity>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only read")]
struct Attribute {
    int: Option<i64>,
    bool: Option<bool>,
    string: Option<String>,
    version: Option<String>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only read")]
struct Capacity {
    value: String,
}
