// @ts-check
/** Copying a paper sheet: keeps what is typed into the grid until it is saved, even after a check. */

import { all, around, find, one } from "./dom.js";
import { draftOf, dropDraft, restoreDraft } from "./form.js";
import { workRules } from "./house.js";
import { keepTyped } from "./typed.js";

/** @typedef {import("./form.js").Draft} Draft */

const form = one("form[data-draft]", document, HTMLFormElement);

/** Give the grid, if there is one, as many rows as were typed. @param {Draft} draft */
function makeRows(draft) {
  const wanted = draft.fields.filter(([name]) => /^cell-\d+-1$/.test(name)).length;
  const rows = () => [...form.querySelectorAll("[name^='cell-'][name$='-1']")];
  const last = rows().at(-1)?.closest("tr");
  while (last && rows().length < wanted) rows().at(-1)?.closest("tr")?.after(emptyRow(last, rows().length));
}

/** @param {Element} row @param {number} number counted from 0 */
function emptyRow(row, number) {
  const copy = /** @type {HTMLElement} */ (row.cloneNode(true));
  const fields = all("[name]", copy, HTMLInputElement);
  const head = one("th", copy);
  head.textContent = String(Number(head.textContent) + number - Number(/\d+/.exec(fields[0]?.name ?? "")));
  for (const field of fields) {
    field.id = field.name = field.name.replace(/\d+/, String(number));
    field.ariaLabel = (field.ariaLabel ?? "").replace(/\d+/, String(number + 1));
    field.value = "";
  }
  return copy;
}

const draft = draftOf(form);
// on the page that answers a check: what was typed since is newer
if (draft && "typed" in form.dataset) {
  const inputs = all("input", form, HTMLInputElement).filter((field) => field.value !== field.defaultValue);
  const typed = inputs.map((field) => ({ field, text: field.value }));
  makeRows(draft);
  restoreDraft(form, draft);
  for (const { field, text } of typed) field.value = text; // newer still: typed before this file arrived
}
keepTyped(form, makeRows);
workRules(form);
one("[name=variant]", form, HTMLSelectElement).addEventListener("change", () => {
  one("#terms", form).dispatchEvent(new Event("input")); // which are another variant's now
});
form.addEventListener("submit", (event) => {
  if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value === "save") dropDraft(form.action);
});

const keys = find(".copy-keys", form);
const cells = () => all(".copy-grid input", form, HTMLInputElement);
/** @type {HTMLInputElement | undefined} */
let cell;
let isJumped = false; // while nobody has done anything in a cell that was reached by itself

/** The next cell, row by row. */
function goOn() {
  if (cell) cells()[cells().indexOf(cell) + 1]?.focus();
}

/** Go on by itself. Somebody who ends every cell with Enter still presses it: that Enter belongs to the cell before. */
function jump() {
  goOn();
  isJumped = true;
}

/** Which keyboard comes up; digits at first, because nearly every cell holds a sum. @param {string} mode */
function bringUp(mode) {
  for (const each of cells()) each.inputMode = mode;
}

if (keys) {
  const board = keys;
  board.hidden = false;
  bringUp("numeric");
  const enter = (/** @type {EventTarget | null} */ target) => {
    if (target instanceof HTMLInputElement && target.closest(".copy-grid")) cell = target;
  };
  enter(document.activeElement); // touched before this file had come
  form.addEventListener("focusin", ({ target }) => {
    enter(target);
    isJumped = false;
  });
  for (const done of ["input", "pointerdown"]) {
    form.addEventListener(done, () => {
      isJumped = false;
    });
  }
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== cell) return;
    event.preventDefault();
    if (!isJumped) goOn();
    isJumped = false;
  });
  // a key must not take the focus, or the keyboard would close
  board.addEventListener("pointerdown", (event) => event.preventDefault());
  board.addEventListener("click", ({ target }) => {
    const key = around(target, "button");
    if (!key || !cell) return;
    if (!key.dataset.sign) {
      bringUp(cell.inputMode === "numeric" ? "text" : "numeric");
      cell.blur();
      cell.focus();
      return;
    }
    cell.value += key.dataset.sign;
    cell.dispatchEvent(new Event("input", { bubbles: true }));
    if (/[✓KB]/.test(key.dataset.sign)) jump();
  });
}
