// @ts-check
/**
 * The next hand while earlier ones wait on this phone. What they cost stands beside each total, as it was typed; what
 * else they changed is for the server to say, so the page says what it does not know and asks nothing about it.
 */

import { read, worthOf } from "./counting.js";
import { fill } from "./form.js";

/** @typedef {import("./counting.js").Entry} Entry */

/** What a waiting hand leaves a player with; as typed, if only the server can read it. @param {string} body @param {string} seat @param {Entry} entry */
function pointsIn(body, seat, entry) {
  const typed = new URLSearchParams(body);
  if (typed.get("winner") === seat) return 0;
  const cards = read(typed.get(`cards-${seat}`) ?? "");
  if (cards.length) return worthOf(cards, entry) ?? 0;
  const points = typed.get(`points-${seat}`) ?? "";
  return points.split("+").reduce((all, part) => all + Number(part), 0) || points;
}

/**
 * @param {HTMLFormElement} form @param {{body: string}[]} letters the hands that wait, the oldest first
 * @param {import("./form.js").Words} words
 */
export function tellUnknown(form, letters, words) {
  const entry = /** @type {Entry} */ (JSON.parse(form.dataset.entry ?? ""));
  const said = document.createElement("p");
  said.textContent = words.unknown;
  const note = document.createElement("div");
  note.className = "notice notice-plain stack stack-s";
  note.append(said);
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".loser"))) {
    const { seat = "", name = "" } = row.dataset;
    const total = row.querySelector(".loser-now");
    const tile = form.querySelector(`.winner input[value="${seat}"]`);
    const shown = [total, tile?.closest("label")?.querySelector(".choice-now")];
    row.dataset.total ??= total?.textContent ?? "";
    const parts = [row.dataset.total, ...letters.map(({ body }) => pointsIn(body, seat, entry)).filter(Boolean)];
    const sum = parts.reduce((/** @type {number} */ all, part) => all + Number(part), 0);
    for (const place of shown) if (place) place.textContent = parts.join(" + ");
    isAway(form, row, false);
    if (parts.length > 1 && sum >= Number(form.dataset.outAt ?? Infinity)) {
      note.append(asking(form, row, fill(words.absent, { name, sum: parts.join(" + ") })));
    }
  }
  document.querySelector("[data-kept]")?.replaceChildren(note);
}

/** @param {HTMLFormElement} form @param {HTMLElement} row @param {string} text @returns {HTMLElement} whether a player who may be out is in this hand */
function asking(form, row, text) {
  const label = document.createElement("label");
  label.className = "choice";
  const tick = document.createElement("input");
  tick.type = "checkbox";
  tick.addEventListener("change", () => {
    isAway(form, row, tick.checked);
    form.dispatchEvent(new Event("input"));
  });
  label.append(tick, text);
  return label;
}

/** @param {HTMLFormElement} form @param {HTMLElement} row @param {boolean} away */
function isAway(form, row, away) {
  const { seat } = row.dataset;
  const tile = /** @type {HTMLInputElement | null} */ (form.querySelector(`.winner input[value="${seat}"]`));
  if (tile) tile.disabled = away;
  if (tile && away) tile.checked = false;
  row.toggleAttribute("data-away", away);
}
