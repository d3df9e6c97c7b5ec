// @ts-check
/** The rows of those who hold cards: which one is being filled, by what, and where to go on. */

import { isWhole } from "./counting.js";
import { Sums } from "./sums.js";

/**
 * @typedef {import("./keypad.js").Mode} Mode
 * @typedef {import("./loser.js").Loser} Loser
 * @typedef {Object} Page
 * @property {() => void} show shows what the fields hold
 * @property {() => void} changed after anything was typed
 * @property {() => void} completed after the last row was filled
 */

export class Rows {
  /** @param {HTMLFormElement} form @param {Loser[]} losers @param {import("./form.js").Words} words @param {Mode} mode @param {Page} page */
  constructor(form, losers, words, mode, page) {
    this.losers = losers;
    this.mode = mode;
    this.page = page;
    this.sums = new Sums(losers, words);
    this.active = /** @type {Loser | null} */ (null);
    this.isGoingOn = false; // while the focus moves by itself
    form.addEventListener("focusin", (event) => this.focused(event.target));
    form.addEventListener("click", (event) => this.pressed(/** @type {HTMLElement} */ (event.target)));
  }

  get isComplete() {
    return this.losers.every((loser) => loser.filled);
  }

  /** What the keypad shows. */
  get isLast() {
    return this.losers.every((loser) => loser === this.active || loser.filled);
  }

  show() {
    for (const loser of this.losers) {
      loser.show(loser === this.active, this.sums.otherwise(loser, this.active));
      loser.row.classList.toggle("is-waiting", loser === this.active && loser.isWaiting);
    }
  }

  /** @param {Loser} loser */
  enter(loser) {
    const field = loser.fields[this.mode];
    this.isGoingOn = true;
    field.focus({ preventScroll: true });
    this.isGoingOn = false;
    field.setSelectionRange(field.value.length, field.value.length);
    loser.row.scrollIntoView({ block: "nearest" });
  }

  leave() {
    this.active = null;
    this.sums.stop();
  }

  /** To the next hand that is still missing; the keypad makes way for the preview when none is. */
  advance() {
    const place = this.active ? this.losers.indexOf(this.active) : -1;
    const next = [...this.losers.slice(place + 1), ...this.losers.slice(0, place + 1)].find((loser) => !loser.filled);
    if (next) return this.enter(next);
    this.active = null;
    this.page.completed();
  }

  advanceIfWhole() {
    if (this.active && isWhole(this.active.points, this.active.sums)) this.advance();
  }

  /** @param {string} digit */
  type(digit) {
    if (!this.active) return;
    this.active.type(digit);
    this.sums.note(this.active, digit);
    this.page.changed();
    this.advanceIfWhole();
  }

  /** After something was typed into a field itself. @param {InputEvent} event */
  typed({ data, inputType, target }) {
    const { active } = this;
    if (active) active.isFresh = false;
    const isDigit = target === active?.fields.points && inputType === "insertText" && /^\d$/.test(data ?? "");
    if (active && isDigit) this.sums.note(active, data ?? "");
    else this.sums.stop();
  }

  /** A row's digits mean something else: so many are its own, and the others follow in the next rows. @param {Loser} loser */
  reread(loser) {
    const length = this.sums.otherwise(loser, this.active)?.digits ?? 0;
    const digits = length ? this.sums.takeBack(loser) : [];
    if (!length) this.sums.stop();
    this.mode = "points";
    this.enter(loser);
    loser.isFresh = false;
    for (const digit of digits.splice(0, length)) {
      loser.type(digit);
      this.sums.note(loser, digit);
    }
    this.page.changed();
    if (length) this.advance();
    for (const digit of digits) this.type(digit);
  }

  /** A key of the keypad. @param {string} key */
  press(key) {
    if (!this.active) return;
    if (/^\d$/.test(key)) return this.type(key);
    this.sums.stop();
    if (key === "next") return this.advance();
    if (key === "mode") {
      this.mode = this.mode === "cards" ? "points" : "cards";
      return this.enter(this.active);
    }
    this.active.press(key, this.mode);
    this.page.changed();
  }

  /** Somebody goes to a row, or it is its turn. @param {EventTarget | null} target */
  focused(target) {
    const loser = this.losers.find((each) => Object.values(each.fields).some((field) => field === target));
    if (!loser) return;
    if (!this.isGoingOn) this.sums.stop();
    loser.isFresh = loser !== this.active;
    this.active = loser;
    this.mode = target === loser.fields.cards ? "cards" : "points";
    this.page.show();
  }

  /** @param {HTMLElement} target */
  pressed(target) {
    const other = this.losers.find((loser) => loser.other === target);
    if (other) return this.reread(other);
    const chip = /** @type {HTMLElement | null} */ (target.closest("[data-remove]"));
    if (!chip || !this.active) return;
    this.active.remove(chip.dataset.remove);
    this.page.changed();
    this.enter(this.active);
  }
}

/** How most of those who hold cards were counted: this phone begins so with another table. @param {Loser[]} losers @returns {Mode} */
export function habitOf(losers) {
  const others = losers.filter((loser) => !loser.isWinner);
  return 2 * others.filter((loser) => loser.cards.length).length > others.length ? "cards" : "points";
}
