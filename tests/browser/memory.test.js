// What a long session leaves behind: nothing.
import assert from "node:assert/strict";
import { editor, eventually, examples, menu, objectsOf, onPage, paste, statuses } from "./support.js";

const MB = 1 << 20;

/** What lives on after a collection: bytes of scripts' objects, and nodes of the document. */
async function remaining(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  // What finalizers let go is collected by the second round.
  for (let round = 0; round < 2; round += 1) await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  const { nodes } = await session.send("Memory.getDOMCounters");
  await session.detach();
  return { heap: metrics.find((it) => it.name === "JSHeapUsedSize").value, nodes };
}

async function edit(page, times) {
  await paste(page, objectsOf("experiment-5-partitionable"));
  await page.keyboard.press("ControlOrMeta+End");
  for (let at = 0; at < times; at += 1) {
    await page.keyboard.type(at % 2 === 0 ? "#" : "x");
    if (at % 40 === 39) {
      await page.keyboard.press("Enter");
      await eventually(() => statuses(page), { pod1: "Running", pod2: "Pending" });
    }
  }
}

async function walk(page, times) {
  const names = examples().filter((name) => !name.startsWith("faulty"));
  for (let at = 0; at < times; at += 1) {
    await menu(page, "gallery").click();
    await page.locator(`[data-example=${names[at % names.length]}]`).first().click();
    await editor(page).waitFor();
  }
}

onPage("a thousand edits and two hundred scenarios leave the memory where it was", { timeout: 600_000 }, async (page) => {
  // What is made once, e.g. the pictures of the gallery, is there before it counts.
  await edit(page, 80);
  await walk(page, examples().length);
  await edit(page, 80);
  const before = await remaining(page);
  await edit(page, 1000);
  await walk(page, 200);
  await edit(page, 80);
  const after = await remaining(page);
  const grown = after.heap - before.heap;
  assert.ok(grown < 4 * MB, `the heap grew from ${before.heap} to ${after.heap} bytes`);
  assert.ok(after.nodes < before.nodes * 1.5, `${before.nodes} nodes became ${after.nodes}`);
});
