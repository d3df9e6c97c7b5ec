// @ts-check
/**
 * The order in which ranks and suits are typed. Nothing of the page in here: keys in, cards out.
 *
 * Whichever is pressed first stays held, and each key of the other kind lays a card with it. So a set needs its rank
 * only once (K ♠ ♥ ♦) and a run its suit (♥ 7 8 9), and whoever presses both for each card, in either order, gets the
 * same: pressing the held key again, or another one of its kind, only says with what the next card is laid.
 *
 * Nothing pressed is dropped. Ranks wait for a suit that comes last (7 8 9 ♥). And who types a whole hand changes over
 * in the middle, a set and then a run: two ranks (or two suits) in a row then show that the key before them began the
 * next meld, so the card laid with it is taken back and laid as it was meant.
 *
 * @typedef {Object} Held one of rank and suit, or neither
 * @property {string} rank
 * @property {string} suit
 * @property {boolean} isFresh nothing was laid since it was pressed
 * @property {string[]} waiting ranks pressed before it that no suit has come for
 * @property {string[]} laid with what else cards were laid since the key before it was pressed: suits or ranks, in order
 *
 * @typedef {{rank?: string, suit?: string}} Key one of rank and suit
 * @typedef {{held: Held, back: number, cards: string[]}} Pressed how many cards are taken back, and which are laid
 */

/** @type {Held} */
export const NOTHING = { rank: "", suit: "", isFresh: false, waiting: [], laid: [] };

/** A set of three and the first key of a run, or the other way round: no fewer cards show that somebody changed over. */
const A_MELD_AND_A_KEY = 4;

/**
 * One more key.
 * @param {Held} held @param {Key} key @returns {Pressed}
 */
export function press(held, { rank = "", suit = "" }) {
  if (rank && held.rank) return nextRank(held, rank);
  if (suit && held.suit) return nextSuit(held, suit);
  if (rank && held.suit) return { held: laidWith(held, rank), back: 0, cards: [rank + held.suit] };
  if (suit && held.rank) return laySuit(held, suit);
  return { held: { ...NOTHING, rank, suit, isFresh: true }, back: 0, cards: [] };
}

/**
 * What the key before the last one leaves behind: the rank or suit just pressed is taken away.
 * @param {Held} held @returns {Held}
 */
export function withoutTheLast(held) {
  const rank = held.waiting.at(-1);
  return rank ? { ...held, rank, waiting: held.waiting.slice(0, -1) } : NOTHING;
}

/** @param {Held} held @param {string} suit @returns {Pressed} */
function laySuit(held, suit) {
  const cards = [...held.waiting, held.rank].map((rank) => rank + suit);
  return { held: held.waiting.length ? NOTHING : laidWith(held, suit), back: 0, cards };
}

/** @param {Held} held @param {string} rank @returns {Pressed} */
function nextRank(held, rank) {
  if (rank === held.rank) return { held, back: 0, cards: [] };
  if (!held.isFresh) return { held: { ...held, rank, isFresh: true, waiting: [] }, back: 0, cards: [] };
  const suit = held.laid.at(-1) ?? "";
  const isTwice = held.laid.indexOf(suit) < held.laid.length - 1;
  const isRun = isTwice && !held.waiting.length && held.laid.length >= A_MELD_AND_A_KEY;
  if (!isRun) return { held: { ...held, rank, waiting: [...held.waiting, held.rank] }, back: 0, cards: [] };
  const ranks = [held.rank, rank];
  return { held: { ...NOTHING, suit, laid: ranks }, back: 1, cards: ranks.map((each) => each + suit) };
}

/** @param {Held} held @param {string} suit @returns {Pressed} */
function nextSuit(held, suit) {
  if (suit === held.suit) return { held, back: 0, cards: [] };
  const isSet = held.isFresh && held.laid.length >= A_MELD_AND_A_KEY;
  if (!isSet)
    return { held: { ...held, suit, isFresh: true, laid: held.isFresh ? [] : held.laid }, back: 0, cards: [] };
  const [rank, suits] = [held.laid.at(-1) ?? "", [held.suit, suit]];
  return { held: { ...NOTHING, rank, laid: suits }, back: 1, cards: suits.map((each) => rank + each) };
}

/** @param {Held} held @param {string} other @returns {Held} */
const laidWith = (held, other) => ({
  ...held,
  isFresh: false,
  waiting: [],
  laid: held.isFresh ? [other] : [...held.laid, other],
});
