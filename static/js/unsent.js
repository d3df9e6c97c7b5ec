// @ts-check
/**
 * The next hand while earlier ones wait on this phone. What they cost stands beside each total, as it was typed; what
 * else they changed is for the server to say, so the page says what it does not know and asks nothing about it.
 */

import { read, worthOf } from "./counting.js";
import { all, find, make, one } from "./dom.js";
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
  const note = make("div", { className: "notice notice-plain stack stack-s" }, make("p", {}, words.unknown));
  for (const row of all(".loser", form)) {
    const { seat = "", name = "" } = row.dataset;
    const total = one(".loser-now", row);
    const tile = find(`.winner input[value="${seat}"]`, form, HTMLInputElement);
    row.dataset.total ??= total.textContent ?? "";
    const parts = [row.dataset.total, ...letters.map(({ body }) => pointsIn(body, seat, entry)).filter(Boolean)];
    const text = parts.join(" + ");
    for (const place of [total, ...all(".choice-now", tile?.closest("label") ?? total)]) place.textContent = text;
    /** Whether a player who may be out is in this hand. @param {boolean} away */
    const isAway = (away) => {
      row.toggleAttribute("data-away", away);
      if (tile) Object.assign(tile, { disabled: away, checked: tile.checked && !away });
    };
    isAway(false);
    const sum = parts.reduce((/** @type {number} */ all, part) => all + Number(part), 0);
    if (parts.length === 1 || sum < Number(form.dataset.outAt ?? Infinity)) continue;
    const tick = make("input", { type: "checkbox" });
    tick.addEventListener("change", () => {
      isAway(tick.checked);
      form.dispatchEvent(new Event("input"));
    });
    note.append(make("label", { className: "choice" }, tick, fill(words.absent, { name, sum: text })));
  }
  one("[data-kept]").replaceChildren(note);
}
