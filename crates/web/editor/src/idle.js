// CodeMirror reads a long text ahead while the page is idle, up to 100 ms at once: longer than a key
// may have to wait. This stands in place of the browser's function (see package.json), and as it
// says nothing of the time that is left, CodeMirror takes its least, 25 ms.
const idle = globalThis.requestIdleCallback;
const deadline = { timeRemaining: () => 0 };

export const requestIdleCallback =
  idle && ((work, options) => idle(() => work(deadline), options));
