// What has to be read on a phone as on a desk: nothing scrolls sideways, is cut off or too small to press.
import assert from "node:assert/strict";
import { ADDRESS, eventually, objectsOf, onPage, open, paste, screenshot, statuses } from "./support.js";
import { inventory } from "./scales.js";

const PHONES = [{ width: 320, height: 640 }, { width: 390, height: 844 }];

/** Descriptions of the parts of a panel that have to be scrolled sideways. */
const sideways = (page, panel) =>
  page.locator(panel).evaluateAll((panels) =>
    panels.flatMap((panel) => [panel, ...panel.querySelectorAll("*")])
      .filter((it) => ["auto", "scroll"].includes(getComputedStyle(it).overflowX) && it.scrollWidth > it.clientWidth + 1)
      .map((it) => `${it.className}: ${it.scrollWidth} > ${it.clientWidth}`),
  );

/** How many elements of each role the browser tells screen readers about in a table. */
async function roles(page, context, table) {
  const session = await context.newCDPSession(page);
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: table });
  const counts = {};
  for (const role of ["table", "row", "columnheader", "rowheader", "cell"]) {
    const { nodes } = await session.send("Accessibility.queryAXTree", { nodeId, role });
    counts[role] = nodes.filter((it) => !it.ignored).length;
  }
  await session.detach();
  return counts;
}

const TABLES = [".tr", ".tb.mx", "#pools", ".dev-t", "#counter-sets, #capacities"];

for (const example of ["experiment-5-partitionable", "missing-attribute", "prioritized-list", "experiment-6-consumable-on"]) {
  onPage(`values of selectors stand below each other on a phone: ${example}`, { address: `${ADDRESS}#example=${example}` }, async (page, context) => {
    await eventually(() => page.locator(".tr tbody tr").count(), (count) => assert.ok(count > 0));
    const present = [];
    for (const table of TABLES) if ((await page.locator(table).count()) > 0) present.push(table);
    const told = () => Promise.all(present.map((it) => roles(page, context, it)));
    const wide = await told();
    assert.ok(wide[0].rowheader > 0 && wide.every((it) => it.table === 1 && it.columnheader > 0 && it.cell > 0), JSON.stringify(wide));
    for (const viewport of PHONES) {
      await page.setViewportSize(viewport);
      for (const panel of ["selectors", "matrix", "balances", "claims", "inventory"]) assert.deepEqual(await sideways(page, `#${panel}`), [], `${panel} at ${viewport.width}`);
      // Each value stands in a line of its own, behind the device that it is of.
      const cells = await page.locator(".tr").first().evaluate((table) => [...table.querySelectorAll("td")].map((it) => [it.getBoundingClientRect().top, getComputedStyle(it, "::before").content]));
      assert.equal(new Set(cells.map(([top]) => top)).size, cells.length);
      const heads = await page.locator(".tr thead").first().locator("th").allInnerTexts();
      for (const [, before] of cells) assert.ok(heads.some((head) => before.includes(head.split("\n")[0])), `${before} in ${heads}`);
      // For screen readers they are the tables that they were.
      assert.deepEqual(await told(), wide, `at ${viewport.width}`);
    }
    await screenshot(page, `phone-${example}`);
  });
}

onPage("a text without steps is not told step by step", { address: `${ADDRESS}#example=prioritized-list` }, async (page) => {
  await paste(page, objectsOf("experiment-5-partitionable"));
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" });
  const said = () => page.locator("#answer").evaluate((answer) => answer.textContent);
  assert.equal(await page.locator("#timeline").count(), 0);
  assert.doesNotMatch(await said(), /\bstep \d|Objects of the text/);
  // What is done by a button is a step.
  await page.locator(".docket .act button").first().click();
  await eventually(() => page.locator("#timeline li").count(), 2);
  assert.match(await said(), /after step 1/);
});

/** A node with three devices of each of two drivers, whose pools have one name. */
const TWINS = `apiVersion: v1
kind: Node
metadata: {name: node-a}
---
${["gpu", "nic"].map((kind) => `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: ${kind}}
spec: {selectors: [{cel: {expression: 'device.driver == "${kind}.example.com"'}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: ${kind}}
spec:
  driver: ${kind}.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: dev-0}, {name: dev-1}, {name: dev-2}]
