/** The rows of the players left with cards: which is active, and which is next. */

import { countsOf, findUsedUp } from "./counting.js";
import { around, one } from "./dom.js";
import { useKeypad } from "./loser.js";
import { pressKey } from "./reading.js";

/**
 * @import { Loser, Mode } from "./loser.js"
 * @import { Words } from "./form.js"
 * @typedef {Object} Page
 * @property {HTMLElement} pad the keypad
 * @property {() => void} show updates the page
 * @property {() => void} changed is called after anything was typed
 * @property {() => void} completed is called after the last row was filled
 * @property {boolean} [isEarlier] whether this is a correction: then Enter goes through all rows
 */

export class Rows {
  /** @param {HTMLFormElement} form @param {Loser[]} losers @param {Words} words @param {Mode} mode @param {Page} page */
  constructor(form, losers, words, mode, page) {
    this.losers = losers;
    this.mode = mode;
    this.page = page;
    this.active = /** @type {Loser | null} */ (null);
    this.isAgain = false; // whether the active row was filled when it was entered
    this.showKeypad = useKeypad(page.pad, words, (key) => this.press(key));
    /** whether the keypad is shown: to fingers, and on request */
    this.hasKeys = !matchMedia("(hover: hover) and (pointer: fine)").matches;
    this.keysButton = one("[data-show-keys]", form);
    this.keysButton.addEventListener("click", () => this.showKeys());
    form.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") this.hasKeys = true;
    });
    form.addEventListener("focusin", (event) => this.onFocus(event.target));
    form.addEventListener("click", (event) => this.onClick(event.target));
  }

  get isComplete() {
    return this.losers.every((loser) => loser.isFilled);
  }

  /** Whether every other row is filled. */
  get isLast() {
    return this.losers.every((loser) => loser === this.active || loser.isFilled);
  }

  showKeys() {
    this.hasKeys = true;
    if (this.active) this.enter(this.active);
    this.page.show();
  }

  show() {
    const { losers, active, isLast } = this;
    this.page.pad.hidden = !active || !this.hasKeys;
    this.keysButton.hidden = !active || this.hasKeys;
    for (const loser of losers) {
      loser.show(loser === active);
      loser.field.placeholder = this.mode === "cards" ? loser.words.inCards : loser.words.inPoints;
    }
    if (!active) return;
    const cards = losers.flatMap((loser) => loser.cards);
    this.showKeypad({
      mode: this.mode,
      counts: countsOf(active.cards, active.entry),
      usedUp: findUsedUp(cards, active.entry),
      isLast,
      waiting: active.isWaiting && !isLast ? active.points : "",
    });
  }

  /** @param {Loser} loser @param {Mode} mode */
  enter(loser, mode = loser.mode ?? this.mode) {
    const { field } = loser;
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
    this.mode = mode;
    this.choose(field);
    loser.row.scrollIntoView({ block: "nearest" });
  }

  /** Enter a row so that the next digit replaces its sum. @param {Loser} loser */
  enterAnew(loser) {
    this.enter(loser);
    loser.isFresh = true;
    this.choose(loser.field);
    this.page.show();
  }

  leave() {
    this.active = null;
  }

  /**
   * Go to the next row that is not filled; after the last one, show the preview.
   * @param {boolean} [byRow] whether to stop at filled rows, too
   */
  advance(byRow = false) {
    const place = this.active ? this.losers.indexOf(this.active) : -1;
    this.active?.check();
    const below = this.losers.slice(place + 1);
    const open = [...below, ...this.losers.slice(0, place + 1)].find((loser) => loser.isOpen);
    const next = (byRow && below.find((loser) => !loser.isClosed)) || open;
    if (next === this.active && next?.fault) return this.enterAnew(next);
    if (next) return this.enter(next);
    this.complete();
  }

  complete() {
    this.active = null;
    this.page.completed();
  }

  /** Go to the first row that is not filled, once a winner is chosen. */
  start() {
    this.active?.check();
    this.active = null;
    this.advance(this.page.isEarlier && this.isComplete);
  }

  /** Handle a digit, Next or ⌫ of the keypad. @param {string} key @returns {void} */
  type(key) {
    const { losers, active } = this;
    if (!active) return;
    const isAnew = active.isFresh && /\d/.test(key);
    const rows = losers.map((loser) => {
      return { text: isAnew && loser === active ? "" : loser.points, isOpen: loser.isOpen, from: loser.from };
    });
    const at = losers.indexOf(active);
    const entry = { dearest: active.entry.dearest, hasCalls: active.calls !== null };
    const after = pressKey({ rows, at }, key, entry);
    for (const [each, { text, from }] of after.rows.entries()) losers[each]?.write(text, from);
    if (key === "next") active.check();
    else {
      this.onInput();
      this.page.changed();
    }
    if (after.at < 0) return this.complete();
    const next = losers[after.at];
    if (!next || next === active) return this.page.show();
    this.enter(next, key === "back" ? "points" : undefined);
    next.from = after.rows[after.at]?.from ?? -1;
    if (after.rows[after.at]?.text === rows[after.at]?.text) return;
    next.isFresh = false; // the key was for this row
    this.page.show();
  }

  /** Handle typing into a field itself. */
  onInput() {
    if (!this.active) return;
    this.active.isFresh = false;
    this.mode = this.active.mode ?? this.mode;
  }

  /** Select a sum that the next key replaces, or unreadable text. @param {EventTarget | null} target */
  choose(target) {
    const { active } = this;
    if (active?.isFresh && target === active.field && active.worth === null) active.field.select();
  }

  /** Stop replacing the sum once the caret has been moved. */
  onCaretMove() {
    if (!this.active?.isFresh) return;
    this.active.isFresh = false;
    this.page.show();
  }

  /** Handle Enter, which moves on only from a row with something in it. */
  enterPressed() {
    const { active } = this;
    if (active?.isZero) {
      active.check();
      this.enterAnew(active);
    } else if (active && !active.isEmpty) this.advance(this.page.isEarlier || (this.isAgain && !this.isComplete));
    else if (active) this.enter(active);
    else if (!this.isComplete) this.advance();
  }

  /** Type into the active row although no field has the focus; after Tab, into the next open row. @param {boolean} isByTab */
  takeKeys(isByTab) {
    const next = (!isByTab && this.active) || this.losers.find((loser) => loser.isOpen);
    if (next) this.enter(next);
  }

  /** Return to the row that was left automatically, and remove its last digit. @returns {boolean} whether there was one */
  takeBack() {
    if (!this.active?.isEmpty || this.active.from < 0) return false;
    this.type("back");
    return true;
  }

  /** Handle a key of the keypad. @param {string} key */
  press(key) {
    if (!this.active) return;
    this.active.row.scrollIntoView({ block: "nearest" }); // the row may have been scrolled out of view
    if (/^(\d|next)$/.test(key) || (key === "back" && this.active.mode !== "cards")) return this.type(key);
    if (key === "mode") {
      this.mode = this.mode === "cards" ? "points" : "cards";
      this.enter(this.active, this.mode);
      return this.page.show();
    }
    this.active.press(key);
    this.onInput();
    this.page.changed();
  }

  /** Activate the row that got the focus. @param {EventTarget | null} target */
  onFocus(target) {
    const loser = this.losers.find((each) => each.field === target);
    if (loser !== this.active && !this.active?.row.contains(/** @type {Node} */ (target))) this.active?.check();
    if (!loser) return;
    loser.isFresh = loser !== this.active;
    if (loser !== this.active) {
      loser.from = -1;
      this.isAgain = loser.isFilled;
      this.mode = loser.mode ?? this.mode;
    }
    this.active = loser;
    this.page.show();
  }

  /** @param {EventTarget | null} target */
  onClick(target) {
    if (this.active?.row.contains(/** @type {Node} */ (target))) this.active.from = -1;
    const chip = around(target, "[data-remove]");
    if (!chip || !this.active) return;
    this.active.remove(chip.dataset.remove);
    this.page.changed();
    this.enter(this.active);
  }
}
