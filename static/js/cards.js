// @ts-check
/** Cards drawn as they lie on the table. */

import { isWhole, signOfSuit } from "./counting.js";

/** @typedef {import("./counting.js").Card} Card */

/**
 * One card, named for whoever listens; what is no whole card is shown as it is written.
 * @param {Card} card @param {(card: Card) => string} name
 */
export function draw(card, name) {
  if (!isWhole(card)) return part("unread", card.word);
  const joker = card.rank === "*";
  const element = part(
    `pcard pcard-l suit-${joker ? "x" : card.suit.toLowerCase()}${card.as ? " pcard-declared" : ""}`,
  );
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", name(card));
  if (!joker) element.append(part("pcard-rank", card.rank));
  element.append(part("pcard-suit", joker ? "★" : signOfSuit(card.suit)));
  if (card.as) element.append(part("pcard-for", `=${card.as.rank}${signOfSuit(card.as.suit)}`));
  return element;
}

/** The place of a card of which so far only the rank or the suit is told. @param {import("./laying.js").Held} held */
export const drawHeld = ({ rank, suit, waiting }) =>
  part(
    `pcard-held${suit && ` suit suit-${suit.toLowerCase()}`}`,
    rank ? `${[...waiting, rank].join(" ")} _` : `_ ${signOfSuit(suit)}`,
  );

/** @param {string} name @param {string} text */
function part(name, text = "") {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}
