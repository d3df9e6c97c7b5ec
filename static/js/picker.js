// @ts-check
/** The keys that lay cards, at the foot of the referee's page. */

import { fill } from "./form.js";
import { afterJoker, NOTHING, perhapsMeant, press, withoutTheLast, withoutTheLastCard } from "./laying.js";

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
    for (const key of /** @type {NodeListOf<HTMLElement>} */ (keys.querySelectorAll("[aria-pressed]"))) {
      const { rank = "", suit = "" } = key.dataset;
      key.setAttribute("aria-pressed", String(rank === held.rank && suit === held.suit));
    }
    field.hold(held);
  };
  const release = () => hold(NOTHING);
  const asked = document.createElement("button");
  Object.assign(asked, { type: "button", className: "button button-wide" });

  /** Ask whether the last card was meant otherwise, until the next key. @param {ReturnType<typeof perhapsMeant>} doubt */
  const ask = (doubt) => {
    /** @param {Required<import("./laying.js").Key>} card */
    const shown = ({ rank, suit }) => `${rank}${keys.querySelector(`[data-suit="${suit}"]`)?.textContent}`;
    asked.remove();
    if (!doubt) return;
    asked.textContent = fill(keys.dataset.instead ?? "", { meant: shown(doubt.meant), laid: shown(doubt.laid) });
    asked.onclick = () => {
      field.takeBack();
      field.lay(doubt.meant.rank + doubt.meant.suit);
      release();
    };
    keys.prepend(asked);
  };

  /** Take back the key just pressed or, if it has laid a card, the last card. */
  const takeBack = () => {
    if (held.isFresh) return hold(withoutTheLast(held));
    hold(withoutTheLastCard(held));
    field.takeBack();
  };

  /** @param {HTMLElement} key */
  const type = (key) => {
    const pressed = { rank: key.dataset.rank ?? "", suit: key.dataset.suit ?? "" };
    const doubt = perhapsMeant(held, pressed);
    const next = press(held, pressed);
    hold(next.held);
    ask(doubt);
    for (let each = 0; each < next.back; each++) field.takeBack();
    next.cards.forEach(field.lay);
  };

  const joker = () => {
    hold(afterJoker(held));
    field.joker();
  };

  const clear = () => {
    release();
    field.clear();
  };

  keys.hidden = false;
  keys.addEventListener("click", (event) => {
    const key = event.target instanceof Element ? event.target.closest("button") : null;
    ask(undefined);
    if (!(key instanceof HTMLElement) || key === asked) return;
    if ("joker" in key.dataset) joker();
    else if ("takeBack" in key.dataset) takeBack();
    else if ("clear" in key.dataset) clear();
    else type(key);
  });
  // the page came back from the browser's cache
  window.addEventListener("pageshow", (event) => event.persisted && release());
  return release;
}

/**
 * What cards are called, from the names of the keys.
 * @param {HTMLElement} keys
 */
export function names(keys) {
  /** @param {string} which */
  const label = (which) => keys.querySelector(which)?.getAttribute("aria-label") ?? "";
  /** @param {import("./counting.js").Natural} card */
  const natural = ({ rank, suit }) =>
    fill(keys.dataset.of ?? "", { rank: label(`[data-rank="${rank}"]`), suit: label(`[data-suit="${suit}"]`) });
  /** @param {import("./counting.js").Card} card */
  return (card) => {
    if (card.as) return fill(keys.dataset.as ?? "", { card: natural(card.as) });
    return card.rank === "*" ? label("[data-joker]") : natural(card);
  };
}
