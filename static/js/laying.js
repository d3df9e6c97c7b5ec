/**
 * Ranks and suits typed in any order. No DOM here: keys in, cards out.
 *
 * The first key, rank or suit, is held, and each key of the other kind adds a card. So a set needs its rank only once
 * (K ♠ ♥ ♦), and a run its suit (♥ 7 8 9). Pressing both keys for each card gives the same cards: the held key, or another
 * of its kind, pressed again only changes what is held. Several ranks can wait for a suit that follows (7 8 9 ♥).
 *
 * @typedef {{rank: string, suit: string, isFresh: boolean, waiting: string[]}} Held a rank, a suit, or neither; whether it
 *   has added no card yet; and earlier ranks that still wait for a suit
 * @typedef {{rank?: string, suit?: string}} Key one of rank and suit
 */

/** @type {Held} */
export const NOTHING = { rank: "", suit: "", isFresh: false, waiting: [] };

/** Press a key. @param {Held} held @param {Key} key @returns {{held: Held, cards: string[]}} what is held afterwards, and the cards added */
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

/** Return the ranks that wait for a suit. @param {Held} held */
export const waitingRanks = ({ rank, isFresh, waiting }) => (rank && isFresh ? [...waiting, rank] : []);

/** Put ranks typed earlier before those that wait for a suit. @param {Held} held @param {string[]} ranks @returns {Held} */
export function withRanks(held, ranks) {
  if (!ranks.length) return held;
  const waiting = [...ranks, ...waitingRanks(held)];
  return { rank: waiting.pop() ?? "", suit: "", isFresh: true, waiting };
}

/** Undo the last key. If it added a card, keep the card's suit held. @param {Held} held @returns {Held} */
export function undoLast(held) {
  const rank = held.waiting.at(-1);
  if (rank) return { ...held, rank, waiting: held.waiting.slice(0, -1) };
  return held.suit && !held.isFresh ? held : NOTHING;
}

const ORDER = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const FEWEST = 3; // cards of a meld

/**
 * Return whether a key begins the next meld, because its card cannot belong to the cards laid with the held key: another
 * rank or a suit that the set has, another suit or a rank that does not continue the run.
 *
 * @param {Held} held @param {Key} key @param {import("./counting.js").Card[]} cards
 */
export function beginsNext(held, { rank = "", suit = "" }, cards) {
  if (held.isFresh || cards.length < FEWEST) return false;
  const naturals = cards.filter((card) => card.rank !== "*");
  if (held.rank) {
    const isSet = naturals.every((card) => card.rank === held.rank);
    return isSet && (rank ? rank !== held.rank : naturals.some((card) => card.suit === suit));
  }
  if (!held.suit || naturals.some((card) => card.suit !== held.suit)) return false;
  if (suit) return suit !== held.suit;
  const ranks = naturals.map((card) => card.rank);
  return naturals.length === cards.length && isSequence(ranks) && !isSequence([...ranks, rank]);
}

/** Whether ranks in any order follow each other; an ace is low or high. @param {string[]} ranks */
function isSequence(ranks) {
  const starts = [...ORDER.keys()].slice(0, ORDER.length - ranks.length + 1);
  const follow = (/** @type {number} */ from) =>
    ORDER.slice(from, from + ranks.length).every((rank) => ranks.includes(rank));
  return new Set(ranks).size === ranks.length && starts.some(follow);
}
