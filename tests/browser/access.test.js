// Access: axe on every panel, menu and page in each theme; narrow and zoomed windows; languages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ADDRESS, editor, eventually, menu, onPage, open, paste, screenshot, statuses } from "./support.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FIVE = "#example=experiment-5-partitionable";
const WAITING = { pod1: "Running", pod2: "Pending" };

/** What axe finds wrong with the page as it stands. */
async function violations(page) {
  // There is none before the first answer.
  await page.locator("h1").first().waitFor({ state: "attached" });
  // What it looks at must not change while it looks.
  await page.locator(".doc[aria-busy=true]").waitFor({ state: "detached" });
  await page.evaluate(AXE);
  const found = await page.evaluate(() => globalThis.axe.run(document));
  return found.violations.map((it) => `${it.id}: ${it.nodes.map((node) => `${node.html} (${node.failureSummary})`).join(" | ")}`);
}

const width = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

onPage("axe finds nothing on either tab of a phone", { viewport: { width: 390, height: 844 }, address: `${ADDRESS}${FIVE}` }, async (page) => {
  for (const pane of ["yaml", "answer"]) {
    await page.locator(`[data-pane=${pane}]`).first().click();
    assert.deepEqual(await violations(page), [], pane);
  }
});

for (const [name, theme, options] of [
  ["light", "light", {}],
  ["dark", "dark", {}],
  ["high contrast", "contrast", {}],
  ["high contrast in the dark", "contrast", { colorScheme: "dark" }],
]) {
  onPage(`axe finds nothing on any menu: ${name}`, { ...options, address: `${ADDRESS}${FIVE}&theme=${theme}` }, async (page) => {
    await eventually(() => statuses(page), WAITING);
    for (const name of ["gallery", "gates", "theme", "export", "share", "insert", "outline"]) {
      await menu(page, name).click();
      await page.locator(".panel").first().waitFor();
      assert.deepEqual(await violations(page), [], name);
      await page.keyboard.press("Escape");
      await eventually(() => page.locator(".panel").count(), 0);
    }
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("?");
    await page.locator(".sheet").waitFor();
    assert.deepEqual(await violations(page), [], "keys");
    await page.keyboard.press("Escape");
    // Every panel that can be opened, open.
    for (const summary of await page.locator(".doc summary").all()) if (await summary.isVisible()) await summary.click();
    assert.deepEqual(await violations(page), [], "details open");
    await screenshot(page, `access-${name}`);
  });

  onPage(`axe finds nothing on search, compare, errors, other scenarios, frame and consent: ${name}`, { ...options, address: `${ADDRESS}${FIVE}&theme=${theme}` }, async (page) => {
    await eventually(() => statuses(page), WAITING);
    await page.locator("#show-search").click();
    await page.locator("#search-now").waitFor();
    await page.locator("#compare-with").selectOption("behavior:fixed");
    await page.locator("#compare-sum").waitFor();
    assert.deepEqual(await violations(page), [], "search and compare");
    // Something is wrong, and what is below is of an older text.
    await editor(page).focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("\n---\napiVersion: v1\nkind: [\n");
    await page.locator("#notice-unreadable").waitFor();
    assert.deepEqual(await violations(page), [], "unreadable");
    for (const example of ["experiment-6-consumable-on", "faulty-pools", "missing-attribute"]) {
      await page.goto("about:blank");
      await open(page, `${ADDRESS}#example=${example}&theme=${theme}`);
      await page.locator("#matrix").waitFor();
      assert.deepEqual(await violations(page), [], example);
    }
    await page.goto(`${ADDRESS}embed.html${FIVE}&theme=${theme}&panels=yaml,pods,answer,sieve,rack`);
    await eventually(() => statuses(page), WAITING);
    assert.deepEqual(await violations(page), [], "embedded");
    await page.goto(`${ADDRESS}index.html#src=https://host.example/x.yaml&theme=${theme}`);
    await page.locator("#consent").waitFor();
    assert.deepEqual(await violations(page), [], "consent");
  });

  onPage(`axe finds nothing on an empty page, a broken link and the pages beside: ${name}`, { ...options, address: `${ADDRESS}#theme=${theme}` }, async (page) => {
    await page.locator("[data-example]").first().waitFor();
    assert.deepEqual(await violations(page), [], "empty");
    await page.goto("about:blank");
    await open(page, `${ADDRESS}#v2.abcdefgh`);
    await page.locator(".toast").waitFor();
    assert.deepEqual(await violations(page), [], "broken link");
    for (const beside of ["guide/learn", "reasons/counters-short", "surprises/index"]) {
      await page.goto(`${ADDRESS}${beside}.html`);
      assert.deepEqual(await violations(page), [], beside);
    }
  });
}

for (const example of ["experiment-4-cel-selectors", "experiment-6-consumable-on", "faulty-pools", "missing-attribute", "match-attribute"]) {
  onPage(`axe finds nothing on ${example}`, { address: `${ADDRESS}#example=${example}&lang=zh-TW` }, async (page) => {
    await eventually(() => page.locator("#answer-of-pod, #claims").count(), (count) => assert.ok(count > 0));
    assert.deepEqual(await violations(page), []);
  });
}

