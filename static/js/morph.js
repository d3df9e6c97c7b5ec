/**
 * Turns what a page shows into what the server shows now. It touches only what differs, so the focus stays where it is,
 * open folds stay open, and text being typed stays.
 */

import { isCheckable, isEdited } from "./form.js";
import { Idiomorph } from "./vendor/idiomorph.min.js";

// notes that scripts write, which no page of the server has
const OWN = "#outbox, #lost, #stale";

/** @param {string} html */
export function parseHtml(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return fresh.content;
}

/** @param {Element} place @param {string | ParentNode} now what the server says: HTML, or a part of a page it sent */
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

/** Whether the server now sends what somebody typed. @param {Node} old @param {Node} fresh */
const isSame = (old, fresh) =>
  (old instanceof HTMLInputElement || old instanceof HTMLSelectElement) &&
  (fresh instanceof HTMLInputElement || fresh instanceof HTMLSelectElement) &&
  !isCheckable(old) &&
  old.value === fresh.value;
