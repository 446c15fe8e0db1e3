//! Valid objects that use every field; mutation starts from them.

/// The seeds in the shape of v1, one document each.
pub(super) const SEEDS: [&str; 25] = [
    "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: gpus
  labels: {tier: gold}
  annotations: {example.com/note: some text}
spec:
  driver: gpu.example.com
  pool: {name: node-1, generation: 3, resourceSliceCount: 1}
  nodeName: node-1
  devices:
  - name: gpu-0
    attributes:
      model: {string: a100}
      index: {int: 0}
      driverVersion: {version: 1.2.3}
      example.com/healthy: {bool: true}
      ids: {ints: [1, 2]}
      flags: {bools: [true]}
      zones: {strings: [a, b]}
      apis: {versions: [1.0.0, 2.0.0-rc.1]}
    capacity:
      memory: {value: 80Gi}
    taints:
    - {key: example.com/unhealthy, value: ecc, effect: NoSchedule, timeAdded: \"2026-01-02T03:04:05Z\"}
    - {key: slow, effect: None}
    bindsToNode: true
    bindingConditions: [example.com/ready]
    bindingFailureConditions: [example.com/failed]
  - name: gpu-1
    attributes:
      model: {string: a100}
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: shared}
spec:
  driver: gpu.example.com
  pool: {name: rack/one, generation: 1, resourceSliceCount: 2}
  allNodes: true
  devices:
  - name: whole
    allowMultipleAllocations: true
    capacity:
      memory:
        value: 80Gi
        requestPolicy:
          default: 1Gi
          validRange: {min: 1Gi, max: 40Gi, step: 1Gi}
      example.com/slots:
        value: \"7\"
        requestPolicy: {default: \"1\", validValues: [\"1\", \"2\", \"4\"]}
      plain: {value: 100m}
    consumesCounters:
    - counterSet: gpu-0
      counters: {memory: {value: 40Gi}, slots: {value: \"4\"}}
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec:
  driver: gpu.example.com
  pool: {name: node-1, generation: 1, resourceSliceCount: 2}
  nodeName: node-1
  sharedCounters:
  - name: gpu-0
    counters: {memory: {value: 80Gi}, slots: {value: \"8\"}}
  - name: gpu-1
    counters: {memory: {value: 80Gi}}
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: fabric, generateName: fabric-}
spec:
  driver: net.example.com
  pool: {name: fabric, generation: 0, resourceSliceCount: 1}
  perDeviceNodeSelection: true
  devices:
  - name: a
    nodeName: node-1
  - name: b
    allNodes: true
  - name: c
    nodeSelector:
      nodeSelectorTerms:
      - matchExpressions:
        - {key: zone, operator: In, values: [a, b]}
        - {key: gpu, operator: Exists}
        matchFields:
        - {key: metadata.name, operator: In, values: [node-1]}
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: selected}
spec:
  driver: net.example.com
  pool: {name: selected, generation: 1, resourceSliceCount: 1}
  nodeSelector:
    nodeSelectorTerms:
    - matchExpressions:
      - {key: example.com/size, operator: Gt, values: [\"4\"]}
      - {key: old, operator: DoesNotExist}
  devices: []
",
    "apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
spec:
  selectors:
  - cel: {expression: 'device.driver == \"gpu.example.com\"'}
  - cel: {expression: '\"model\" in device.attributes[\"gpu.example.com\"]'}
  config:
  - opaque: {driver: gpu.example.com, parameters: {apiVersion: gpu.example.com/v1, kind: Config, sharing: {mode: time}}}
  extendedResourceName: example.com/gpu
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim, namespace: default}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
        selectors:
        - cel: {expression: 'device.capacity[\"gpu.example.com\"].memory.compareTo(quantity(\"10Gi\")) >= 0'}
        allocationMode: ExactCount
        count: 2
        tolerations:
        - {key: example.com/unhealthy, operator: Exists, effect: NoExecute, tolerationSeconds: 30}
        - {operator: Equal, key: slow, value: very}
        capacity: {requests: {memory: 10Gi}}
    - name: nic
      firstAvailable:
      - {name: fast, deviceClassName: nic.example.com, count: 1}
      - name: slow
        deviceClassName: nic.example.com
        allocationMode: All
        selectors:
        - cel: {expression: 'true'}
        tolerations:
        - {operator: Exists}
        capacity: {requests: {bandwidth: 1G}}
    constraints:
    - {requests: [gpu, nic], matchAttribute: example.com/numa}
    - {requests: [nic/fast], distinctAttribute: example.com/rail}
    config:
    - requests: [gpu]
      opaque: {driver: gpu.example.com, parameters: {mode: fast}}
    - opaque: {driver: nic.example.com, parameters: {}}
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: admin, namespace: tools, uid: 0b1c}
spec:
  devices:
    requests:
    - name: all
      exactly: {deviceClassName: gpu.example.com, allocationMode: All, adminAccess: true}
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: held, namespace: default}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.example.com, count: 1}
    - name: nic
      firstAvailable:
      - {name: fast, deviceClassName: nic.example.com}
status:
  allocation:
    allocationTimestamp: \"2026-01-02T03:04:05Z\"
    devices:
      results:
      - {request: gpu, driver: gpu.example.com, pool: node-1, device: gpu-0}
      - request: nic/fast
        driver: nic.example.com
        pool: node-1
        device: nic-0
        shareID: 8f5b1c1e-0b8e-4b8e-9b8e-0b8e4b8e9b8e
        consumedCapacity: {bandwidth: 1G}
        tolerations:
        - {key: slow, operator: Exists, effect: NoSchedule}
        bindingConditions: [example.com/ready]
        bindingFailureConditions: [example.com/failed]
      config:
      - source: FromClass
        opaque: {driver: gpu.example.com, parameters: {mode: fast}}
      - source: FromClaim
        requests: [nic/fast]
        opaque: {driver: nic.example.com, parameters: {}}
    nodeSelector:
      nodeSelectorTerms:
      - matchFields:
        - {key: metadata.name, operator: In, values: [node-1]}
  reservedFor:
  - {resource: pods, name: pod-1, uid: 0c1d}
  - {apiGroup: example.com, resource: jobs, name: job-1, uid: 0c1e}
  devices:
  - driver: gpu.example.com
    pool: node-1
    device: gpu-0
    conditions:
    - {type: Ready, status: \"True\", reason: Up, message: fine, lastTransitionTime: \"2026-01-02T03:04:05Z\"}
    data: {ip: 10.0.0.1}
    networkData: {interfaceName: eth1, ips: [10.0.0.1/24], hardwareAddress: \"aa:bb:cc:dd:ee:ff\"}
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: template, namespace: default}
spec:
  metadata:
    generateName: \"\"
    labels: {app: web}
    annotations: {example.com/team: one}
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: gpu.example.com}
      - name: other
        firstAvailable:
        - {name: big, deviceClassName: big.example.com, count: 2}
        - {name: small, deviceClassName: small.example.com}
      constraints:
      - {matchAttribute: example.com/numa}
      config:
      - requests: [gpu, other/big]
        opaque: {driver: gpu.example.com, parameters: {mode: fast}}
",
    "apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: rule}
spec:
  deviceSelector: {driver: gpu.example.com, pool: node-1, device: gpu-0}
  taint: {key: example.com/maintenance, value: soon, effect: NoExecute}
",
    "apiVersion: v1
kind: Pod
metadata: {name: pod, namespace: default}
spec:
  resourceClaims:
  - {name: gpu, resourceClaimTemplateName: template}
  - {name: nic, resourceClaimName: claim}
  containers:
  - name: one
    image: example.com/one:1
    resources:
      claims: [{name: gpu}, {name: nic, request: fast}]
  - name: two
    image: example.com/two:1
    resources:
      claims: [{name: nic, request: slow}]
      limits: {cpu: \"1\", example.com/gpu: \"1\"}
  initContainers:
  - name: init
    image: example.com/init:1
    resources:
      claims: [{name: gpu}]
",
    "apiVersion: v1
kind: Pod
metadata: {name: bare}
spec:
  nodeSelector: {zone: a}
  containers:
  - name: one
    image: example.com/one:1
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  annotations: {example.com/a: b}
  creationTimestamp: null
  finalizers: [example.com/f]
  generateName: node-1-gpu-
  generation: 4
  labels: {a: b, example.com/c: \"1\"}
  managedFields:
  - apiVersion: resource.k8s.io/v1
    fieldsType: FieldsV1
    fieldsV1: {\"f:spec\": {\"f:devices\": {}}}
    manager: driver
    operation: Update
    time: \"2026-01-02T03:04:05Z\"
  ownerReferences:
  - {apiVersion: v1, kind: Node, name: node-1, uid: 0a1b, controller: true, blockOwnerDeletion: true}
  resourceVersion: \"17\"
  selfLink: /a/b
  uid: 0c1d
spec:
  driver: gpu.example.com
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  nodeName: node-1
  devices:
  - name: gpu-0
    consumesCounters:
    - counterSet: a
      counters: {x: {value: 1}}
    - counterSet: b
      counters: {x: {value: 1}}
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  generateName: claim-
  annotations: {resource.kubernetes.io/pod-claim-name: gpu}
  ownerReferences:
  - {apiVersion: v1, kind: Pod, name: p, uid: 0e1f, controller: true}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.example.com, allocationMode: All, adminAccess: false}
",
    "apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      resourceClaims:
      - {name: gpu, resourceClaimTemplateName: template}
      containers:
      - name: one
        image: example.com/one:1
        resources:
          claims: [{name: gpu, request: gpu}]
          limits: {cpu: 1, memory: 1Gi}
      tolerations:
      - {key: a, operator: Exists, effect: NoSchedule}
",
    "apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      resourceClaims: [{name: gpu, resourceClaimName: claim}]
      containers:
      - {name: one, image: example.com/one:1}
",
    "apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 1
  serviceName: db
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      nodeSelector: {zone: a}
      resourceClaims: [{name: gpu, resourceClaimName: claim}]
      containers:
      - name: one
        image: example.com/one:1
        resources: {claims: [{name: gpu}]}
",
    "apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  parallelism: 2
  completions: 4
  backoffLimit: 3
  template:
    spec:
      restartPolicy: Never
      resourceClaims: [{name: gpu, resourceClaimTemplateName: template}]
      containers:
      - name: one
        image: example.com/one:1
        resources: {claims: [{name: gpu}]}
",
    "apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: \"0 3 * * *\"
  suspend: false
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          resourceClaims: [{name: gpu, resourceClaimTemplateName: template}]
          containers:
          - name: one
            image: example.com/one:1
            resources: {claims: [{name: gpu}]}
",
    "apiVersion: v1
kind: Node
metadata: {name: node-1, labels: {zone: a, kubernetes.io/hostname: node-1}}
spec:
  podCIDR: 10.0.0.0/24
  taints: [{key: gpu, value: only, effect: NoSchedule}]
  unschedulable: false
status:
  allocatable: {cpu: \"4\", memory: 16Gi, pods: \"110\"}
  capacity: {cpu: 3920m, memory: 16Gi, pods: \"110\", example.com/gpu: \"2\"}
",
    "apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: evicting, generation: 2}
spec:
  deviceSelector: {driver: gpu.example.com}
  taint: {key: example.com/broken, effect: NoExecute, timeAdded: \"2026-01-02T03:04:05Z\"}
status:
  conditions:
  - {type: EvictionInProgress, status: \"True\", reason: PodsPendingEviction, message: 1 pod, observedGeneration: 2, lastTransitionTime: \"2026-01-02T03:04:05Z\"}
",
    "apiVersion: v1
kind: Pod
metadata: {name: running, namespace: default, uid: 0a1b, deletionTimestamp: null}
spec:
  nodeName: node-1
  restartPolicy: Never
  tolerations: [{key: gpu, operator: Exists, effect: NoExecute, tolerationSeconds: 300}]
  schedulingGates: [{name: example.com/wait}]
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions: [{key: zone, operator: In, values: [a]}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: template}]
  initContainers:
  - {name: side, image: example.com/side:1, restartPolicy: Always, resources: {requests: {cpu: 0.1}}}
  containers:
  - name: one
    image: example.com/one:1
    resources:
      claims: [{name: gpu}]
      limits: {cpu: 100m, memory: 0.5Gi}
      requests: {example.com/gpu: 1}
status:
  phase: Running
  resourceClaimStatuses: [{name: gpu, resourceClaimName: running-gpu-abcde}]
",
    "apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: rs}
spec:
  replicas: 1
  minReadySeconds: 5
  selector: {matchExpressions: [{key: app, operator: In, values: [web]}]}
  template:
    metadata: {labels: {app: web}}
    spec:
      resourceClaims: [{name: gpu, resourceClaimName: claim}, {name: nic, resourceClaimTemplateName: template}]
      containers:
      - name: one
        image: example.com/one:1
        resources: {claims: [{name: gpu}, {name: nic}], requests: {cpu: 100m}}
",
    "apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: shared, namespace: default}
spec:
  devices:
    requests:
    - name: slots
      exactly: {deviceClassName: shared.example.com, capacity: {requests: {slots: 2}}}
    - name: all
      exactly: {deviceClassName: gpu.example.com, allocationMode: All}
status:
  allocation:
    devices:
      results:
      - {request: slots, driver: d.example.com, pool: p, device: d, shareID: 8f5b1c1e-0b8e-4b8e-9b8e-0b8e4b8e9b8e, consumedCapacity: {slots: 2}}
      - {request: slots, driver: d.example.com, pool: p, device: d, shareID: 9f5b1c1e-0b8e-4b8e-9b8e-0b8e4b8e9b8e, consumedCapacity: {slots: 2}}
      - {request: all, driver: gpu.example.com, pool: node-1, device: gpu-0, adminAccess: false, bindingConditions: []}
  devices:
  - {driver: d.example.com, pool: p, device: d, shareID: 8f5b1c1e-0b8e-4b8e-9b8e-0b8e4b8e9b8e, conditions: []}
  - {driver: d.example.com, pool: p, device: d, shareID: 9f5b1c1e-0b8e-4b8e-9b8e-0b8e4b8e9b8e}
",
];
