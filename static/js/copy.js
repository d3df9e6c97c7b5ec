// @ts-check
/** A paper sheet is long to type: what stands in the grid is kept until it is saved, also after it was checked. */

import { draftOf, dropDraft, restoreDraft } from "./draft.js";
import { keepTyped } from "./typed.js";
import { sayZone } from "./zone.js";

/** @typedef {import("./draft.js").Draft} Draft */

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-draft]"));

/** As many rows as were typed, where there is a grid. @param {Draft} draft */
function makeRows(draft) {
  const wanted = draft.fields.filter(([name]) => name.startsWith("winner-")).length;
  const rows = () => [...form.querySelectorAll("[name^='winner-']")];
  const last = rows().at(-1)?.closest("tr");
  while (last && rows().length < wanted) last.parentElement?.append(emptyRow(last, rows().length));
}

/** @param {Element} row @param {number} number counted from 0 */
function emptyRow(row, number) {
  const copy = /** @type {Element} */ (row.cloneNode(true));
  for (const field of /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (
    copy.querySelectorAll("[name]")
  )) {
    field.name = field.name.replace(/\d+/, String(number));
    field.ariaLabel = (field.ariaLabel ?? "").replace(/\d+/, String(number + 1));
    if (field instanceof HTMLSelectElement) field.selectedIndex = 0;
    else field.value = "";
  }
  return copy;
}

const draft = draftOf(form);
// the answer to a check: what was typed since is newer
if (draft && "typed" in form.dataset) {
  makeRows(draft);
  restoreDraft(form, draft);
}
keepTyped(form, makeRows);
sayZone(form);
form.addEventListener("submit", (event) => {
  if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value === "save") dropDraft(form.action);
});
