// Whatever is pasted, the page says something, stays awake, and reads the next text as ever.
import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { ADDRESS, editor, eventually, objectsOf, onPage, open, paste, statuses } from "./support.js";

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

const FIVE = "experiment-5-partitionable";
const WAITING = { pod1: "Running", pod2: "Pending" };
const deflated = (bytes) => `v2.${deflateSync(bytes).toString("base64url")}`;

/**
 * 16 of 60 devices; any 16 draw 976 from two counters of 480 each, which no single counter shows.
 * There are 10¹⁴ ways to choose.
 */
const endless = () => `${slice("counters", `  sharedCounters:
  - name: card
    counters: {left: {value: "480"}, right: {value: "480"}}
`).replace("Count: 1", "Count: 2")}---
${slice("devices", `  devices:
${Array.from({ length: 60 }, (_, at) => `  - name: gpu-${at}
    consumesCounters:
    - counterSet: card
      counters: {left: {value: "${at + 1}"}, right: {value: "${60 - at}"}}
`).join("")}`).replace("Count: 1", "Count: 2")}---
${DEVICE_CLASS}---
${claim("c", 16)}---
apiVersion: v1
kind: Node
metadata: {name: node-1}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: c}]
  resourceClaims: [{name: gpu, resourceClaimName: c}]
`;

const selecting = (expression) =>
  `${slice("s", `  devices:\n  - name: gpu-0\n    attributes: {model: {string: ${"a".repeat(60)}}}\n`)}---\n${DEVICE_CLASS.replace('"true"', JSON.stringify(expression))}---\n${claim("c", 1)}`;

const CASES = {
  "one megabyte of one line": "x".repeat(1_000_000),
  "one megabyte of documents": "---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n".repeat(19_000),
  "binary": Array.from({ length: 4_000 }, (_, index) => String.fromCharCode((index * 37) % 256)).join(""),
  "cyclic anchors": "apiVersion: v1\nkind: Pod\nmetadata: &loop\n  name: a\n  labels: *loop\n",
  "an alias bomb": bomb(),
  "deep nesting": `${"[".repeat(100_000)}`,
  "deep nesting of maps": Array.from({ length: 3_000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
  "a deeply nested selector": `${slice("s", `  devices:\n${devices(1)}`)}---\n${DEVICE_CLASS.replace('"true"', `"${"(".repeat(20_000)}true${")".repeat(20_000)}"`)}---\n${claim("c", 1)}`,
  "a catastrophic regular expression": selecting("device.attributes['gpu.example.com'].model.matches('(a*)*(a*)*(a*)*(a|aa)+b')"),
  "a selector of enormous cost": selecting(`[${"0,".repeat(99)}0].all(a, [${"0,".repeat(99)}0].all(b, [${"0,".repeat(99)}0].all(c, [${"0,".repeat(99)}0].all(d, a + b + c + d == 0))))`),
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

onPage("a link that unfolds without end says so", { address: `${ADDRESS}#${deflated(Buffer.alloc(100 << 20, " "))}` }, async (page) => {
  await eventually(() => page.locator("body").innerText(), (text) => assert.match(text, /unfolds to more text/));
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
});

onPage("a file of 100 MB is not read, a pasted text of 100 MB is not analyzed", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await page.locator("#answer").evaluate((element) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(100 << 20).fill(97)], "large.yaml"));
    element.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await page.locator(".toast").waitFor();
  assert.deepEqual(await statuses(page), WAITING);
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await editor(page).evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "kind: Pod # and much more than anybody needs to say about it\n".repeat(1_700_000));
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await eventually(() => page.locator("#diagnostics, #notice-unreadable").allInnerTexts(), (said) => assert.match(said.join(), /large/), 60_000);
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING, 60_000);
});

