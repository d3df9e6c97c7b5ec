// @ts-check
/**
 * The order in which ranks and suits are typed. Independent of the page: keys in, cards out.
 *
 * Whichever is pressed first, rank or suit, stays held, and each key of the other kind lays a card with it. So a set
 * needs its rank only once (K ♠ ♥ ♦) and a run its suit (♥ 7 8 9). Pressing both for each card, in either order, gives
 * the same cards: pressing the held key again, or another one of its kind, only chooses what the next card is laid with.
 *
 * No key is lost. Ranks wait for a suit that comes last (7 8 9 ♥). Somebody who types a whole hand may go from a set to
 * a run: two ranks (or two suits) in a row then show that the key before them began the next meld, so the card laid
 * with that key is taken back and laid as it was meant.
 *
 * @typedef {Object} Held one of rank and suit, or neither
 * @property {string} rank
 * @property {string} suit
 * @property {boolean} isFresh nothing was laid since it was pressed
 * @property {string[]} waiting ranks pressed before it that still have no suit
 * @property {string[]} laid the suits or ranks of the cards laid since the key before it was pressed, in order
 * @property {Held} [before] what a suit just pressed has replaced
 *
 * @typedef {{rank?: string, suit?: string}} Key one of rank and suit
 * @typedef {{held: Held, back: number, cards: string[]}} Pressed how many cards are taken back, and which are laid
 */

/** @type {Held} */
export const NOTHING = { rank: "", suit: "", isFresh: false, waiting: [], laid: [] };

/** A set of three and the first key of a run, or the other way round: fewer keys cannot show such a change. */
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
 * Somebody who changes the order (♥ 7 8 9, then 4 ♣) may mean the last card with the key just pressed.
 * @param {Held} held @param {Key} key
 * @returns {{laid: Required<Key>, meant: Required<Key>} | undefined} the card that lies, and the one perhaps meant
 */
export function perhapsMeant(held, { rank = "", suit = "" }) {
  const last = held.laid.at(-1);
  if (!last || held.isFresh || held.laid.length < A_MELD_AND_A_KEY) return undefined;
  if (suit && held.suit && suit !== held.suit)
    return { laid: { rank: last, suit: held.suit }, meant: { rank: last, suit } };
  if (rank && held.rank && rank !== held.rank)
    return { laid: { rank: held.rank, suit: last }, meant: { rank, suit: last } };
  return undefined;
}

/** What is held after a joker: no key pressed later takes back a card laid before it. @param {Held} held @returns {Held} */
export const afterJoker = (held) => ({ ...held, laid: [] });

/**
 * What is held once the key just pressed is taken back.
 * @param {Held} held @returns {Held}
 */
export function withoutTheLast(held) {
  const rank = held.waiting.at(-1);
  return rank ? { ...held, rank, waiting: held.waiting.slice(0, -1) } : (held.before ?? NOTHING);
}

/**
 * What is held once the last card is taken back: its suit, and its rank if another card was laid with that.
 * @param {Held} held @returns {Held}
 */
export function withoutTheLastCard(held) {
  const laid = held.laid.slice(0, -1);
  return held.suit || laid.length ? { ...held, laid } : NOTHING;
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
    return {
      held: { ...held, suit, isFresh: true, laid: held.isFresh ? [] : held.laid, before: held },
      back: 0,
      cards: [],
    };
  const [rank, suits] = [held.laid.at(-1) ?? "", [held.suit, suit]];
  return { held: { ...NOTHING, rank, laid: suits }, back: 1, cards: suits.map((each) => rank + each) };
}

/** @param {Held} held @param {string} other @returns {Held} */
const laidWith = (held, other) => ({
  ...held,
  isFresh: false,
  waiting: [],
  before: undefined,
  laid: held.isFresh ? [other] : [...held.laid, other],
});
