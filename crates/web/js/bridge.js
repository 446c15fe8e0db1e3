// The few lines of JavaScript that Rust cannot say: a lazy import and calls into what it gives,
// reading a file of limited size, and telling the page around a frame how high it is.
let editorModule = null;

export async function loadEditor(url) {
  editorModule = await import(url);
}

export function createEditor(parent, config, change, edit, cursor, letter, assist) {
  return editorModule.create(parent, JSON.parse(config), { change, edit, cursor, letter, assist });
}

export function call(object, method, argument, second, third) {
  object[method](argument, second, third);
}

/** The address that a link may load from: https or the page's own origin; empty for any other. */
export function resolveSource(address) {
  try {
    const url = new URL(address, document.baseURI);
    if (url.username || url.password) return "";
    const own = url.origin === location.origin && /^https?:$/.test(url.protocol);
    return own || url.protocol === "https:" ? url.href : "";
  } catch {
    return "";
  }
}

/** The text at an address; fails when there are more than `limit` bytes. */
export async function loadText(address, limit) {
  const response = await fetch(address, { credentials: "omit", referrerPolicy: "no-referrer" });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new Error(`> ${limit} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The text of a file beside the module, at once: what needs it cannot wait. */
export function loadTextNow(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.send();
  if (request.status !== 200) throw new Error(`${address}: HTTP ${request.status}`);
  return request.responseText;
}

/** Tells the page around a frame how high the content is, now and whenever that changes. */
export function tellHeight() {
  if (window.parent === window) return;
  let told = 0;
  const tell = () => {
    const height = Math.ceil(document.querySelector(".app").getBoundingClientRect().height);
    if (height > 0 && height !== told) {
      told = height;
      window.parent.postMessage({ type: "dra-playground", height }, "*");
    }
  };
  new ResizeObserver(tell).observe(document.querySelector(".app"));
  tell();
}

/** Hands the reader a file. */
export function saveFile(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Styles that a picture keeps when it leaves the page. */
const KEPT = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "color",
  "font-family", "font-size", "font-weight", "text-anchor", "display", "visibility",
];

/** What only makes sense on the page. */
const LEFT_OUT = "input, .btn, .go, .act, .copy, .tools, .pick, .export, .foot, .extra, .ctls";

/** The definitions that the references of a picture point at: patterns, symbols. */
function definitions(root) {
  const wanted = new Set();
  const found = [];
  const look = (element) => {
    for (const it of [element, ...element.querySelectorAll("*")]) {
      const texts = [it.getAttribute("href"), it.getAttribute("fill"), it.style?.fill, getComputedStyle(it).fill];
      for (const text of texts) {
        const id = /^#(.+)$/.exec(text ?? "")?.[1] ?? /url\("?#([^")]+)"?\)/.exec(text ?? "")?.[1];
        const target = id && !wanted.has(id) && document.getElementById(id);
        if (target) {
          wanted.add(id);
          found.push(target);
          look(target);
        }
      }
    }
  };
  look(root);
  return found;
}

/** A copy with its styles; what takes the color of its surroundings goes on to take it. */
function styled(element, inherits) {
  const copy = element.cloneNode(true);
  const from = [element, ...element.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((it, at) => {
    const style = getComputedStyle(it);
    const kept = KEPT.filter((name) => !inherits || name !== "color");
    const value = (name) => (it.getAttribute(name) === "currentColor" ? "currentColor" : style.getPropertyValue(name));
    to[at].setAttribute("style", kept.map((name) => `${name}:${value(name)}`).join(";"));
    for (const name of ["class", "fill", "stroke"]) to[at].removeAttribute(name);
  });
  return copy;
}

/**
 * A part of the page as one self-contained SVG: its drawings as they are, its boxes as rectangles,
 * its words as text, each where it stands.
 */
export function pictureOf(id) {
  const root = document.getElementById(id);
  const svg = "http://www.w3.org/2000/svg";
  const make = (name, attributes, parent) => {
    const element = document.createElementNS(svg, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent?.append(element);
    return element;
  };
  // What is scrolled out of sight belongs to the picture, too.
  const rolls = (it) => /auto|scroll/.test(getComputedStyle(it).overflow) || getComputedStyle(it).position === "sticky";
  const rolled = [...root.querySelectorAll("*")].filter(rolls);
  const before = [root, ...rolled].map((it) => [it, it.style.cssText, it.scrollLeft, it.scrollTop]);
  // Wide enough that no table reaches over its neighbor.
  for (let times = 0; times < 3; times += 1) {
    const lacking = Math.max(0, ...rolled.map((it) => it.scrollWidth - it.clientWidth));
    if (lacking > 0) root.style.cssText += `;max-width:none;width:${root.offsetWidth + lacking * 1.5}px`;
  }
  for (const it of [root, ...rolled]) it.style.cssText += ";overflow:visible;max-height:none;position:relative;top:0";
  const frame = root.getBoundingClientRect();
  const margin = 16;
  let [right, bottom] = [frame.width, frame.height];
  const picture = make("svg", { xmlns: svg });
  const ground = make("rect", { fill: getComputedStyle(document.body).backgroundColor }, picture);
  const defs = make("defs", {}, picture);
  for (const it of definitions(root)) {
    const copy = styled(it, true);
    copy.id = it.id;
    defs.append(copy);
  }
  const place = (box) => ({ x: box.left - frame.left + margin, y: box.top - frame.top + margin });
  const clear = "rgba(0, 0, 0, 0)";
  const box = (at, style) => {
    const edges = ["Top", "Right", "Bottom", "Left"].map((side) => style[`border${side}Style`] === "none" ? 0 : parseFloat(style[`border${side}Width`]));
    const edge = edges.every(Boolean) ? edges[0] : 0;
    const filled = style.backgroundColor !== clear;
    if (at.width === 0) return;
    const { x, y } = place(at);
    right = Math.max(right, x - margin + at.width);
    bottom = Math.max(bottom, y - margin + at.height);
    if (filled || edge) {
      make("rect", {
        x: x + edge / 2, y: y + edge / 2, width: Math.max(0, at.width - edge), height: Math.max(0, at.height - edge),
        rx: parseFloat(style.borderTopLeftRadius) || 0,
        fill: filled ? style.backgroundColor : "none",
        stroke: edge ? style.borderTopColor : "none", "stroke-width": edge,
        ...(style.borderTopStyle === "dashed" ? { "stroke-dasharray": "4 3" } : {}),
      }, picture);
    }
    if (edge) return;
    const { width, height } = at;
    const lines = [[0, 0, width, 0], [width, 0, width, height], [0, height, width, height], [0, 0, 0, height]];
    edges.forEach((edge, index) => {
      const [x1, y1, x2, y2] = lines[index];
      const stroke = style[["borderTopColor", "borderRightColor", "borderBottomColor", "borderLeftColor"][index]];
      if (edge) make("line", { x1: x + x1, y1: y + y1, x2: x + x2, y2: y + y2, stroke, "stroke-width": edge }, picture);
    });
  };
  const put = (text, at, style) => {
    if (!text.trim()) return;
    const { x, y } = place(at);
    const size = parseFloat(style.fontSize);
    right = Math.max(right, x - margin + (at.width ?? 0));
    make("text", {
      x, y: y + at.height / 2 + size * 0.35, fill: style.color, "font-family": style.fontFamily,
      "font-size": style.fontSize, "font-weight": style.fontWeight, "xml:space": "preserve",
    }, picture).textContent = text;
  };
  /** Brackets and bars that the style draws around an element. */
  const drawn = (element, pseudo) => {
    const style = getComputedStyle(element, pseudo);
    if (style.content === "none" || style.position !== "absolute") return;
    const { left, top } = element.getBoundingClientRect();
    const [x, y, width, height] = ["left", "top", "width", "height"].map((name) => parseFloat(style[name]) || 0);
    box({ left: left + x, top: top + y, width, height }, style);
  };
  const words = (node, style) => {
    const range = document.createRange();
    const text = node.textContent;
    // One element for each line in which the text stands.
    let start = 0;
    let last = null;
    const line = (from, to, at) => {
      const cut = text.slice(from, to);
      put((style.whiteSpace.startsWith("pre") ? cut : cut.replace(/\s+/g, " ")).trimEnd(), at, style);
    };
    for (let at = 0; at < text.length; at += 1) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const here = range.getClientRects()[0];
      if (!here || here.width === 0) continue;
      if (last && Math.abs(here.top - last.top) > 2) {
        line(start, at, last);
        start = at;
        last = here;
      }
      last ??= here;
    }
    if (last) line(start, text.length, last);
  };
  const walk = (element) => {
    const style = getComputedStyle(element);
    const small = element.getBoundingClientRect();
    const gone = style.display !== "contents" && !element.checkVisibility();
    if (gone || style.visibility === "hidden" || style.clipPath !== "none") return;
    if (element.matches(LEFT_OUT)) return;
    if (element instanceof SVGSVGElement) {
      const copy = styled(element);
      const { x, y } = place(small);
      for (const [key, value] of Object.entries({ x, y, width: small.width, height: small.height })) copy.setAttribute(key, value);
      picture.append(copy);
      return;
    }
    box(small, style);
    for (const it of ["::before", "::after"]) drawn(element, it);
    if (element instanceof HTMLSelectElement) {
      put(element.selectedOptions[0]?.textContent ?? "", { left: small.left + 8, top: small.top, height: small.height }, style);
      return;
    }
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) words(child, style);
      else if (child.nodeType === Node.ELEMENT_NODE) walk(child);
    }
  };
  walk(root);
  const [width, height] = [right, bottom].map((it) => Math.ceil(it + 2 * margin));
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) picture.setAttribute(name, value);
  ground.setAttribute("width", width);
  ground.setAttribute("height", height);
  for (const [it, style, x, y] of before) {
    it.style.cssText = style;
    it.scrollTo(x, y);
  }
  return new XMLSerializer().serializeToString(picture);
}

/** Saves a picture as PNG, twice as fine as it is on the page. */
export async function savePng(name, picture) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * 2;
  canvas.height = image.height * 2;
  const pen = canvas.getContext("2d");
  pen.scale(2, 2);
  pen.drawImage(image, 0, 0);
  const link = document.createElement("a");
  link.href = canvas.toDataURL("image/png");
  link.download = name;
  link.click();
}