---
`).join("")}apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: nic, count: 4}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec:
  containers: [{name: main, image: i}]
  resourceClaims: [{name: c, resourceClaimName: c}]
`;

onPage("devices of one name in several pools are told apart", {}, async (page) => {
  await paste(page, TWINS);
  await eventually(() => statuses(page), { p: "Pending" });
  const labels = await page.locator("#sieve .sv.head .strands text").evaluateAll((all) => all.map((it) => [it.textContent, it.getBoundingClientRect().x]));
  assert.deepEqual(labels.map(([text]) => text), ["gpu", "nic", "0", "1", "2", "0", "1", "2"]);
  // The labels of cards stand below their pool.
  const brackets = await page.locator("#sieve .strands .pool").evaluateAll((all) => all.map((it) => it.getBoundingClientRect()).map(({ left, right }) => [left, right]));
  for (const [at, [, x]] of labels.slice(2).entries()) {
    const [left, right] = brackets[Math.floor(at / 3)];
    assert.ok(left - 8 <= x && x <= right + 8, `${x} in ${left} to ${right}`);
  }
  const named = ["gpu.example.com/node-a/dev-0", "gpu.example.com/node-a/dev-1", "gpu.example.com/node-a/dev-2"];
  await page.locator("#sieve details > summary").first().click();
  assert.deepEqual(await page.locator("#sieve details[open] li").allInnerTexts(), named);
  const options = await page.locator("#trace-device option").allInnerTexts();
  assert.equal(new Set(options).size, 6);
  await screenshot(page, "twins");
});

onPage("every pool of five thousand can be opened, at once", { timeout: 300_000 }, async (page) => {
  await paste(page, inventory(5000, 1));
  await eventually(() => statuses(page), { "pod-0": "Running" }, 120_000);
  const drawn = () => page.locator("#rack .rack-h b").allInnerTexts();
  assert.equal((await drawn()).length, 1);
  assert.match(await page.locator("#other-pools summary").innerText(), /5,000 pools, 40,000 cards/);
  assert.equal(await page.locator("#rack .slot").count(), 8, "nothing is made before it is asked for");
  const patient = async (what, act, check) => {
    const start = Date.now();
    await act();
    await check();
    assert.ok(Date.now() - start < 2500, `${what} took ${Date.now() - start} ms`);
  };
  const tiles = page.locator("#other-pools .slot");
  await patient("opening", () => page.locator("#other-pools summary").click(), () => eventually(() => tiles.count(), 48));
  await patient("finding", () => page.locator("#pool-filter").fill("node-4321"), () => eventually(() => tiles.count(), 1));
  await patient("choosing", () => tiles.first().click(), () => eventually(drawn, ["node-4321"]));
  assert.equal(await tiles.first().getAttribute("aria-pressed"), "true");
});

onPage("all cards of a large pool can be reached", {}, async (page) => {
  const devices = Array.from({ length: 128 }, (_, at) => `{name: d-${at}}`);
  await paste(page, TWINS.replace("[{name: dev-0}, {name: dev-1}, {name: dev-2}]", `[${devices}]`));
  await eventually(() => statuses(page), { p: "Pending" });
  const names = () => page.locator("#rack .slots .m").allInnerTexts();
  await page.locator("#other-pools summary").click();
  await page.locator("#other-pools .slot").first().click();
  await eventually(() => page.locator("#rack .turn").innerText(), (text) => assert.match(text, /cards 1 to 96 of 128/));
  await page.locator("#rack .turn button").last().click();
  await eventually(() => page.locator("#rack .turn").innerText(), (text) => assert.match(text, /cards 97 to 128 of 128/));
  assert.ok((await names()).includes("d-127"));
  assert.equal(await page.locator("#rack .turn button").last().isDisabled(), true);
  await page.locator("#rack .turn button").first().click();
  await eventually(names, (all) => assert.ok(all.includes("d-0")));
});

