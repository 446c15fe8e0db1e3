// The owner's experiments, from paste to answer.
import assert from "node:assert/strict";
import { example, examples, eventually, left, objectsOf, onPage, paste, pods, screenshot, statuses } from "./support.js";

onPage("experiment 4: each selector picks its device", {}, async (page) => {
  await paste(page, objectsOf("experiment-4-cel-selectors"));
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Running", pod3: "Running" });
  const devices = Object.values(await pods(page)).map((pod) => pod.devices);
  assert.deepEqual(devices, ["gpu-0-full", "gpu-1-partition-0", "gpu-2-full"]);
  assert.deepEqual(await left(page, "gpu-0-counters"), { compute: "0", memory: "0" });
  assert.deepEqual(await left(page, "gpu-1-counters"), { compute: "50", memory: "40Gi" });
  assert.deepEqual(await left(page, "gpu-3-counters"), { compute: "100", memory: "80Gi" });
  await screenshot(page, "experiment-4");
});

onPage("experiment 5: deleting pod1 gives pod2 its half, and the counters move", {}, async (page) => {
  await paste(page, objectsOf("experiment-5-partitionable"));
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" });
  assert.equal((await pods(page)).pod1.devices, "gpu-7-full");
  assert.deepEqual(await left(page, "gpu-7-counters"), { compute: "0", memory: "0" });
  const inventory = await page.locator("#inventory .h p").textContent();
  assert.match(inventory, /\b8\b.*\b24\b/, "8 counter sets, 24 devices");

  // The Pending Pod: the cause on top, then the scheduler's words.
  const answer = page.locator("#answer-of-pod");
  await eventually(() => answer.locator("h1").textContent(), (text) => {
    assert.match(text, /pod2/);
    assert.match(text, /gpu-7/);
  });
  const message = await page.locator("#scheduler-message p").textContent();
  assert.match(message, /^0\/1 nodes are available: 1 cannot allocate all claims\./);
  await screenshot(page, "experiment-5-before");

  await page.getByRole("button", { name: /^Delete .*pod1$/ }).click();
  await eventually(() => statuses(page), { pod1: "gone", pod2: "Running" });
  assert.equal((await pods(page)).pod2.devices, "gpu-7-partition-0");
  assert.deepEqual(await left(page, "gpu-7-counters"), { compute: "50", memory: "40Gi" });
  await screenshot(page, "experiment-5-after");

  // Put back, it waits in turn: its card is half taken.
  await page.locator("[data-action=put-back]").click();
  await eventually(() => statuses(page), { pod1: "Pending", pod2: "Running" });
});

onPage("experiment 5: every device has its reason, every selector its values", {}, async (page) => {
  await paste(page, objectsOf("experiment-5-partitionable"));
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" });
  const sieve = await page.locator("#sieve").innerText();
  for (const number of ["24", "23", "2", "0"]) assert.match(sieve, new RegExp(`\\b${number}\\b`));
  const matrix = page.locator("#matrix");
  assert.match(await matrix.innerText(), /gpu-7-partition-0/);
  // The account ends with what was asked of it and not booked.
  const asked = await page.locator("#figure-ledger tr.qty").allInnerTexts();
  assert.equal(asked.length, 2);
  for (const row of asked) assert.match(row, /asks gpu-7-partition-\d[\s\S]*not booked\s+50\s+40Gi/);
  const selectors = page.locator("#selectors .sel-block");
  await eventually(() => selectors.count(), 2);
  await eventually(() => page.locator("#selectors .w").count(), (count) => assert.ok(count > 2, `${count} values`));
  assert.match(await selectors.last().innerText(), /index/);
});

onPage("experiment 6: the switch turns one running Pod into two", {}, async (page) => {
  await paste(page, objectsOf("experiment-6-consumable-off"));
  const before = { pod1: "Running", pod2: "Pending", pod3: "Pending" };
  await eventually(() => statuses(page), before);
  await page.locator("[data-switch=gpuAllowMultipleAllocations]").click();
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Running", pod3: "Pending" });
  const shown = await pods(page);
  assert.match(shown.pod1.devices, /^gpu-6-partition-0 \(.*20Gi.*\)$/);
  assert.match(shown.pod2.devices, /^gpu-6-partition-0 \(.*20Gi.*\)$/);
  assert.equal((await left(page, "gpu-6-partition-0")).memory, "0");
  await screenshot(page, "experiment-6-on");
  await page.locator("[data-switch=gpuAllowMultipleAllocations]").click();
  await eventually(() => statuses(page), before);
});

