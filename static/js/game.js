// @ts-check
/** The game page: what was saved on this phone but has not reached the server is sent from here too. */

import { stayAwake } from "./awake.js";
import { dropDraft } from "./draft.js";
import { keepSending, send, waitingIn } from "./outbox.js";

const note = /** @type {HTMLElement | null} */ (document.querySelector("[data-outbox]"));

/** @param {string} text @param {string} [address] */
function say(text, address) {
  if (!note) return;
  note.textContent = text;
  if (address) {
    const link = document.createElement("a");
    link.className = "button";
    link.href = address;
    link.textContent = note.dataset.look ?? "";
    note.append(" ", link);
  }
  note.hidden = false;
}

/** @param {import("./outbox.js").Letter} letter @param {import("./outbox.js").Fate} fate */
function settled(letter, fate) {
  if (fate === "saved") {
    dropDraft(letter.action);
    location.reload();
  } else {
    say(note?.dataset.refused ?? "", letter.action);
  }
}

for (const letter of waitingIn(note?.dataset.outbox ?? "")) {
  say(note?.dataset.waiting ?? "");
  send(letter).then((fate) => {
    if (fate === "waiting") keepSending(letter, (later) => settled(letter, later));
    else settled(letter, fate);
  });
}
stayAwake();