/** The rows of the marks of the inventory: mark and detail, devices and pool, origin. */
const marks = (page) => page.locator("#device-marks tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((it) => it.innerText.replaceAll(/\s+/g, " ").trim().replace(/line \d+$/, "line N"))));

onPage("taints and admin access are marked in the inventory", { address: `${ADDRESS}#example=device-taints&lang=en` }, async (page) => {
  await eventually(() => page.locator("#device-marks").count(), 1);
  // Icon and words: colour is not the only sign.
  for (const cell of await page.locator("#device-marks tbody td:first-child").all()) {
    assert.equal(await cell.locator("svg").count(), 1);
    assert.match(await cell.innerText(), /NoSchedule|NoExecute|None|admin access/);
  }
  for (const [, , from] of await marks(page)) assert.equal(from, "ResourceSlice line N");
  await open(page, `${ADDRESS}#example=device-taint-rule&step=1&lang=en`);
  await eventually(() => marks(page), [["NoExecute example.com/broken", "gpu-0, gpu-1 gpu.example.com/node-a", "DeviceTaintRule node-a-broken line N"]]);
  await open(page, `${ADDRESS}#example=admin-access&lang=en`);
  await eventually(() => marks(page), [["admin access all", "gpu-0, gpu-1 gpu.example.com/node-a", "ResourceClaim monitoring/monitor-gpus line N"]]);
  // A language is chosen by what the page is opened with.
  await page.goto("about:blank");
  await open(page, `${ADDRESS}#example=admin-access&lang=zh-TW`);
  await eventually(() => page.locator("#device-marks caption").innerText(), "taint 與 admin access");
});

onPage("who waits for admin access is marked, with the devices that would do", { address: `${ADDRESS}#lang=en` }, async (page) => {
  // It wants three of two devices.
  await paste(page, objectsOf("admin-access").replace("allocationMode: All,", "count: 3,"));
  await eventually(() => statuses(page), { user: "Running", monitor: "Pending", late: "Running" });
  await eventually(() => marks(page), [["admin access, asked for all", "gpu-0, gpu-1 gpu.example.com/node-a", "ResourceClaim monitoring/monitor-gpus line N"]]);
});

/** Controls smaller than 24 px, but words of a sentence; and text that is cut off with no way to read it. */
function small() {
  const found = [];
  const seen = (it) => it.getClientRects().length > 0 && !it.closest(".cm-editor, .vh, .skip");
  const say = (it, what) => found.push(`${it.closest("[id]")?.id} ${it.tagName}.${it.getAttribute("class")} «${it.textContent.trim().slice(0, 40)}»: ${what}`);
  for (const it of document.querySelectorAll("button, a, select, input, summary, [role=button]")) {
    if (!seen(it) || it.matches(".ref")) continue;
    const { width, height } = (it.matches("input") && it.closest("label") ? it.closest("label") : it).getBoundingClientRect();
    if (width < 23.9 || height < 23.9) say(it, `${width} × ${height}`);
  }
  for (const it of document.querySelectorAll(".doc *:not(thead), .time *")) {
    const style = getComputedStyle(it);
    const cut = (style.overflowX === "hidden" && it.scrollWidth > it.clientWidth + 1) || (style.overflowY === "hidden" && it.scrollHeight > it.clientHeight + 2);
    // The other steps are read when they are chosen; a name of a card stands whole on the bench.
    if (cut && seen(it) && !it.closest("svg, .time li:not(.cur), .slot")) say(it, `${it.scrollWidth} > ${it.clientWidth} or ${it.scrollHeight} > ${it.clientHeight}`);
  }
  return found;
}

for (const example of ["experiment-5-partitionable", "experiment-6-consumable-on", "faulty-pools", "device-taint-rule", "npu", "binding-conditions"]) {
  onPage(`everything can be pressed and read: ${example}`, { address: `${ADDRESS}#example=${example}` }, async (page) => {
    await eventually(() => page.locator("#answer-of-pod, #claims").count(), (count) => assert.ok(count > 0));
    // The last is a desk at 200 %.
    for (const viewport of [{ width: 1440, height: 900 }, ...PHONES, { width: 720, height: 450 }]) {
      await page.setViewportSize(viewport);
      assert.deepEqual(await page.evaluate(small), [], `at ${viewport.width}`);
    }
  });
}
