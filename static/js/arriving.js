/**
 * What others do while the scorer types a hand. Counts handed in fill empty rows, and are offered beside rows that hold
 * something else. A hand that somebody else recorded is announced, never filled in.
 */

import { all, button, find, make, one } from "./dom.js";
import { seenOf } from "./form.js";
import { follow, keepUp } from "./live.js";

const place = one("[data-arriving]");
const form = one("#hand", document, HTMLFormElement);
const SAID = ".loser-from, .loser-offer";
const EMPTY = String(["", ""]);

/** The count that the page itself put into a row; a newer one may replace it. @type {Map<HTMLElement, string>} */
const put = new Map();

/**
 * Fill in a count, unless the scorer has touched the row since the last one; under the row stands whose phone it came
 * from, or a button that fills it in.
 * @param {HTMLElement} row @param {HTMLElement} news @param {boolean} [isTaken] whether somebody tapped that button
 */
function takeCount(row, news, isTaken = false) {
  const fields = all(":is(.loser-cards, .loser-points) > .input", row, HTMLInputElement);
  const inRow = () => String(fields.map(({ value }) => value.trim()));
  const { cards = "", points = "", from = "" } = news.dataset;
  const [count, now, last] = [String([cards, points]), inRow(), put.get(row)];
  const isUntouched = now === last || (now === EMPTY && last !== count); // or emptied on purpose
  if (now !== count && (isTaken || isUntouched)) {
    for (const [each, field] of fields.entries()) field.value = [cards, points][each] ?? "";
    fields[0]?.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const isIn = inRow() === count;
  if (isIn) put.set(row, count);
  const text = (isIn ? from : news.textContent) ?? "";
  const before = row.querySelector(SAID);
  if (before?.textContent === text) return; // under a thumb, perhaps
  before?.remove();
  if (isIn) one("[data-notes]", row).before(make("p", { className: "loser-from" }, text));
  else row.append(button(text, () => takeCount(row, news, true), "button loser-offer"));
}

/** Choose the player who says that they went out, unless the scorer has chosen somebody. */
function chooseWinner() {
  const seat = find("[data-out]", place)?.dataset.out;
  const tile = find(`input[name=winner][value="${seat}"]`, form, HTMLInputElement);
  if (!tile || form.querySelector("input[name=winner]:checked")) return;
  tile.checked = true;
  tile.dispatchEvent(new Event("input", { bubbles: true }));
}

function takeIn() {
  const seen = new URL(place.dataset.arriving ?? "", location.href).searchParams.get("seen");
  const isForNext = Number(seenOf(form)) > Number(seen); // the hand those counts are of waits to be sent
  if (!isForNext) chooseWinner();
  for (const row of all(".loser", form)) {
    const news = find(`[data-counted="${row.dataset.seat}"]`, place);
    if (news && !isForNext) takeCount(row, news);
    else row.querySelector(SAID)?.remove();
  }
}

takeIn();
form.addEventListener("reset", () => window.setTimeout(takeIn)); // what was put in is offered
follow(place.dataset.game ?? "", { onVersion: keepUp(place, place.dataset.arriving ?? "", takeIn) });
