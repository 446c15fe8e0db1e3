// The page inside other pages: its own frame, the element, options, links to files.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after } from "node:test";
import { deflateSync, inflateSync } from "node:zlib";
import { ADDRESS, editor, eventually, objectsOf, onPage, open, statuses } from "./support.js";

const FIVE = "experiment-5-partitionable";
const WAITING = { pod1: "Running", pod2: "Pending" };
const linkOf = (scenario) => `v2.${deflateSync(Buffer.from(JSON.stringify(scenario))).toString("base64url")}`;
const link = linkOf({ t: objectsOf(FIVE) });

/** Pages of another origin, by path: their text, or their parts with milliseconds to wait between them. */
const pages = new Map();
const host = createServer((request, response) => {
  const page = pages.get(new URL(request.url, "http://host").pathname);
  response.statusCode = page === undefined ? 404 : 200;
  response.setHeader("content-type", "text/html");
  response.setHeader("access-control-allow-origin", "*");
  const [first = "", wait = 0, rest = ""] = [page ?? ""].flat();
  response.write(first);
  setTimeout(() => response.end(rest), wait);
});
await new Promise((done) => host.listen(0, "127.0.0.1", done));
const HOST = `http://127.0.0.1:${host.address().port}`;
after(() => {
  host.closeAllConnections();
  host.close();
});
const head = `<!doctype html><meta charset="utf-8"><title>host</title><link rel="icon" href="data:,">`;
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const frameOf = (page) => page.frames().find((it) => it.url().startsWith(`${ADDRESS}embed.html`));

onPage("an embedded page shows what its options say and leaves its address alone", { address: null, tolerate: [HOST] }, async (page) => {
  const address = `${ADDRESS}embed.html#${link}&panels=pods,answer,sieve&readonly&theme=dark&lang=zh-TW`;
  pages.set("/frame", `${head}<script>addEventListener("message", (it) => (globalThis.told ??= []).push(it.data))</script>
    <iframe title="x" src="${address}" width="900" height="700"></iframe>`);
  await page.goto(`${HOST}/frame`);
  const frame = await eventually(() => frameOf(page), (it) => assert.ok(it, "no frame"));
  await eventually(() => statuses(frame), WAITING);
  assert.equal(await frame.locator(".cm-editor, textarea").count(), 0, "the text was not asked for");
  assert.equal(await frame.locator("#sieve").count(), 1);
  assert.equal(await frame.locator("#rack, #inventory, #claims").count(), 0);
  assert.equal(await frame.locator("html").getAttribute("data-theme"), "dark");
  assert.equal(await frame.locator("html").getAttribute("lang"), "zh-TW");
  assert.equal(await frame.locator(".bar [data-menu]").count(), 0, "no menus");
  const told = await eventually(() => page.evaluate(() => globalThis.told ?? []), (it) => assert.ok(it.length > 0));
  assert.ok(told.every((it) => it.type === "dra-playground" && it.height > 0), JSON.stringify(told));
  await new Promise((done) => setTimeout(done, 1_200));
  assert.equal(frame.url(), address, "the address was rewritten");
  const kept = await frame.evaluate(() => { try { return localStorage.length; } catch { return 0; } });
  assert.equal(kept, 0, "an embedded page keeps nothing");
  const whole = await frame.locator("#open-whole").getAttribute("href");
  assert.ok(whole.startsWith(`${ADDRESS}index.html#v2.`), whole);
});

onPage("a read-only embedded text cannot be changed, one that is not can", { address: null }, async (page) => {
  await page.goto(`${ADDRESS}embed.html#${link}&readonly&panels=yaml,pods,answer`);
  await eventually(() => statuses(page), WAITING);
  await editor(page).waitFor();
  await editor(page).focus();
  const before = await editor(page).innerText();
  await page.keyboard.type("zzz");
  assert.equal(await editor(page).innerText(), before);
  await page.goto("about:blank");
  await page.goto(`${ADDRESS}embed.html#${link}`);
  await editor(page).waitFor();
  await editor(page).focus();
  await page.keyboard.type("# zzz\n");
  await eventually(() => editor(page).innerText(), (text) => assert.match(text, /zzz/));
});

onPage("an embedded page steps, and is as high as what it shows", { address: null, tolerate: [HOST] }, async (page) => {
  pages.set("/auto", `${head}<script>addEventListener("message", (it) => { document.querySelector("iframe").style.height = it.data.height + "px"; })</script>
    <iframe title="x" src="${ADDRESS}embed.html#example=${FIVE}&height=auto&panels=pods,answer" width="800" height="100"></iframe>`);
  await page.goto(`${HOST}/auto`);
  const frame = await eventually(() => frameOf(page), (it) => assert.ok(it));
  await eventually(() => statuses(frame), WAITING);
  await eventually(
    () => frame.evaluate(() => [document.documentElement.scrollHeight, innerHeight]),
    ([content, window]) => assert.ok(window > 250 && content <= window + 1, `${content} in ${window}`),
  );
  await frame.getByRole("button", { name: "Step forward" }).or(frame.locator(".bar .ctls button").last()).first().click();
  await eventually(() => statuses(frame), { pod1: "gone", pod2: "Running" });
});

