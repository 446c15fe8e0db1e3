// The analysis worker: receives the address of the page's script and its compiled module, starts
// the same program, and keeps what is asked meanwhile.
const early = [];
const keep = (event) => early.push(event.data);
self.onmessage = async ({ data: [glue, module] }) => {
  self.onmessage = keep;
  const program = await import(glue);
  await program.default({ module_or_path: module });
  self.onmessage = null;
  for (const data of early) self.dispatchEvent(new MessageEvent("message", { data }));
};
