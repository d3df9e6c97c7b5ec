/**
 * What others do while the scorer types a hand. Counts handed in fill empty rows, and are offered beside rows that hold
 * something else. A hand that somebody else recorded is announced, never filled in.
 */

import { all, button, find, make, one } from "./dom.js";
import { seenOf } from "./form.js";
import { follow, makeUpdater } from "./live.js";

const place = one("[data-incoming]");
const form = one("#hand", document, HTMLFormElement);
const SOURCE_NOTE = ".loser-from, .loser-offer";
const EMPTY = String(["", ""]);

/** The count that the page itself put into a row; a newer one may replace it. @type {Map<HTMLElement, string>} */
const filled = new Map();

/**
 * Fill in a count, unless the scorer has touched the row since the last one; under the row stands whose phone it came
 * from, or a button that fills it in.
 * @param {HTMLElement} row @param {HTMLElement} incoming @param {boolean} [isRequested] whether somebody tapped that button
 */
function takeCount(row, incoming, isRequested = false) {
  const fields = all(":is(.loser-cards, .loser-points) > .input", row, HTMLInputElement);
  const inRow = () => String(fields.map(({ value }) => value.trim()));
  const { cards = "", points = "", from = "" } = incoming.dataset;
  const [count, now, last] = [String([cards, points]), inRow(), filled.get(row)];
  const isUntouched = now === last || (now === EMPTY && last !== count); // or emptied on purpose
  if (now !== count && (isRequested || isUntouched)) {
    for (const [each, field] of fields.entries()) field.value = [cards, points][each] ?? "";
    fields[0]?.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const isFilledIn = inRow() === count;
  if (isFilledIn) filled.set(row, count);
  const text = (isFilledIn ? from : incoming.textContent) ?? "";
  const before = row.querySelector(SOURCE_NOTE);
  if (before?.textContent === text) return; // under a thumb, perhaps
  before?.remove();
  if (isFilledIn) one("[data-notes]", row).before(make("p", { className: "loser-from" }, text));
  else row.append(button(text, () => takeCount(row, incoming, true), "button loser-offer"));
}

/** Choose the player who says that they went out, unless the scorer has chosen somebody. */
function chooseWinner() {
  const seat = find("[data-out]", place)?.dataset.out;
  const tile = find(`input[name=winner][value="${seat}"]`, form, HTMLInputElement);
  if (!tile || form.querySelector("input[name=winner]:checked")) return;
  tile.checked = true;
  tile.dispatchEvent(new Event("input", { bubbles: true }));
}

function update() {
  const seen = new URL(place.dataset.incoming ?? "", location.href).searchParams.get("seen");
  const isForNext = Number(seenOf(form)) > Number(seen); // the hand those counts are of waits to be sent
  if (!isForNext) chooseWinner();
  for (const row of all(".loser", form)) {
    const incoming = find(`[data-counted="${row.dataset.seat}"]`, place);
    if (incoming && !isForNext) takeCount(row, incoming);
    else row.querySelector(SOURCE_NOTE)?.remove();
  }
}

update();
form.addEventListener("reset", () => window.setTimeout(update)); // what was put in is offered
follow(place.dataset.game ?? "", { onVersion: makeUpdater(place, place.dataset.incoming ?? "", update) });
