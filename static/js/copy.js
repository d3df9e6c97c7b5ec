/** Entering a paper score sheet: saves the grid as a draft until the game is saved, even after a check. */

import { autosave } from "./autosave.js";
import { all, around, find, make, one, submittedBy } from "./dom.js";
import { deleteDraft, loadDraft, restoreDraft } from "./form.js";
import { enhanceTerms } from "./terms.js";

const form = one("form[data-draft]", document, HTMLFormElement);
const draft = loadDraft(form.action);
// the page after a check has the values sent to it, and the draft may be newer
if (draft && "typed" in form.dataset) {
  const inputs = all("input", form, HTMLInputElement).filter((field) => field.value !== field.defaultValue);
  const typed = inputs.map((field) => ({ field, text: field.value }));
  restoreDraft(form, draft);
  for (const { field, text } of typed) field.value = text; // typed before this module loaded: newer still
}
// the first page has no grid: send its values along in hidden fields
autosave(form, ({ fields }) => {
  for (const [name, value] of fields) {
    const isGrid = /^(cell-|written-|ends$|cards_alone$)/.test(name);
    if (isGrid && !form.elements.namedItem(name)) form.append(make("input", { type: "hidden", name, value }));
  }
});
enhanceTerms(form);
one("[name=variant]", form, HTMLSelectElement).addEventListener("change", () => {
  one("#terms", form).dispatchEvent(new Event("input")); // the terms depend on the variant
});
form.addEventListener("submit", (event) => {
  if (submittedBy(event) === "save") deleteDraft(form.action);
});

const board = find(".copy-keys", form);
const cells = () => all(".copy-grid input", form, HTMLInputElement);
/** @type {HTMLInputElement | undefined} */
let cell;

/** @param {EventTarget | null} target */
function enter(target) {
  if (target instanceof HTMLInputElement && target.closest(".copy-grid")) cell = target;
}

/** Choose the on-screen keyboard: digits first, because nearly every cell holds a sum. @param {string} mode */
function setKeyboard(mode) {
  for (const each of cells()) each.inputMode = mode;
}

if (board) {
  board.hidden = false;
  setKeyboard("numeric");
  enter(document.activeElement); // focused before this module loaded
  form.addEventListener("focusin", ({ target }) => enter(target));
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== cell || !cell) return;
    event.preventDefault();
    cells()[cells().indexOf(cell) + 1]?.focus();
  });
  // keep the focus in the cell, or the on-screen keyboard would close
  board.addEventListener("pointerdown", (event) => event.preventDefault());
  board.addEventListener("click", ({ target }) => {
    const key = around(target, "button");
    if (!key || !cell) return;
    if (key.dataset.sign) {
      const isWhole = key.dataset.sign.length > 1; // “not dealt in” leaves room for nothing else
      cell.value = isWhole ? key.dataset.sign : cell.value + key.dataset.sign;
      cell.dispatchEvent(new Event("input", { bubbles: true }));
      return;
    }
    setKeyboard(cell.inputMode === "numeric" ? "text" : "numeric");
    cell.blur();
    cell.focus();
  });
}