onPage("axe finds nothing on the embedded page, the consent and the guide", { address: null }, async (page) => {
  await page.goto(`${ADDRESS}embed.html${FIVE}&readonly&panels=yaml,pods,answer,sieve,rack`);
  await eventually(() => statuses(page), WAITING);
  assert.deepEqual(await violations(page), [], "embedded");
  await page.goto(`${ADDRESS}index.html#src=https://host.example/x.yaml`);
  await page.locator("#consent").waitFor();
  assert.deepEqual(await violations(page), [], "consent");
  for (const name of ["guide/index", "guide/embedding", "guide/command-line", "diagnostics/pool-incomplete"]) {
    await page.goto(`${ADDRESS}${name}.html`);
    assert.deepEqual(await violations(page), [], name);
  }
});

for (const [name, viewport] of Object.entries({
  "320 pixels wide": { width: 320, height: 640 },
  "a tablet's": { width: 768, height: 1024 },
  "just wide enough for two panes": { width: 901, height: 700 },
  "enlarged to 200 %": { width: 720, height: 450 },
  "enlarged to 400 %": { width: 360, height: 225 },
})) {
  onPage(`nothing is cut off when the window is ${name}`, { viewport, address: `${ADDRESS}${FIVE}&lang=en` }, async (page) => {
    await eventually(() => page.locator("#sieve").count(), 1);
    assert.ok((await width(page)) <= 0, `wider than the window by ${await width(page)} px`);
    for (const name of ["gallery", "share", "export", "theme", "more"]) {
      const button = menu(page, name);
      if ((await button.count()) === 0) continue;
      await button.click();
      const panel = page.locator(".panel").first();
      const box = await panel.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= viewport.width + 1, `${name}: ${JSON.stringify(box)}`);
      await page.keyboard.press("Escape");
      await eventually(() => page.locator(".panel").count(), 0);
    }
    const tops = await page.locator(".bar .brand, .bar .btn:visible, .bar .ctl.sq:visible").evaluateAll((all) => all.filter((it) => it.getClientRects().length > 0).map((it) => it.getBoundingClientRect()).map((it) => it.top + it.height / 2));
    assert.ok(Math.max(...tops) - Math.min(...tops) < 10, `the bar is broken: ${tops}`);
    await page.goto(`${ADDRESS}guide/learn.html`);
    assert.ok((await width(page)) <= 0, "the guide is wider than the window");
    assert.deepEqual(await violations(page), []);
  });
}

onPage("the whole page speaks Traditional Chinese, Kubernetes' words stay", { address: `${ADDRESS}#example=missing-attribute&lang=zh-TW` }, async (page) => {
  await eventually(() => page.locator("#answer-of-pod").count(), 1);
  assert.equal(await page.locator("html").getAttribute("lang"), "zh-TW");
  assert.match(await page.locator("#scheduler-message").innerText(), /no such key: model/);
  // Sentences of ours in English: four plain words in a row that are not code, YAML or Kubernetes'.
  const english = await page.evaluate(() => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const element = node.parentElement;
      if (element.closest("code, pre, .m, .cm-editor, #scheduler-message, .cel, .about, .gal, .title, title, script, .err, #node-verdicts, .tr, .ansr, .status-y, #expectations")) continue;
      if (/\b[a-z]+ [a-z]+ [a-z]+ [a-z]+\b/i.test(node.textContent)) found.push(node.textContent.trim());
    }
    return found;
  });
  assert.deepEqual(english, []);
});

onPage("less motion is respected, and printing shows the answer alone", { reducedMotion: "reduce", address: `${ADDRESS}${FIVE}` }, async (page) => {
  await eventually(() => statuses(page), WAITING);
  const moving = await page.evaluate(() => [...document.querySelectorAll("*")].filter((it) => {
    const style = getComputedStyle(it);
    return style.transitionDuration.split(",").some((time) => parseFloat(time) > 0) && style.transitionProperty !== "none";
  }).length);
  assert.equal(moving, 0);
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator("#sieve").isVisible());
  assert.equal(await page.locator(".bar, .pane-y").first().isVisible(), false);
});

/** Two cards of a node, cut by many counters; `second` cannot have its half beside the whole that `first` has. */
function sliced() {
  const counters = Array.from({ length: 14 }, (_, at) => `execution-unit-${at}`);
  const of = (value, from = 0) => counters.slice(from).map((it) => `${it}: {value: "${value}"}`).join(", ");
  const part = (node, name) => `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: ${node}-${name}}
spec:
  driver: units.example.com
  nodeName: ${node}
  pool: {name: ${node}, generation: 1, resourceSliceCount: 2}
`;
  const slice = (node) => `${part(node, "counters")}  sharedCounters: [{name: unit-0-counters, counters: {${of(1)}, memory: {value: 8Gi}}}]
---
${part(node, "devices")}  devices:
  - {name: unit-0, consumesCounters: [{counterSet: unit-0-counters, counters: {${of(1)}, memory: {value: 8Gi}}}]}
  - {name: unit-0-half, consumesCounters: [{counterSet: unit-0-counters, counters: {${of(1, 7)}, memory: {value: 4Gi}}}]}
---
apiVersion: v1
kind: Node
metadata: {name: ${node}, labels: {kubernetes.io/hostname: ${node}}}
---
`;
  const pod = (name) => `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: ${name}, namespace: default}
spec: {devices: {requests: [{name: unit, exactly: {deviceClassName: units, selectors: [{cel: {expression: device.driver == "units.example.com"}}]}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: default}
spec:
  nodeSelector: {kubernetes.io/hostname: left}
  containers: [{name: c, image: i}]
  resourceClaims: [{name: unit, resourceClaimName: ${name}}]
---
`;
  const unit = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: units}\n---\n";
  return unit + slice("left") + slice("right") + pod("first") + pod("second");
}

