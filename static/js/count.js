/** A player's own count, entered with the scorer's keypad. Without this module, players type into plain fields. */

import { autosave } from "./autosave.js";
import { find, one } from "./dom.js";
import { restoreDraft, saveDraft, wordsOf } from "./form.js";
import { Loser } from "./loser.js";
import { resumeSending, saveForm } from "./outbox.js";
import { Rows } from "./rows.js";

const form = find("#count", document, HTMLFormElement);

/** @param {HTMLFormElement} form */
function start(form) {
  const words = wordsOf(form);
  const pad = one("[data-keypad]", form);
  const own = new Loser(one(".loser", form), JSON.parse(form.dataset.entry ?? ""), words);
  autosave(form);
  const send = one("[data-hand-in] button", form);
  const show = () => {
    rows.show();
    one("[data-hand-in]", form).hidden = rows.hasKeys; // the keypad has a button to send
  };
  const changed = () => {
    own.checkWhileTyping();
    show();
    saveDraft(form); // also after a key of the keypad
  };
  const rows = new Rows(form, [own], words, own.mode ?? "cards", { pad, show, changed, completed: () => send.click() });

  form.addEventListener("input", () => {
    rows.onInput();
    changed();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    own.check();
    if (own.fault) return;
    saveForm(form);
  });
  form.classList.add("is-live");
  rows.active = own; // continue the row typed so far
  rows.enter(own);
  resumeSending(form, (draft) => {
    restoreDraft(form, draft);
    show();
  });
}

if (form) start(form);
