// @ts-check
/**
 * The order in which ranks and suits are typed. Nothing of the page in here: keys in, cards out.
 *
 * Whichever is pressed first stays held, and each key of the other kind lays a card with it. So a set needs its rank
 * only once (K ♠ ♥ ♦) and a run its suit (♥ 7 8 9), and whoever presses both for each card, in either order, gets the
 * same: pressing the held key again, or another one of its kind, only says with what the next card is laid.
 *
 * @typedef {{rank: string, suit: string, isFresh: boolean}} Held one of rank and suit, or neither; `isFresh` while
 *   nothing was laid since it was pressed
 * @typedef {{rank?: string, suit?: string}} Key one of rank and suit
 */

/** @type {Held} */
export const NOTHING = { rank: "", suit: "", isFresh: false };

/**
 * One more key: what is held then, and the card it lays, if it lays one.
 * @param {Held} held @param {Key} key @returns {{held: Held, card: string}}
 */
export function press(held, { rank = "", suit = "" }) {
  const isOther = rank ? held.suit : held.rank;
  if (!isOther) return { held: { rank, suit, isFresh: true }, card: "" };
  return { held: { ...held, isFresh: false }, card: (rank || held.rank) + (suit || held.suit) };
}
