/** Puts the server's HTML into the page, changing only what differs: focus, open folds and unsaved text stay. */

import { isCheckable, isEdited, isOurs } from "./form.js";
import { Idiomorph } from "./vendor/idiomorph.min.js";

// written by scripts and never part of the new HTML
const OWN = "#outbox, #connection";

/**
 * Update places of this page: each from the part of a new page with its id, or one from a part alone. Throw unless the app
 * sent it.
 * @param {Response | null} answer @param {HTMLElement[]} places
 * @param {{isLate?: () => boolean, prepare?: (fresh: DocumentFragment) => void}} [options] `isLate`: whether it is no longer
 *   wanted; `prepare` changes the new HTML
 * @returns {Promise<DocumentFragment | null>} the new HTML, or null if it came too late
 */
export async function swap(answer, places, { isLate, prepare } = {}) {
  if (!answer || !isOurs(answer) || !(answer.ok || answer.status === 422)) throw new Error("not the app’s page");
  const page = document.createElement("template");
  page.innerHTML = await answer.text();
  if (isLate?.()) return null;
  const fresh = page.content;
  prepare?.(fresh);
  const isPage = fresh.getElementById("main");
  for (const place of places) {
    const now = isPage ? fresh.getElementById(place.id) : fresh;
    if (now) morph(place, now);
  }
  document.dispatchEvent(new Event("patched"));
  return fresh;
}

/** @param {Element} place @param {ParentNode} now */
const morph = (place, now) =>
  Idiomorph.morph(place, [...now.childNodes], {
    morphStyle: "innerHTML",
    callbacks: {
      beforeNodeMorphed: (old, fresh) =>
        (isSame(old, fresh) || !isEdited(old)) && !(old instanceof Element && old.matches(OWN)),
      beforeAttributeUpdated: (name) => name !== "open",
    },
  });

/** Whether the server sends the value that was typed. @param {Node} old @param {Node} fresh */
const isSame = (old, fresh) =>
  (old instanceof HTMLInputElement || old instanceof HTMLSelectElement) &&
  (fresh instanceof HTMLInputElement || fresh instanceof HTMLSelectElement) &&
  !isCheckable(old) &&
  old.value === fresh.value;
