// Nothing typed is lost; saved scenarios, history, exports, gallery, languages, the editor's help.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ADDRESS, editor, eventually, example, menu, objectsOf, onPage, open, paste, screenshot, statuses } from "./support.js";

const FIVE = "experiment-5-partitionable";
const WAITING = { pod1: "Running", pod2: "Pending" };

async function download(page, click) {
  const [file] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

/** Types a first line, and reloads at once. */
async function typeAndReload(page) {
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("# typed last\n");
  await page.reload();
  await page.locator("#boot").waitFor({ state: "detached" });
}

onPage("what was typed just before a reload is there after it", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await typeAndReload(page);
  await eventually(() => statuses(page), WAITING);
  // It may be folded away: the file has all of it.
  await menu(page, "export").click();
  const file = await download(page, () => page.locator('[data-export="scenario.yaml"]').click());
  assert.match(file.text, /^# typed last\n/);
});

onPage("a link opened after a reload gives what it says, not what was typed", {}, async (page) => {
  await open(page, `${ADDRESS}#example=${FIVE}`);
  await eventually(() => statuses(page), WAITING);
  await typeAndReload(page);
  await eventually(() => editor(page).innerText(), (text) => assert.match(text, /typed last/));
  await eventually(() => page.url(), (url) => assert.match(url, /#v\d\./));
  await page.goto("about:blank");
  await open(page, `${ADDRESS}#example=${FIVE}`);
  await eventually(() => statuses(page), WAITING);
  assert.doesNotMatch(await editor(page).innerText(), /typed last/);
});

onPage("a link opened while the page is still loading is followed", { address: null }, async (page) => {
  let release;
  const held = new Promise((done) => (release = done));
  await page.route("**/gallery.txt", async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest("**/gallery.txt");
  await page.goto(`${ADDRESS}#example=npu`);
  await asked;
  await page.evaluate((name) => (location.hash = `#example=${name}`), FIVE);
  release();
  await eventually(() => statuses(page), WAITING);
});

onPage("files are dropped on the page, several at once", {}, async (page) => {
  // Other names than the page begins with.
  const named = objectsOf(FIVE).replaceAll(/name: pod(?=\d$)/gm, "name: dropped");
  const [first, ...rest] = named.split(/^---\n/m);
  const texts = [first, rest.join("---\n")];
  await page.locator("#answer").evaluate((element, texts) => {
    const dataTransfer = new DataTransfer();
    texts.forEach((text, at) => dataTransfer.items.add(new File([text], `${at}.yaml`)));
    const event = { dataTransfer, bubbles: true, cancelable: true };
    // Without this the browser would open the file in place of the page.
    if (element.dispatchEvent(new DragEvent("dragover", event))) throw new Error("not taken");
    if (element.dispatchEvent(new DragEvent("drop", event))) throw new Error("not taken");
  }, texts);
  await eventually(() => statuses(page), { dropped1: "Running", dropped2: "Pending" });
});

onPage("what was typed just before leaving is there at the next visit", {}, async (page, context) => {
  await editor(page).focus();
  await page.keyboard.type("# typed and gone");
  await page.goto("about:blank");
  const next = await context.newPage();
  await open(next, ADDRESS);
  await eventually(() => editor(next).innerText(), (text) => assert.match(text, /typed and gone/));
});

onPage("two tabs keep their own text over a reload", {}, async (page, context) => {
  const other = await context.newPage();
  await open(other, ADDRESS);
  await paste(page, "# first tab\n");
  await paste(other, "# second tab\n");
  await page.reload();
  await other.reload();
  await eventually(() => editor(page).innerText(), (text) => assert.match(text, /first tab/));
  await eventually(() => editor(other).innerText(), (text) => assert.match(text, /second tab/));
});

/** A text so long that the page writes it once, and then what changes. */
const longText = (head) => `# ${head}\n${"# a line of many\n".repeat(4_000)}`;
const kept = (page, name) => page.evaluate((name) => localStorage.getItem(`dra-playground/v2/${name}`) ?? "", name);

onPage("of a long text only what is typed is written, and all of it is there later", {}, async (page, context) => {
  await paste(page, longText("long"));
  await eventually(() => kept(page, "draft-changes"), (it) => assert.match(it, /"changes":\[\]/));
  const whole = await kept(page, "draft");
  await editor(page).press("ControlOrMeta+Home");
  await page.keyboard.press("End");
  for (const words of [" and typed", " and more 裝置"]) {
    await page.keyboard.type(words);
    await eventually(() => kept(page, "draft-changes"), (it) => assert.ok(it.includes(words), it.slice(0, 400)));
  }
  assert.equal(await kept(page, "draft"), whole, "the text is not written again");
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("# gone at once");
  await page.reload();
  const typed = /^# long and typed and more 裝置\n/;
  await eventually(() => editor(page).innerText(), (text) => assert.match(text, typed));
  await editor(page).press("ControlOrMeta+End");
  await eventually(() => editor(page).innerText(), (text) => assert.match(text, /# gone at once/));
  const next = await context.newPage();
  await open(next, ADDRESS);
  await eventually(() => editor(next).innerText(), (text) => assert.match(text, typed));
  await paste(next, "# short\n");
  await eventually(() => kept(page, "draft"), (it) => assert.match(it, /# short/));
  assert.equal(await kept(page, "draft-changes"), "");
  await page.reload();
  await eventually(() => editor(page).innerText(), (text) => assert.match(text, typed));
});

onPage("two tabs with a long text do not mix what is typed", {}, async (page, context) => {
  const other = await context.newPage();
  await open(other, ADDRESS);
  for (const [it, name] of [[page, "one"], [other, "two"]]) {
    await paste(it, longText(name));
    await eventually(() => kept(it, "draft"), (text) => assert.ok(text.includes(`# ${name}`)));
  }
  await editor(page).press("ControlOrMeta+Home");
  await page.keyboard.type("# first ");
  await eventually(() => kept(page, "draft"), (text) => assert.ok(text.includes("# first # one"), "it is written whole"));
  // Changes of a text that is not there are passed over.
  await page.evaluate(() => {
    const key = "dra-playground/v2/draft-changes";
    const changes = { ...JSON.parse(localStorage.getItem(key)), of: "0", changes: [[0, 3, "wrong"]] };
    localStorage.setItem(key, JSON.stringify(changes));
  });
  const next = await context.newPage();
  await open(next, ADDRESS);
  await eventually(() => editor(next).innerText(), (text) => assert.match(text, /^# first # one\n/));
  await other.reload();
  await eventually(() => editor(other).innerText(), (text) => assert.match(text, /^# two\n/));
});

onPage("corrupt and old storage is passed over", { address: null }, async (page) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem("seen")) return;
    sessionStorage.setItem("seen", "1");
    localStorage.setItem("dra-playground/v2/draft", '{"t":3');
    localStorage.setItem("dra-playground/v1/draft", "# of an old release\n");
    localStorage.setItem("dra-playground/v1/shelf", "[[[");
    localStorage.setItem("dra-playground/v1/theme", "plaid");
    localStorage.setItem("dra-playground/v1/language", "tlh");
    sessionStorage.setItem("dra-playground/v2/tab", "null");
  });
  await open(page, ADDRESS);
  await eventually(() => editor(page).innerText(), (text) => assert.match(text, /of an old release/));
  await menu(page, "gallery").click();
  await page.locator("#shelf").waitFor();
});

onPage("a full or disabled storage is said, and the page works", { address: null }, async (page) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await open(page, ADDRESS);
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await page.locator(".toast").waitFor();
  assert.match(await page.locator(".toast").innerText(), /storage/);
});

onPage("a storage that throws on access does not stop the page", { address: null }, async (page) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
    }
  });
  await open(page, ADDRESS);
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
});

onPage("scenarios are saved under a name, exported, forgotten and imported", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await menu(page, "gallery").click();
  await page.locator("#save-name").fill("my <b>cluster</b>");
  await page.locator("#save-it").click();
  await page.locator("[data-saved]").waitFor();
  const file = await download(page, () => page.locator("#shelf-export").click());
  assert.equal(JSON.parse(file.text).version, 1);
  await page.getByRole("button", { name: /Forget my/ }).click();
  await eventually(() => page.locator("[data-saved]").count(), 0);
  await page.locator("#shelf-import").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from(file.text) });
  await page.locator("[data-saved]").waitFor();
  await page.locator("#new-scenario").click();
  await page.locator("#empty").waitFor();
  await menu(page, "gallery").click();
  await page.locator("[data-saved]").click();
  await eventually(() => statuses(page), WAITING);
  await page.locator("[data-menu=gallery]").click();
  await page.locator("#shelf-import").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("{") });
  await eventually(() => page.locator(".toast").innerText(), (text) => assert.match(text, /no saved/));
});

