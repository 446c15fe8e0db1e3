#![allow(warnings)]
use dra_playground_core::api::validate;
use dra_playground_core::features::{Gates, Release};
use dra_playground_core::{api, yaml};
use std::fmt::Write as _;
use std::time::Instant;
const SIZE: usize = 1_000_000;
fn time<T>(name: &str, mut f: impl FnMut() -> T) {
    let mut v = vec![];
    for _ in 0..15 {
        let s = Instant::now();
        std::hint::black_box(f());
        v.push(s.elapsed().as_secs_f64() * 1e3);
    }
    v.sort_by(f64::total_cmp);
    println!("{name}: min {:.1} median {:.1} ms", v[0], v[7]);
}
fn main() {
    let text = slices();
    time("saphyr events", || {
        let mut p = saphyr_parser::Parser::new_from_str(&text);
        let mut n = 0;
        while let Some(e) = p.next_event() {
            if e.is_err() {
                break;
            }
            n += 1;
        }
        n
    });
    time("yaml::read", || yaml::read(&text));
    time("api::read loose", || {
        api::read_with(&text, &api::Options { strict: false, ..api::Options::default() })
    });
    time("api::read", || api::read(&text));
    let gates = Gates::defaults(Release::DEFAULT);
    let read = api::read(&text);
    time("validate", || {
        let mut o = read.objects.clone();
        let rules = validate::Rules::new(&gates, &|_| None, &o);
        validate::check(&mut o, &rules)
    });
    time("clone", || read.objects.clone());
}
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
