// Starts the page; says so when the browser cannot.
import init from "./app.js";

init().catch((error) => {
  const note = document.getElementById("boot");
  if (note) note.textContent = `${note.dataset.failed ?? ""} ${error}`;
});