onPage("what a scenario replaces is in the history", {}, async (page) => {
  await paste(page, `# mine\n${objectsOf(FIVE)}`);
  await eventually(() => statuses(page), WAITING);
  await menu(page, "gallery").click();
  await page.locator("[data-example=exact-count]").first().click();
  await eventually(() => statuses(page), (found) => assert.ok("train" in found));
  await menu(page, "gallery").click();
  await page.locator("#history li button").first().click();
  await eventually(() => statuses(page), WAITING);
});

onPage("the gallery is searched by feature and drawn by the page", {}, async (page) => {
  await page.locator("#gallery-find").fill("DRAPartitionableDevices");
  const names = () => page.locator("[data-example]").evaluateAll((all) => all.map((it) => it.dataset.example));
  await eventually(names, (found) => assert.ok(found.includes(FIVE) && found.length < 8, found.join()));
  await eventually(() => page.locator(`[data-example=${FIVE}] .thumb rect.held`).count(), (count) => assert.ok(count > 0));
  await page.locator("#gallery-find").fill("nothing like it");
  await eventually(() => page.locator("[data-example]").count(), 0);
});

onPage("the answer is saved as report, tables, status and JSON", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await menu(page, "export").click();
  const saved = (name) => download(page, () => page.locator(`[data-export="${name}"]`).click());
  const report = await saved("report.md");
  assert.match(report.text, /\| `pod2` \| Pending \|/);
  assert.match(report.text, /cannot allocate all claims/);
  assert.match(report.text, /#v2\./);
  const tables = await saved("tables.txt");
  assert.match(tables.text, /^NAMESPACE +NAME +READY +STATUS/m);
  assert.match(tables.text, /gpu-7-counters +memory +80Gi +0/);
  const status = await saved("status.yaml");
  assert.match(status.text, /^status:\n/m);
  assert.match(status.text, /device: gpu-7-full/);
  const json = await saved("analysis.json");
  assert.equal(JSON.parse(json.text).snapshot.devices.length, 24);
});