for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
  onPage(`an account of many counters stays inside a window of ${viewport.width} px`, { viewport, address: `${ADDRESS}#example=match-attribute` }, async (page) => {
    if (viewport.width < 1000) await page.setViewportSize({ width: 1440, height: 900 });
    await paste(page, sliced());
    await eventually(() => statuses(page), { first: "Running", second: "Pending" });
    await page.setViewportSize(viewport);
    await eventually(() => page.locator("#figure-ledger .led").count(), (count) => assert.ok(count > 0));
    assert.ok((await width(page)) <= 0, `wider than the window by ${await width(page)} px`);
    const beyond = await page.locator("#figure-ledger").evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.ok(beyond <= 0, `the account is cut off by ${beyond} px`);
    // Each pool has its own head, and the card is drawn by the counter that tells its shapes apart.
    const heads = await page.locator("#rack .rack-h").allInnerTexts();
    assert.equal(heads.length, 2);
    for (const [at, name] of ["left", "right"].entries()) assert.match(heads[at], new RegExp(`^${name}[^]*1 card, 2 devices`));
    assert.match(await page.locator("#figure-card figcaption").innerText(), /to scale by memory/);
    for (const id of ["status", "figure-ledger", "rack", "balances"]) assert.doesNotMatch(await page.locator(`#${id}`).innerText(), /step/, id);
  });
}

onPage("a long path of a field breaks and is code", { address: `${ADDRESS}#example=match-attribute` }, async (page) => {
  const text = sliced().replaceAll("exactly: {deviceClassName", "exactly: {capacityRequirementsOfTheDevices: 1, deviceClassName");
  await paste(page, text);
  await eventually(() => page.locator(".lede").first().innerText(), (it) => assert.match(it, /capacityRequirementsOfTheDevices/));
  await page.setViewportSize({ width: 390, height: 844 });
  const lede = page.locator(".lede").first();
  assert.doesNotMatch(await lede.innerText(), /`/);
  const beyond = await lede.evaluate((element) => element.scrollWidth - element.clientWidth);
  assert.ok(beyond <= 0, `cut off by ${beyond} px`);
  assert.ok((await width(page)) <= 0, `wider than the window by ${await width(page)} px`);
});

onPage("what CEL can read keeps room for its values beside a long name", { address: `${ADDRESS}#example=experiment-6-consumable-on` }, async (page) => {
  const cells = page.locator("#selectors .kv td:last-child");
  await eventually(() => cells.count(), (count) => assert.ok(count > 0));
  assert.match(await page.locator("#selectors .kv").innerText(), /device\.allowMultipleAllocations/);
  const narrow = await cells.evaluateAll((all) => all.filter((it) => it.clientWidth < 100).map((it) => it.textContent));
  assert.deepEqual(narrow, []);
});

onPage("an account among the balances stays a table on a phone", { viewport: { width: 390, height: 844 }, address: `${ADDRESS}${FIVE}` }, async (page) => {
  await page.locator("#balances summary").first().click();
  const account = page.locator("#balances .led").first();
  await account.waitFor();
  assert.deepEqual(await account.locator("thead th").allInnerTexts(), ["Entry", "compute", "memory"]);
  const rows = await account.locator("tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => Math.round(cell.getBoundingClientRect().top))));
  for (const tops of rows) assert.equal(new Set(tops).size, 1, `cells of a row below each other: ${rows.join(" | ")}`);
});

onPage("the parts of a card are told apart on the narrowest phone", { viewport: { width: 320, height: 640 }, address: `${ADDRESS}${FIVE}` }, async (page) => {
  const names = page.locator("#rack .cuts:not(.one) .cut:not(.slim) b");
  await eventually(() => names.count(), (count) => assert.ok(count > 1));
  const cut = await names.evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.innerText));
  assert.deepEqual(cut, []);
});

onPage("the states of pools are told in the language of the page", { address: `${ADDRESS}#example=faulty-pools&lang=zh-TW` }, async (page) => {
  const states = page.locator("#pools td[data-l=狀態]");
  await eventually(() => states.count(), 2);
  const [incomplete, invalid] = await states.allInnerTexts();
  assert.match(incomplete, /^不完整/);
  assert.doesNotMatch(incomplete, /of \d slices/);
  assert.match(invalid, /^無效/);
});
