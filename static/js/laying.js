/**
 * The order in which ranks and suits are typed. Independent of the page: keys in, cards out.
 *
 * Whichever is pressed first, rank or suit, stays held, and each key of the other kind lays a card with it. So a set
 * needs its rank only once (K ♠ ♥ ♦) and a run its suit (♥ 7 8 9). Pressing both for each card, in either order, gives
 * the same cards: pressing the held key again, or another one of its kind, only chooses what the next card is laid with.
 * Ranks wait for a suit that comes last (7 8 9 ♥).
 *
 * @typedef {{rank: string, suit: string, isFresh: boolean, waiting: string[]}} Held one of rank and suit, or neither;
 *   whether nothing was laid since it was pressed; ranks pressed before it that still have no suit
 * @typedef {{rank?: string, suit?: string}} Key one of rank and suit
 */

/** @type {Held} */
export const NOTHING = { rank: "", suit: "", isFresh: false, waiting: [] };

/**
 * One more key: what is held then, and the cards it lays.
 * @param {Held} held @param {Key} key @returns {{held: Held, cards: string[]}}
 */
export function press(held, { rank = "", suit = "" }) {
  if ((rank && rank === held.rank) || (suit && suit === held.suit)) return { held, cards: [] };
  if (rank && held.suit) return { held: { ...held, isFresh: false }, cards: [rank + held.suit] };
  if (suit && held.rank) {
    const cards = [...held.waiting, held.rank].map((each) => each + suit);
    return { held: held.waiting.length ? NOTHING : { ...held, isFresh: false }, cards };
  }
  const waiting = held.rank && held.isFresh ? [...held.waiting, held.rank] : [];
  return { held: { rank, suit, isFresh: true, waiting }, cards: [] };
}

/** Ranks that no card was laid with yet. @param {Held} held */
export const unlaid = ({ rank, isFresh, waiting }) => (rank && isFresh ? [...waiting, rank] : []);

/** What is held if ranks written before wait for the next suit, too. @param {Held} held @param {string[]} ranks @returns {Held} */
export function withRanks(held, ranks) {
  if (!ranks.length) return held;
  const waiting = [...ranks, ...unlaid(held)];
  return { rank: waiting.pop() ?? "", suit: "", isFresh: true, waiting };
}

/** What is held once the last key is taken back or, if it laid a card, that card: its suit. @param {Held} held @returns {Held} */
export function withoutTheLast(held) {
  const rank = held.waiting.at(-1);
  if (rank) return { ...held, rank, waiting: held.waiting.slice(0, -1) };
  return held.suit && !held.isFresh ? held : NOTHING;
}
