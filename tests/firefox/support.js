// Firefox, driven by geckodriver, and a page in it that is watched.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser, Builder, By } from "selenium-webdriver";
import firefox from "selenium-webdriver/firefox.js";
import { PATIENCE, eventually, podsOf, required } from "../browser/common.js";

export * from "../browser/common.js";

const ARTIFACTS = required("DRA_PLAYGROUND_ARTIFACTS");

let driver;
/** What the page did that no page of ours may do, since the last test began. */
let complaints = [];
/** Every address asked for since the last test began. */
let asked = [];
/** Where the page of the test lies. */
let own = "";

before(async () => {
  mkdirSync(ARTIFACTS, { recursive: true });
  const options = new firefox.Options();
  options.setBinary(required("FIREFOX"));
  options.addArguments("-headless", "--width=1440", "--height=1000");
  options.enableBidi();
  driver = await new Builder()
    .forBrowser(Browser.FIREFOX)
    .setFirefoxOptions(options)
    .setFirefoxService(new firefox.ServiceBuilder(required("GECKODRIVER")))
    .build();
  const bidi = await driver.getBidi();
  await bidi.subscribe(["log.entryAdded", "network.beforeRequestSent"]);
  bidi.socket.on("message", (data) => hear(JSON.parse(data.toString())));
});
after(async () => {
  await driver?.quit();
});

function hear({ method, params }) {
  if (method === "log.entryAdded" && params.level === "error") {
    complaints.push(`console: ${params.text}`);
  }
  if (method === "network.beforeRequestSent") {
    const url = new URL(params.request.url);
    asked.push(url.href);
    const leaves = ["http:", "https:", "ws:", "wss:"].includes(url.protocol);
    if (leaves && url.origin !== own) {
      complaints.push(`asked another origin: ${url}`);
    }
  }
}

/**
 * A test on a fresh page. It fails, whatever else it finds, when the page throws, writes an error
 * to the console, breaks its own policy, or asks another origin for anything.
 */
export function onFirefox(name, address, body) {
  test(name, { timeout: 180_000 }, async () => {
    await forgetAll(new URL(address).origin);
    complaints = [];
    asked = [];
    own = new URL(address).origin;
    try {
      await open(address);
      await body(driver);
      assert.ok(asked.some((url) => url.startsWith(own)), "the watch over requests is blind");
      assert.deepEqual(complaints, []);
    } catch (error) {
      await screenshot(`firefox-failed-${name}`).catch(() => {});
      if (complaints.length > 0) error.message += `\n${complaints.join("\n")}`;
      throw error;
    }
  });
}

/** Leaves the page and empties the storage of its origin: a test finds nothing of the one before. */
async function forgetAll(origin) {
  await driver.get("about:blank");
  // A path of that origin on which no page of ours is.
  await driver.get(`${origin}/no-such-page`);
  await driver.executeScript("localStorage.clear(); sessionStorage.clear();");
  await driver.get("about:blank");
}

/** The complaints so far, which are then forgotten. */
export function forgive() {
  const heard = complaints;
  complaints = [];
  return heard;
}

/** Opens an address and waits until one can work with the page. */
export async function open(address) {
  await driver.get(address);
  await eventually(() => count("#boot"), 0);
}

/** How many elements there are. */
export async function count(selector) {
  return (await driver.findElements(By.css(selector))).length;
}

/** The first element, as soon as there is one. */
export async function find(selector) {
  return driver.wait(async () => (await driver.findElements(By.css(selector)))[0], PATIENCE);
}

/** What a function of the page gives; `values` are its arguments. */
export async function inPage(read, ...values) {
  return driver.executeScript(`return (${read})(...arguments)`, ...values);
}

/** The name and status of every Pod. */
export async function statuses() {
  const pods = await driver.executeScript(
    `return (${podsOf})([...document.querySelectorAll("#pods tbody tr")])`,
  );
  return Object.fromEntries(Object.entries(pods).map(([name, pod]) => [name, pod.status]));
}

async function screenshot(name) {
  const file = name.replaceAll(/[^a-zA-Z0-9-]+/g, "-").toLowerCase();
  writeFileSync(join(ARTIFACTS, `${file}.png`), await driver.takeScreenshot(), "base64");
}