/** Saves the picture of each panel, and sees that it stands alone and holds what the panel shows. */
async function savePictures(page, panels) {
  for (const [id, holds] of Object.entries(panels)) {
    const svg = await download(page, () => page.locator(`#${id} [data-picture=SVG]`).click());
    assert.equal(svg.name, `dra-playground-${id}.svg`);
    const wrong = await page.evaluate((text) => {
      const read = new DOMParser().parseFromString(text, "image/svg+xml");
      const words = [...read.querySelectorAll("text")].map((it) => it.textContent).join(" ");
      return { broken: read.querySelector("parsererror")?.textContent, scripts: read.querySelectorAll("script, foreignObject").length, words, vars: text.includes("var(") };
    }, svg.text);
    assert.equal(wrong.broken, undefined);
    assert.equal(wrong.scripts, 0);
    assert.equal(wrong.vars, false, "a picture must not need the page's style");
    assert.match(wrong.words, holds, id);
    const box = await page.locator(`#${id}`).boundingBox();
    const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg.text);
    assert.ok(Number(width) >= box.width && Number(height) >= box.height, `${id}: ${width} × ${height}`);
    if (id !== "rack" && id !== "matrix") continue;
    const [png] = await Promise.all([page.waitForEvent("download"), page.locator(`#${id} [data-picture=PNG]`).click()]);
    const bytes = readFileSync(await png.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(bytes.length > 5_000, `${bytes.length} bytes`);
  }
}

