// @ts-check
/** One player's row: the cards picked and the sum typed, side by side, with what is odd about them. */

import { couldGrow, keyOf, worthOf } from "./counting.js";
import { read } from "./notation.js";
import { chips, makeButton, signs, warnings } from "./notes.js";

/**
 * @typedef {import("./counting.js").Entry} Entry
 * @typedef {import("./keypad.js").Mode} Mode
 * @typedef {import("./notation.js").Card} Card
 * @typedef {import("./form.js").Words} Words
 */

const MOST_DIGITS = 5;

export class Loser {
  /** @param {HTMLElement} row @param {Entry} entry @param {Words} words */
  constructor(row, entry, words) {
    this.row = row;
    this.entry = entry;
    this.words = words;
    this.seat = row.dataset.seat ?? "";
    this.name = row.dataset.name ?? "";
    /** whether this player never opened, and so holds a full hand */
    this.full = false;
    /** whether the row was only just entered: the first digit begins a new sum, it does not lengthen the old one */
    this.isFresh = false;
    this.fields = { cards: this.field("cards"), points: this.field("points") };
    this.calls = /** @type {HTMLInputElement | null} */ (row.querySelector(`#calls-${this.seat}`));
    this.notes = /** @type {HTMLElement} */ (row.querySelector("[data-notes]"));
    this.counted = document.createElement("output");
    this.counted.className = "loser-counted";
    this.tally = document.createElement("span");
    this.tally.className = "loser-tally";
    this.tally.setAttribute("aria-hidden", "true");
    this.other = makeButton("", "chip loser-other");
    this.fields.cards.after(this.tally, this.counted, this.other);
    // what is written with the keypad is shown by signs; what is typed stays as it is typed, until the field is left
    this.fields.cards.addEventListener("input", (event) => this.row.classList.toggle("is-typing", event.isTrusted));
    this.fields.cards.addEventListener("blur", () => this.row.classList.remove("is-typing"));
    this.fields.cards.placeholder = words.cards;
    this.fields.points.placeholder = words.sum;
    for (const field of Object.values(this.fields)) field.inputMode = "none";
    this.fields.points.form?.addEventListener("reset", () => {
      this.full = false;
    });
  }

  /** @param {Mode} what @returns {HTMLInputElement} */
  field(what) {
    return /** @type {HTMLInputElement} */ (this.row.querySelector(`#${what}-${this.seat}`));
  }

  get cards() {
    return this.fields.cards.disabled ? [] : read(this.fields.cards.value);
  }

  get points() {
    return this.fields.points.value.trim();
  }

  get callsMade() {
    return Math.min(Number(this.calls?.value) || 0, this.entry.sums.length - 1);
  }

  get sums() {
    return this.entry.sums[this.callsMade] ?? { dearest: 0, gaps: [] };
  }

  /** How many cards somebody who has not opened holds. */
  get fullHand() {
    return this.entry.dealt + 2 * this.callsMade;
  }

  get isWinner() {
    return this.fields.points.disabled;
  }

  /** The winner holds nothing: their fields are not sent, but what was typed there stays, should they not have won. */
  set isWinner(won) {
    this.row.classList.toggle("is-winner", won);
    for (const field of Object.values(this.fields)) field.disabled = won;
  }

  get filled() {
    return this.isWinner || this.cards.length > 0 || Number(this.points) > 0;
  }

  /** Whether a third digit may follow. */
  get isWaiting() {
    return !this.isFresh && this.points.length === 2 && couldGrow(this.points, this.sums);
  }

  /** @param {string} digit */
  type(digit) {
    const before = this.isFresh ? "" : this.points;
    this.isFresh = false;
    if (before.length < MOST_DIGITS) this.fields.points.value = `${before}${digit}`.replace(/^0+(?=\d)/, "");
  }

  erase() {
    this.isFresh = false;
    this.fields.points.value = this.points.slice(0, -1);
  }

  /** A key that is no digit. @param {string} key `card K`, `full` or `back` @param {Mode} mode */
  press(key, mode) {
    const [what, card = ""] = key.split(" ");
    if (what === "card") this.add(card);
    else if (what === "full") this.full = !this.full;
    else if (mode === "cards") this.remove();
    else this.erase();
  }

  /** @param {string} card */
  add(card) {
    this.row.classList.remove("is-typing");
    this.write([...this.cards, ...read(card)]);
  }

  /** Take the last card that belongs to a key, or the last of all. @param {string} key */
  remove(key = "") {
    const { cards } = this;
    const place = key ? cards.findLastIndex((card) => keyOf(card, this.entry) === key) : cards.length - 1;
    this.write(cards.filter((_, each) => each !== place));
  }

  /** @param {Card[]} cards */
  write(cards) {
    this.fields.cards.value = cards.map((card) => card.word).join(" ");
  }

  /** @param {boolean} isActive @param {import("./sums.js").Reading | null} other how else its digits could be meant */
  show(isActive, other = null) {
    const cards = this.cards;
    const worth = worthOf(cards, this.entry);
    this.row.classList.toggle("is-active", isActive);
    this.row.classList.toggle("is-fresh", isActive && this.isFresh && Boolean(this.points));
    this.other.hidden = !other;
    this.other.textContent = other?.shown ?? "";
    this.other.setAttribute("aria-label", other?.said ?? "");
    const isCounted = cards.length > 0 && worth !== null;
    this.row.classList.toggle("has-cards", isCounted);
    this.counted.textContent = isCounted ? String(worth) : "";
    this.tally.textContent = isCounted ? `×${cards.length}` : "";
    this.notes.replaceChildren(...warnings(this, worth), ...(isActive ? chips(this) : isCounted ? signs(this) : []));
  }
}
