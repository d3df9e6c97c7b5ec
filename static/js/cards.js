// Cards in table notation: read from what was typed, and drawn as they lie on the table.

const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const LETTERS = { "♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C" };
const NATURAL = "(A|[2-9]|10|[T1JQK])([SHDC])";
const WORD = new RegExp(`^(?:(?:\\*|JK|JOKER|🃏|★)(?:=${NATURAL})?|${NATURAL})$`, "u");
const RANKS = { T: "10", 1: "A" };

/** @typedef {{word: string, rank: string, suit: string, as?: {rank: string, suit: string}}} Card */

/** @param {string} rank */
const plain = (rank) => RANKS[/** @type {keyof typeof RANKS} */ (rank)] ?? rank;

/**
 * The cards of a text, each with its word in canonical notation; a word that is no card has no rank.
 * @param {string} text
 * @returns {Card[]}
 */
export function read(text) {
  const words = text.replace(/[\ufe0e\ufe0f]/g, "").replace(/,/g, " ").split(/\s+/).filter(Boolean);
  return words.map((word) => {
    const letters = [...word.toUpperCase()].map((sign) => LETTERS[/** @type {keyof typeof LETTERS} */ (sign)] ?? sign);
    const found = WORD.exec(letters.join(""));
    if (!found) return { word, rank: "", suit: "" };
    const [, asRank, asSuit, rank, suit] = found;
    if (rank) return { word: plain(rank) + suit, rank: plain(rank), suit };
    if (!asRank) return { word: "*", rank: "*", suit: "" };
    return { word: `*=${plain(asRank)}${asSuit}`, rank: "*", suit: "", as: { rank: plain(asRank), suit: asSuit } };
  });
}

/**
 * One card as it lies on the table, named for whoever listens.
 * @param {Card} card
 * @param {(card: Card) => string} name
 */
export function draw(card, name) {
  const element = document.createElement("span");
  if (!card.rank) {
    element.className = "unread";
    element.textContent = card.word;
    return element;
  }
  const joker = card.rank === "*";
  element.className = `pcard pcard-l suit-${joker ? "x" : card.suit.toLowerCase()}${card.as ? " pcard-declared" : ""}`;
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", name(card));
  if (!joker) element.append(part("pcard-rank", card.rank));
  element.append(part("pcard-suit", joker ? "★" : sign(card.suit)));
  if (card.as) element.append(part("pcard-for", `=${card.as.rank}${sign(card.as.suit)}`));
  return element;
}

/** @param {string} suit */
const sign = (suit) => SIGNS[/** @type {keyof typeof SIGNS} */ (suit)];

/**
 * @param {string} name
 * @param {string} text
 */
function part(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}
