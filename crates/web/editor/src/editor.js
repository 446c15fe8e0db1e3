// The code editor of the page: CodeMirror 6 behind a small interface of plain data.
// Offsets count UTF-16 units, as CodeMirror and the report do.
import { Compartment, EditorState, StateEffect, StateField, RangeSetBuilder, EditorSelection, Prec, Text } from "@codemirror/state";
import {
  EditorView, Decoration, GutterMarker, ViewPlugin, WidgetType, drawSelection, dropCursor, gutter,
  highlightActiveLine, highlightSpecialChars, hoverTooltip, keymap, lineNumbers, placeholder, tooltips,
} from "@codemirror/view";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  HighlightStyle, bracketMatching, codeFolding, foldEffect, foldGutter, foldKeymap, foldedRanges, indentOnInput,
  indentUnit, syntaxHighlighting, unfoldEffect,
} from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { acceptCompletion, autocompletion, completionKeymap, completionStatus } from "@codemirror/autocomplete";
import { yamlLanguage } from "@codemirror/lang-yaml";
import { tags as t } from "@lezer/highlight";
import { ContextTracker } from "@lezer/lr";

const SVG = "http://www.w3.org/2000/svg";
const MAX_LENSES = 12;

function icon(id) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "i12");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${id}`);
  svg.append(use);
  return svg;
}

const severityIcon = { error: "r-fault", warning: "i-hint", note: "i-note" };

/** The whole text; its `toString` would make a string of every two parts on the way. */
const textOf = (state) => state.doc.toJSON().join("\n");

const clamp = (doc, at) => Math.max(0, Math.min(doc.length, at));

// --- what the page tells the editor --------------------------------------------------------------

const setReport = StateEffect.define();
const setLit = StateEffect.define();

function lens(diagnostic, index, view) {
  const box = document.createElement("div");
  box.className = `lens ${diagnostic.severity}`;
  box.append(icon(severityIcon[diagnostic.severity] ?? "i-note"));
  const body = document.createElement("div");
  body.append(prose(diagnostic.message));
  for (const note of diagnostic.notes) {
    const line = prose(note);
    line.className = "mute";
    body.append(line);
  }
  if (diagnostic.fixes.length) {
    const row = document.createElement("div");
    row.className = "fix";
    diagnostic.fixes.forEach((fix, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...prose(fix.title).childNodes);
      button.addEventListener("mousedown", (event) => event.preventDefault());
      button.addEventListener("click", () => applyFix(view, index, at));
      row.append(button);
    });
    body.append(row);
  }
  box.append(body);
  return box;
}

class Lens extends WidgetType {
  constructor(diagnostic, index) {
    super();
    this.diagnostic = diagnostic;
    this.index = index;
    this.key = JSON.stringify([diagnostic, index]);
  }
  eq(other) {
    return other.key === this.key;
  }
  toDOM(view) {
    // Padding instead of margins, which the editor cannot measure.
    const box = document.createElement("div");
    box.className = "lens-box";
    box.append(lens(this.diagnostic, this.index, view));
    return box;
  }
  ignoreEvent() {
    return true;
  }
}

function applyFix(view, index, at) {
  const report = view.state.field(reportField);
  const fix = report.diagnostics[index]?.fixes[at];
  if (fix) applyEdits(view, fix.edits, report.since);
}

/** Applies edits as one undoable change; their places follow what was typed since the report. */
function applyEdits(view, edits, since) {
  if (view.state.readOnly) return;
  const length = since ? since.length : view.state.doc.length;
  const place = (offset, side) => {
    const inside = Math.max(0, Math.min(length, offset));
    return clamp(view.state.doc, since ? since.mapPos(inside, side) : inside);
  };
  const changes = edits.map((edit) => {
    const from = place(edit.range.from, 1);
    return { from, to: Math.max(from, place(edit.range.to, -1)), insert: edit.text };
  });
  if (!changes.length) return;
  const change = view.state.changes(changes);
  const at = change.mapPos(changes[0].from, 1);
  // Folds that touch a change would grow together with their neighbors: they open, and the next
  // report folds their documents again.
  const opened = [];
  const effects = [];
  for (const { from, to } of changes) {
    foldedRanges(view.state).between(from, to, (a, b) => {
      effects.push(unfoldEffect.of({ from: a, to: b }));
      opened.push(a);
    });
  }
  if (effects.length) view.dispatch({ effects });
  view.dispatch({
    changes: change,
    selection: EditorSelection.cursor(at),
    effects: [
      EditorView.scrollIntoView(at, { y: "center" }),
      ...(opened.length ? [foldAgain.of({ from: change.mapPos(Math.min(...opened), -1), to: change.mapPos(Math.max(...opened, changes[changes.length - 1].to), 1) })] : []),
    ],
    userEvent: "input.fix",
  });
}

/** Between which offsets documents are to be folded when the next report knows them. */
const foldAgain = StateEffect.define({ map: (range, change) => ({ from: change.mapPos(range.from, -1), to: change.mapPos(range.to, 1) }) });

const foldAgainField = StateField.define({
  create: () => null,
  update(value, tr) {
    for (const effect of tr.effects) {
      if (effect.is(foldAgain)) return effect.value;
      if (effect.is(setReport)) return null;
    }
    return value && tr.docChanged ? { from: tr.changes.mapPos(value.from, -1), to: tr.changes.mapPos(value.to, 1) } : value;
  },
});

function drawReport(state, report) {
  const marks = [];
  const lenses = [];
  report.diagnostics.forEach((diagnostic, index) => {
    const from = clamp(state.doc, diagnostic.range.from);
    const to = clamp(state.doc, Math.max(from, diagnostic.range.to));
    if (to > from) {
      marks.push(Decoration.mark({ class: `squiggle squiggle-${diagnostic.severity}` }).range(from, to));
    }
    const worth = diagnostic.severity !== "note" || diagnostic.fixes.length > 0;
    if (worth && lenses.length < MAX_LENSES) {
      const line = state.doc.lineAt(from);
      lenses.push(Decoration.widget({ widget: new Lens(diagnostic, index), block: true, side: 1 }).range(line.to));
    }
  });
  return Decoration.set([...marks, ...lenses], true);
}

const emptyReport = { diagnostics: [], letters: [], folds: [], decorations: Decoration.none, since: null };

const reportField = StateField.define({
  create: () => emptyReport,
  update(value, tr) {
    for (const effect of tr.effects) {
      if (effect.is(setReport)) {
        return { ...effect.value, decorations: drawReport(tr.state, effect.value), since: null };
      }
    }
    if (!tr.docChanged) return value;
    return {
      ...value,
      decorations: value.decorations.map(tr.changes),
      letters: value.letters.map((l) => ({ ...l, from: tr.changes.mapPos(clamp(tr.startState.doc, l.from)) })),
      since: value.since ? value.since.compose(tr.changes) : tr.changes,
    };
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.decorations),
});

function litLines(state, ranges) {
  const lines = new Set();
  for (const range of ranges) {
    const first = state.doc.lineAt(clamp(state.doc, range.from)).number;
    const last = state.doc.lineAt(clamp(state.doc, Math.max(range.from, range.to - 1))).number;
    for (let n = first; n <= last && n < first + 400; n += 1) lines.add(n);
  }
  const deco = Decoration.line({ class: "cm-lit" });
  return Decoration.set([...lines].sort((a, b) => a - b).map((n) => deco.range(state.doc.line(n).from)));
}

const litField = StateField.define({
  create: () => Decoration.none,
  update(value, tr) {
    for (const effect of tr.effects) if (effect.is(setLit)) return litLines(tr.state, effect.value);
    return tr.docChanged ? value.map(tr.changes) : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// --- gutter: reference letters and silhouettes of diagnostics -------------------------------------

class Letter extends GutterMarker {
  constructor(letter, label, onLetter) {
    super();
    this.letter = letter;
    this.label = label;
    this.onLetter = onLetter;
  }
  eq(other) {
    return other.letter === this.letter && other.label === this.label;
  }
  toDOM() {
    // The gutter is hidden from screen readers; they have the letters of the sentence.
    const mark = document.createElement("span");
    mark.className = "key";
    mark.textContent = this.letter;
    mark.title = this.label;
    mark.addEventListener("mousedown", (event) => event.preventDefault());
    mark.addEventListener("click", () => this.onLetter(this.letter));
    return mark;
  }
}

class Silhouette extends GutterMarker {
  constructor(severity) {
    super();
    this.severity = severity;
  }
  eq(other) {
    return other.severity === this.severity;
  }
  toDOM() {
    const span = document.createElement("span");
    span.className = `gmark ${this.severity}`;
    span.append(icon(severityIcon[this.severity] ?? "i-note"));
    return span;
  }
}

function gutterMarks(onLetter) {
  return gutter({
    class: "cm-refs",
    markers(view) {
      const { diagnostics, letters, since } = view.state.field(reportField);
      const doc = view.state.doc;
      const byLine = new Map();
      for (const diagnostic of diagnostics) {
        const from = Math.max(0, Math.min(since ? since.length : doc.length, diagnostic.range.from));
        const line = doc.lineAt(clamp(doc, since ? since.mapPos(from) : from)).from;
        if (!byLine.has(line)) byLine.set(line, new Silhouette(diagnostic.severity));
      }
      for (const letter of letters) {
        let at = doc.lineAt(clamp(doc, letter.from));
        while (/^---/.test(at.text) && at.number < doc.lines) at = doc.line(at.number + 1);
        const line = at.from;
        byLine.set(line, new Letter(letter.letter, letter.label, onLetter));
      }
      const builder = new RangeSetBuilder();
      for (const [at, marker] of [...byLine].sort((a, b) => a[0] - b[0])) builder.add(at, at, marker);
      return builder.finish();
    },
    lineMarkerChange: (update) => update.startState.field(reportField) !== update.state.field(reportField),
    initialSpacer: () => new Silhouette("note"),
  });
}

// --- CEL inside YAML scalars -----------------------------------------------------------------------

const celToken = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d+(?:\.\d+)?[uU]?\b|\b(?:true|false|null|in)\b|[A-Za-z_]\w*(?=\s*\()/g;
const celMarks = {
  str: Decoration.mark({ class: "cel-str" }),
  num: Decoration.mark({ class: "cel-num" }),
  fn: Decoration.mark({ class: "cel-fn" }),
};

function celRanges(view) {
  const builder = new RangeSetBuilder();
  const doc = view.state.doc;
  for (const { from, to } of view.visibleRanges) {
    let number = Math.max(1, doc.lineAt(from).number - 30);
    const last = doc.lineAt(to).number;
    let block = -1;
    for (; number <= last; number += 1) {
      const line = doc.line(number);
      const key = /^(\s*(?:- )*)expression:\s*(.*)$/.exec(line.text);
      let start = -1;
      if (key) {
        const value = key[2];
        block = /^[|>]/.test(value) ? key[1].length : -1;
        if (block < 0) start = line.text.length - value.length + (/^["']/.test(value) ? 1 : 0);
      } else if (block >= 0 && line.text.trim()) {
        const indent = /^\s*/.exec(line.text)[0].length;
        if (indent > block) start = indent;
        else block = -1;
      }
      if (start < 0 || line.to < from) continue;
      celToken.lastIndex = start;
      for (let match = celToken.exec(line.text); match; match = celToken.exec(line.text)) {
        const head = match[0][0];
        const mark = head === '"' || head === "'" ? celMarks.str : /[\d]|^(true|false|null)$/.test(match[0]) && !/^[a-z_]\w*$/i.test(match[0]) || /^(true|false|null)$/.test(match[0]) ? celMarks.num : celMarks.fn;
        builder.add(line.from + match.index, line.from + match.index + match[0].length, mark);
      }
    }
  }
  return builder.finish();
}

const celHighlight = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.decorations = celRanges(view);
    }
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = celRanges(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

// --- looks ------------------------------------------------------------------------------------------

const colours = HighlightStyle.define([
  { tag: [t.definition(t.propertyName), t.propertyName], color: "var(--y-key)" },
  { tag: [t.string, t.special(t.string)], color: "var(--y-str)" },
  { tag: [t.number, t.bool, t.null, t.keyword], color: "var(--y-num)" },
  { tag: t.comment, color: "var(--y-com)" },
  { tag: [t.meta, t.separator, t.punctuation, t.squareBracket, t.brace], color: "var(--ink-3)" },
  { tag: [t.labelName, t.typeName], color: "var(--y-fn)" },
]);

const looks = EditorView.theme({
  "&": { fontSize: "11.5px", color: "var(--ink)", backgroundColor: "var(--desk)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "11.5px/18px var(--mono)", fontVariantLigatures: "none" },
  ".cm-content": { padding: "8px 0 48px", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px 0 4px", borderLeft: "2px solid transparent" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--desk)", color: "var(--ink-3)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 4px 0 2px", fontSize: "11px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--well) 60%, transparent)" },
  ".cm-activeLine.cm-lit, .cm-lit": { backgroundColor: "var(--mark)", borderLeftColor: "var(--mark-edge)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--select) !important" },
  ".cm-selectionMatch": { backgroundColor: "var(--well)", outline: "1px solid var(--line-2)" },
  ".cm-searchMatch": { backgroundColor: "var(--well)", outline: "1px solid var(--line-3)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--mark)", outline: "1px solid var(--mark-edge)" },
  ".cm-foldPlaceholder": { background: "none", border: "0", color: "var(--ink-3)", font: "12px/18px var(--sans)", padding: "0 2px" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--line-3)" },
  ".cm-tooltip": { background: "var(--paper)", border: "1px solid var(--line-2)", borderRadius: "4px", color: "var(--ink)" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-textfield": { backgroundColor: "var(--paper)", border: "1px solid var(--line-2)", borderRadius: "4px", color: "var(--ink)" },
  ".cm-button": { background: "none", border: "1px solid var(--line-2)", borderRadius: "4px", color: "var(--ink)" },
  ".cm-placeholder": { color: "var(--y-com)" },
});

/** A line of words with code in backticks. */
function prose(text) {
  const line = document.createElement("p");
  text.split("`").forEach((part, at) => {
    const piece = at % 2 ? document.createElement("code") : document.createElement("span");
    piece.textContent = part;
    line.append(piece);
  });
  return line;
}

