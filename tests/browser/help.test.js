// What helps in the editor, and what is the same thing in the text, the sentence and the picture.
import assert from "node:assert/strict";
import { ADDRESS, editor, eventually, menu, objectsOf, onPage, open, paste, statuses } from "./support.js";

const FIVE = "experiment-5-partitionable";
const WAITING = { pod1: "Running", pod2: "Pending" };
const options = (page) => page.locator(".cm-tooltip-autocomplete li");
const named = (all) => all.map((it) => it.split(/\s/)[0]);

/** The line of the text that shows these words, brought into view. */
async function line(page, words) {
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+f");
  // The field reads its keys, not what is put into it.
  await page.locator(".cm-search input[name=search]").selectText();
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  return page.locator(".cm-line", { hasText: words }).first();
}

/** What the editor says of a word when the pointer rests on it. */
async function explained(page, line, word, expected) {
  // A tooltip needs a pointer that has moved: it is moved until there is one.
  await eventually(async () => {
    await page.mouse.move(900, 5);
    const at = await line.evaluate((it, word) => {
      const walk = document.createTreeWalker(it, NodeFilter.SHOW_TEXT);
      let found;
      for (let node = walk.nextNode(); node; node = walk.nextNode()) if (node.textContent.includes(word)) found = node;
      const range = document.createRange();
      const from = found.textContent.lastIndexOf(word);
      range.setStart(found, from);
      range.setEnd(found, from + word.length);
      const { left, top, width, height } = range.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    }, word);
    await page.mouse.move(...at, { steps: 3 });
    await page.locator(".meaning").first().waitFor({ timeout: 2_000 }).catch(() => {});
    return (await page.locator(".meaning").allInnerTexts()).join(" ");
  }, (said) => assert.match(said, expected));
}

onPage("a name in the sentence lights its lines and its figure, and a line its sentence", { address: `${ADDRESS}#example=${FIVE}&step=0` }, async (page) => {
  await eventually(() => statuses(page), WAITING);
  const lit = () => page.locator(".cm-line.cm-lit").allInnerTexts();
  await page.locator(".lede .ref", { hasText: "gpu-7-full" }).click();
  await eventually(lit, (lines) => assert.match(lines.join("\n"), /name: gpu-7-full/));
  await eventually(() => page.locator(".fig.on figcaption").innerText(), (said) => assert.match(said, /Card gpu-7/));
  assert.equal(await page.locator(".lede .ref.on").innerText(), "gpu-7-fullC");
  // From the letter at the line to sentence and account.
  await page.locator(".cm-refs .key", { hasText: "A" }).first().click();
  await eventually(() => page.locator(".lede .ref.on").innerText(), "gpu-7-countersA");
  await eventually(() => page.locator(".fig.on figcaption").first().innerText(), (said) => assert.match(said, /gpu-7-counters/));
  await eventually(lit, (lines) => assert.match(lines.join("\n"), /name: gpu-7-counters/));
  // From the picture to the line.
  await page.locator("#rack .cut", { hasText: "…partition-1" }).click();
  await eventually(lit, (lines) => assert.match(lines.join("\n"), /name: gpu-7-partition-1/));
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Escape");
  await page.mouse.move(700, 5);
  // What the cursor stands in is lit when nothing else is.
  await (await line(page, ".partition)")).click();
  await eventually(() => page.locator("#selectors .sel-block.on").count(), (count) => assert.ok(count > 0));
});

onPage("a fix is applied at the mark and by key, and undone", {}, async (page) => {
  const text = objectsOf(FIVE);
  const broken = text.replace("resourceClaimTemplateName: gpu7-full", "resourceClaimTemplateNam: gpu7-full");
  await paste(page, broken);
  const lens = page.locator(".lens", { hasText: "resourceClaimTemplateNam" });
  await (await line(page, "resourceClaimTemplateNam:")).waitFor();
  await page.locator(".gmark.error, .gmark.warning").first().waitFor();
  await lens.locator(".fix button").first().click();
  await eventually(() => statuses(page), WAITING);
  await eventually(() => lens.count(), 0);
  await page.keyboard.press("ControlOrMeta+z");
  await lens.waitFor();
  await (await line(page, "resourceClaimTemplateNam:")).click();
  await page.keyboard.press("ControlOrMeta+.");
  await eventually(() => lens.count(), 0);
  await eventually(() => statuses(page), WAITING);
  // A fix of the answer, and one beside the diagnostic, are edits of the same text.
  await page.keyboard.press("ControlOrMeta+z");
  await lens.waitFor();
  await page.locator("#diagnostics .find-i", { hasText: "resourceClaimTemplateNam" }).locator(".fix button").first().click();
  await eventually(() => statuses(page), WAITING);
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+z");
  await lens.waitFor();
});

