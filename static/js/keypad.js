// @ts-check
/** The keypad at its fixed place, the same in every hand: digits, or the ranks of cards with what is picked. */

import { signOfKey } from "./counting.js";
import { fill } from "./form.js";

/**
 * @typedef {import("./counting.js").Entry} Entry
 * @typedef {"points" | "cards"} Mode
 * @typedef {{mode: Mode, counts: Record<string, number>, spent: Set<string>, full: boolean, isLast: boolean, isWaiting?: boolean}} Shown
 * @typedef {import("./form.js").Words} Words
 */

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

/**
 * @param {string} key @param {string} text @param {string} label @param {string} classes
 * @returns {HTMLButtonElement}
 */
function makeKey(key, text, label, classes = "") {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `key ${classes}`.trim();
  button.dataset.key = key;
  button.textContent = text;
  if (label !== text) button.setAttribute("aria-label", label);
  return button;
}

/** @param {Words} words */
function digitPad(words) {
  const pad = document.createElement("div");
  pad.className = "keypad keypad-digits";
  pad.append(
    ...DIGITS.map((digit) => makeKey(digit, digit, digit, `key-d${digit}`)),
    makeKey("back", "⌫", words.back, "key-action key-back"),
    makeKey("mode", words.cards, words.cards, "key-action key-mode"),
    makeKey("next", words.next, words.next, "key-go key-next"),
  );
  return pad;
}

/** @param {Entry} entry @param {Words} words */
function cardPad(entry, words) {
  const pad = document.createElement("div");
  pad.className = "keypad keypad-5 keypad-cards";
  const next = makeKey("next", words.next, words.next, "key-go key-next");
  // ranks, back, mode and full; "next" takes what is left of the last line
  next.style.gridColumn = `span ${5 - ((entry.keys.length + 3) % 5)}`;
  pad.append(
    ...entry.keys.map((card) => makeKey(`card ${card}`, signOfKey(card), words[card] ?? card, suitOf(card))),
    makeKey("back", "⌫", words.back, "key-action key-back"),
    makeKey("mode", "123", words.sum, "key-action key-mode"),
    makeKey("full", fill(words.full, { dealt: String(entry.dealt) }), words.fullLong, "key-action key-full"),
    next,
  );
  return pad;
}

/** @param {string} card */
const suitOf = (card) => ({ "*": "suit-x", Ared: "suit-h key-ace", Ablack: "suit-s key-ace" })[card] ?? "";

/**
 * @param {HTMLElement} holder @param {Entry} entry @param {Words} words
 * @param {(key: string) => void} press is told `7`, `card K`, `back`, `mode`, `full` or `next`
 * @returns {(shown: Shown) => void} shows the keypad as things stand
 */
export function makeKeypad(holder, entry, words, press) {
  const pads = { points: digitPad(words), cards: cardPad(entry, words) };
  holder.append(pads.points, pads.cards);
  // the field keeps the focus, so that nothing jumps and a keyboard goes on typing there
  holder.addEventListener("pointerdown", (event) => event.preventDefault());
  holder.addEventListener("click", (event) => {
    const key = /** @type {HTMLElement} */ (event.target).closest("button")?.dataset.key;
    if (key) press(key);
  });
  return (shown) => {
    pads.points.hidden = shown.mode !== "points";
    pads.cards.hidden = shown.mode !== "cards";
    for (const next of holder.querySelectorAll(".key-next")) {
      next.textContent = shown.isLast ? words.done : words.next;
      next.classList.toggle("is-asked", Boolean(shown.isWaiting));
    }
    pads.cards.querySelector(".key-full")?.setAttribute("aria-pressed", String(shown.full));
    for (const [card, button] of cardKeys(pads.cards)) showCard(button, card, shown, words);
  };
}

/** @param {HTMLElement} pad @returns {[string, HTMLButtonElement][]} */
const cardKeys = (pad) =>
  /** @type {HTMLButtonElement[]} */ ([...pad.querySelectorAll("[data-key^=card]")]).map((button) => [
    (button.dataset.key ?? "").slice(5),
    button,
  ]);

/** The badge with the number picked; greyed out when the packs hold no more. @param {HTMLButtonElement} button @param {string} card @param {Shown} shown @param {Words} words */
function showCard(button, card, shown, words) {
  const count = shown.counts[card] ?? 0;
  button.disabled = shown.spent.has(card);
  button.setAttribute("aria-label", [words[card] ?? card, ...(count ? [count] : [])].join(", "));
  button.querySelector(".key-count")?.remove();
  if (!count) return;
  const badge = document.createElement("span");
  badge.className = "key-count";
  badge.textContent = String(count);
  button.append(badge);
}
