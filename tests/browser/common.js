// What the tests in every browser share: where the page is, its examples, and patience.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Address of the built page. */
export const ADDRESS = required("DRA_PLAYGROUND_URL");
/** Address of the same page below a path. */
export const SUB_PATH_ADDRESS = required("DRA_PLAYGROUND_SUB_PATH_URL");
const EXAMPLES = required("DRA_PLAYGROUND_EXAMPLES");

/** Longest wait for anything, in milliseconds. */
export const PATIENCE = 30_000;

/** An environment variable that the command sets. */
export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start these tests with \`cargo xtask browser\``);
  return value;
}

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

/** Runs in the page: rows of the table of Pods → name → { status, devices }. */
export function podsOf(rows) {
  return Object.fromEntries(
    rows.map((row) => {
      const text = (selector) => row.querySelector(selector)?.textContent.trim() ?? "";
      const name = text("button.name") || text("s");
      return [name, { status: text(".st-cell") || "gone", devices: text("td.res") }];
    }),
  );
}
