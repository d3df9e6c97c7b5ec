// @ts-check
/** A turn told step by step: the cards still in hand, which a touch lays in the step. */

import { draw } from "./cards.js";
import { read } from "./counting.js";

/** @typedef {{does: string, cards: string}} Step what is done, and with which cards */

const DRAWS = /^(stock|pile)$/;
const FREES = "free_joker";

/**
 * The cards of a hand that no step has laid or thrown, those drawn last; a joker freed comes into the hand.
 * @param {string} hand @param {Step[]} steps @returns {string[]}
 */
export function inHand(hand, steps) {
  const held = words(hand);
  for (const { does, cards } of steps) {
    if (DRAWS.test(does)) held.push(...words(cards));
    else for (const word of words(cards)) remove(held, word);
    if (does === FREES && cards) held.push("*");
  }
  return held;
}

/** @param {string} cards */
const words = (cards) => read(cards).map(({ word, rank }) => (rank === "*" ? "*" : word));

/** @param {string[]} held @param {string} word */
function remove(held, word) {
  const place = held.indexOf(word);
  if (place >= 0) held.splice(place, 1);
}

/**
 * Offers the cards in hand below the step that the keys belong to, unless it draws; returns how to offer them anew.
 * @param {HTMLElement} form
 * @param {(card: import("./counting.js").Card) => string} name
 * @param {(word: string) => void} lay
 */
export function offerInHand(form, name, lay) {
  const offered = document.createElement("div");
  offered.className = "in-hand";
  offered.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    const place = [...offered.querySelectorAll("button")].findIndex((each) => each === button);
    if (!button) return;
    lay(button.value);
    const left = offered.querySelectorAll("button");
    left[Math.min(place, left.length - 1)]?.focus({ preventScroll: true }); // for whoever uses a keyboard
  });

  /** @param {string} word */
  const button = (word) => {
    const element = document.createElement("button");
    Object.assign(element, { type: "button", value: word });
    element.append(...read(word).map((card) => draw(card, name)));
    const item = document.createElement("li");
    item.append(element);
    return item;
  };

  /** @type {Element | null} the step they were offered in before */
  let shown = null;

  return () => {
    const steps = [...form.querySelectorAll(".step")];
    for (const each of steps) each.classList.toggle("is-empty", !told(each).cards.trim()); // they have no number
    const step = form.querySelector(".step:has(.slot.is-active)");
    const does = /** @type {HTMLSelectElement | null} */ (step?.querySelector("[data-do]") ?? null)?.value ?? "";
    const hand = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=hand]"))?.value ?? "";
    const held = step && !DRAWS.test(does) ? inHand(hand, steps.map(told)) : [];
    const isSame = step === shown;
    offered.remove();
    shown = null;
    if (!step || !held.length) return;
    const said = document.createElement("p");
    said.className = "hint";
    said.textContent = step.closest("[data-in-hand]")?.getAttribute("data-in-hand") ?? "";
    const cards = document.createElement("ul");
    cards.className = "fan";
    cards.append(...held.map(button));
    offered.replaceChildren(said, cards);
    step.append(offered);
    if (!isSame) offered.scrollIntoView({ block: "nearest" });
    shown = step;
  };
}

/** @param {Element} step @returns {Step} */
const told = (step) => ({
  does: /** @type {HTMLSelectElement} */ (step.querySelector("[data-do]")).value,
  cards: /** @type {HTMLInputElement} */ (step.querySelector("[name=cards]")).value,
});
