//! Scenarios that fail, one for each kind of trouble that users report. The line that the sentence has
//! to point at ends with `# here`.

/// One scenario with what its Pod `p` has to be told.
pub(super) struct Failing {
    pub name: &'static str,
    pub text: &'static str,
    /// Documents that most scenarios share, put before the text.
    pub with: &'static [&'static str],
    pub code: &'static str,
    /// Words of the sentence.
    pub says: &'static str,
    /// A change that has to be offered: its kind and words of it.
    pub helps: Option<(&'static str, &'static str)>,
}

/// A node, a class by driver, and a node with two plain devices.
pub(super) const NODE: &str = "---\napiVersion: v1\nkind: Node\nmetadata: {name: node-a}\n";
pub(super) const CLASS: &str = "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec:\n  selectors:\n  - cel: {expression: device.driver == 'gpu.example.com'}\n";
pub(super) const TWO: &str = "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool: {name: node-a, generation: 1, resourceSliceCount: 1}\n  devices:\n  - name: gpu-0\n    attributes: {uuid: {string: a}, model: {string: m1}, numa: {int: 0}}\n  - name: gpu-1\n    attributes: {uuid: {string: b}, model: {string: m1}, numa: {int: 1}}\n";
pub(super) const ONE: &str = "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool: {name: node-a, generation: 1, resourceSliceCount: 1}\n  devices:\n  - name: gpu-0\n";
/// A card of 80Gi as a whole and in two halves.
pub(super) const CARD: &str = "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: counters}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool: {name: node-a, generation: 1, resourceSliceCount: 2}\n  sharedCounters:\n  - name: card\n    counters: {memory: {value: 80Gi}}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: parts}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool: {name: node-a, generation: 1, resourceSliceCount: 2}\n  devices:\n  - name: full\n    attributes: {kind: {string: full}}\n    consumesCounters: [{counterSet: card, counters: {memory: {value: 80Gi}}}]\n  - name: half-0\n    attributes: {kind: {string: half}}\n    consumesCounters: [{counterSet: card, counters: {memory: {value: 40Gi}}}]\n  - name: half-1\n    attributes: {kind: {string: half}}\n    consumesCounters: [{counterSet: card, counters: {memory: {value: 40Gi}}}]\n";
/// A device of 80Gi that can be shared, with a policy.
pub(super) const SHARED: &str = "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool: {name: node-a, generation: 1, resourceSliceCount: 1}\n  devices:\n  - name: gpu-0\n    allowMultipleAllocations: true\n    capacity:\n      memory:\n        value: 80Gi\n        requestPolicy: {default: 10Gi, validRange: {min: 10Gi, max: 40Gi, step: 10Gi}}\n";
/// A Pod that takes a device of class gpu first.
pub(super) const FIRST: &str = "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: first, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: first, namespace: default}\nspec: {containers: [{name: c, image: x}], resourceClaims: [{name: d, resourceClaimName: first}]}\n";
/// The Pod with its claim `c`.
pub(super) const POD: &str = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\nspec:\n  containers: [{name: c, image: x}]\n  resourceClaims: [{name: d, resourceClaimName: c}]\n";

