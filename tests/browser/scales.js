// Clusters of any size, as text.

const META = (name) => `metadata:\n  name: ${name}\n`;

const CLASS = `apiVersion: resource.k8s.io/v1
kind: DeviceClass
${META("gpu")}spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.example.com"
`;

const template = (name, selector) => `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
${META(name)}spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu
          selectors:
          - cel:
              expression: ${selector}
`;

const pod = (name, template) => `apiVersion: v1
kind: Pod
${META(name)}spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: ${template}
  containers:
  - name: main
    image: registry.example.com/app
    resources:
      claims:
      - name: gpu
`;

const node = (name) => `apiVersion: v1\nkind: Node\n${META(name)}`;

const slice = (name, node, pool, count, body) => `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
${META(name)}spec:
  driver: gpu.example.com
  nodeName: ${node}
  pool:
    name: ${pool}
    generation: 1
    resourceSliceCount: ${count}
${body}`;

// The first line is a comment, so that one can type into it.
const join = (documents) => `# A cluster.\n${documents.join("---\n")}`;

/** Nodes with eight devices each in two slices, and Pods that want one device each. */
export function inventory(nodes, pods) {
  const documents = [CLASS, template("large", `device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("30Gi"))`)];
  for (let at = 0; at < nodes; at += 1) {
    const name = `node-${at}`;
    documents.push(node(name));
    for (let half = 0; half < 2; half += 1) {
      let body = "  devices:\n";
      for (let device = 4 * half; device < 4 * half + 4; device += 1) {
        body += `  - name: gpu-${device}
    attributes:
      model: {string: A100}
      index: {int: ${device}}
    capacity:
      memory: {value: ${device % 2 ? 40 : 24}Gi}
`;
      }
      documents.push(slice(`${name}-${half}`, name, name, 2, body));
    }
  }
  for (let at = 0; at < pods; at += 1) documents.push(pod(`pod-${at}`, "large"));
  return join(documents);
}

/** Eight devices that can be had whole, as a half or as a quarter, on counters they share. */
export function partitions() {
  let counters = "  sharedCounters:\n";
  let devices = "  devices:\n";
  for (let at = 0; at < 8; at += 1) {
    counters += `  - name: gpu-${at}\n    counters:\n      memory: {value: 40Gi}\n`;
    for (const [shape, size] of [["whole", 40], ["half", 20], ["quarter", 10]]) {
      devices += `  - name: gpu-${at}-${shape}
    attributes:
      shape: {string: ${shape}}
    consumesCounters:
    - counterSet: gpu-${at}
      counters:
        memory: {value: ${size}Gi}
`;
    }
  }
  const documents = [CLASS, node("node-0"), slice("counters", "node-0", "node-0", 2, counters), slice("devices", "node-0", "node-0", 2, devices)];
  for (const shape of ["whole", "half", "quarter"]) {
    documents.push(template(shape, `device.attributes["gpu.example.com"].shape == "${shape}"`));
    documents.push(pod(`pod-${shape}`, shape));
  }
  return join(documents);
}