const explainHover = (on) => (view, pos) => {
  const report = view.state.field(reportField);
  const length = report.since ? report.since.length : view.state.doc.length;
  const place = (offset) => {
    const inside = Math.max(0, Math.min(length, offset));
    return report.since ? report.since.mapPos(inside) : inside;
  };
  const hits = report.diagnostics
    .map((diagnostic, index) => ({ diagnostic, index, from: place(diagnostic.range.from), to: place(diagnostic.range.to) }))
    .filter((hit) => hit.from <= pos && pos <= hit.to);
  const json = view.state.doc.length < MAX_ASSISTED ? on.assist(textOf(view.state), pos, false) : "";
  const meaning = json ? JSON.parse(json) : null;
  if (!hits.length && !meaning) return null;
  return {
    pos: hits[0]?.from ?? meaning.from,
    end: hits[0]?.to ?? meaning.to,
    above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "hover";
      for (const hit of hits) dom.append(lens(hit.diagnostic, hit.index, view));
      if (meaning) {
        const box = document.createElement("div");
        box.className = "meaning";
        for (const line of meaning.lines) box.append(prose(line));
        dom.append(box);
      }
      return { dom };
    },
  };
};

// --- completion -------------------------------------------------------------------------------------

/** Texts above this length are not completed: the whole text goes to the core at every question. */
const MAX_ASSISTED = 1_000_000;

