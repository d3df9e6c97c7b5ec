// @ts-check
/** A phone that says the table goes on there is listened to, or ignored: then this phone says no more of it. */

import { keep, recall } from "./form.js";

function show() {
  for (const note of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-continuation]"))) {
    const name = `ignored:${note.dataset.continuation}`;
    note.hidden = recall(name) === true;
    if (note.querySelector("button")) continue;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "button", textContent: note.dataset.ignore });
    button.addEventListener("click", () => {
      keep(name, true);
      note.hidden = true;
    });
    note.querySelector(".row")?.append(button);
  }
}

show();
document.addEventListener("patched", show);
