// @ts-check
/**
 * What others do while the scorer types a hand. Counts handed in fill empty rows, and are offered beside rows that hold
 * something else. A hand that somebody else recorded is announced, never filled in.
 */

import { seenOf } from "./form.js";
import { follow } from "./live.js";
import { morph, parsed } from "./morph.js";

const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-arriving]"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("hand"));
const SAID = ".loser-from, .loser-offer";

/** @typedef {{cards: string, points: string}} Count */

/** The count that the page itself put into a row, by seat; a newer one may replace it. @type {Map<string, Count>} */
const put = new Map();

/** @param {string} seat */
function fieldsOf(seat) {
  const find = (/** @type {string} */ part) =>
    /** @type {HTMLInputElement | null} */ (form.querySelector(`#${part}-${seat}`));
  return { cards: find("cards"), points: find("points") };
}

/** @param {string} seat @returns {Count} */
function typed(seat) {
  const fields = fieldsOf(seat);
  return { cards: fields.cards?.value.trim() ?? "", points: fields.points?.value.trim() ?? "" };
}

/** @param {Count} one @param {Count} other */
const same = (one, other) => one.cards === other.cards && one.points === other.points;

/** @param {string} seat @param {Count} count */
function fill(seat, count) {
  const { cards, points } = fieldsOf(seat);
  if (!cards || !points) return;
  cards.value = count.cards;
  points.value = count.points;
  put.set(seat, count);
  cards.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Under a row: whose phone its count came from, or a button that fills in another count.
 * @param {HTMLElement} row @param {Count} count @param {HTMLElement} told
 */
function say(row, count, told) {
  const isIn = same(typed(row.dataset.seat ?? ""), count);
  const text = (isIn ? told.dataset.from : told.textContent) ?? "";
  const said = row.querySelector(SAID);
  if (said?.textContent === text) return; // under a thumb, perhaps
  said?.remove();
  if (isIn) tell(row, text);
  else offer(row, text, () => putIn(row, count, told));
}

/** @param {HTMLElement} row @param {Count} count @param {HTMLElement} told */
function putIn(row, count, told) {
  fill(row.dataset.seat ?? "", count);
  say(row, count, told);
}

/** @param {HTMLElement} row @param {string} text */
function tell(row, text) {
  const line = document.createElement("p");
  line.className = "loser-from";
  line.textContent = text;
  row.querySelector("[data-notes]")?.before(line);
}

/** @param {HTMLElement} row @param {string} text @param {() => void} take */
function offer(row, text, take) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button loser-offer";
  button.textContent = text;
  button.addEventListener("click", take);
  row.append(button);
}

/** @param {string} seat @param {Count} count @returns {boolean} whether the scorer has not touched the row since the last count */
function isUntouched(seat, count) {
  const now = typed(seat);
  const last = put.get(seat);
  if (last && same(last, now)) return true;
  return !now.cards && !now.points && !(last && same(last, count)); // emptied on purpose: not put in again
}

/** Choose the player who says that they went out, unless the scorer has chosen somebody. @param {HTMLElement} place */
function chooseWinner(place) {
  const seat = /** @type {HTMLElement | null} */ (place.querySelector("[data-out]"))?.dataset.out;
  if (!seat || form.querySelector("input[name=winner]:checked")) return;
  const tile = /** @type {HTMLInputElement | null} */ (form.querySelector(`input[name=winner][value="${seat}"]`));
  if (!tile) return;
  tile.checked = true;
  tile.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {HTMLElement} place */
function takeIn(place) {
  const seen = new URL(place.dataset.arriving ?? "", location.href).searchParams.get("seen");
  const isForNext = Number(seenOf(form)) > Number(seen); // the hand those counts are of waits to be sent
  if (!isForNext) chooseWinner(place);
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".loser"))) {
    const seat = row.dataset.seat ?? "";
    const told = /** @type {HTMLElement | null} */ (place.querySelector(`[data-counted="${seat}"]`));
    if (told && !isForNext) weigh(row, told);
    else row.querySelector(SAID)?.remove();
  }
}

/** @param {HTMLElement} row @param {HTMLElement} told */
function weigh(row, told) {
  const seat = row.dataset.seat ?? "";
  const count = { cards: told.dataset.cards ?? "", points: told.dataset.points ?? "" };
  if (same(typed(seat), count)) put.set(seat, count);
  else if (isUntouched(seat, count)) fill(seat, count);
  say(row, count, told);
}

/** @param {HTMLElement} place */
function start(place) {
  let last = "";
  const refresh = async () => {
    try {
      const answer = await fetch(place.dataset.arriving ?? "", { cache: "no-cache" });
      if (!answer.ok) return;
      const told = parsed(await answer.text());
      morph(place, told);
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
