// @ts-check
/** The keys that lay cards, at the foot of the referee's page. */

import { all } from "./dom.js";
import { fill } from "./form.js";
import { NOTHING, press, withoutTheLast } from "./laying.js";

/**
 * @typedef {import("./laying.js").Held} Held
 * @typedef {Object} Field where the keys lay cards
 * @property {(card: string) => void} lay
 * @property {() => void} joker
 * @property {() => void} takeBack
 * @property {() => void} clear
 * @property {(held: Held) => void} hold shows what is held
 */

/**
 * @param {HTMLElement} keys @param {Field} field
 * @returns {() => void} lets go of what is held
 */
export function picker(keys, field) {
  let held = NOTHING;

  /** @param {Held} next */
  const hold = (next) => {
    held = next;
    for (const key of all("[aria-pressed]", keys)) {
      const { rank = "", suit = "" } = key.dataset;
      key.ariaPressed = String(rank === held.rank && suit === held.suit);
    }
    field.hold(held);
  };
  const release = () => hold(NOTHING);

  /** @type {Record<string, (key: DOMStringMap) => void>} */
  const acts = {
    joker: field.joker,
    takeBack: () => {
      const { isFresh } = held;
      hold(withoutTheLast(held));
      if (!isFresh) field.takeBack();
    },
    clear: () => {
      release();
      field.clear();
    },
    rank: type,
    suit: type,
  };

  /** @param {{rank?: string, suit?: string}} key */
  function type({ rank, suit }) {
    const next = press(held, { rank, suit });
    hold(next.held);
    next.cards.forEach(field.lay);
  }

  keys.hidden = false;
  keys.addEventListener("click", (event) => {
    const { dataset } = /** @type {HTMLElement} */ (event.target).closest("button") ?? keys;
    for (const [name, act] of Object.entries(acts)) if (name in dataset) act(dataset);
  });
  // the page came back from the browser's cache
  window.addEventListener("pageshow", (event) => event.persisted && release());
  return release;
}

/** What cards are called, from the names of the keys. @param {HTMLElement} keys */
export function names(keys) {
  const label = (/** @type {string} */ which) => keys.querySelector(which)?.ariaLabel ?? "";
  /** @param {import("./counting.js").Natural} card */
  const natural = ({ rank, suit }) =>
    fill(keys.dataset.of ?? "", { rank: label(`[data-rank="${rank}"]`), suit: label(`[data-suit="${suit}"]`) });
  /** @param {import("./counting.js").Card} card */
  return (card) => {
    if (card.as) return fill(keys.dataset.as ?? "", { card: natural(card.as) });
    return card.rank === "*" ? label("[data-joker]") : natural(card);
  };
}
