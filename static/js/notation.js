// @ts-check
/**
 * Cards in table notation, read as the server reads them (app/kalooki/cards.py). Nothing of the page in here.
 *
 * @typedef {{rank: string, suit: string}} Natural
 * @typedef {{word: string, rank: string, suit: string, as?: Natural}} Card
 *   `word` is the card in canonical notation. A joker has rank `*`, what is no card has none. `suit` is empty for a
 *   joker and where it was not told, `red` or `black` for an ace of which only the colour was.
 */

const LETTERS = /** @type {Record<string, string>} */ ({
  "♠": "S",
  "♤": "S",
  "♥": "H",
  "♡": "H",
  "♦": "D",
  "♢": "D",
  "♣": "C",
  "♧": "C",
});
const SIGNS = /** @type {Record<string, string>} */ ({ S: "♠", H: "♥", D: "♦", C: "♣" });
const RANKS = /** @type {Record<string, string>} */ ({ T: "10", 1: "A" });
const RANK = "(10|[2-9AJQKT1])";
const WORD = new RegExp(`^(?:(?:\\*|JK|JOKER|🃏|★)(?:=${RANK}([SHDC]))?|${RANK}([SHDC]?)|A(RED|BLACK))$`, "u");

/** The cards of a text, in the order written: "k, KH *" is K, KH and a joker. @param {string} text @returns {Card[]} */
export const read = (text) =>
  text
    .replace(/[\ufe0e\ufe0f]/g, "")
    .replaceAll(",", " ")
    .split(/\s+/)
    .filter(Boolean)
    .map(readWord);

/** @param {string} word @returns {Card} */
function readWord(word) {
  const plain = [...word.toUpperCase()].map((letter) => LETTERS[letter] ?? letter).join("");
  const found = WORD.exec(plain);
  if (!found) return { word, rank: "", suit: "" };
  const [, asRank, asSuit = "", rank, suit = "", colour] = found;
  if (colour) return natural("A", colour.toLowerCase());
  if (rank) return natural(RANKS[rank] ?? rank, suit);
  if (!asRank) return { word: "*", rank: "*", suit: "" };
  const as = { rank: RANKS[asRank] ?? asRank, suit: asSuit };
  return { word: `*=${as.rank}${as.suit}`, rank: "*", suit: "", as };
}

/** @param {string} rank @param {string} suit @returns {Card} */
const natural = (rank, suit) => ({ word: `${rank}${suit}`, rank, suit });

/** Whether a card says its rank and its suit, or is a joker: what a meld is made of. @param {Card} card */
export const isWhole = (card) => card.rank === "*" || card.suit in SIGNS;

/** A suit as people draw it. @param {string} suit */
export const signOfSuit = (suit) => SIGNS[suit] ?? "";
