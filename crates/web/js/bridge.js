// The few lines of JavaScript that Rust cannot say: a lazy import and calls into what it gives.
let editorModule = null;

export async function loadEditor(url) {
  editorModule = await import(url);
}

export function createEditor(parent, text, label, hint, change, cursor, letter) {
  return editorModule.create(parent, { text, label, hint }, { change, cursor, letter });
}

export function call(object, method, argument, second, third) {
  object[method](argument, second, third);
}
