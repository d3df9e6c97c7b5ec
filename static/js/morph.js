/** Updates a page to match new HTML, changing only what differs: focus, open folds and unsaved text stay. */

import { isCheckable, isEdited } from "./form.js";
import { Idiomorph } from "./vendor/idiomorph.min.js";

// written by scripts and never part of the new HTML
const OWN = "#outbox, #connection";

/** @param {string} html */
export function parseHtml(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return fresh.content;
}

/** @param {Element} place @param {string | ParentNode} now the new HTML, or a part of a new page */
export function morph(place, now) {
  const { childNodes } = typeof now === "string" ? parseHtml(now) : now;
  Idiomorph.morph(place, [...childNodes], {
    morphStyle: "innerHTML",
    callbacks: {
      beforeNodeMorphed: (old, fresh) =>
        (isSame(old, fresh) || !isEdited(old)) && !(old instanceof Element && old.matches(OWN)),
      beforeAttributeUpdated: (name) => name !== "open",
    },
  });
  document.dispatchEvent(new Event("patched"));
}

/** Whether the server sends the value that was typed. @param {Node} old @param {Node} fresh */
const isSame = (old, fresh) =>
  (old instanceof HTMLInputElement || old instanceof HTMLSelectElement) &&
  (fresh instanceof HTMLInputElement || fresh instanceof HTMLSelectElement) &&
  !isCheckable(old) &&
  old.value === fresh.value;
