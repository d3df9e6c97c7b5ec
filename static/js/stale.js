// @ts-check
/**
 * A hand typed while others recorded: saved from here it goes like any other, even without a network; discarded, it
 * leaves nothing on this phone.
 */

import { dropDraft, wordsOf } from "./form.js";
import { deliver, withdraw } from "./outbox.js";

/** @param {Element} question what the server shows @param {(event: Event) => void} [discarded] */
export function ask(question, discarded = () => {}) {
  const form = /** @type {HTMLFormElement} */ (question.querySelector("form"));
  question.querySelector("[data-throw]")?.addEventListener("click", (event) => {
    withdraw(form.action, /** @type {HTMLInputElement} */ (form.elements.namedItem("submission")).value);
    dropDraft(form.dataset.typedAt ?? form.action);
    discarded(event);
  });
  form.addEventListener("submit", (event) => {
    if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value !== "save") return;
    event.preventDefault();
    deliver(form, wordsOf(form));
  });
}

const shown = document.querySelector("main > [data-stale]");
if (shown) ask(shown);