onPage("a scenario's steps are walked and its expectations hold", {}, async (page) => {
  await paste(page, example("experiment-5-partitionable"));
  await eventually(() => statuses(page), { pod1: "gone", pod2: "Running" });
  await page.locator("#timeline button[data-n='0']").click();
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" });
  // The arrows walk too, and so does a pressed pointer.
  await page.keyboard.press("ArrowRight");
  await eventually(() => statuses(page), { pod1: "gone", pod2: "Running" });
  await page.locator("#timeline button[data-n='1']").hover();
  await page.mouse.down();
  await page.locator("#timeline button[data-n='0']").hover();
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" });
  await page.mouse.up();
  const expectations = page.locator("#expectations");
  await expectations.waitFor();
  assert.doesNotMatch(await expectations.innerText(), /failed|differs/i);
});

for (const name of examples()) {
  onPage(`the gallery opens ${name}`, {}, async (page) => {
    await page.locator("[data-menu=gallery]").first().click();
    await page.locator(`[data-example="${name}"]`).first().click();
    await eventually(
      () => pods(page),
      (shown) => assert.ok(Object.keys(shown).length > 0, "no Pods"),
    );
    await page.locator("#expectations").waitFor({ state: "attached" });
  });
}

onPage("experiment 5: the first change that is offered lets pod2 run", {}, async (page) => {
  await paste(page, objectsOf("experiment-5-partitionable"));
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" });
  const first = page.locator("#what-ifs .whatif").first();
  await first.waitFor();
  assert.match(await first.innerText(), /pod1/);
  await first.locator("button.go").click();
  await eventually(() => statuses(page), { pod1: "gone", pod2: "Running" });
  assert.equal((await pods(page)).pod2.devices, "gpu-7-partition-0");
});

onPage("the search is stepped through forward and back", {}, async (page) => {
  await paste(page, objectsOf("experiment-5-partitionable"));
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" });
  await page.locator("#show-search").click();
  const now = page.locator("#search-now");
  await now.waitFor();
  await page.locator("#search-entries").focus();
  await page.keyboard.press("Home");
  await eventually(() => page.locator("#search-at").innerText(), (text) => assert.match(text, /^1 /));
  assert.match(await now.innerText(), /call 1/);
  assert.equal(await page.locator("#search-back").isDisabled(), true);
  await page.locator("#search-on").click();
  await eventually(() => now.innerText(), (text) => assert.match(text, /gpu-0-partition-0/));
  await page.keyboard.press("Tab");
  await page.locator("#search-entries").focus();
  await page.keyboard.press("End");
  await eventually(() => now.innerText(), (text) => assert.match(text, /nothing fits/));
  await page.locator("#search-back").click();
  await eventually(() => now.innerText(), (text) => assert.match(text, /gpu-7-full/));
  await page.locator("#search-deepest").click();
  await eventually(() => now.innerText(), (text) => assert.match(text, /call 1/));
  await screenshot(page, "search");
});

// Four devices of one card that each leave counters behind when a later check refuses them: the
// release forgets to give back what it reserved for a tainted device.
const LEAK = `
apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 2}
  sharedCounters:
  - name: card
    counters: {memory: {value: 80Gi}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: devices}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 2}
  devices:
  - name: full
    taints: [{key: example.com/broken, effect: NoSchedule}]
    consumesCounters: [{counterSet: card, counters: {memory: {value: 80Gi}}}]
  - name: half
    consumesCounters: [{counterSet: card, counters: {memory: {value: 40Gi}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec:
  containers: [{name: c, image: x}]
  resourceClaims: [{name: d, resourceClaimName: c}]
`;

onPage("as released is compared with fixed on a known bug", {}, async (page) => {
  await paste(page, LEAK);
  await eventually(() => statuses(page), { p: "Pending" });
  await page.locator("#compare-with").selectOption("behavior:fixed");
  const differing = page.locator("#compare tr[data-differs=true]");
  await eventually(() => differing.count(), 1);
  assert.match(await differing.innerText(), /Pending[\s\S]*Running[\s\S]*half/);
  assert.match(await page.locator("#compare-sum").innerText(), /1 of 1/);
  // Kept, then changed: the text beside its earlier state.
  await page.locator("#keep-state").click();
  await eventually(() => page.locator("#compare-sum").innerText(), (text) => assert.match(text, /^0 of 1/));
  await paste(page, LEAK.replace("    taints: [{key: example.com/broken, effect: NoSchedule}]\n", ""));
  await eventually(() => statuses(page), { p: "Running" });
  await eventually(() => differing.count(), 1);
  await screenshot(page, "compare");
});
