// Whatever is pasted, the page says something, stays awake, and reads the next text as ever.
import assert from "node:assert/strict";
import { editor, eventually, objectsOf, onPage, paste, statuses } from "./support.js";

/** The longest that the page may not react, in milliseconds. */
const FROZEN = 3_000;

const devices = (count) =>
  Array.from({ length: count }, (_, index) => `  - name: gpu-${index}\n`).join("");

const slice = (name, body) => `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: ${name}}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
${body}`;

const claim = (name, count) => `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: ${name}}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.example.com, count: ${count}}
`;

const DEVICE_CLASS = `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
spec: {selectors: [{cel: {expression: "true"}}]}
`;

const bomb = () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 40; level += 1) {
    lines.push(`a${level}: &a${level} [${Array(9).fill(`*a${level - 1}`).join(", ")}]`);
  }
  return lines.join("\n");
};

const CASES = {
  "one megabyte of one line": "x".repeat(1_000_000),
  "one megabyte of documents": "---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n".repeat(19_000),
  "binary": Array.from({ length: 4_000 }, (_, index) => String.fromCharCode((index * 37) % 256)).join(""),
  "cyclic anchors": "apiVersion: v1\nkind: Pod\nmetadata: &loop\n  name: a\n  labels: *loop\n",
  "an alias bomb": bomb(),
  "deep nesting": `${"[".repeat(100_000)}`,
  "deep nesting of maps": Array.from({ length: 3_000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
  "a deeply nested selector": `${slice("s", `  devices:\n${devices(1)}`)}---\n${DEVICE_CLASS.replace('"true"', `"${"(".repeat(20_000)}true${")".repeat(20_000)}"`)}---\n${claim("c", 1)}`,
  "wrong kinds": "kind: [Pod]\napiVersion: {v: 1}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nspec: 3\n---\n- 1\n- 2\n---\napiVersion: v1\nkind: Pod\nmetadata: [a]\nspec: {resourceClaims: {name: x}}\n",
  "duplicate names": `${claim("same", 1)}---\n${claim("same", 2)}---\n${slice("s", `  devices:\n${devices(1)}${devices(1)}`)}`,
  "huge counts": `${DEVICE_CLASS}---\n${claim("c", "9223372036854775807")}---\n${claim("d", "99999999999999999999999")}---\n${slice("s", `  devices:\n${devices(128)}`)}`,
};

for (const [name, text] of Object.entries(CASES)) {
  onPage(`survives ${name}`, {}, async (page) => {
    await paste(page, text);
    // Something is said about it …
    await eventually(
      () => page.locator("#diagnostics, #notice-unreadable, #notice-running, #remarks, #pods").count(),
      (count) => assert.ok(count > 0, "nothing is said"),
      30_000,
    );
    // … the page reacts at once …
    const start = Date.now();
    await page.evaluate(() => new Promise((done) => setTimeout(done, 0)));
    assert.ok(Date.now() - start < FROZEN, `the page was frozen for ${Date.now() - start} ms`);
    assert.equal(await page.locator("#notice-fallen").count(), 0, "the worker fell");
    // … and the next text is read as ever.
    await paste(page, objectsOf("experiment-5-partitionable"));
    await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" }, 30_000);
  });
}

onPage("survives an empty text", {}, async (page) => {
  await paste(page, objectsOf("experiment-5-partitionable"));
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" });
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.locator("#empty").waitFor();
  await paste(page, " \n\n# only a comment\n");
  await eventually(() => page.locator("main").innerText(), (text) => assert.ok(text.trim().length > 40));
});
