// @ts-check
/** Copying a paper sheet: keeps what is typed into the grid until it is saved, even after a check. */

import { draftOf, dropDraft, restoreDraft } from "./form.js";
import { workRules } from "./house.js";
import { keepTyped } from "./typed.js";

/** @typedef {import("./form.js").Draft} Draft */

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-draft]"));

/** Give the grid, if there is one, as many rows as were typed. @param {Draft} draft */
function makeRows(draft) {
  const wanted = draft.fields.filter(([name]) => /^cell-\d+-1$/.test(name)).length;
  const rows = () => [...form.querySelectorAll("[name^='cell-'][name$='-1']")];
  const last = rows().at(-1)?.closest("tr");
  while (last && rows().length < wanted) rows().at(-1)?.closest("tr")?.after(emptyRow(last, rows().length));
}

/** @param {Element} row @param {number} number counted from 0 */
function emptyRow(row, number) {
  const copy = /** @type {Element} */ (row.cloneNode(true));
  const head = /** @type {HTMLElement} */ (copy.querySelector("th"));
  const model = Number(/\d+/.exec(/** @type {HTMLInputElement} */ (copy.querySelector("[name]")).name));
  head.textContent = String(Number(head.textContent) + number - model);
  for (const field of /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (
    copy.querySelectorAll("[name]")
  )) {
    field.name = field.name.replace(/\d+/, String(number));
    field.id = field.name;
    field.ariaLabel = (field.ariaLabel ?? "").replace(/\d+/, String(number + 1));
    if (field instanceof HTMLSelectElement) field.selectedIndex = 0;
    else field.value = "";
  }
  return copy;
}

const draft = draftOf(form);
// on the page that answers a check: what was typed since is newer
if (draft && "typed" in form.dataset) {
  const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input")]);
  const typed = inputs
    .filter((field) => field.value !== field.defaultValue)
    .map((field) => ({ field, text: field.value }));
  makeRows(draft);
  restoreDraft(form, draft);
  for (const { field, text } of typed) field.value = text; // newer still: typed before this file arrived
}
keepTyped(form, makeRows);
workRules(form);
form.addEventListener("submit", (event) => {
  if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value === "save") dropDraft(form.action);
});

const keys = /** @type {HTMLElement | null} */ (form.querySelector(".copy-keys"));
const cells = () => /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(".copy-grid input")]);
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
    const key = target instanceof Element ? target.closest("button") : null;
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
