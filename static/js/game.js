// @ts-check
/** The game page: what was saved on this phone but has not reached the server is sent from here too. */

import { stayAwake } from "./awake.js";
import { fill } from "./form.js";
import { holdBack, keepSending, waitingIn } from "./outbox.js";

const note = /** @type {HTMLElement} */ (document.querySelector("[data-outbox]"));
const words = note.dataset;
const game = `${location.pathname}/`;

/** @param {string} text @param {string} [address] */
function say(text, address) {
  note.textContent = text;
  if (address) {
    const link = document.createElement("a");
    link.className = "button";
    link.href = address;
    link.textContent = words.look ?? "";
    note.append(" ", link);
  }
  note.hidden = false;
}

if (waitingIn(game).length) {
  keepSending(game, ({ fate, letter }) => {
    const number = waitingIn(game).length;
    if (fate === "saved") location.reload();
    else if (fate !== "waiting") say(words.refused ?? "", letter.action);
    else say(number > 1 ? fill(words.many ?? "", { n: String(number) }) : (words.waiting ?? ""));
  });
}
holdBack(game, { stay: words.stay ?? "", leave: words.leave ?? "" });
stayAwake();
