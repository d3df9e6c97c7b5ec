// @ts-check
/**
 * The scorer's page hears what others do while a hand is typed: counts handed in go into rows where nothing is typed,
 * and are offered where something else is; a hand somebody else recorded is told, never put in.
 */

import { countDown } from "./lasting.js";
import { follow } from "./live.js";
import { patch } from "./patch.js";

const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-arriving]"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("hand"));

/** @typedef {{cards: string, points: string}} Count */

/** What was put into a row by itself, by seat: it may be replaced by a newer count. @type {Map<string, Count>} */
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

/** A button in the row that puts the count in; gone once it is there. @param {string} seat @param {Count} count @param {string} text */
function offer(seat, count, text) {
  const row = form.querySelector(`.loser[data-seat="${seat}"]`);
  row?.querySelector(".loser-offer")?.remove();
  if (!row || same(typed(seat), count)) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button loser-offer";
  button.textContent = text;
  button.addEventListener("click", () => {
    fill(seat, count);
    button.remove();
  });
  row.append(button);
}

/** @param {string} seat @param {Count} count @returns {boolean} whether the scorer has not touched the row since the last count */
function isUntouched(seat, count) {
  const now = typed(seat);
  const last = put.get(seat);
  if (last && same(last, now)) return true;
  return !now.cards && !now.points && !(last && same(last, count)); // emptied on purpose: not put in again
}

/** Chooses the player who says that they went out, unless the scorer has chosen somebody. @param {HTMLElement} place */
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
  chooseWinner(place);
  for (const told of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-counted]"))) {
    const seat = told.dataset.counted ?? "";
    const count = { cards: told.dataset.cards ?? "", points: told.dataset.points ?? "" };
    if (same(typed(seat), count)) put.set(seat, count);
    else if (isUntouched(seat, count)) fill(seat, count);
    offer(seat, count, told.textContent ?? "");
  }
}

/** @param {HTMLElement} place */
function start(place) {
  let last = "";
  const refresh = async () => {
    try {
      const answer = await fetch(place.dataset.arriving ?? "", { cache: "no-cache" });
      if (!answer.ok) return;
      patch(place, await answer.text());
      takeIn(place);
      countDown(place);
    } catch {
      last = ""; // the next sign of life asks again
    }
  };
  place.addEventListener("time-up", refresh);
  follow(place.dataset.game ?? "", {
    heard(version) {
      if (version !== last) refresh();
      last = version;
    },
    lost() {},
  });
}

if (place) start(place);