onPage("the element takes its scenario from the page around it, and only when it is near", { address: null, tolerate: [HOST], viewport: { width: 1000, height: 700 } }, async (page) => {
  const text = escaped(objectsOf(FIVE));
  pages.set("/element", `${head}<script async src="${ADDRESS}dra-playground.js"></script>
    <p>above</p><div style="height:3000px"></div>
    <dra-playground panels="pods,answer" readonly><pre>\n${text}</pre></dra-playground>`);
  await page.goto(`${HOST}/element`);
  await page.waitForFunction(() => customElements.get("dra-playground"));
  await new Promise((done) => setTimeout(done, 500));
  assert.equal(await page.locator("iframe").count(), 0, "it was loaded although nobody sees it");
  assert.ok(await page.locator("pre").isVisible());
  await page.locator("dra-playground").scrollIntoViewIfNeeded();
  const frame = await eventually(() => frameOf(page), (it) => assert.ok(it));
  await eventually(() => statuses(frame), WAITING);
  await eventually(() => page.locator("pre").isVisible(), false);
  assert.ok(await page.locator("iframe").isVisible());
  assert.equal(new URL(page.url()).hash, "", "the address of the page around it changed");
});

const script = `<script async src="${ADDRESS}dra-playground.js"></script>`;
/** The text that a frame was made with. */
const textIn = (frame) => JSON.parse(inflateSync(Buffer.from(/v2\.([\w-]+)/.exec(frame.url())[1], "base64url"))).t;

onPage("the element reads the text as generators of sites write it, and leaves their tree alone", { address: null, tolerate: [HOST] }, async (page) => {
  const text = objectsOf(FIVE).trim();
  const lines = text.split("\n").map((line) => `<div><span>${escaped(line)}</span><br></div>`).join("");
  // Rules of a theme, a highlighter's lines and its button.
  const element = `<dra-playground panels="pods,answer"><div class="code"><pre><code>${lines}</code></pre><button>Copy</button></div></dra-playground>`;
  pages.set("/site", `${head}<style>pre { display: block !important } iframe { display: none }</style>${script}${element}`);
  await page.goto(`${HOST}/site`);
  const frame = await eventually(() => frameOf(page), (it) => assert.ok(it));
  await eventually(() => statuses(frame), WAITING);
  assert.equal(textIn(frame), `${text}\n`);
  await eventually(() => page.locator("pre").isVisible(), false);
  assert.equal(await page.getByText("Copy").isVisible(), false);
  assert.ok(await page.locator("iframe").isVisible());
  // A framework that takes the page over compares what it finds with what it would have written.
  assert.equal(await page.locator("dra-playground").evaluate((element) => element.outerHTML), element);
});

onPage("an element whose text comes late, or that comes and goes, shows its text", { address: null, tolerate: [HOST] }, async (page) => {
  const text = escaped(objectsOf(FIVE));
  const at = text.length / 2;
  pages.set("/late", [`${head}${script}<p>above</p><dra-playground panels="pods,answer"><pre>${text.slice(0, at)}`, 2_000, `${text.slice(at)}</pre></dra-playground>`]);
  await page.goto(`${HOST}/late`);
  const frame = await eventually(() => frameOf(page), (it) => assert.ok(it));
  assert.equal(textIn(frame), objectsOf(FIVE));
  await eventually(() => statuses(frame), WAITING);
  // A site that goes from page to page without loading them anew.
  await page.evaluate(() => {
    globalThis.away = document.querySelector("dra-playground");
    globalThis.away.remove();
  });
  await eventually(() => page.frames().length, 1);
  await page.evaluate(() => document.body.append(globalThis.away, globalThis.away.cloneNode(true)));
  for (const frame of await eventually(() => page.frames().slice(1), (all) => assert.equal(all.length, 2))) await eventually(() => statuses(frame), WAITING);
  await eventually(() => page.locator("pre:visible").count(), 0);
});

onPage("without scripts the element stays its text", { address: null, javaScriptEnabled: false, tolerate: [HOST] }, async (page) => {
  pages.set("/plain", `${head}<script async src="${ADDRESS}dra-playground.js"></script><dra-playground><pre>kind: Pod</pre></dra-playground>`);
  await page.goto(`${HOST}/plain`);
  assert.equal(await page.locator("pre").innerText(), "kind: Pod");
  assert.ok(await page.locator("pre").isVisible());
});

