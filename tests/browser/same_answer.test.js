// One core on two machines: the page's WebAssembly and the native program say the same.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
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
          if (data.startsWith('{"Analysis"')) done(data);
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

function packed(json) {
  return JSON.stringify(JSON.parse(json));
}
