// @ts-check
/**
 * What others do while the scorer types a hand. Counts handed in fill empty rows, and are offered beside rows that hold
 * something else. A hand that somebody else recorded is announced, never filled in.
 */

import { all, button, find, make, one } from "./dom.js";
import { seenOf } from "./form.js";
import { follow } from "./live.js";
import { morph, parsed } from "./morph.js";

const place = find("[data-arriving]");
const form = one("#hand", document, HTMLFormElement);
const SAID = ".loser-from, .loser-offer";
const EMPTY = String(["", ""]);

/** The count that the page itself put into a row; a newer one may replace it. @type {Map<HTMLElement, string>} */
const put = new Map();

/** A row's cards and points. @param {HTMLElement} row */
const fieldsOf = (row) => all(":is(.loser-cards, .loser-points) > .input", row, HTMLInputElement);

/** @param {HTMLElement} row */
const typedIn = (row) => String(fieldsOf(row).map(({ value }) => value.trim()));

/** @param {HTMLElement} row @param {string[]} count */
function fill(row, count) {
  const fields = fieldsOf(row);
  for (const [each, field] of fields.entries()) field.value = count[each] ?? "";
  put.set(row, String(count));
  fields[0]?.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Fill in a count, unless the scorer has touched the row since the last one. @param {HTMLElement} row @param {HTMLElement} told */
function weigh(row, told) {
  const count = [told.dataset.cards ?? "", told.dataset.points ?? ""];
  const [now, last] = [typedIn(row), put.get(row)];
  const isEmptiedOnPurpose = now === EMPTY && last === String(count);
  if (now === String(count)) put.set(row, now);
  else if (now === last || (now === EMPTY && !isEmptiedOnPurpose)) fill(row, count);
  say(row, count, told);
}

/** Under a row: whose phone its count came from, or a button that fills in another count. @param {HTMLElement} row @param {string[]} count @param {HTMLElement} told */
function say(row, count, told) {
  const isIn = typedIn(row) === String(count);
  const text = (isIn ? told.dataset.from : told.textContent) ?? "";
  const before = row.querySelector(SAID);
  if (before?.textContent === text) return; // under a thumb, perhaps
  before?.remove();
  const take = () => {
    fill(row, count);
    say(row, count, told);
  };
  if (isIn) one("[data-notes]", row).before(make("p", { className: "loser-from" }, text));
  else row.append(button(text, take, "button loser-offer"));
}

/** Choose the player who says that they went out, unless the scorer has chosen somebody. @param {HTMLElement} place */
function chooseWinner(place) {
  const seat = find("[data-out]", place)?.dataset.out;
  const tile = find(`input[name=winner][value="${seat}"]`, form, HTMLInputElement);
  if (!tile || form.querySelector("input[name=winner]:checked")) return;
  tile.checked = true;
  tile.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {HTMLElement} place */
function takeIn(place) {
  const seen = new URL(place.dataset.arriving ?? "", location.href).searchParams.get("seen");
  const isForNext = Number(seenOf(form)) > Number(seen); // the hand those counts are of waits to be sent
  if (!isForNext) chooseWinner(place);
  for (const row of all(".loser", form)) {
    const told = find(`[data-counted="${row.dataset.seat}"]`, place);
    if (told && !isForNext) weigh(row, told);
    else row.querySelector(SAID)?.remove();
  }
}

/** @param {HTMLElement} place */
function start(place) {
  let last = "";
  const refresh = async () => {
    try {
      const answer = await fetch(place.dataset.arriving ?? "", { cache: "no-cache" });
      if (!answer.ok) return;
      morph(place, parsed(await answer.text()));
      takeIn(place);
    } catch {
      last = ""; // the next sign of life asks again
    }
  };
  form.addEventListener("reset", () => window.setTimeout(() => takeIn(place))); // what was put in is offered
  follow(place.dataset.game ?? "", {
    heard(version) {
      if (version !== last) refresh();
      last = version;
    },
    lost() {},
  });
}

if (place) start(place);
