// @ts-check
/** Draws cards as they look on the table. */

import { isWhole, signOfSuit } from "./counting.js";
import { make } from "./dom.js";

/** @typedef {import("./counting.js").Card} Card */

/**
 * One card, with its name for screen readers; a word that is not a whole card is shown as written.
 * @param {Card} card @param {(card: Card) => string} name
 */
export function draw(card, name) {
  if (!isWhole(card)) return part("unread", card.word);
  const joker = card.rank === "*";
  const element = part(
    `pcard pcard-l suit-${joker ? "x" : card.suit.toLowerCase()}${card.as ? " pcard-declared" : ""}`,
  );
  Object.assign(element, { role: "img", ariaLabel: name(card) });
  if (!joker) element.append(part("pcard-rank", card.rank));
  element.append(part("pcard-suit", joker ? "★" : signOfSuit(card.suit)));
  if (card.as) element.append(part("pcard-for", `=${card.as.rank}${signOfSuit(card.as.suit)}`));
  return element;
}

/** A place for the next card, showing the rank or suit already pressed. @param {import("./laying.js").Held} held */
export const drawHeld = ({ rank, suit, waiting }) =>
  part(
    `pcard-held${suit && ` suit suit-${suit.toLowerCase()}`}`,
    rank ? `${[...waiting, rank].join(" ")} _` : `_ ${signOfSuit(suit)}`,
  );

/** @param {string} className */
const part = (className, textContent = "") => make("span", { className, textContent });
