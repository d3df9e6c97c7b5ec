/**
 * Cards in table notation, read as the server reads them (app/kalooki/cards.py): what cards left in a hand count, and
 * which cards the packs still hold. Independent of the page: cards in, numbers out.
 *
 * @typedef {{rank: string, suit: string}} Natural
 * @typedef {{word: string, rank: string, suit: string, as?: Natural}} Card
 *   `word` is the card in canonical notation. A joker has the rank `*`, a word that is not a card has none. `suit` is
 *   empty for a joker and for an unknown suit; it is `red` or `black` for an ace of which only the colour is known.
 * @typedef {{keys: string[], worths: Record<string, number>, ranks: number, jokers: number, colours: boolean,
 *   dearest: number}} Entry what the server says about the hand (app/forms/hand.py)
 */

const SIGNS = /** @type {Record<string, string>} */ ({ S: "♠", H: "♥", D: "♦", C: "♣" });
const RANKS = /** @type {Record<string, string>} */ ({ T: "10", 1: "A" });
const RANK = "(10|[2-9AJQKT1])";
const WORD = new RegExp(`^(?:(?:\\*|JK|JOKER|🃏|★)(?:=${RANK}([SHDC]))?|${RANK}([SHDC]?)|A(RED|BLACK))$`, "u");

/** The cards in a text, in the order written: "k, KH *" is K, KH and a joker. @param {string} text @returns {Card[]} */
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
const SPACELESS = new RegExp(`^(?!10\\d|(?!10)\\d\\d)(?!.*JK(?![SHDC]))(?=.*[^\\d*])(?:${LEFT})+$`, "iu");
const ONE_LEFT = new RegExp(LEFT, "giu");

/** Cards left in a hand, which may be written without spaces (app/kalooki/points.py). @param {string} text @returns {Card[]} */
export const readLeft = (text) =>
  read(
    text
      .replace(/[\ufe0e\ufe0f]/g, "")
      .replace(/[^\s,]+/g, (word) => (SPACELESS.test(word) ? (word.match(ONE_LEFT) ?? []).join(" ") : word)),
  );

/** Whether a text is neither points nor cards; what is written in another script only the server reads. @param {string} text @param {boolean} isCards whether ranks alone are cards */
export function isUnreadable(text, isCards) {
  const plain = text.trim().replace(/\s+/g, " ");
  if (!plain || /[^ -~]/.test(plain) || /^\d{1,6}( ?\+ ?\d{1,6})*$/.test(plain)) return false;
  if (/^[\d, ]*$/.test(plain)) return !(isCards && /^(10|[2-9])( (10|[2-9]))*$/.test(plain));
  return readLeft(plain).some((card) => !card.rank);
}

/** Whether a card can be part of a meld: it has a rank and a suit, or is a joker. @param {Card} card */
export const isWhole = (card) => card.rank === "*" || card.suit in SIGNS;

/** The symbol of a suit. @param {string} suit */
export const signOfSuit = (suit) => SIGNS[suit] ?? "";

// ---- What they count

const KINDS = /** @type {Record<string, string>} */ ({ "*": "★", Ared: "A♥♦", Ablack: "A♠♣" });

/** The key that a card belongs to ("K", "Ared", "*"), or "" if this game has no such card. @param {Card} card @param {Entry} entry */
export function keyOf({ rank, suit }, entry) {
  if (rank === "A" && entry.colours) return /^(H|D|red)$/.test(suit) ? "Ared" : suit && "Ablack";
  return rank in entry.worths ? rank : "";
}

/** A key as people read it. @param {string} key */
export const signOfKey = (key) => KINDS[key] ?? key;

/** A card as people read it: K♥ for KH, A♠♣ for a black ace. @param {Card} card @param {Entry} entry */
export const signOf = (card, entry) =>
  signOfSuit(card.suit) ? `${card.rank}${signOfSuit(card.suit)}` : signOfKey(keyOf(card, entry) || card.word);

/** What some cards count; null if one of them cannot be read. @param {Card[]} cards @param {Entry} entry */
export function worthOf(cards, entry) {
  const keys = cards.map((card) => keyOf(card, entry));
  return keys.includes("") ? null : keys.reduce((sum, key) => sum + (entry.worths[key] ?? 0), 0);
}

/** How many of each key there are. @param {Card[]} cards @param {Entry} entry */
export function countsOf(cards, entry) {
  const counts = /** @type {Record<string, number>} */ ({});
  for (const card of cards) {
    const key = keyOf(card, entry);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/**
 * The keys whose copies are all used up, counting all hands.
 * @param {Card[]} cards @param {Entry} entry @returns {Set<string>}
 */
export function findUsedUp(cards, entry) {
  const counts = countsOf(cards, entry);
  const most = (/** @type {string} */ key) => {
    if (key === "*") return entry.jokers;
    return key === "Ared" || key === "Ablack" ? entry.ranks / 2 : entry.ranks;
  };
  return new Set(entry.keys.filter((key) => (counts[key] ?? 0) >= most(key)));
}

/** Whether digits are a sum of at most that much; none begins with 0. @param {string} digits @param {number} dearest */
export const isWithin = (digits, dearest) => /^[1-9]/.test(digits) && Number(digits) <= dearest;

/** Whether one more digit could still make a sum up to the variant's dearest hand: 13 waits for one, as 130 exists. @param {string} digits @param {number} dearest */
export const couldGrow = (digits, dearest) => isWithin(digits, dearest / 10);

/** Whether digits are a whole sum: it exists, and no further digit can follow. @param {string} digits @param {number} dearest */
export const isWholeSum = (digits, dearest) => Number(digits) > 0 && !couldGrow(digits, dearest);
