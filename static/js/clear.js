// @ts-check
/** The button that empties a form, there as long as something is typed; what it took can be brought back. */

import { draftOf, dropDraft, keepDraft, seenOf } from "./draft.js";
import { showNote } from "./saving.js";

/**
 * @param {HTMLFormElement} form @param {import("./form.js").Words} words
 * @param {(draft: import("./draft.js").Draft) => void} takeUp puts a draft into the form and shows it
 * @param {() => void} emptied
 * @returns {(isFilled: boolean) => void} to be told after every change
 */
export function makeClear(form, words, takeUp, emptied) {
  const button = /** @type {HTMLAnchorElement} */ (form.querySelector("[data-clear]"));
  const seen = seenOf(form);
  /** @type {HTMLElement | null} */
  let note = null;

  button.addEventListener("click", (event) => {
    event.preventDefault();
    keepDraft(form);
    const draft = draftOf(form);
    dropDraft(form.action);
    // what the page came with is what was typed: an empty form is another page
    if ("typed" in form.dataset) return location.replace(button.href);
    form.reset();
    /** @type {HTMLInputElement} */ (form.elements.namedItem("seen")).value = seen;
    emptied();
    note =
      draft &&
      showNote(words.cleared, [
        [
          words.unclear,
          () => {
            takeUp(draft);
            keepDraft(form);
          },
        ],
      ]);
  });

  return (isFilled) => {
    button.hidden = !isFilled;
    if (note && isFilled) note.hidden = true;
  };
}
