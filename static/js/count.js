// @ts-check
/** A player counts their own cards with the keypad of the scorer's page. Without this file, they type into fields. */

import { stayAwake } from "./awake.js";
import { countsOf, spent } from "./counting.js";
import { around, find, one } from "./dom.js";
import { draftOf, dropDraft, keep, keepDraft, recall, restoreDraft, wordsOf } from "./form.js";
import { Loser, useKeypad } from "./loser.js";
import { deliver, resume } from "./outbox.js";

/** @typedef {import("./loser.js").Mode} Mode */

const form = find("#count", document, HTMLFormElement);

/** @param {HTMLFormElement} form */
function start(form) {
  const entry = /** @type {import("./counting.js").Entry} */ (JSON.parse(form.dataset.entry ?? ""));
  const words = wordsOf(form);
  const pad = one("[data-keypad]", form);
  const own = new Loser(one(".loser", form), entry, words);
  const showKeypad = useKeypad(pad, press);
  const draft = draftOf(form);
  const isCurrent = draft?.seen === /** @type {HTMLInputElement} */ (form.elements.namedItem("seen")).value;
  if (draft && isCurrent) restoreDraft(form, draft);
  else if (draft) dropDraft(form.action); // of a hand that is saved by now
  /** @type {Mode} */
  let mode = own.points || recall("mode") === "points" ? "points" : "cards";

  function show() {
    own.show(true);
    const cards = own.cards;
    showKeypad({ mode, counts: countsOf(cards, entry), spent: spent(cards, entry), isLast: true });
  }

  function enter() {
    own.fields[mode].focus({ preventScroll: true });
    show();
  }

  function changed() {
    own.reconsider();
    show();
    keepDraft(form);
  }

  /** @param {string} key */
  function press(key) {
    if (key === "next") return form.requestSubmit();
    if (key === "mode") {
      mode = mode === "cards" ? "points" : "cards";
      keep("mode", mode);
      return enter();
    }
    if (/^\d$/.test(key)) own.type(key);
    else own.press(key, mode);
    changed();
  }

  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    own.check();
    if (!own.fault) deliver(form);
  });
  form.addEventListener("focusin", (event) => {
    if (event.target === own.fields.cards) mode = "cards";
    else if (event.target === own.fields.points) mode = "points";
    show();
  });
  form.addEventListener("click", (event) => {
    const chip = around(event.target, "[data-remove]");
    if (!chip) return;
    own.remove(chip.dataset.remove);
    changed();
  });
  form.classList.add("is-live", "has-winner"); // as on the scorer's page once somebody has won
  pad.hidden = false;
  one("[data-hand-in]", form).hidden = true; // the keypad has its own
  enter();
  resume(form, (draft) => {
    restoreDraft(form, draft);
    show();
  });
}

if (form) start(form);
stayAwake();