onPage("a link to a file asks first, and loads only from where it may", { address: null, tolerate: [] }, async (page) => {
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  // The playground's own site may be loaded from without https.
  const file = `${ADDRESS}guide/learn.html`;
  await page.goto(`${ADDRESS}#src=${encodeURIComponent(file)}`);
  await page.locator("#consent").waitFor();
  assert.ok((await page.locator("#consent").innerText()).includes(file));
  await new Promise((done) => setTimeout(done, 800));
  assert.ok(!asked.includes(file), "it was asked for before the reader agreed");
  assert.ok(page.url().includes("#src="), "the address was rewritten");
  await page.locator("#consent-no").click();
  await eventually(() => page.locator("#consent").count(), 0);
  assert.ok(!asked.includes(file));
  for (const address of ["http://127.0.0.1:9/x.yaml", "javascript:alert(1)", "data:text/plain,x", "file:///etc/passwd", "https://user:secret@host.example/x"]) {
    await page.goto("about:blank");
    await page.goto(`${ADDRESS}#src=${encodeURIComponent(address)}`);
    await page.locator("#consent").waitFor();
    assert.equal(await page.locator("#consent-yes").count(), 0, `${address} may be loaded`);
  }
  await page.goto("about:blank");
  await page.goto(`${ADDRESS}#src=${encodeURIComponent(file)}`);
  await page.locator("#consent-yes").click();
  await eventually(() => page.locator("#consent").count(), 0);
  assert.ok(asked.includes(file), "it was not loaded");
  await eventually(() => editor(page).innerText(), (text) => assert.match(text, /doctype html/));
});

onPage("strangers' messages change nothing", { address: null, tolerate: [HOST] }, async (page) => {
  pages.set("/stranger", `${head}<iframe title="x" src="${ADDRESS}embed.html#${link}&panels=pods,answer" width="900" height="700"></iframe>`);
  await page.goto(`${HOST}/stranger`);
  const frame = await eventually(() => frameOf(page), (it) => assert.ok(it));
  await eventually(() => statuses(frame), WAITING);
  await page.evaluate(() => {
    const target = document.querySelector("iframe").contentWindow;
    for (const message of ["{}", { type: "dra-playground", text: "kind: Pod" }, '{"Analyze":{"id":99,"text":"","options":{}}}']) target.postMessage(message, "*");
  });
  await new Promise((done) => setTimeout(done, 500));
  assert.deepEqual(await statuses(frame), WAITING);
});

onPage("the guide's examples are live", { address: null }, async (page) => {
  await page.goto(`${ADDRESS}guide/learn.html`);
  assert.equal(await page.locator("dra-playground").count(), 10);
  const first = page.locator("dra-playground").first();
  await first.scrollIntoViewIfNeeded();
  // Its neighbours load too once they come near: the frame has to be its own.
  const own = await first.locator("iframe").elementHandle();
  const frame = await eventually(() => own.contentFrame(), (it) => assert.ok(it));
  await eventually(() => statuses(frame), { app: "Running" });
  await page.locator("nav a", { hasText: "Pending" }).click();
  await eventually(() => page.locator("h1").innerText(), "A Pending Pod");
});

onPage("a frame of any width cuts no control off", { address: null }, async (page) => {
  for (const language of ["en", "zh-TW"]) {
    await page.goto("about:blank");
    await page.goto(`${ADDRESS}embed.html#example=${FIVE}&lang=${language}`);
    await page.locator(".lede").waitFor();
    await editor(page).waitFor({ state: "attached" });
    for (let width = 280; width <= 800; width += 40) {
      await page.setViewportSize({ width, height: 560 });
      const text = page.locator("[data-pane=yaml]");
      if (await text.isVisible()) await text.click();
      const hidden = await page.evaluate(() => {
        const controls = [...document.querySelectorAll(".bar button, .ed-head button, .e-foot a")].filter((it) => it.getClientRects().length > 0);
        const covered = (it) => {
          const { left, right, top, height } = it.getBoundingClientRect();
          return [left + 2, right - 2].some((x) => !it.contains(document.elementFromPoint(x, top + height / 2)));
        };
        return controls.filter(covered).map((it) => it.textContent || it.ariaLabel);
      });
      assert.deepEqual(hidden, [], `${width} px, ${language}`);
    }
  }
});

onPage("the sieve of a narrow frame stays inside it", { address: null }, async (page) => {
  await page.setViewportSize({ width: 300, height: 600 });
  await page.goto(`${ADDRESS}embed.html#example=experiment-6-consumable-on&panels=answer,sieve`);
  await page.locator("#sieve .sv").first().waitFor();
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `${content} in ${window}`);
  const beyond = await page.locator("#sieve .sv > *").evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth + 1 && !it.matches(".strands-c")).map((it) => it.innerText));
  assert.deepEqual(beyond, []);
});
