// <dra-playground>: a scenario of a page, run by the playground that this file comes from.
//
//   <script async src="https://…/dra-playground.js"></script>
//   <dra-playground step="1" panels="answer,sieve" readonly><pre>apiVersion: …</pre></dra-playground>
//
// Without JavaScript it stays the <pre>. Nothing is loaded before it comes near the window.
//
// A classic script, so that the site it comes from needs no CORS headers.

(() => {
const EMBED = new URL("./embed.html", document.currentScript.src);
/** Attributes that are handed on as options of the link. */
const OPTIONS = ["step", "panels", "theme", "lang", "example", "src"];
const HEIGHT = 480;

/** base64url without padding. */
function letters(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A zlib stream, by the browser. */
async function pack(text) {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** The fragment of a scenario: version 2 of the playground's links. */
async function linkOf(scenario) {
  return `v2.${letters(await pack(JSON.stringify(scenario)))}`;
}

/** In a shadow tree, so that neither the site's rules nor a framework that owns the children meet the frame. */
const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
:host { display: block; position: relative }
:host([hidden]) { display: none }
iframe { width: 100%; border: 1px solid #b9c0c4; border-radius: 6px; box-sizing: border-box }
slot:not([hidden]) + iframe { position: absolute; visibility: hidden }
slot[hidden] { display: none }`);

/** The scenario as it was written: highlighters put it in lines that end with `<br>`. */
function textOf(source) {
  const copy = (source.content ?? source).cloneNode(true);
  for (const end of copy.querySelectorAll("br")) end.replaceWith("\n");
  return copy.textContent.replace(/^\n/, "");
}

/** Resolves once the parser has read the whole page, and with it the text of the element. */
function parsed() {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
}

class DraPlayground extends HTMLElement {
  #text = document.createElement("slot");
  #frame = null;
  #watch = null;
  #hear = (event) => {
    const told = event.data;
    if (!this.#frame || event.source !== this.#frame.contentWindow || event.origin !== EMBED.origin) return;
    if (told?.type !== "dra-playground" || !(told.height > 0)) return;
    // The first word from the frame: it works, and the text may go.
    this.#text.hidden = true;
    if (this.#grows) this.#frame.style.height = `${Math.min(told.height, 20_000)}px`;
  };

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [STYLE];
    root.append(this.#text);
  }

  get #source() {
    return this.querySelector("pre code") ?? this.querySelector("pre, script[type='application/yaml'], template");
  }

  get #grows() {
    return (this.getAttribute("height") ?? "auto") === "auto";
  }

  connectedCallback() {
    window.addEventListener("message", this.#hear);
    this.#watch = new IntersectionObserver((seen) => {
      if (seen.some((it) => it.isIntersecting)) this.#load();
    }, { rootMargin: "400px" });
    this.#watch.observe(this);
  }

  disconnectedCallback() {
    this.#watch?.disconnect();
    window.removeEventListener("message", this.#hear);
  }

  async #load() {
    this.#watch.disconnect();
    if (this.#frame) return;
    const frame = (this.#frame = document.createElement("iframe"));
    await parsed();
    const source = this.#source;
    const parts = [];
    if (source) parts.push(await linkOf({ t: textOf(source) }));
    for (const name of OPTIONS) {
      const value = this.getAttribute(name);
      if (value !== null) parts.push(`${name}=${encodeURIComponent(value)}`);
    }
    if (this.hasAttribute("readonly")) parts.push("readonly");
    if (this.#grows) parts.push("height=auto");
    frame.title = this.getAttribute("title") ?? "DRA Playground";
    frame.src = `${EMBED.href}#${parts.join("&")}`;
    frame.style.height = this.#grows ? `${HEIGHT}px` : `${parseInt(this.getAttribute("height"), 10) || HEIGHT}px`;
    // Without a text there is nothing to keep until the frame has something to show.
    this.#text.hidden = !source;
    this.shadowRoot.append(frame);
  }
}

if (!customElements.get("dra-playground")) customElements.define("dra-playground", DraPlayground);
})();
