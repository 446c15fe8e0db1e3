// Times the allocator as WebAssembly in headless Chromium: prints nanoseconds by shape as JSON.
// Started by `cargo xtask bench`: node bench.js FOLDER RELEASE, with the bindings in FOLDER.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [folder, release] = process.argv.slice(2);
// No address of the network: the files are handed over by the test.
const ORIGIN = "http://bench.invalid";
const TYPES = { js: "text/javascript", wasm: "application/wasm" };

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();
await page.route(`${ORIGIN}/**`, (route) => {
  const name = new URL(route.request().url()).pathname.slice(1);
  if (name === "") return route.fulfill({ contentType: "text/html", body: "<!doctype html>" });
  return route.fulfill({
    contentType: TYPES[name.split(".").pop()],
    body: readFileSync(join(folder, name)),
  });
});
await page.goto(`${ORIGIN}/`);
const times = await page.evaluate(async (release) => {
  const { default: init, shape } = await import("/app.js");
  await init();
  /** Median nanoseconds of one call, over batches that the clock can measure well. */
  const measure = (call) => {
    const timed = (size) => {
      const start = performance.now();
      for (let at = 0; at < size; at += 1) call();
      return performance.now() - start;
    };
    let size = 1;
    // A machine with other work can make one batch look long.
    while (Math.min(timed(size), timed(size), timed(size)) < 20) size *= 2;
    const batches = Array.from({ length: 15 }, () => (timed(size) * 1e6) / size);
    return batches.sort((a, b) => a - b)[7];
  };
  const found = {};
  for (let at = 0; ; at += 1) {
    const one = shape(at, release);
    if (!one) return found;
    found[one.name()] = measure(() => one.attempt());
  }
}, release);
await browser.close();
console.log(JSON.stringify(times));