onPage("YAML and the CEL inside it are colored", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  const selector = await line(page, "has(device.attributes");
  await eventually(() => selector.locator(".cel-fn").allInnerTexts(), ["has"]);
  await eventually(() => selector.locator(".cel-str").allInnerTexts(), (all) => assert.match(all.join(""), /"gpu\.example\.com"/));
  const colors = await page.locator(".cm-line", { hasText: "kind: " }).last().evaluate((it) => [...new Set([it, ...it.querySelectorAll("span")].map((part) => getComputedStyle(part).color))]);
  assert.ok(colors.length > 1, `${colors}`);
});

onPage("values and names of the scenario are offered where they fit", {}, async (page) => {
  const asks = async (tail, expected) => {
    await paste(page, `${objectsOf(FIVE)}---\n${tail}`);
    await eventually(() => statuses(page), (found) => assert.ok("pod2" in found));
    await editor(page).focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.press("Control+Space");
    await eventually(() => options(page).allInnerTexts(), (all) => {
      for (const name of expected) assert.ok(named(all).includes(name), `${name} in ${named(all)}`);
    });
    await page.keyboard.press("Escape");
  };
  const claim = "kind: ResourceClaim\napiVersion: resource.k8s.io/v1\nspec:\n  devices:\n    requests:\n    - name: x\n      exactly:\n        deviceClassName: gpu.example.com\n";
  await asks(`${claim}        allocationMode: `, ["ExactCount", "All"]);
  await asks(`${claim}        tolerations:\n        - key: a\n          effect: `, ["NoSchedule", "NoExecute"]);
  const pod = "kind: Pod\napiVersion: v1\nmetadata: {name: x, namespace: gpu-test5}\nspec:\n  resourceClaims:\n  - name: x\n    ";
  await asks(`${pod}resourceClaimTemplateName: `, ["gpu7-full", "gpu7-partition"]);
  await asks(`kind: ResourceSlice\napiVersion: resource.k8s.io/v1\nspec:\n  driver: `, ["gpu.example.com"]);
});

onPage("attributes, counters and fields are explained where they stand", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await explained(page, await line(page, "counterSet: gpu-7-counters"), "gpu-7-counters", /left/);
  await explained(page, await line(page, ".index == 7 &&"), "index", /0.*7|24/);
});

onPage("the text is searched, and its objects are reached from the outline", {}, async (page) => {
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  assert.match(await (await line(page, "namespace: gpu-test5")).innerText(), /gpu-test5/);
  await menu(page, "outline").click();
  await page.locator(".outline:visible button", { hasText: "pod2" }).last().click();
  await eventually(() => page.locator(".cm-line", { hasText: "name: pod2" }).count(), (count) => assert.ok(count > 0));
});

onPage("a text that keeps the worker busy is said to, and can be stopped", { address: null }, async (page) => {
  await page.route("**/worker.js", async (route) => {
    const script = await (await route.fetch()).text();
    const busy = `self.addEventListener("message", ({ data }) => {
      const said = data instanceof Uint8Array ? new TextDecoder().decode(data) : String(data);
      if (said.includes("busy-here")) for (;;) ;
    });\n`;
    await route.fulfill({ contentType: "text/javascript", body: busy + script });
  });
  await open(page, ADDRESS);
  await paste(page, objectsOf(FIVE));
  await eventually(() => statuses(page), WAITING);
  await paste(page, `${objectsOf(FIVE)}# busy-here\n`);
  const notice = page.locator("#notice-running");
  await notice.waitFor();
  assert.deepEqual(await statuses(page), WAITING, "the answer before stays");
  await notice.locator("button").click();
  await eventually(() => notice.count(), 0);
  await paste(page, objectsOf(FIVE).replaceAll(/name: pod(?=\d$)/gm, "name: later"));
  await eventually(() => statuses(page), { later1: "Running", later2: "Pending" });
});

onPage("everything is done by touch on a phone", { address: `${ADDRESS}#example=${FIVE}&step=0`, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, async (page) => {
  await eventually(() => statuses(page), WAITING);
  await page.locator(".lede .ref", { hasText: "gpu-7-full" }).tap();
  await eventually(() => page.locator(".lede .ref.on").innerText(), "gpu-7-fullC");
  await page.locator("[data-pane=yaml]").first().tap();
  await eventually(() => page.locator(".cm-line.cm-lit").allInnerTexts(), (lines) => assert.match(lines.join("\n"), /name: gpu-7-full/));
  await page.locator("[data-pane=answer]").first().tap();
  await page.locator("#what-ifs .go").first().tap();
  await eventually(() => statuses(page), { pod1: "gone", pod2: "Running" });
  for (const name of ["more", "export", "share"]) {
    await menu(page, name).tap();
    await page.locator(".panel").first().waitFor();
    await page.locator(".backdrop").tap({ position: { x: 4, y: 840 } });
    await eventually(() => page.locator(".panel").count(), 0);
  }
  // Fingers are wider than pointers.
  const small = await page.evaluate(() => [...document.querySelectorAll(".bar button, .tabs button, .time button, .docket button, .whatif button, .chips button")]
    .map((it) => [it.textContent || it.ariaLabel, it.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24)).map(([name]) => name));
  assert.deepEqual(small, []);
});
