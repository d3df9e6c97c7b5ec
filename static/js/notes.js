// @ts-check
/** What stands under a row: what is odd about it, and the cards picked. */

import { countsOf, isPossible, signOf, signOfKey } from "./counting.js";
import { fill } from "./form.js";

/** @typedef {import("./loser.js").Loser} Loser */

/** @param {string} text @param {string} classes */
export function makeButton(text, classes) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = classes;
  button.textContent = text;
  return button;
}

/** @param {Loser} loser @param {number | null} worth what the cards count, if all of them can be read @returns {HTMLElement[]} */
export function warnings(loser, worth) {
  const { cards, words } = loser;
  const typed = Number(loser.points);
  const said = /** @type {["differ" | "impossible" | "held", number][]} */ ([]);
  if (cards.length && worth !== null && typed && typed !== worth) said.push(["differ", worth]);
  if (typed && !cards.length && !isPossible(typed, loser.sums)) said.push(["impossible", typed]);
  if (loser.full && cards.length !== loser.fullHand) said.push(["held", cards.length]);
  if (!loser.full && cards.length > loser.fullHand) said.push(["held", cards.length]);
  return said.map(([what, number]) => {
    const line = document.createElement("p");
    const isBegun = what !== "held" || cards.length > 0;
    line.className = isBegun ? "loser-warning" : "small muted";
    const facts = { n: String(number), typed: loser.points, dealt: String(loser.fullHand) };
    line.textContent = `${isBegun ? "⚠ " : ""}${fill(words[what], facts)}`;
    if (what === "differ") line.append(" ", taking(loser));
    return line;
  });
}

/** The button that takes the sum instead of the cards. @param {Loser} loser */
function taking(loser) {
  const button = makeButton(fill(loser.words.take, { typed: loser.points }), "button");
  button.addEventListener("click", () => {
    loser.write([]);
    loser.fields.cards.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return button;
}

/** The cards in a line, as they lie on the table. @param {Loser} loser @returns {HTMLElement[]} */
export function signs({ cards, entry }) {
  const line = document.createElement("p");
  line.className = "loser-shown";
  line.textContent = cards.map((card) => signOf(card, entry)).join(" ");
  return [line];
}

/** A button for each kind of card picked, which takes one back. @param {Loser} loser @returns {HTMLElement[]} */
export function chips({ cards, entry, words }) {
  const counts = Object.entries(countsOf(cards, entry)).filter(([key]) => key);
  if (!counts.length) return [];
  const list = document.createElement("div");
  list.className = "row loser-picked";
  for (const [key, count] of counts) {
    const chip = makeButton(`${signOfKey(key)}${count > 1 ? ` ×${count}` : ""} ✗`, "chip");
    chip.dataset.remove = key;
    chip.setAttribute("aria-label", fill(words.remove, { card: words[key] ?? key }));
    list.append(chip);
  }
  return [list];
}