// A browser stops a page that saves more than ten files.
onPage("the answer of a Pod is saved as pictures", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await savePictures(page, { rack: /gpu-7/, sieve: /24/, matrix: /gpu-7-partition-1/, selectors: /worst-case cost/ });
  await menu(page, "export").click();
  const whole = await download(page, () => page.locator("#exports [data-picture=SVG]").click());
  assert.equal(whole.name, "dra-playground-answer.svg");
  for (const words of ["cannot allocate all claims", "pod2", "gpu-7-counters"]) {
    assert.ok(whole.text.includes(words), words);
  }
});

onPage("every other panel is saved as a picture", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await page.locator("#show-search").click();
  await page.locator("#search [data-picture=SVG]").waitFor();
  await savePictures(page, { search: /allocat|gpu-7/, compare: /./, balances: /gpu-7-counters/, claims: /pod1-gpu/, inventory: /counter sets 8/ });
});

onPage("a link carries what the reader chose to see lit", {}, async (page, context) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  const before = await eventually(() => page.url(), (it) => assert.match(it, /#v2\./));
  await page.locator("#rack .slot", { hasText: "gpu-3" }).click();
  await eventually(() => page.locator("#rack .slot.sel").innerText(), (it) => assert.match(it, /gpu-3/));
  const link = await eventually(() => page.url(), (it) => assert.notEqual(it, before));
  const other = await context.newPage();
  await other.goto(link);
  await eventually(() => statuses(other), WAITING);
  await eventually(() => other.locator("#rack .slot.sel").innerText(), (it) => assert.match(it, /gpu-3/));
});

onPage("links say how long they are, where they open, and come as iframe", { permissions: ["clipboard-read", "clipboard-write"] }, async (page, context) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await menu(page, "share").click();
  assert.match(await page.locator("#link-size").innerText(), /KB|B/);
  assert.ok((await page.locator("#link-advice").innerText()).length > 10);
  const before = await page.locator("#link").inputValue();
  await page.locator("#link-panel").selectOption("rack");
  const link = await eventually(() => page.locator("#link").inputValue(), (it) => assert.ok(it !== before && /#v2\./.test(it), it));
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  const table = await eventually(() => page.evaluate(() => navigator.clipboard.readText()), (it) => assert.match(it, /\| `pod2` \| Pending \|/));
  assert.ok(table.includes(link), "the table has the link");
  await page.getByRole("button", { name: "Copy link" }).click();
  await eventually(() => page.evaluate(() => navigator.clipboard.readText()), link);
  await page.getByRole("button", { name: "Copy as iframe" }).click();
  const frame = await eventually(() => page.evaluate(() => navigator.clipboard.readText()), (it) => assert.match(it, /^<iframe src="[^"]+embed\.html#v2\.[\w-]+"/));
  assert.ok(!frame.includes("undefined"));
  const other = await context.newPage();
  await open(other, link);
  await eventually(() => statuses(other), WAITING);
  await eventually(
    () => other.locator("#rack").evaluate((it) => it.getBoundingClientRect().top),
    (top) => assert.ok(top > -10 && top < 300, `the rack stands at ${top}`),
  );
});

onPage("a link that was cut says so and keeps the address", { address: null }, async (page) => {
  await open(page, ADDRESS);
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await menu(page, "share").click();
  const link = await page.locator("#link").inputValue();
  await page.evaluate(() => { localStorage.clear(); sessionStorage.clear(); });
  for (const cut of [1, 2, 3, 40]) {
    await page.goto("about:blank");
    await page.evaluate(() => 0);
    const broken = link.slice(0, -cut);
    await page.goto(broken);
    await page.locator("#boot").waitFor({ state: "detached" });
    await eventually(() => page.locator(".toast").innerText(), (text) => assert.match(text, /not complete/));
    await new Promise((done) => setTimeout(done, 700));
    assert.equal(page.url(), broken);
  }
});

onPage("the editor completes, explains and folds", {}, async (page) => {
  await paste(page, `${objectsOf(FIVE)}---\n`);
  await eventually(() => statuses(page), WAITING);
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("kind: DeviceCl", { delay: 20 });
  const options = page.locator(".cm-tooltip-autocomplete li");
  await eventually(() => options.allInnerTexts(), (all) => assert.ok(all.some((it) => it.startsWith("DeviceClass")), all.join()));
  await page.keyboard.press("Enter");
  await page.keyboard.type("\napiVersion: resource.k8s.io/v1\nspec:\nselec", { delay: 5 });
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+z");
  await paste(page, `${objectsOf(FIVE)}---\nkind: ResourceClaim\napiVersion: resource.k8s.io/v1\nspec:\n  devices:\n    requests:\n    - name: x\n      exactly:\n        deviceClassName: `);
  await eventually(() => statuses(page), WAITING);
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("Control+Space");
  await eventually(() => options.allInnerTexts(), (all) => assert.deepEqual(all.map((it) => it.split(/\s/)[0]), ["gpu.example.com"]));
  await page.keyboard.press("Enter");
  await page.keyboard.type("\nselectors:\n- cel:\nexpression: device.attributes[\"gpu.example.com\"].", { delay: 5 });
  await eventually(() => options.allInnerTexts(), (all) => assert.ok(all.some((it) => /index/.test(it) && /int/.test(it)), all.join()));
  await screenshot(page, "completion");
  await page.keyboard.press("Escape");
  const key = page.locator(".cm-line", { hasText: "deviceClassName" }).last().getByText("deviceClassName", { exact: true });
  await eventually(async () => {
    await page.mouse.move(700, 5);
    await key.hover();
    await page.locator(".meaning").first().waitFor({ timeout: 2_000 }).catch(() => {});
    return page.locator(".meaning").allInnerTexts();
  }, (texts) => assert.match(texts.join(), /Name of the DeviceClass/));
});

onPage("partitions are switched on folded text without folding two objects into one", {}, async (page) => {
  await paste(page, example(FIVE));
  await eventually(() => statuses(page), (found) => assert.ok("pod2" in found));
  await menu(page, "gallery").click();
  await page.locator(`[data-example=${FIVE}]`).first().click();
  await eventually(() => statuses(page), WAITING);
  const folds = () => page.locator(".cm-foldPlaceholder b").allInnerTexts();
  await eventually(folds, (found) => assert.ok(found.length > 2, found.join()));
  await page.locator("[data-switch=gpuPartitions]").selectOption("4");
  await eventually(() => page.locator("[data-switch=gpuPartitions]").inputValue(), "4");
  // The value is the reader's at once; the edit has come when the answer has the new devices.
  await eventually(() => page.locator(".doc").first().innerText(), (text) => assert.match(text, /partition-3/));
  // Every fold hides one document: none holds a separator.
  const hidden = await page.evaluate(() => {
    const lines = document.querySelectorAll(".cm-lineNumbers .cm-gutterElement");
    return [...lines].map((it) => Number(it.textContent)).filter(Boolean);
  });
  assert.ok(hidden.length > 0);
  const labels = await folds();
  assert.ok(labels.every((it) => it.length > 0), `a fold without a name: ${labels.join("|")}`);
  await page.keyboard.press("Escape");
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+z");
  await eventually(() => page.locator("[data-switch=gpuPartitions]").inputValue(), "2");
});

onPage("a Pod that is refused cannot be put back", {}, async (page) => {
  await paste(page, `${objectsOf(FIVE)}---\napiVersion: v1\nkind: Pod\nmetadata: {name: wrong}\nspec:\n  containers: [{name: a, image: b}]\n  resourceClaims: [{name: x}]\n`);
  await eventually(() => statuses(page), (found) => assert.ok("pod2" in found));
  assert.equal(await page.locator("[data-action=put-back]").count(), 0);
});

onPage("a language that cannot be loaded says so and leaves the page as it is", { tolerate: [] }, async (page) => {
  await page.route("**/zh-TW.json", (route) => route.fulfill({ status: 200, body: "<html>" }));
  await page.locator("select").filter({ hasText: "繁體中文" }).first().selectOption("zh-TW");
  await eventually(() => page.locator(".toast").innerText(), (said) => assert.match(said, /繁體中文.* could not be loaded/));
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await page.unroute("**/zh-TW.json");
  await page.locator("select").filter({ hasText: "繁體中文" }).first().selectOption("en");
  await page.locator("select").filter({ hasText: "繁體中文" }).first().selectOption("zh-TW");
  await eventually(() => page.locator("html").getAttribute("lang"), "zh-TW");
});

const ZONED = `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec:
  selectors:
  - cel:
      expression: timestamp("2026-06-01T12:00:00Z").getHours("Asia/Taipei") == 20 && "Δ".matches("^\\\\p{Greek}$")
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: gpus}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers: [{name: main, image: example.com/train}]
  resourceClaims: [{name: gpu, resourceClaimName: one}]
`;

onPage("tables that few selectors need are fetched when one does", { address: null }, async (page) => {
  const fetched = [];
  page.on("request", (request) => fetched.push(...(request.url().match(/(zones|unicode)\.txt$/) ?? []).slice(1)));
  await open(page, `${ADDRESS}#example=${FIVE}&lang=en`);
  await eventually(() => statuses(page), WAITING);
  assert.deepEqual(fetched, []);
  await paste(page, ZONED);
  await eventually(() => statuses(page), (found) => assert.deepEqual(Object.entries(found), [["train", "Running"]]));
  assert.deepEqual(fetched.sort(), ["unicode", "zones"]);
});

onPage("without a table that a selector needs there is no answer, and the text stays", { forgive: /zones.txt|Failed to load/ }, async (page) => {
  await page.route("**/zones.txt", (route) => route.fulfill({ status: 404, body: "" }));
  await paste(page, ZONED);
  await page.locator("#notice-fallen").waitFor();
  await eventually(() => editor(page).innerText(), (text) => assert.match(text, /Asia\/Taipei/));
});

onPage("scenarios that cannot be loaded are said to be missing, and the page works", { address: null }, async (page) => {
  await page.route("**/gallery.txt", (route) => route.fulfill({ status: 200, body: "<html>" }));
  await open(page, `${ADDRESS}#example=${FIVE}&lang=en`);
  await eventually(() => page.locator(".toast").innerText(), (said) => assert.match(said, /scenarios could not be loaded/));
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await page.unroute("**/gallery.txt");
  await menu(page, "gallery").click();
  await page.locator(`[data-example=${FIVE}]`).first().waitFor();
});

onPage("the page without the editor's script works with a plain text area", { address: null, tolerate: [] }, async (page) => {
  await page.route("**/editor.js", (route) => route.fulfill({ status: 200, contentType: "text/javascript", body: "export {};" }));
  await page.goto(ADDRESS);
  const area = page.locator("#yaml-plain");
  await area.fill(objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await page.getByRole("button", { name: /^Delete .*pod1$/ }).click();
  await eventually(() => statuses(page), { pod1: "gone", pod2: "Running" });
});

onPage("experiment 5 from beginning to end by keyboard", { address: ADDRESS }, async (page) => {
  const press = async (keys) => { for (const key of keys) await page.keyboard.press(key); };
  const reach = async (locator, limit = 250) => {
    for (let presses = 0; presses < limit; presses += 1) {
      if (await locator.evaluate((it) => it === document.activeElement).catch(() => false)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail("not reached by Tab");
  };
  await page.locator("[data-example]").first().waitFor();
  await press(["F6", "F6"]);
  const example = page.locator(`main [data-example=${FIVE}]`);
  await reach(page.locator("#gallery-find"));
  await page.keyboard.type("partitionable");
  await reach(example);
  await press(["Enter"]);
  await eventually(() => statuses(page), WAITING);
  await page.evaluate(() => document.activeElement?.blur());
  await press(["]"]);
  await eventually(() => statuses(page), { pod1: "gone", pod2: "Running" });
  await press(["["]);
  await eventually(() => statuses(page), WAITING);
  await press(["?"]);
  await page.locator(".sheet dl").waitFor();
  await press(["Escape"]);
  await eventually(() => page.locator(".sheet dl").count(), 0);
  await press(["ControlOrMeta+s"]);
  await page.locator("#share").waitFor();
  await press(["Escape"]);
});

onPage("findings and long links are wrapped inside what is seen of a long line", { address: ADDRESS }, async (page) => {
  const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: "A_b", labels: {x: ${"a".repeat(300)}}}\nspec: {containers: [{name: c, image: i}]}\n`;
  await paste(page, pod);
  const lens = page.locator(".lens-box").first();
  await lens.waitFor();
  for (const left of [0, 400]) {
    await page.locator(".cm-scroller").evaluate((it, to) => { it.scrollLeft = to; }, left);
    await eventually(() => lens.evaluate((it) => {
      const [seen, own] = [it.closest(".cm-scroller"), it.firstElementChild].map((some) => some.getBoundingClientRect());
      return own.left >= seen.left && own.right <= seen.right;
    }), true);
  }
  assert.equal(await page.locator(".foot-b.c-fault use").getAttribute("href"), "#r-fault");
  const wide = page.locator(".lede .ref").filter({ hasText: " " });
  for (const display of await wide.evaluateAll((all) => all.map((it) => getComputedStyle(it).display))) {
    assert.equal(display, "inline");
  }
  assert.ok(await wide.count());
  await wide.first().focus();
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "button");
});

onPage("a reason and a finding open their page beside the answer", { address: `${ADDRESS}#example=experiment-5-partitionable` }, async (page) => {
  await eventually(() => statuses(page), WAITING);
  await page.locator("#status a.pg").click();
  const sheet = page.locator("#page");
  const inside = page.frameLocator("#page iframe");
  await eventually(() => inside.locator("h1").textContent(), "counters-short");
  await page.keyboard.press("Escape");
  await eventually(() => sheet.count(), 0);
  await page.locator("#matrix td[data-code=in-use-committed] a.pg").first().click();
  await eventually(() => inside.locator("h1").textContent(), "in-use-committed");
  await sheet.locator("button").click();
  await paste(page, "apiVersion: v1\nkind: Node\nmetadata: {name: node-n, label: {}}\n");
  await page.locator(".find-i a.pg").first().click();
  await eventually(() => inside.locator("h1").textContent(), "unknown-field");
});

onPage("every object of the insert menu is read as it stands", {}, async (page) => {
  const kinds = ["Pod", "ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "ResourceSlice", "Node", "Namespace", "DeviceTaintRule", "Scenario"];
  for (const kind of kinds) {
    await paste(page, "");
    await menu(page, "insert").click();
    await page.locator(".panel:visible").getByRole("button", { name: kind, exact: true }).click();
    await eventually(() => editor(page).innerText(), (it) => assert.match(it, new RegExp(`kind: ${kind}\\b`)));
    await menu(page, "outline").click();
    await eventually(() => page.locator(".outline:visible").innerText(), (it) => assert.match(it, new RegExp(`^${kind}\\b`, "m")));
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#diagnostics .c-fault").count(), 0, kind);
    await editor(page).focus();
    await page.keyboard.press("ControlOrMeta+z");
    await eventually(() => editor(page).innerText(), (it) => assert.doesNotMatch(it, /kind:/));
  }
});

onPage("pages beside the answer speak the language of the reader", { address: `${ADDRESS}#example=experiment-5-partitionable&lang=zh-TW` }, async (page) => {
  await eventually(() => statuses(page), WAITING);
  await page.locator("#status a.pg").click();
  const inside = page.frameLocator("#page iframe");
  await eventually(() => inside.locator("h2").first().textContent(), "意義");
  assert.equal(await inside.locator("html").getAttribute("lang"), "zh-TW");
  assert.equal(await inside.locator("nav").isVisible(), false, "the page stands alone in its sheet");
  await inside.locator("dra-playground iframe").first().scrollIntoViewIfNeeded();
  const example = inside.frameLocator("dra-playground iframe").first();
  await eventually(() => example.locator(".lede").first().textContent(), (it) => assert.match(it, /[\u4e00-\u9fff]/));
  await page.keyboard.press("Escape");
  await menu(page, "gallery").click();
  await page.locator("#gallery-find").fill("可分割");
  await eventually(() => page.locator(".gal li:visible").allInnerTexts(), (it) => assert.match(it.join(), /可分割的裝置/));
  assert.match(await page.locator("#guide-link").first().getAttribute("href"), /guide\/zh-TW\/index\.html$/);
});
