// @ts-check
/** Importing a saved game: the copy that this phone keeps of the game in the address (copies.js). */

import { copyOf } from "./copies.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form:has(#pasted)"));
const field = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("pasted"));
const code = location.hash.slice(1);
const copy = code && !field.value && copyOf(code);
if (copy) {
  field.value = copy.text;
  /** @type {HTMLInputElement} */ (form.elements.namedItem("former")).value = code;
  form.requestSubmit();
}
