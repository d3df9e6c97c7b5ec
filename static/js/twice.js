// @ts-check
/**
 * A hand typed while others recorded hands: one tap says whether it is one of them. To be another hand, it is saved
 * like any other, even without a network; thrown away, it leaves nothing on this phone.
 */

import { dropDraft, wordsOf } from "./form.js";
import { deliver, withdraw } from "./outbox.js";

const ANOTHER = "another-";

/** @param {Element} question what the server asks @param {(event: Event) => void} [thrownAway] */
export function ask(question, thrownAway = () => {}) {
  const form = /** @type {HTMLFormElement} */ (question.querySelector("form"));
  question.querySelector("[data-throw]")?.addEventListener("click", (event) => {
    withdraw(form.action, /** @type {HTMLInputElement} */ (form.elements.namedItem("submission")).value);
    dropDraft(form.action);
    thrownAway(event);
  });
  form.addEventListener("submit", (event) => {
    const choice = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value ?? "";
    if (!choice.startsWith(ANOTHER)) return;
    event.preventDefault();
    /** @type {HTMLInputElement} */ (form.elements.namedItem("seen")).value = choice.slice(ANOTHER.length);
    deliver(form, wordsOf(form));
  });
}

const shown = document.querySelector("main > [data-twice]");
if (shown) ask(shown);