pub(super) const ALL: &[Failing] = &[
    Failing {
        name: "a mistyped attribute",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly:\n        deviceClassName: gpu\n        selectors:\n        - cel:\n            expression: device.attributes['gpu.example.com'].modle == 'm1' # here\n",
        code: "cel-error",
        says: "no such key: modle",
        helps: Some(("fix", "model")),
    },
    Failing {
        name: "a class with a mistyped name",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly:\n        deviceClassName: gpuu # here\n",
        code: "missing",
        says: "class gpuu does not exist",
        helps: Some(("fix", "write `gpu`")),
    },
    Failing {
        name: "a template in another namespace",
        with: &[NODE, CLASS, TWO],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: t, namespace: team-a}\nspec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\nspec:\n  containers: [{name: c, image: x}]\n  resourceClaims:\n  - name: d\n    resourceClaimTemplateName: t # here\n",
        code: "missing",
        says: "template t does not exist in namespace default, only in namespace team-a",
        helps: None,
    },
    Failing {
        name: "a refused template",
        with: &[NODE, CLASS, TWO],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: t, namespace: default}\nspec:\n  spec:\n    devices:\n      requests:\n      - name: r\n        deviceClassName: gpu # here\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\nspec:\n  containers: [{name: c, image: x}]\n  resourceClaims:\n  - name: d\n    resourceClaimTemplateName: t\n",
        code: "refused",
        says: "ResourceClaimTemplate t is written, but refused",
        helps: Some(("fix", "exactly")),
    },
    Failing {
        name: "a refused claim",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: R_1 # here\n      exactly: {deviceClassName: gpu}\n",
        code: "refused",
        says: "ResourceClaim c is written, but refused",
        helps: None,
    },
    Failing {
        name: "a refused class",
        with: &[NODE, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec:\n  selectors:\n  - cel:\n      expression: devices.driver == 'gpu.example.com' # here\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n",
        code: "refused",
        says: "DeviceClass gpu is written, but refused",
        helps: None,
    },
    Failing {
        name: "a refused slice",
        with: &[NODE, CLASS, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool: {name: node-a, generation: 1, resourceSliceCount: 1}\n  devices:\n  - name: GPU_0 # here\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n",
        code: "refused",
        says: "ResourceSlice s is written, but refused",
        helps: None,
    },
    Failing {
        name: "a refused Pod",
        with: &[NODE, CLASS, TWO],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\nspec:\n  containers: [{name: c, image: x}]\n  resourceClaims:\n  - name: d # here\n    resourceClaimName: c\n    resourceClaimTemplateName: t\n",
        code: "refused",
        says: "Pod p is written, but refused",
        helps: None,
    },
    Failing {
        name: "the only device belongs to another Pod",
        with: &[NODE, CLASS, FIRST, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool: {name: node-a, generation: 1, resourceSliceCount: 1}\n  devices:\n  - name: gpu-0 # here\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n",
        code: "in-use-committed",
        says: "gpu-0, the only device it accepts, belongs to first",
        helps: Some(("delete-pod", "first")),
    },
    Failing {
        name: "a class for another driver",
        with: &[NODE, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec:\n  selectors:\n  - cel:\n      expression: device.driver == 'gpu.nvidia.com' # here\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n",
        code: "class-selector-false",
        says: "class gpu accepts none of the 2 free devices",
        helps: None,
    },
    Failing {
        name: "one request that must agree on something unique",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly: {deviceClassName: gpu, count: 2}\n    constraints:\n    - matchAttribute: gpu.example.com/uuid # here\n",
        code: "constraint",
        says: "its 2 devices must have the same gpu.example.com/uuid, and each of the 2 devices that it could have has a value of its own",
        helps: Some(("drop-constraint", "uuid")),
    },
    Failing {
        name: "more different values than there are",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly: {deviceClassName: gpu, count: 2}\n    constraints:\n    - distinctAttribute: gpu.example.com/model # here\n",
        code: "constraint",
        says: "its 2 devices must differ in gpu.example.com/model, and the 2 devices that it could have have only 1 different values",
        helps: Some(("drop-constraint", "model")),
    },
    Failing {
        name: "two requests that must agree and cannot",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: spare\n      exactly: {deviceClassName: gpu, adminAccess: false}\n    - name: a\n      exactly: {deviceClassName: gpu}\n    constraints:\n    - requests: [spare, a]\n      matchAttribute: gpu.example.com/numa # here\n",
        code: "constraint",
        says: "requests spare and a must get 2 devices with the same gpu.example.com/numa, and of the 2 devices that they could have at most 1 have one value in common",
        helps: Some(("drop-constraint", "numa")),
    },
    Failing {
        name: "two drivers whose devices have no value in common",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: nic}\nspec: {selectors: [{cel: {expression: device.driver == 'nic.example.com'}}]}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: nic}\nspec:\n  driver: nic.example.com\n  nodeName: node-a\n  pool: {name: nics, generation: 1, resourceSliceCount: 1}\n  devices:\n  - {name: nic-0, attributes: {gpu.example.com/numa: {int: 7}}}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: gpu\n      exactly: {deviceClassName: gpu}\n    - name: nic\n      exactly: {deviceClassName: nic}\n    constraints:\n    - matchAttribute: gpu.example.com/numa # here\n",
        code: "constraint",
        says: "no value is on devices for all of them: gpu could have 0 and 1 and nic could have 7",
        helps: Some(("drop-constraint", "numa")),
    },
    Failing {
        name: "a constraint on a name that nobody publishes",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly: {deviceClassName: gpu, count: 2}\n    constraints:\n    - matchAttribute: resource.kubernetes.io/numaNode # here\n",
        code: "constraint",
        says: "which none of the 2 devices that it could have publishes",
        helps: Some(("drop-constraint", "numaNode")),
    },
    Failing {
        name: "three requests for two devices",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: a # here\n      exactly: {deviceClassName: gpu}\n    - name: b\n      exactly: {deviceClassName: gpu}\n    - name: c\n      exactly: {deviceClassName: gpu}\n",
        code: "too-few",
        says: "requests a, b and c want 3 devices together, and only 2 can be had for them: gpu-0 and gpu-1",
        helps: None,
    },
    Failing {
        name: "the wrong one of several requests is the deepest",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: any\n      exactly: {deviceClassName: gpu}\n    - name: big\n      exactly:\n        deviceClassName: gpu\n        selectors:\n        - cel:\n            expression: device.attributes['gpu.example.com'].model == 'm9' # here\n    - name: other\n      exactly: {deviceClassName: gpu}\n",
        code: "request-selector-false",
        says: "for request big, its selector model == 'm9' is true for none of the 2 free devices",
        helps: None,
    },
    Failing {
        name: "all partitions of a card",
        with: &[NODE, CLASS, CARD, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: All}}]}}\n",
        code: "counters-short",
        says: "it wants all 3 matching devices, and they exclude each other: half-0 does not fit beside the others",
        helps: None,
    },
    Failing {
        name: "all partitions of a card, and a later Pod has one",
        with: &[NODE, CLASS, CARD, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: All}}]}}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: later, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: later, namespace: default}\nspec: {containers: [{name: c, image: x}], resourceClaims: [{name: d, resourceClaimName: later}]}\n---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {name: s}\nspec:\n  steps:\n  - advance: 1m\n",
        code: "counters-short",
        says: "they exclude each other",
        helps: None,
    },
    Failing {
        name: "two requests draw too much together",
        with: &[NODE, CLASS, CARD, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: whole\n      exactly: {deviceClassName: gpu, selectors: [{cel: {expression: \"device.attributes['gpu.example.com'].kind == 'full'\"}}]}\n    - name: part\n      exactly: {deviceClassName: gpu, selectors: [{cel: {expression: \"device.attributes['gpu.example.com'].kind == 'half'\"}}]}\n",
        code: "counters-short",
        says: "requests whole and part together draw more from card than the 80Gi that is left",
        helps: None,
    },
    Failing {
        name: "more than the device has",
        with: &[NODE, CLASS, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool: {name: node-a, generation: 1, resourceSliceCount: 1}\n  devices:\n  - name: gpu-0\n    capacity: {memory: {value: 80Gi}}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly:\n        deviceClassName: gpu\n        capacity:\n          requests:\n            memory: 100Gi # here\n",
        code: "capacity-short",
        says: "gpu-0, the only device it accepts, has 80Gi memory, and 100Gi is asked",
        helps: Some(("ask-less", "80Gi instead of 100Gi memory")),
    },
    Failing {
        name: "more than the policy allows",
        with: &[NODE, CLASS, SHARED, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly:\n        deviceClassName: gpu\n        capacity:\n          requests:\n            memory: 50Gi # here\n",
        code: "capacity-policy",
        says: "it asks for 50Gi memory, and the request policy of gpu-0 allows at most 40Gi",
        helps: Some(("ask-less", "40Gi instead of 50Gi memory")),
    },
    Failing {
        name: "a capacity under another name",
        with: &[NODE, CLASS, SHARED, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly:\n        deviceClassName: gpu\n        capacity:\n          requests:\n            gpu.example.com/memory: 10Gi # here\n",
        code: "capacity-unknown",
        says: "it asks for capacity gpu.example.com/memory",
        helps: None,
    },
    Failing {
        name: "half a pool",
        with: &[NODE, CLASS, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool:\n    name: node-a\n    generation: 1\n    resourceSliceCount: 2 # here\n  devices:\n  - name: gpu-0\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n",
        code: "pool-incomplete",
        says: "pool node-a is incomplete: 1 of 2 slices are there",
        helps: None,
    },
    Failing {
        name: "all devices, and a pool of another driver is being updated",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: nic}\nspec:\n  driver: nic.example.com\n  nodeName: node-a\n  pool:\n    name: nics\n    generation: 1\n    resourceSliceCount: 2 # here\n  devices:\n  - name: nic-0\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: All}}]}}\n",
        code: "pool-incomplete",
        says: "request r wants all devices, which has to wait while pool nics is being updated",
        helps: None,
    },
    Failing {
        name: "an untolerated taint",
        with: &[NODE, CLASS, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool: {name: node-a, generation: 1, resourceSliceCount: 1}\n  devices:\n  - name: gpu-0\n    taints:\n    - key: example.com/broken # here\n      effect: NoSchedule\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly:\n        deviceClassName: gpu\n",
        code: "tainted",
        says: "has the taint example.com/broken:NoSchedule, which the request does not tolerate",
        helps: Some(("tolerate", "example.com/broken")),
    },
    Failing {
        name: "a rule that taints everything",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: {name: everything}\nspec:\n  deviceSelector: {driver: gpu.example.com}\n  taint:\n    key: example.com/drain # here\n    effect: NoSchedule\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly:\n        deviceClassName: gpu\n---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {name: s}\nspec:\n  kubernetesVersion: 1.37.2\n",
        code: "tainted",
        says: "has the taint example.com/drain:NoSchedule",
        helps: Some(("tolerate", "example.com/drain")),
    },
    Failing {
        name: "the Pod excludes the node that has devices",
        with: &[NODE, CLASS, TWO],
        text: "---\napiVersion: v1\nkind: Node\nmetadata: {name: m, labels: {zone: b}}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\nspec:\n  containers: [{name: c, image: x}]\n  nodeSelector: {zone: b}\n  resourceClaims: [{name: d, resourceClaimName: c}]\n",
        code: "no-devices",
        says: "no device can be reached from m",
        helps: Some(("other-node", "nodeSelector")),
    },
    Failing {
        name: "more devices than match",
        with: &[NODE, CLASS, TWO, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly:\n        deviceClassName: gpu\n        count: 3 # here\n",
        code: "too-few",
        says: "it wants 3 devices and accepts only 2",
        helps: Some(("fewer-devices", "2 instead of 3")),
    },
    Failing {
        name: "an old generation beside half of a new one",
        with: &[NODE, CLASS, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: old}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool: {name: node-a, generation: 1, resourceSliceCount: 1}\n  devices:\n  - name: gpu-0\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: new}\nspec:\n  driver: gpu.example.com\n  nodeName: node-a\n  pool:\n    name: node-a\n    generation: 2\n    resourceSliceCount: 2 # here\n  devices:\n  - name: gpu-0\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n",
        code: "pool-incomplete",
        says: "pool node-a is incomplete: 1 of 2 slices are there",
        helps: None,
    },
    Failing {
        name: "every alternative fails for its own reason",
        with: &[NODE, CLASS, ONE, FIRST, POD],
        text: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      firstAvailable:\n      - name: two\n        deviceClassName: gpu\n        count: 2 # here\n      - name: one\n        deviceClassName: gpu\n",
        code: "too-few",
        says: "for request r/two, it wants 2 devices and accepts only 1",
        helps: None,
    },
    Failing {
        name: "admin access before another claim",
        with: &[NODE, CLASS, ONE],
        text: "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: default, labels: {resource.kubernetes.io/admin-access: 'true'}}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: admin, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, adminAccess: true}}]}}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\nspec:\n  containers: [{name: c, image: x}]\n  resourceClaims:\n  - name: a\n    resourceClaimName: admin\n  - name: d\n    resourceClaimName: c\n",
        code: "too-few",
        says: "requests admin's r and c's r want 2 devices together, and only 1 can be had for them: gpu-0",
        helps: Some(("order", "d comes before a")),
    },
];
