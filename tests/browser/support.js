// What the tests share: a browser, a page that is watched, and how to read what it shows.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { ADDRESS, PATIENCE, podsOf, required } from "./common.js";

export * from "./common.js";

/** The command-line program built from the same sources. */
export const PROGRAM = required("DRA_PLAYGROUND_PROGRAM");
const ARTIFACTS = required("DRA_PLAYGROUND_ARTIFACTS");

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: required("CHROMIUM"), args: ARGUMENTS });
  mkdirSync(ARTIFACTS, { recursive: true });
});
after(async () => {
  await browser?.close();
});

/**
 * A test on a fresh page. It fails, whatever else it finds, when the page throws, writes an error
 * to the console, or asks another origin for anything.
 *
 * `options`: what `newContext` takes, `address` (default: the page's), `timeout`, `tolerate` (origins)
 * and `forgive` (complaints that are meant).
 */
export function onPage(name, options, body) {
  const { address = ADDRESS, timeout = 180_000, tolerate = [], forgive = null, ...rest } = options;
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
      assert.deepEqual(complaints.filter((it) => !forgive?.test(it)), []);
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

/** The table of Pods: name → { status, devices, node }. */
export async function pods(page) {
  return page.locator("#pods tbody tr").evaluateAll(podsOf);
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
