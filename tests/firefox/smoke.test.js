// The page in Firefox: it loads, answers, is typed into, shared, dressed, translated and embedded.
import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { By, Key } from "selenium-webdriver";
import { ADDRESS, SUB_PATH_ADDRESS, count, eventually, find, forgive, inPage, onFirefox, open, statuses } from "./support.js";

const FIVE = "#example=experiment-5-partitionable";
const WAITING = { pod1: "Running", pod2: "Pending" };
/** The scenario that a link carries; nothing for another address. */
const textOf = (url) => {
  const [, packed] = /#v2\.([\w-]+)/.exec(url) ?? [];
  return packed ? inflateSync(Buffer.from(packed, "base64url")).toString() : "";
};
const GONE = { pod1: "gone", pod2: "Running" };

onFirefox("experiment 5 gives its answer below a path", `${SUB_PATH_ADDRESS}${FIVE}`, async (driver) => {
  await eventually(statuses, WAITING);
  const answer = await find("#scheduler-message p");
  assert.match(await answer.getText(), /^0\/1 nodes are available: 1 cannot allocate all claims\./);
  await driver.findElement(By.xpath("//button[starts-with(@aria-label, 'Delete ') and contains(@aria-label, 'pod1')]")).click();
  await eventually(statuses, GONE);
  await eventually(
    () => inPage(() => document.querySelector('#balances [data-ledger="gpu-7-counters"]').closest("li, tr").textContent),
    (text) => assert.match(text, /40Gi/),
  );
});

onFirefox("what is typed changes the answer, and a reload keeps it", `${ADDRESS}${FIVE}`, async (driver) => {
  await eventually(statuses, WAITING);
  const editor = await find(".cm-content");
  await editor.click();
  await editor.sendKeys(Key.chord(Key.CONTROL, Key.END));
  await editor.sendKeys("\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: typed}\nspec: {containers: [{name: c, image: c}]}\n");
  await eventually(statuses, { ...WAITING, typed: "Running" });
  // Broken half way, the rest stays answered.
  await editor.sendKeys("---\nkind: [\n");
  await find("#notice-unreadable");
  assert.deepEqual(await statuses(), { ...WAITING, typed: "Running" });
  await driver.navigate().refresh();
  await eventually(statuses, { ...WAITING, typed: "Running" });
});

onFirefox("a shared link carries the text", `${ADDRESS}${FIVE}`, async (driver) => {
  await eventually(statuses, WAITING);
  const editor = await find(".cm-content");
  await editor.click();
  // What follows a chord in one call is lost.
  await editor.sendKeys(Key.chord(Key.CONTROL, Key.END));
  await editor.sendKeys("\n# shared from Firefox");
  // The address follows while the keys still come.
  const link = await eventually(
    () => driver.getCurrentUrl(),
    (url) => assert.match(textOf(url), /shared from Firefox/),
  );
  await open("about:blank");
  await open(link);
  await eventually(statuses, WAITING);
  await (await find(".cm-content")).sendKeys(Key.chord(Key.CONTROL, Key.END));
  await eventually(() => inPage(() => document.querySelector(".cm-content").textContent), (text) => assert.match(text, /shared from Firefox/));
});

onFirefox("dark theme and Traditional Chinese", `${ADDRESS}${FIVE}&theme=dark&lang=zh-TW`, async () => {
  await eventually(() => inPage(() => document.documentElement.lang), "zh-TW");
  await eventually(() => inPage(() => document.body.innerText), (text) => assert.match(text, /裝置/));
  const ground = () => inPage(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number));
  const dark = await ground();
  assert.ok(Math.max(...dark) < 80, `${dark} is not dark`);
  await open("about:blank");
  await open(`${ADDRESS}${FIVE}&theme=light&lang=en`);
  await eventually(statuses, WAITING);
  const light = await ground();
  assert.ok(Math.min(...light) > 200, `${light} is not light`);
});

onFirefox("the embedded page shows what its options say", `${ADDRESS}embed.html${FIVE}&panels=pods,answer&readonly`, async () => {
  await eventually(statuses, WAITING);
  assert.equal(await count(".cm-editor, textarea, #rack, #inventory"), 0);
});

onFirefox("an example of the guide is live", `${ADDRESS}guide/learn.html`, async (driver) => {
  const element = await find("dra-playground");
  await driver.executeScript((it) => it.scrollIntoView(), element);
  // The frame is in the element's shadow tree, once the element comes near the window.
  const frame = await driver.wait(() => driver.executeScript((it) => it.shadowRoot?.querySelector("iframe"), element));
  await driver.switchTo().frame(frame);
  await eventually(() => count("#pods tbody tr"), (rows) => assert.ok(rows > 0, "the frame is empty"));
});

onFirefox("these tests hear errors, broken policies and requests to strangers", ADDRESS, async () => {
  await inPage(() => {
    console.error("an error on purpose");
    document.body.append(Object.assign(document.createElement("script"), { textContent: "globalThis.ran = true" }));
    fetch("https://127.0.0.1:4443/stranger").catch(() => {});
  });
  let heard = "";
  await eventually(() => (heard += forgive().join("\n")), (text) => {
    for (const sign of [/an error on purpose/, /Content-Security-Policy: .*script-src/, /another origin: https:..127.0.0.1:4443/, /Cross-Origin Request Blocked/]) {
      assert.match(text, sign);
    }
  });
  assert.equal(await inPage(() => globalThis.ran ?? null), null);
});