const KINDS = { field: "property", kind: "class", value: "enum", name: "constant", attribute: "variable", function: "function" };

const complete = (on) => (context) => {
  const { state, pos, explicit } = context;
  if (state.readOnly || state.doc.length > MAX_ASSISTED) return null;
  const before = state.sliceDoc(state.doc.lineAt(pos).from, pos);
  // On its own only where something was begun: not on every space.
  if (!explicit && !/[\w."'[/-]$|: $/.test(before)) return null;
  const json = on.assist(textOf(state), pos, true);
  const found = json ? JSON.parse(json) : null;
  if (!found?.items.length) return null;
  return {
    from: Math.min(found.from, pos),
    to: Math.max(found.to, pos),
    options: found.items.map((item, at) => ({
      label: item.label,
      detail: item.detail,
      type: KINDS[item.kind] ?? "text",
      info: item.info ? () => prose(item.info) : undefined,
      boost: -at / 10,
      apply: item.insert,
    })),
    filter: found.items.every((item) => item.insert.startsWith(item.label)),
    validFor: /^[\w-]*$/,
  };
};

function quickFix(view) {
  const report = view.state.field(reportField);
  const line = view.state.doc.lineAt(view.state.selection.main.head);
  const length = report.since ? report.since.length : view.state.doc.length;
  const index = report.diagnostics.findIndex((diagnostic) => {
    const inside = Math.max(0, Math.min(length, diagnostic.range.from));
    const from = report.since ? report.since.mapPos(inside) : inside;
    return diagnostic.fixes.length > 0 && from >= line.from && from <= line.to;
  });
  if (index < 0) return false;
  applyFix(view, index, 0);
  return true;
}

/** What the grammar calls the blocks that a line may be in. */
const BLOCKS = { BlockSequence: 1, BlockMapping: 2 };
const { context: blocks, nodeSet } = yamlLanguage.parser;
const ends = new Map(nodeSet.types.map((it) => [it.id, BLOCKS[it.name]]));
/**
 * YAML, of which an edit reads again only what it touches. As published every key reads the whole text:
 * a block that the end of what was read closes is taken for open in all that stands before, so nothing
 * of it is known again. Here a block ends with its node, and nothing open is 0, as where a tree says nothing.
 */
const language = yamlLanguage.configure({
  contextTracker: new ContextTracker({
    ...blocks,
    shift(open, ...token) {
      const now = blocks.shift(open, ...token);
      return now === open.parent && Object.values(BLOCKS).includes(open.type) ? open : now;
    },
    reduce: (open, node, ...at) => (ends.get(node) === open.type ? open.parent : blocks.reduce(open, node, ...at)),
    hash: (open) => (open.parent ? open.hash : 0),
  }),
});

/** Deepest nesting that is colored: the highlighter and the folds walk the syntax tree recursively. */
const MAX_NESTING = 400;

/** How deep a text is nested; no more is looked at beyond what the language support can bear. */
function nesting(doc) {
  let open = 0;
  let deepest = 0;
  for (const line of doc.iterLines()) {
    let dashes = 0;
    for (let at = 0; at < line.length; at += 1) {
      const code = line.charCodeAt(at);
      if (code === 91 || code === 123) open += 1;
      else if ((code === 93 || code === 125) && open > 0) open -= 1;
      else if ((code === 45 || code === 63) && line.charCodeAt(at + 1) === 32) dashes += 1;
      deepest = Math.max(deepest, open + dashes);
    }
    deepest = Math.max(deepest, line.search(/\S/) / 2);
    if (deepest > MAX_NESTING) break;
  }
  return deepest;
}

/** How much deeper a change may nest at most: as much as it has signs that matter, unless it joins lines. */
function deepens({ changes, startState }) {
  let most = 0;
  changes.iterChanges((from, to, _from, _to, added) => {
    const removed = to - from > 100 ? "\n" : startState.sliceDoc(from, to);
    const matters = `${removed}${added.length > 100 ? "\n" : added}`.match(/[[\]{}?\s-]/g);
    most += removed.includes("\n") || added.length > 100 ? Infinity : matters?.length ?? 0;
  });
  return most;
}

/**
 * Makes an editor in `parent`.
 * `config`: text, label, hint, readOnly, grows; `on`: change(text), edit(changes as
 * JSON) → whether they were taken, so that the text need not be told, cursor(offset),
 * letter(letter), assist(text, offset, completes) → JSON.
 */
export function create(parent, config, on) {
  let quiet = false;
  const colors = new Compartment();
  let deepest = nesting(Text.of(config.text.split("\n")));
  const phrases = new Compartment();
  const languageOf = (colored) => (colored ? [language, bracketMatching()] : []);
  const foldLabel = (state, range) => {
    const known = state.field(reportField).folds.find((fold) => fold.from <= range.from && range.from <= fold.from + 8);
    const lines = state.doc.lineAt(range.to).number - state.doc.lineAt(range.from).number;
    return known ?? { title: "", fact: `… +${lines}` };
  };
  const tell = ({ changes, state }) => {
    const edits = [];
    let size = 0;
    changes.iterChanges((from, to, _from, _to, text) => {
      edits.push([from, to, text.toString()]);
      size += text.length;
    });
    // The page takes them when it has the text that they change.
    if (size > 1e4 || !on.edit(JSON.stringify(edits))) on.change(textOf(state));
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: config.text,
      extensions: [
        reportField,
        foldAgainField,
        litField,
        EditorState.readOnly.of(Boolean(config.readOnly)),
        phrases.of([]),
        gutterMarks((letter) => on.letter(letter)),
        lineNumbers(),
        foldGutter({
          markerDOM(open) {
            const span = document.createElement("span");
            span.className = open ? "tri open" : "tri shut";
            return span;
          },
        }),
        codeFolding({
          preparePlaceholder: foldLabel,
          placeholderDOM(_view, onclick, prepared) {
            const span = document.createElement("span");
            span.className = "cm-foldPlaceholder";
            span.setAttribute("role", "button");
            const bold = document.createElement("b");
            bold.textContent = prepared.title;
            span.append(bold, ` ${prepared.fact}`);
            span.addEventListener("click", onclick);
            return span;
          },
        }),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        dropCursor(),
        indentOnInput(),
        indentUnit.of("  "),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        colors.of(languageOf(deepest <= MAX_NESTING)),
        EditorState.transactionExtender.of((change) => {
          if (!change.docChanged) return null;
          deepest += deepens(change);
          if (deepest > MAX_NESTING) deepest = nesting(change.newDoc);
          const wanted = deepest <= MAX_NESTING;
          if (wanted === colors.get(change.startState).length > 0) return null;
          return { effects: colors.reconfigure(languageOf(wanted)) };
        }),
        syntaxHighlighting(colours),
        celHighlight,
        hoverTooltip(explainHover(on)),
        autocompletion({ override: [complete(on)], icons: false, maxRenderedOptions: 60 }),
        tooltips({ position: "fixed" }),
        placeholder(config.hint),
        Prec.high(keymap.of([
          { key: "Ctrl-.", mac: "Cmd-.", run: quickFix },
          { key: "Tab", run: (it) => completionStatus(it.state) === "active" && acceptCompletion(it) },
        ])),
        keymap.of([...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": config.label, id: "yaml-text", tabindex: "0" }),
        looks,
        config.grows ? [] : EditorView.theme({ "&": { height: "100%" } }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !quiet) tell(update);
          if (update.selectionSet && update.view.hasFocus && !quiet) on.cursor(update.state.selection.main.head);
        }),
      ],
    }),
  });

  /** A document without the separators and blank lines around it. */
  const trim = (range) => {
    const doc = view.state.doc;
    let first = doc.lineAt(clamp(doc, range.from));
    let last = doc.lineAt(clamp(doc, range.to));
    if (last.from === clamp(doc, range.to) && last.number > first.number) last = doc.line(last.number - 1);
    const idle = (line) => /^(---.*)?\s*$/.test(line.text);
    while (first.number < last.number && idle(first)) first = doc.line(first.number + 1);
    while (last.number > first.number && idle(last)) last = doc.line(last.number - 1);
    return { from: first.from, to: last.to };
  };

  const unfoldAround = (from, to) => {
    const effects = [];
    foldedRanges(view.state).between(from, to, (a, b) => {
      effects.push(unfoldEffect.of({ from: a, to: b }));
    });
    return effects;
  };

  return {
    setText(text) {
      quiet = true;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: EditorSelection.cursor(0),
        effects: EditorView.scrollIntoView(0),
        userEvent: "input.load",
      });
      quiet = false;
    },
    text: () => textOf(view.state),
    speak(json) {
      view.dispatch({ effects: phrases.reconfigure(EditorState.phrases.of(Object.fromEntries(JSON.parse(json)))) });
    },
    report(json) {
      const again = view.state.field(foldAgainField);
      const report = JSON.parse(json);
      view.dispatch({ effects: setReport.of(report) });
      if (again) {
        const inside = report.folds.filter((it) => it.from <= again.to && it.to >= again.from);
        this.fold(JSON.stringify(inside), "[]");
      }
    },
    lit(json) {
      view.dispatch({ effects: setLit.of(JSON.parse(json)) });
    },
    /** Folds ranges, but leaves the lines of `keep` open. */
    fold(json, keepJson) {
      const doc = view.state.doc;
      const keep = JSON.parse(keepJson).map(({ from, to }) => ({
        first: doc.lineAt(clamp(doc, from)).number,
        last: doc.lineAt(clamp(doc, to)).number,
      }));
      const effects = [];
      const shut = (first, last, from, to) => {
        if (last - first >= 2 && to > from) effects.push(foldEffect.of({ from, to }));
      };
      for (const { from, to } of JSON.parse(json).map(trim)) {
        const last = doc.lineAt(to).number;
        let at = doc.lineAt(from).number;
        let start = from;
        const inside = keep.filter((it) => it.last >= at && it.first <= last).sort((a, b) => a.first - b.first);
        for (const { first, last: end } of inside) {
          if (first > at) shut(at, first - 1, start, doc.line(first - 1).to);
          at = Math.max(at, end + 1);
          start = at <= doc.lines ? doc.line(at).from : to;
        }
        if (at <= last) shut(at, last, start, to);
      }
      view.dispatch({ effects });
    },
    reveal(from, to, focus) {
      const a = clamp(view.state.doc, from);
      const b = clamp(view.state.doc, Math.max(from, to));
      const head = view.state.doc.lineAt(a);
      const scroll = () => {
        const block = view.lineBlockAt(a);
        const top = view.scrollDOM.scrollTop;
        const seen = block.top >= top + 8 && block.bottom <= top + view.scrollDOM.clientHeight - 8;
        return seen ? [] : [EditorView.scrollIntoView(a, { y: "center" })];
      };
      view.dispatch({ effects: unfoldAround(head.from, b) });
      quiet = !focus;
      view.dispatch({ ...(focus ? { selection: EditorSelection.single(a, b) } : {}), effects: scroll() });
      quiet = false;
      if (focus) view.focus();
    },
    apply(json, newest) {
      applyEdits(view, JSON.parse(json), newest ? null : view.state.field(reportField).since);
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
