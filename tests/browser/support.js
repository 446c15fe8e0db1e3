// What the tests share: a browser, a page that is watched, and how to read what it shows.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

/** Address of the built page. */
export const ADDRESS = required("DRA_PLAYGROUND_URL");
/** Address of the same page below a path. */
export const SUB_PATH_ADDRESS = required("DRA_PLAYGROUND_SUB_PATH_URL");
/** The command-line program built from the same sources. */
export const PROGRAM = required("DRA_PLAYGROUND_PROGRAM");
const EXAMPLES = required("DRA_PLAYGROUND_EXAMPLES");
const ARTIFACTS = required("DRA_PLAYGROUND_ARTIFACTS");

/** Longest wait for anything, in milliseconds. */
export const PATIENCE = 30_000;

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start these tests with \`cargo xtask browser\``);
  return value;
}

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: required("CHROMIUM"), args: ARGUMENTS });
  mkdirSync(ARTIFACTS, { recursive: true });
});
after(async () => {
  await browser?.close();
});

/** Text of an example of the gallery. */
export function example(name) {
  return readFileSync(join(EXAMPLES, `${name}.yaml`), "utf8");
}

/** Names of all examples of the gallery. */
export function examples() {
  const files = readdirSync(EXAMPLES).filter((file) => file.endsWith(".yaml"));
  return files.map((file) => file.slice(0, -".yaml".length)).sort();
}

/** Path of an example of the gallery. */
export function examplePath(name) {
  return join(EXAMPLES, `${name}.yaml`);
}

/** The Kubernetes objects of an example, without the Scenario document on top. */
export function objectsOf(name) {
  const text = example(name);
  const first = text.indexOf("\n---\n");
  assert.match(text.slice(0, first), /kind: Scenario/);
  return text.slice(first + 5);
}

/**
 * A test on a fresh page. It fails, whatever else it finds, when the page throws, writes an error
 * to the console, or asks another origin for anything.
 *
 * `options`: what `newContext` takes, `address` (default: the page's), `clipboard`, `timeout`.
 */
export function onPage(name, options, body) {
  const { address = ADDRESS, timeout = 180_000, tolerate = [], ...rest } = options;
  test(name, { timeout }, async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...rest });
    context.setDefaultTimeout(PATIENCE);
    const complaints = [];
    const own = new URL(address ?? ADDRESS).origin;
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (["http:", "https:", "ws:", "wss:"].includes(url.protocol) && url.origin !== own) {
        if (!tolerate.includes(url.origin)) complaints.push(`asked another origin: ${url}`);
      }
    });
    context.on("weberror", (error) => complaints.push(`threw: ${error.error()}`));
    context.on("console", (message) => {
      if (message.type() === "error") complaints.push(`console: ${message.text()}`);
    });
    const page = await context.newPage();
    try {
      if (address) await open(page, address);
      await body(page, context);
      assert.deepEqual(complaints, []);
    } catch (error) {
      await screenshot(page, `failed-${name}`).catch(() => {});
      if (complaints.length > 0) error.message += `\n${complaints.join("\n")}`;
      throw error;
    } finally {
      await context.close();
    }
  });
}

/** Opens the page and waits until one can work with it. */
export async function open(page, address) {
  await page.goto(address);
  await page.locator("#boot").waitFor({ state: "detached" });
  // On a phone it is there, but behind its tab.
  await editor(page).waitFor({ state: "attached" });
}

/** A picture among the artifacts. */
export async function screenshot(page, name) {
  const file = name.replaceAll(/[^a-zA-Z0-9-]+/g, "-").toLowerCase();
  await page.screenshot({ path: join(ARTIFACTS, `${file}.png`), fullPage: true });
}

/** The button that opens a menu of the top bar. */
export function menu(page, name) {
  return page.locator(`[data-menu=${name}]:visible`).first();
}

/** The editable text. */
export function editor(page) {
  return page.locator(".cm-content").first();
}

/** Replaces the whole text as a paste from the clipboard does. */
export async function paste(page, text, keyboard = page.keyboard) {
  await editor(page).focus();
  await keyboard.press("ControlOrMeta+a");
  await editor(page).evaluate((element, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const event = { clipboardData: data, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent("paste", event));
  }, text);
}

/** Repeats `read` until it gives what `check` accepts (a value to equal, or a function). */
export async function eventually(read, check, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    const value = await read();
    try {
      if (typeof check === "function") return (await check(value), value);
      assert.deepEqual(value, check);
      return value;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** The table of Pods: name → { status, devices, node }. */
export async function pods(page) {
  return page.locator("#pods tbody tr").evaluateAll((rows) =>
    Object.fromEntries(
      rows.map((row) => {
        const text = (selector) => row.querySelector(selector)?.textContent.trim() ?? "";
        const name = text("button.name") || text("s");
        return [name, { status: text(".st-cell") || "gone", devices: text("td.res") }];
      }),
    ),
  );
}

/** The name and status of every Pod. */
export async function statuses(page) {
  const all = Object.entries(await pods(page));
  return Object.fromEntries(all.map(([name, pod]) => [name, pod.status]));
}

/** What is left in the account of a counter set or shareable device: column → amount. */
export async function left(page, name) {
  return page.locator(`#balances [data-ledger="${name}"]`).first().evaluateAll((places) => {
    const amounts = {};
    for (const place of places) {
      for (const cell of place.closest("li, tr").querySelectorAll("[data-left]")) {
        const amount = cell.textContent.trim();
        const known = (amounts[cell.dataset.left] ??= amount);
        if (known !== amount) amounts[cell.dataset.left] = `${known} and ${amount}`;
      }
    }
    return amounts;
  });
}
