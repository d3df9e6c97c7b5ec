/**
 * Cards in table notation, parsed like on the server (app/kalooki/cards.py): what the cards left in a hand are worth, and
 * which cards are used up. No DOM here.
 *
 * @typedef {{rank: string, suit: string}} Natural
 * @typedef {{word: string, rank: string, suit: string, as?: Natural}} Card
 *   `word` is the card in canonical notation. `rank` is `*` for a joker, and empty for a word that is not a card. `suit` is
 *   empty for a joker or an unknown suit, and `red` or `black` for an ace of which only the colour is known.
 * @typedef {{keys: string[], worths: Record<string, number>, ranks: number, jokers: number, colours: boolean,
 *   dearest: number}} Entry the values of the variant that the keypad needs (app/forms/hand.py)
 */

const SIGNS = /** @type {Record<string, string>} */ ({ S: "♠", H: "♥", D: "♦", C: "♣" });
const RANKS = /** @type {Record<string, string>} */ ({ T: "10", 1: "A" });
const NAMES = "ACE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN JACK QUEEN KING".split(" ");
const RANK = "(10|[2-9AJQKT1])";
const WORD = new RegExp(`^(?:(?:\\*|JK|JOKER|🃏|★)(?:=${RANK}([SHDC]))?|${RANK}([SHDC]?)|A(RED|BLACK))$`, "u");

/** Parse cards, in the order written: "k, KH *" is K, KH and a joker. @param {string} text @returns {Card[]} */
export const read = (text) =>
  text
    .replace(/[\ufe0e\ufe0f]/g, "")
    .replaceAll(",", " ")
    .split(/\s+/)
    .filter(Boolean)
    .map(readWord);

/** @param {string} word @returns {Card} */
function readWord(word) {
  const plain = word
    .toUpperCase()
    .replace(/[♠♤]/g, "S")
    .replace(/[♥♡]/g, "H")
    .replace(/[♦♢]/g, "D")
    .replace(/[♣♧]/g, "C");
  const named = NAMES.indexOf(plain);
  if (named >= 0) return natural(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"][named] ?? "", "");
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

const LEFT = "(?:10|[2-9AKQJT])(?:RED|BLACK|[SHDC♠♤♥♡♦♢♣♧])?|\\*";
const SPACELESS = new RegExp(`^(?!JACK$)(?!10\\d|(?!10)\\d\\d)(?!.*JK(?![SHDC]))(?=.*[^\\d*])(?:${LEFT})+$`, "iu");
const ONE_LEFT = new RegExp(LEFT, "giu");

/** Parse the cards left in a hand, which may be written without spaces (app/kalooki/points.py). @param {string} text @returns {Card[]} */
export const readLeft = (text) =>
  read(
    text
      .replace(/[\ufe0e\ufe0f]/g, "")
      .replace(/[^\s,]+/g, (word) => (SPACELESS.test(word) ? (word.match(ONE_LEFT) ?? []).join(" ") : word)),
  );

const BARE_RANKS = /^(10|[2-9])(( (10|[2-9]))+|,)$/;

/** Whether a text means cards, not points: it has a letter or a sign, or several bare ranks, or one with a comma. @param {string} text */
export const isCards = (text) => BARE_RANKS.test(text.trim().replace(/\s+/g, " ")) || /[^\p{Nd}\s+.:/,-]/u.test(text);

/** Whether a text is neither points nor cards. Text in another script is left to the server. @param {string} text */
export function isUnreadable(text) {
  const plain = text.trim().replace(/\s+/g, " ");
  if (!plain || /[^ -~]/.test(plain) || /^\d{1,6}( ?\+ ?\d{1,6})*$/.test(plain)) return false;
  return !isCards(plain) || readLeft(plain).some((card) => !card.rank);
}

/** Whether a card can be part of a meld: it is a joker, or has a rank and a suit. @param {Card} card */
export const isWhole = (card) => card.rank === "*" || card.suit in SIGNS;

/** @param {string} suit */
export const signOfSuit = (suit) => SIGNS[suit] ?? "";

// ---- Values and counts

const KINDS = /** @type {Record<string, string>} */ ({ "*": "★", Ared: "A♥♦", Ablack: "A♠♣" });

/** Return the key that a card belongs to ("K", "Ared", "*"), or "" if the variant has no such card. @param {Card} card @param {Entry} entry */
export function keyOf({ rank, suit }, entry) {
  if (rank === "A" && entry.colours) return /^(H|D|red)$/.test(suit) ? "Ared" : suit && "Ablack";
  return rank in entry.worths ? rank : "";
}

/** Return the label of a key. @param {string} key */
export const signOfKey = (key) => KINDS[key] ?? key;

/** Return a card as shown to players: K♥ for KH, A♠♣ for a black ace. @param {Card} card @param {Entry} entry */
export const signOf = (card, entry) =>
  signOfSuit(card.suit) ? `${card.rank}${signOfSuit(card.suit)}` : signOfKey(keyOf(card, entry) || card.word);

/** Return the points of some cards, or null if one of them is unreadable. @param {Card[]} cards @param {Entry} entry */
export function worthOf(cards, entry) {
  const keys = cards.map((card) => keyOf(card, entry));
  return keys.includes("") ? null : keys.reduce((sum, key) => sum + (entry.worths[key] ?? 0), 0);
}

/** Count the cards of each key. @param {Card[]} cards @param {Entry} entry */
export function countsOf(cards, entry) {
  const counts = /** @type {Record<string, number>} */ ({});
  for (const card of cards) {
    const key = keyOf(card, entry);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Return the keys of which the packs hold no more, given the cards of all hands. @param {Card[]} cards @param {Entry} entry @returns {Set<string>} */
export function findUsedUp(cards, entry) {
  const counts = countsOf(cards, entry);
  const most = (/** @type {string} */ key) => {
    if (key === "*") return entry.jokers;
    return key === "Ared" || key === "Ablack" ? entry.ranks / 2 : entry.ranks;
  };
  return new Set(entry.keys.filter((key) => (counts[key] ?? 0) >= most(key)));
}

/** Whether digits are a sum that a hand can have: no leading zero, and at most the maximum. @param {string} digits @param {number} dearest */
export const isWithin = (digits, dearest) => /^[1-9]/.test(digits) && Number(digits) <= dearest;
