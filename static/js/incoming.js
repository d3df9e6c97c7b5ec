/**
 * What other phones send while the scorer types a hand. A player's count fills an empty row, and is offered as a button
 * where the row differs. A hand recorded elsewhere is only announced.
 */

import { all, around, button, find, make, one, submitFields } from "./dom.js";
import { seenOf, serialize } from "./form.js";
import { follow, makeUpdater } from "./live.js";

const place = one("[data-incoming]");
const form = one("#hand", document, HTMLFormElement);
const SOURCE_NOTE = ".loser-from, .loser-offer";

/** The counts filled in by this module, which newer counts may replace. @type {Map<HTMLElement, string>} */
const filled = new Map();

/**
 * Fill in a count, or offer it if the scorer has edited the row since; show whose phone it came from.
 * @param {HTMLElement} row @param {HTMLElement} incoming @param {boolean} [isRequested] whether the offer was tapped
 */
function applyCount(row, incoming, isRequested = false) {
  const field = one(".loser-left > .input", row, HTMLInputElement);
  const { left: count = "", from = "" } = incoming.dataset;
  const [now, last] = [field.value.trim(), filled.get(row)];
  const isUntouched = now === last || (!now && last !== count); // or the scorer emptied the row
  if (now !== count && (isRequested || isUntouched)) {
    field.value = count;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const isFilledIn = field.value.trim() === count;
  if (isFilledIn) filled.set(row, count);
  const text = (isFilledIn ? from : incoming.textContent) ?? "";
  const before = row.querySelector(SOURCE_NOTE);
  if (before?.textContent === text) return; // it may be about to be tapped
  before?.remove();
  if (isFilledIn) one("[data-notes]", row).before(make("p", { className: "loser-from" }, text));
  else row.append(button(text, () => applyCount(row, incoming, true), "button loser-offer"));
}

/** Choose the player who says that they went out, unless a winner is chosen. */
function chooseWinner() {
  const seat = find("[data-out]", place)?.dataset.out;
  const tile = find(`input[name=winner][value="${seat}"]`, form, HTMLInputElement);
  if (!tile || form.querySelector("input[name=winner]:checked")) return;
  tile.checked = true;
  tile.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Compare what is typed with the hand that somebody else has saved, or continue in the form for the hand after it. */
place.addEventListener("click", ({ target }) => {
  const button = around(target, "[data-do]");
  if (!button) return;
  const typed = serialize(form);
  for (const [name, value] of Object.entries(button.dataset)) typed.set(name, value ?? "");
  submitFields(form.action, typed);
});

function update() {
  const seen = new URL(place.dataset.incoming ?? "", location.href).searchParams.get("seen");
  const isForNext = Number(seenOf(form)) > Number(seen); // these counts are for a hand that is queued
  if (!isForNext) chooseWinner();
  for (const row of all(".loser", form)) {
    const incoming = find(`[data-left-of="${row.dataset.seat}"]`, place);
    if (incoming && !isForNext && !row.matches(".is-absent")) applyCount(row, incoming);
    else row.querySelector(SOURCE_NOTE)?.remove();
  }
}

update();
form.addEventListener("reset", () => window.setTimeout(update)); // offer the counts after Clear
form.addEventListener("change", update); // and that of a player who was dealt in after all
follow(place.dataset.game ?? "", { onVersion: makeUpdater(place, place.dataset.incoming ?? "", update) });
