// One core on two machines: the page's WebAssembly and the native program say the same.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { PROGRAM, example, examplePath, examples, onPage } from "./support.js";

onPage("WebAssembly and native program give the same answer", {}, async (page) => {
  for (const name of examples()) {
    const native = execFileSync(PROGRAM, ["run", "--output", "json", examplePath(name)], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    const answer = await page.evaluate(async (text) => {
      const app = document.querySelector("link[rel=modulepreload]").href;
      const module = await WebAssembly.compileStreaming(fetch(app.replace(/\.js$/, "_bg.wasm")));
      const worker = new Worker(new URL("worker.js", app), { type: "module" });
      worker.postMessage([app, module]);
      const ask = { Analyze: { id: 1, text, options: {} } };
      worker.postMessage(JSON.stringify(ask));
      const said = await new Promise((done, fail) => {
        worker.onerror = (event) => fail(new Error(event.message));
        worker.onmessage = ({ data }) => {
          // It says in bytes that it is ready.
          if (typeof data === "string") done(data);
        };
      });
      worker.terminate();
      return said;
    }, example(name));
    const prefix = '{"Analysis":{"id":1,"analysis":';
    assert.ok(answer.startsWith(prefix) && answer.endsWith("}}"));
    const wasm = answer.slice(prefix.length, -2);
    // Printed for people there, packed for the worker here; order counts, layout does not.
    const [said] = Object.values(JSON.parse(native));
    assert.equal(packed(wasm), JSON.stringify(said), name);
  }
});

// Expressions of every kind: floats, texts of other scripts, patterns, times, quantities, loops, limits.
const EXPRESSIONS = [
  'device.attributes["gpu.example.com"].index == 3',
  'string(0.1 + 0.2) + string(1e21) + string(-0.0) == ""',
  '"%e %.3f %x".format([1.5, 2.0 / 3.0, 255]) == ""',
  '"Straße é日".matches("(?i)STRASSE|\\\\pL+") && "ſK".matches("(?i)sk")',
  'timestamp("2026-03-29T01:30:00Z").getHours("Europe/Berlin") == 3',
  'quantity("1500m").add(quantity("0.1Gi")).compareTo(quantity("1e-9")) > 0',
  '[3, 1, 2].sort().map(x, x * 2).exists(x, x == 6) && {"b": 1, "a": 2}.all(k, v, v > 0)',
  'lists.range(300000).map(x, x).size() > 1',
  '{}["no such key"] == 1',
  'semver("1.2.3-rc.1+b").isLessThan(semver("v1.2.3", true))',
  'ip("fe80::1").isLinkLocalUnicast() && url("https://h:8080/a?b=c").getPort() == "8080"',
  'device.driver = "x"',
];

onPage("WebAssembly and native program evaluate the same", {}, async (page) => {
  const name = "experiment-4-cel-selectors";
  const place = `${examplePath(name)}#gpu-3-full`;
  const native = EXPRESSIONS.map((expression) => {
    const words = ["cel", expression, "--device", place, "--output", "json"];
    // What does not hold ends with another code, and is printed all the same.
    const { stdout } = spawnSync(PROGRAM, words, { encoding: "utf8", maxBuffer: 1 << 28 });
    return JSON.parse(stdout);
  });
  const devices = native.find((table) => table.columns.length > 0).columns.map((it) => it.device);
  const said = await page.evaluate(async ([text, expressions, devices]) => {
    const app = document.querySelector("link[rel=modulepreload]").href;
    const module = await WebAssembly.compileStreaming(fetch(app.replace(/\.js$/, "_bg.wasm")));
    const worker = new Worker(new URL("worker.js", app), { type: "module" });
    worker.postMessage([app, module]);
    worker.postMessage(JSON.stringify({ Analyze: { id: 1, text, options: {} } }));
    expressions.forEach((expression, index) => {
      const query = { trace: { expression, devices } };
      worker.postMessage(JSON.stringify({ Query: { id: index + 2, query } }));
    });
    const answers = [];
    await new Promise((done, fail) => {
      worker.onerror = (event) => fail(new Error(event.message));
      worker.onmessage = ({ data }) => {
        if (typeof data !== "string" || !data.startsWith('{"Answer"')) return;
        answers.push(data);
        if (answers.length === expressions.length) done();
      };
    });
    worker.terminate();
    return answers;
  }, [example(name), EXPRESSIONS, devices]);
  for (const [index, expression] of EXPRESSIONS.entries()) {
    const { id, answer } = JSON.parse(said[index]).Answer;
    assert.equal(id, index + 2);
    assert.equal(JSON.stringify(answer.trace), JSON.stringify(native[index]), expression);
  }
});

function packed(json) {
  return JSON.stringify(JSON.parse(json));
}
