// Where the page is put: below a path, in a frame of another origin.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after } from "node:test";
import { ADDRESS, SUB_PATH_ADDRESS, eventually, objectsOf, onPage, paste, statuses } from "./support.js";

const WAITING = { pod1: "Running", pod2: "Pending" };

onPage("works below a path", { address: SUB_PATH_ADDRESS }, async (page) => {
  await paste(page, objectsOf("experiment-5-partitionable"));
  await eventually(() => statuses(page), WAITING);
  await eventually(() => page.url(), (url) => assert.ok(url.startsWith(`${SUB_PATH_ADDRESS}#`), url));
});

onPage("loads nothing but its own few files, each once", { address: null }, async (page) => {
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(ADDRESS);
  await page.locator("#boot").waitFor({ state: "detached" });
  await paste(page, objectsOf("experiment-5-partitionable"));
  await eventually(() => statuses(page), WAITING);
  const strangers = asked.filter((url) => !url.startsWith(ADDRESS) && !url.startsWith("data:"));
  assert.deepEqual(strangers, []);
  const modules = asked.filter((url) => url.endsWith(".wasm"));
  assert.equal(modules.length, 1, `module loaded ${modules.length} times`);
});

// Another host name and port: to the browser a stranger.
const host = createServer((_, response) => {
  response.setHeader("content-type", "text/html");
  response.end(
    `<!doctype html><title>host</title><link rel="icon" href="data:,">
     <iframe title="playground" src="${ADDRESS}" width="1200" height="900"></iframe>`,
  );
});
await new Promise((done) => host.listen(0, "127.0.0.1", done));
const hostAddress = `http://127.0.0.1:${host.address().port}`;
after(() => {
  host.closeAllConnections();
  host.close();
});

onPage("works in a frame of another origin", { address: null, tolerate: [hostAddress] }, async (page) => {
  await page.goto(hostAddress);
  await page.frameLocator("iframe").locator(".cm-content").waitFor();
  const frame = page.frames().find((it) => it.url().startsWith(ADDRESS));
  assert.ok(frame, "the frame holds the page");
  await paste(frame, objectsOf("experiment-5-partitionable"), page.keyboard);
  await eventually(() => statuses(frame), WAITING);
});
