/** Entering a paper score sheet: saves the grid as a draft until the game is saved, even after a check. */

import { autosave, isCurrent } from "./autosave.js";
import { all, around, find, make, one, submittedBy } from "./dom.js";
import { deleteDraft, loadDraft, saveDraftAt } from "./form.js";
import { isWholePair } from "./reading.js";
import { enhanceTerms } from "./terms.js";

const form = one("form[data-draft]", document, HTMLFormElement);
autosave(form, {
  // the page after a check has the values sent to it, and more may have been typed since
  accepts: (draft) => isCurrent(form, draft) || ("typed" in form.dataset && !draft.isSent),
  // the first page has no grid: send its values along in hidden fields
  onRestore: ({ fields }) => {
    for (const [name, value] of fields) {
      const isGrid = /^(cell-|written-|ends$|cards_alone$)/.test(name);
      if (isGrid && !form.elements.namedItem(name)) form.append(make("input", { type: "hidden", name, value }));
    }
  },
});
enhanceTerms(form);
one("[name=variant]", form, HTMLSelectElement).addEventListener("change", () => {
  one("#terms", form).dispatchEvent(new Event("input")); // the terms depend on the variant
});
form.addEventListener("submit", (event) => {
  const draft = loadDraft(form.action);
  if (submittedBy(event) === "save") deleteDraft(form.action);
  else if (draft) saveDraftAt(form.action, { ...draft, isSent: true });
});

const board = find(".copy-keys", form);
const dearest = Number(find(".copy-grid", form)?.dataset.dearest);
const cells = () => all(".copy-grid input", form, HTMLInputElement);
/** @type {HTMLInputElement | undefined} */
let cell;
let hasJumped = false; // and nothing was done in the cell since

/** @param {EventTarget | null} target */
function enter(target) {
  if (target instanceof HTMLInputElement && target.closest(".copy-grid")) cell = target;
  hasJumped = false;
}

/** @param {number} by */
const move = (by) => cell && cells()[cells().indexOf(cell) + by]?.focus();

/** Leave a cell that is full. */
function jump() {
  move(1);
  hasJumped = true;
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
  form.addEventListener("input", (event) => {
    hasJumped = false;
    const isTyped = event.target === cell && /** @type {InputEvent} */ (event).inputType === "insertText";
    if (isTyped && dearest && cell?.name.startsWith("cell-") && isWholePair(cell.value, dearest)) jump();
  });
  form.addEventListener("keydown", (event) => {
    if (event.target !== cell) return;
    if (event.key === "Backspace" && hasJumped) move(-1); // the key then deletes there
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (!hasJumped) move(1); // else it ends the cell before
    hasJumped = false;
  });
  // keep the focus in the cell, or the on-screen keyboard would close
  board.addEventListener("pointerdown", (event) => event.preventDefault());
  board.addEventListener("click", ({ target }) => {
    const { sign } = around(target, "button")?.dataset ?? board.dataset;
    if (!cell || target === board) return;
    if (!sign) {
      setKeyboard(cell.inputMode === "numeric" ? "text" : "numeric");
      cell.blur();
      return cell.focus();
    }
    const isWhole = sign.length > 1; // “not dealt in” leaves room for nothing else
    cell.value = isWhole ? sign : cell.value + sign;
    cell.dispatchEvent(new Event("input", { bubbles: true }));
    if (isWhole || (dearest && /^[✓KB]$/.test(cell.value))) jump();
  });
}
