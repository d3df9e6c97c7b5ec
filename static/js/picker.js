// The keys for cards: a rank, then a suit – or a suit first, and ranks go on in that suit.
// Whichever was pressed first stays pressed, so that a set needs its rank and a run its suit only once.

/**
 * @typedef {Object} Hands
 * @property {(rank: string, suit: string) => void} lay
 * @property {() => void} joker
 * @property {() => void} takeBack
 * @property {() => void} clear
 */

/**
 * @param {HTMLElement} keys
 * @param {Hands} hands
 */
export function picker(keys, hands) {
  /** @type {HTMLElement | null} */
  let held = null;

  /** @param {HTMLElement | null} key */
  const hold = (key) => {
    held?.setAttribute("aria-pressed", "false");
    held = key;
    held?.setAttribute("aria-pressed", "true");
  };

  /** @param {HTMLElement} key */
  const press = (key) => {
    const other = key.dataset.rank ? held?.dataset.suit : held?.dataset.rank;
    if (!other) return hold(held === key ? null : key);
    if (key.dataset.rank) hands.lay(key.dataset.rank, other);
    else hands.lay(other, key.dataset.suit ?? "");
  };

  keys.hidden = false;
  keys.addEventListener("click", (event) => {
    const key = event.target instanceof Element ? event.target.closest("button") : null;
    if (!(key instanceof HTMLElement)) return;
    if ("joker" in key.dataset) hands.joker();
    else if ("takeBack" in key.dataset) hands.takeBack();
    else if ("clear" in key.dataset) hands.clear();
    else press(key);
  });
}

/**
 * How cards are called, from the names of the keys.
 * @param {HTMLElement} keys
 */
export function names(keys) {
  /** @param {string} which */
  const label = (which) => keys.querySelector(which)?.getAttribute("aria-label") ?? "";
  /** @param {{rank: string, suit: string}} card */
  const natural = ({ rank, suit }) =>
    (keys.dataset.of ?? "")
      .replace("{rank}", label(`[data-rank="${rank}"]`))
      .replace("{suit}", label(`[data-suit="${suit}"]`));
  /** @param {import("./cards.js").Card} card */
  return (card) => {
    if (card.as) return (keys.dataset.as ?? "").replace("{card}", natural(card.as));
    return card.rank === "*" ? label("[data-joker]") : natural(card);
  };
}
