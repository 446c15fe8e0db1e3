use super::super::Workspace;
use super::super::report::{Analysis, Options, RequestVerdicts};

/// Two nodes whose slices stand in one pool, with a device of one name, and a claim that wants
/// an `H100` of rank `WANTED`. `OLD` and `NEW` are the generations of the slices of `node-a` and `node-b`.
const POOL: &str = "\
# kubernetes: 1.37.2
apiVersion: v1
kind: Node
metadata: {name: node-a, labels: {kubernetes.io/hostname: node-a}}
---
apiVersion: v1
kind: Node
metadata: {name: node-b, labels: {kubernetes.io/hostname: node-b}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: of-node-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: gpus, generation: OLD, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes: {model: {string: A100}, rank: {int: 0}}
  - name: gpu-old
    attributes: {model: {string: A100}, rank: {int: 0}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: of-node-b}
spec:
  driver: gpu.example.com
  nodeName: node-b
  pool: {name: gpus, generation: NEW, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes: {model: {string: H100}, rank: {int: 0}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec:
  devices:
    requests:
    - name: r
      exactly:
        deviceClassName: gpu
        selectors:
        - cel:
            expression: |-
              device.attributes[\"gpu.example.com\"].model == \"H100\" &&
              device.attributes[\"gpu.example.com\"].rank == WANTED
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec:
  resourceClaims: [{name: c, resourceClaimName: c}]
  containers: [{name: c, image: i, resources: {claims: [{name: c}]}}]
";

fn analysis(old: &str, new: &str) -> Analysis {
    let text = POOL.replace("OLD", old).replace("NEW", new).replace("WANTED", "7");
    Workspace::new().analyze(&text, &Options::default())
}

/// Code and slice's model of the devices of one node, with what is said of each.
fn told(analysis: &Analysis, node: &str) -> Vec<(String, String, String)> {
    let of_node = |it: &&RequestVerdicts| it.node == node;
    let verdicts = analysis.snapshot.verdicts.iter().find(of_node).unwrap();
    let groups = verdicts.groups.iter().flat_map(|group| {
        group.devices.iter().map(|index| {
            let device = &analysis.snapshot.devices[*index];
            let name = format!("{} {}", device.device.device, device.attributes[0].value);
            let text: String = group.detail.0.iter().map(|piece| piece.text.as_str()).collect();
            (name, group.code.clone(), text)
        })
    });
    groups.collect()
}

fn short(told: &[(String, String, String)]) -> Vec<(&str, &str)> {
    told.iter().map(|(name, code, _)| (name.as_str(), code.as_str())).collect()
}

#[test]
fn devices_of_an_older_generation_that_a_node_goes_by_are_shown() {
    for (old, new) in [("1", "2"), ("1", "1"), ("2", "1")] {
        let analysis = analysis(old, new);
        let of_a = told(&analysis, "node-a");
        let expected = [
            ("gpu-0 \"A100\"", "request-selector-false"),
            ("gpu-old \"A100\"", "request-selector-false"),
            ("gpu-0 \"H100\"", "slice-other-node"),
        ];
        assert_eq!(short(&of_a), expected, "{old} {new}");
        assert!(of_a[0].2.contains("model == "), "{of_a:?}");
        let of_b = told(&analysis, "node-b");
        assert_eq!(short(&of_b)[0], ("gpu-0 \"H100\"", "request-selector-false"), "{old} {new}");
        assert!(of_b[0].2.contains("rank == 7"), "{of_b:?}");
        let cards: usize = analysis.snapshot.cards.iter().map(|card| card.devices.len()).sum();
        assert_eq!(cards, 3, "{old} {new}");
        // The controller counts the newest generation alone.
        assert_eq!(analysis.snapshot.pools.len(), 1);
    }
}

#[test]
fn devices_that_a_newer_slice_replaced_are_in_the_matrix_and_no_cards() {
    let text = POOL.replace("nodeName: node-b", "nodeName: node-a").replace("OLD", "1");
    let analysis = Workspace::new()
        .analyze(&text.replace("NEW", "2").replace("WANTED", "7"), &Options::default());
    let of_a = told(&analysis, "node-a");
    let expected = [
        ("gpu-0 \"H100\"", "request-selector-false"),
        ("gpu-0 \"A100\"", "pool-obsolete"),
        ("gpu-old \"A100\"", "pool-obsolete"),
    ];
    assert_eq!(short(&of_a), expected);
    assert!(of_a[0].2.contains("rank == 7"), "{of_a:?}");
    let cards: usize = analysis.snapshot.cards.iter().map(|card| card.devices.len()).sum();
    assert_eq!(cards, 1);
}

/// What a claim has is in use under that name on every node, as for the scheduler.
#[test]
fn a_holder_is_shown_at_each_device_of_the_name() {
    let held = "\
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: held, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
status:
  allocation:
    devices: {results: [{request: r, driver: gpu.example.com, pool: gpus, device: gpu-0}]}
  reservedFor: [{resource: pods, name: other, uid: u}]
";
    let text = format!("{POOL}{held}")
        .replace("OLD", "1")
        .replace("NEW", "2")
        .replace("model == \"H100\"", "model == \"A100\"")
        .replace("WANTED", "0");
    let analysis = Workspace::new().analyze(&text, &Options::default());
    let pod = &analysis.snapshot.pods[0];
    let got: String = pod.node.clone().unwrap_or_default();
    assert_eq!(got, "node-a", "{pod:?}");
    let taken = analysis.snapshot.devices.iter().filter(|device| !device.holders.is_empty());
    let taken: Vec<String> =
        taken.map(|it| format!("{} {}", it.device.device, it.attributes[0].value)).collect();
    assert_eq!(taken, ["gpu-0 \"H100\"", "gpu-0 \"A100\"", "gpu-old \"A100\""]);
    let of_b = told(&analysis, "node-a");
    assert!(short(&of_b).contains(&("gpu-0 \"A100\"", "in-use-committed")), "{of_b:?}");
}
