// The page itself: marks in the text, links, keyboard, narrow and dark, access.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ADDRESS, editor, eventually, menu, objectsOf, onPage, open, paste, pods, screenshot, statuses } from "./support.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FIVE = "experiment-5-partitionable";
const WAITING = { pod1: "Running", pod2: "Pending" };

/** What axe finds wrong with the page as it stands. */
async function violations(page) {
  // There is none before the first answer.
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.evaluate(AXE);
  const found = await page.evaluate(() => globalThis.axe.run(document));
  return found.violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.html).join(" | ")}`);
}

onPage("a mistake is marked where it stands, and the answer follows its repair", {}, async (page) => {
  const text = objectsOf(FIVE);
  const broken = text.replace("resourceClaimTemplateName: ", "resourceClaimTemplateNam: ");
  assert.notEqual(broken, text);
  await paste(page, broken);
  await eventually(
    () => page.locator("#diagnostics").innerText(),
    (shown) => assert.match(shown, /resourceClaimTemplateNam/),
  );
  await page.locator("#diagnostics button.line").first().click();
  await eventually(() => page.locator(".cm-content .squiggle").count(), (count) => assert.ok(count > 0, "no mark in the text"));
  await paste(page, text);
  await eventually(() => statuses(page), WAITING);
  assert.equal(await page.locator("#diagnostics .c-fault, #diagnostics [data-severity=error]").count(), 0);
});

onPage("typing one document never hides the others", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("\n---\napiVersion: v1\nkind: [\n");
  await page.locator("#notice-unreadable").waitFor();
  assert.deepEqual(await statuses(page), WAITING);
  // What is not of this text is seen to be so.
  const filters = await page.locator("#pods").evaluate((it) => {
    const found = [];
    for (let some = it; some; some = some.parentElement) if (some.getClientRects().length > 0) found.push(getComputedStyle(some).filter);
    return found;
  });
  assert.ok(filters.includes("grayscale(1)"), filters.join());
});

onPage("a link carries text, step and release to another browser", {}, async (page, context) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  const address = await eventually(
    () => page.url(),
    (url) => assert.ok(new URL(url).hash.length > 200, "the address holds the text"),
  );
  await page.locator("#version").selectOption({ index: 1 });
  const release = await page.locator("#version").inputValue();
  const released = await eventually(() => page.url(), (url) => assert.notEqual(url, address));
  const gate = (some) => some.locator(".gates li", { hasText: "DRAConsumableCapacity" }).locator("input");
  await menu(page, "gates").click();
  const switched = !(await gate(page).isChecked());
  await gate(page).click();
  // The choice shows before the answer, and stays.
  assert.equal(await gate(page).isChecked(), switched);
  const link = await eventually(() => page.url(), (url) => assert.notEqual(url, released));
  assert.ok(link.length < 8_000, `the link has ${link.length} characters`);
  assert.ok(address.startsWith(ADDRESS));
  const other = await context.newPage();
  await open(other, link);
  await eventually(() => statuses(other), WAITING);
  assert.equal(await other.locator("#version").inputValue(), release);
  await menu(other, "gates").click();
  await eventually(() => gate(other).isChecked(), switched);
});

onPage("a broken link says so and the page works", { address: `${ADDRESS}#1.this-is-no-link` }, async (page) => {
  await eventually(() => page.locator("body").innerText(), (text) => assert.match(text, /link/i));
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
});

onPage("text and answer survive a reload", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await page.reload();
  await eventually(() => statuses(page), WAITING);
});

onPage("everything can be reached and done by keyboard", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  // From the text to the answer, to the button, to the deed.
  await page.keyboard.press("F6");
  await eventually(
    () => page.evaluate(() => document.activeElement?.closest(".cm-editor") === null),
    true,
  );
  const wanted = page.getByRole("button", { name: /^Delete .*pod1$/ });
  for (let presses = 0; presses < 200; presses += 1) {
    if (await wanted.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  const outline = await wanted.evaluate((button) => {
    const style = getComputedStyle(button);
    return button === document.activeElement && (style.outlineStyle !== "none" || style.boxShadow !== "none");
  });
  assert.ok(outline, "the button is reached by Tab and its focus is visible");
  await page.keyboard.press("Enter");
  await eventually(() => statuses(page), { pod1: "gone", pod2: "Running" });
  await page.keyboard.press("F6");
  await eventually(
    () => page.evaluate(() => Boolean(document.activeElement?.closest(".cm-editor, textarea"))),
    true,
  );
});

for (const [name, options] of Object.entries({
  "light": { colorScheme: "light" },
  "dark": { colorScheme: "dark" },
  "narrow": { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  "narrow and dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
  "with less motion": { reducedMotion: "reduce" },
})) {
  onPage(`axe finds nothing: ${name}`, options, async (page) => {
    assert.deepEqual(await violations(page), [], "empty page");
    await open(page, ADDRESS);
    await load(page);
    assert.deepEqual(await violations(page), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(wide <= 0, `the page is ${wide} px wider than the window`);
    const scheme = options.colorScheme ?? "light";
    const luminance = await page.evaluate(() => {
      const color = getComputedStyle(document.body).backgroundColor;
      const canvas = document.createElement("canvas").getContext("2d");
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
      return (red + green + blue) / 3;
    });
    if (scheme === "dark") assert.ok(luminance < 80, `background ${luminance}`);
    else assert.ok(luminance > 180, `background ${luminance}`);
    await screenshot(page, `page-${name}`);
  });
}

/** Loads experiment 5 by its link, which works on every width. */
async function load(page) {
  if (await editor(page).isVisible()) {
    await paste(page, objectsOf(FIVE));
  } else {
    await page.locator("[data-pane=yaml]").first().click();
    await paste(page, objectsOf(FIVE));
    await page.locator("[data-pane=answer]").first().click();
  }
  await eventually(() => pods(page), (shown) => assert.equal(Object.keys(shown).length, 2));
}

onPage("every node that would do is named, and that equals are taken at random", {}, async (page) => {
  const node = (name) => `apiVersion: v1
kind: Node
metadata: {name: ${name}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: ${name}}
spec:
  driver: gpu.example.com
  nodeName: ${name}
  pool: {name: ${name}, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
---
`;
  await paste(page, `${node("left")}${node("right")}apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: i, resources: {claims: [{name: g}]}}]
  resourceClaims: [{name: g, resourceClaimName: c}]
`);
  await eventually(() => statuses(page), { p: "Running" });
  const said = page.locator("main").getByText("2 nodes would do, the best first: left, right. kube-scheduler takes any of equals.");
  await said.waitFor();
});