onPage("names with markup, turned and control characters stay text", {}, async (page) => {
  const evil = `<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>`;
  const quoted = JSON.stringify(evil);
  const turned = "safe\u202eevil\u2066\u0007";
  const objects = objectsOf(FIVE)
    .replaceAll("gpu-7-full", "gpu-7-full<b>")
    .replaceAll(/name: pod1$/gm, `name: ${quoted}`)
    .replaceAll(/name: pod2$/gm, `name: ${JSON.stringify(turned)}`);
  const scenario = `apiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {name: x}\nspec:\n  title: ${quoted}\n  description: ${quoted}\n---\n`;
  await paste(page, scenario + objects);
  await eventually(() => page.locator(".doc").innerText(), (text) => assert.match(text, /onerror/));
  await page.locator("#diagnostics").first().waitFor();
  // Wherever it is shown, it is shown as text …
  assert.equal(await page.locator("img[src=x], .doc script, .doc b:has-text('onerror') img").count(), 0);
  assert.equal(await page.evaluate(() => globalThis.ran ?? null), null);
  // … and what turns the text around or cannot be seen is written out.
  const shown = await page.locator("#answer").innerText();
  assert.doesNotMatch(shown, /[\u202a-\u202e\u2066-\u2069\u0007]/);
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
});

onPage("keys of prototypes are keys like others", {}, async (page) => {
  const labels = "__proto__: {polluted: yes}, constructor: {prototype: {polluted: yes}}, toString: x, hasOwnProperty: y";
  await paste(page, objectsOf(FIVE).replace("metadata:\n", `metadata:\n  annotations: {${labels}}\n`));
  await eventually(() => statuses(page), WAITING);
  const scenario = `{"t":${JSON.stringify(objectsOf(FIVE))},"__proto__":{"polluted":1},"g":{"__proto__":true,"constructor":false}}`;
  await page.goto("about:blank");
  await open(page, `${ADDRESS}#${deflated(Buffer.from(scenario))}`);
  await eventually(() => statuses(page), WAITING);
  assert.deepEqual(await page.evaluate(() => [{}.polluted ?? null, [].polluted ?? null, typeof {}.toString]), [null, null, "function"]);
});

/** A module whose only function traps: (module (func (export "f") unreachable)). */
const TRAP = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11];

onPage("after a trap the text is there, a report can be copied, and a new worker answers", { address: null, permissions: ["clipboard-read", "clipboard-write"], forgive: /unreachable/ }, async (page) => {
  // The worker traps as soon as it is asked about a text with this word.
  await page.route("**/worker.js", async (route) => {
    const script = await (await route.fetch()).text();
    const trap = `self.addEventListener("message", ({ data }) => {
      const said = data instanceof Uint8Array ? new TextDecoder().decode(data) : "";
      if (said.includes("trap-here")) new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(${JSON.stringify(TRAP)}))).exports.f();
    });\n`;
    await route.fulfill({ contentType: "text/javascript", body: trap + script });
  });
  await open(page, ADDRESS);
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await paste(page, `${objectsOf(FIVE)}# trap-here\n`);
  const notice = page.locator("#notice-fallen");
  await notice.waitFor();
  await notice.locator("button").click();
  const report = await eventually(() => page.evaluate(() => navigator.clipboard.readText()), (text) => assert.match(text, /unreachable/));
  assert.match(report, /# trap-here/);
  assert.match(report, /Chrom/);
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+End");
  await eventually(() => editor(page).innerText(), (text) => assert.match(text, /# trap-here/));
  await page.keyboard.type("x");
  for (let press = 0; press < 4; press += 1) await page.keyboard.press("Backspace");
  await eventually(() => statuses(page), WAITING);
  await eventually(() => notice.count(), 0);
});

onPage("a search that never ends is stopped, and says after how many calls", {}, async (page) => {
  await paste(page, endless());
  await eventually(() => page.locator("#scheduler-message").allInnerTexts(), (said) => assert.match(said.join(), /stopped after 1,?000,?000 search calls/), 60_000);
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
});

onPage("survives an empty text", {}, async (page) => {
  await paste(page, objectsOf("experiment-5-partitionable"));
  await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" });
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.locator("#empty").waitFor();
  await paste(page, " \n\n# only a comment\n");
  await eventually(() => page.locator(".doc").innerText(), (text) => assert.ok(text.trim().length > 40));
});
