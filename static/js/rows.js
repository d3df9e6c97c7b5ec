// @ts-check
/** The rows of players who hold cards: which one is being filled, which is next, and sums typed across them. */

import { couldGrow, isLikely, isPossible, isWholeSum } from "./counting.js";
import { fill } from "./form.js";

/**
 * @typedef {import("./loser.js").Mode} Mode
 * @typedef {import("./loser.js").Loser} Loser
 * @typedef {import("./form.js").Words} Words
 * @typedef {Object} Page
 * @property {() => void} show shows what the fields hold
 * @property {() => void} changed is called after anything was typed
 * @property {() => void} completed is called after the last row was filled
 */

export class Rows {
  /** @param {HTMLFormElement} form @param {Loser[]} losers @param {Words} words @param {Mode} mode @param {Page} page */
  constructor(form, losers, words, mode, page) {
    this.losers = losers;
    this.mode = mode;
    this.page = page;
    this.sums = new Sums(losers, words);
    this.active = /** @type {Loser | null} */ (null);
    this.isGoingOn = false; // while the focus moves by itself
    this.isGrowing = false; // while a third digit is expected, because somebody said so
    this.isJumped = false; // after the focus moved by itself, until somebody does something in that row
    this.doubt = /** @type {HTMLElement | null} */ (form.querySelector("[data-doubt]"));
    form.addEventListener("focusin", (event) => this.focused(event.target));
    form.addEventListener("click", (event) => this.pressed(/** @type {HTMLElement} */ (event.target)));
  }

  get isComplete() {
    return this.losers.every((loser) => loser.filled);
  }

  /** Whether every other row is filled. */
  get isLast() {
    return this.losers.every((loser) => loser === this.active || loser.filled);
  }

  show() {
    for (const loser of this.losers) {
      loser.show(loser === this.active, this.sums.otherwise(loser, this.active));
      loser.row.classList.toggle("is-waiting", loser === this.active && loser.isWaiting);
    }
    if (!this.doubt) return;
    const { doubtful } = this;
    this.doubt.hidden = !doubtful;
    this.doubt.textContent = (doubtful && this.sums.otherwise(doubtful, this.active)?.said) ?? "";
  }

  /** The player whose sum the page asks about before saving. */
  get doubtful() {
    return this.isComplete ? this.losers.find((loser) => this.sums.isDoubtful(loser, this.active)) : undefined;
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

  /** Go to the next row that is not filled; if there is none, the keypad makes way for the preview. */
  advance() {
    const place = this.active ? this.losers.indexOf(this.active) : -1;
    const next = [...this.losers.slice(place + 1), ...this.losers.slice(0, place + 1)].find((loser) => !loser.filled);
    if (next) return this.enter(next);
    this.active = null;
    this.page.completed();
  }

  /** Go on by itself. Somebody who ends every sum with Next still presses it: that Next belongs to the sum before. */
  jump() {
    this.advance();
    this.isJumped = true;
  }

  /** Go on because somebody pressed Next. */
  next() {
    if (this.isJumped || this.active?.filled) this.sums.end();
    else this.sums.stop();
    if (!this.isJumped) return this.advance();
    this.isJumped = false;
    this.page.show();
  }

  /**
   * A row that also asks for calls is left only with the next digit, so that calls can be entered first. The last row
   * is never left automatically: the keys must not give way to anything else under a thumb that types on.
   */
  advanceIfWhole() {
    if (this.isWhole && !this.isLast && !this.active?.asksCalls) this.jump();
  }

  get isWhole() {
    return this.active !== null && isWholeSum(this.active.points, this.active.sums);
  }

  /** Whether a whole sum stays active because its row asks for calls. */
  get isHeld() {
    return this.isWhole && Boolean(this.active?.asksCalls) && !this.active?.isFresh && !this.isGrowing;
  }

  /** No sum begins with 0, so a 0 after a whole sum is its third digit. @param {string} digit */
  lengthen(digit) {
    const whole = this.isJumped ? this.sums.latest : this.isHeld ? this.active : null;
    if (digit !== "0" || !whole || !isPossible(Number(`${whole.points}0`), whole.sums)) return false;
    whole.type(digit);
    this.sums.note(whole, digit);
    return true;
  }

  /** @param {string} digit */
  type(digit) {
    if (this.lengthen(digit)) return this.page.changed();
    if (this.isHeld && !this.isLast) this.advance();
    if (!this.active) return;
    this.isGrowing = false;
    this.isJumped = false;
    this.active.type(digit);
    this.sums.note(this.active, digit);
    this.page.changed();
    this.advanceIfWhole();
  }

  /** After something was typed into a field itself. @param {InputEvent} event */
  typed({ data, inputType, target }) {
    const { active } = this;
    const isDigit = target === active?.fields.points && inputType === "insertText" && /^\d$/.test(data ?? "");
    if (active && isDigit && active.points === data && this.lengthen(data)) {
      active.fields.points.value = "";
      return;
    }
    this.isJumped = false;
    if (active) active.isFresh = false;
    if (active && isDigit) this.sums.note(active, data ?? "");
    else this.sums.stop();
  }

  /** Read a row's digits the other way: as many as belong to it, and the rest into the next rows. @param {Loser} loser */
  reread(loser) {
    const length = this.sums.otherwise(loser, this.active)?.digits ?? 0;
    const digits = length ? this.sums.takeBack(loser) : [];
    if (!length) this.sums.stop();
    this.mode = "points";
    this.enter(loser);
    this.isGrowing = !length;
    loser.isFresh = false;
    for (const digit of digits.splice(0, length)) {
      loser.type(digit);
      this.sums.note(loser, digit);
    }
    this.page.changed();
    if (length) this.jump();
    for (const digit of digits) digit ? this.type(digit) : this.next();
  }

  /** A key of the keypad. @param {string} key */
  press(key) {
    if (!this.active) return;
    if (/^\d$/.test(key)) return this.type(key);
    if (key === "next") return this.next();
    this.sums.stop();
    this.isJumped = false;
    if (key === "mode") {
      this.mode = this.mode === "cards" ? "points" : "cards";
      return this.enter(this.active);
    }
    this.active.press(key, this.mode);
    this.page.changed();
  }

  /** A row got the focus, from somebody or by itself. @param {EventTarget | null} target */
  focused(target) {
    const loser = this.losers.find((each) => Object.values(each.fields).some((field) => field === target));
    if (!loser) return;
    if (!this.isGoingOn) this.sums.stop();
    loser.isFresh = loser !== this.active;
    this.isGrowing = false;
    this.isJumped = false;
    this.active = loser;
    this.mode = target === loser.fields.cards ? "cards" : "points";
    this.page.show();
  }

  /** @param {HTMLElement} target */
  pressed(target) {
    const other = target === this.doubt ? this.doubtful : this.losers.find((loser) => loser.other === target);
    if (other) return this.reread(other);
    if (!this.active || this.active.row.contains(target)) this.isJumped = false;
    const chip = /** @type {HTMLElement | null} */ (target.closest("[data-remove]"));
    if (!chip || !this.active) return;
    this.active.remove(chip.dataset.remove);
    this.page.changed();
    this.enter(this.active);
  }
}

/** How most players who hold cards were counted; this phone starts the next hand that way. @param {Loser[]} losers @returns {Mode} */
export function habitOf(losers) {
  const others = losers.filter((loser) => !loser.isWinner);
  return 2 * others.filter((loser) => loser.cards.length).length > others.length ? "cards" : "points";
}

// ---- Sums

/**
 * Other readings of digits typed across the rows. Typing 128 puts 12 into one row and 8 into the next; forgetting Next
 * after 10 can put 107 into one row. We never guess: the other reading is one tap away.
 */

/**
 * @typedef {{digits: number, shown: string, said: string}} Reading how many digits it gives the row, 0 if a third is
 *   still to be typed; what its key shows and what screen readers say
 */

/** @param {number} digits @param {string} shown @param {string} said @param {Record<string, string>} facts @returns {Reading} */
const reading = (digits, shown, said, facts) => ({ digits, shown: fill(shown, facts), said: fill(said, facts) });

export class Sums {
  /** @param {Loser[]} losers @param {Words} words */
  constructor(losers, words) {
    this.losers = losers;
    this.words = words;
    /** digits typed without anything in between, each with its row; "" is a Next */
    this.run = /** @type {{loser: Loser, digit: string}[]} */ ([]);
  }

  /** After Next: this row takes no further digit, although an 8 and Next after 12 may still mean 128. */
  end() {
    const last = this.run.at(-1);
    if (last) this.note(last.loser, "");
  }

  /** After anything else: what was typed before means what it says. */
  stop() {
    this.run = [];
  }

  get latest() {
    return this.run.at(-1)?.loser ?? null;
  }

  /** Whether the only digit in the next row may be this row's third. @param {Loser} loser @param {Loser | null} active */
  isDoubtful(loser, active) {
    return this.otherwise(loser, active)?.digits === 3 && this.after(loser)?.points.length === 1;
  }

  /** The row typed after another. @param {Loser} loser */
  after(loser) {
    const place = this.run.findIndex((each) => each.loser === loser);
    return this.run.find((each, later) => later > place && each.loser !== loser)?.loser;
  }

  /** @param {Loser} loser @param {string} digit as it has just been typed there */
  note(loser, digit) {
    this.run.push({ loser, digit });
  }

  /** Empty a row and those typed after it. @param {Loser} loser @returns {string[]} their digits */
  takeBack(loser) {
    const taken = this.run.splice(this.run.findIndex((each) => each.loser === loser));
    for (const each of taken) each.loser.fields.points.value = "";
    return taken.map((each) => each.digit);
  }

  /** The other reading of a row's digits, if there is one. @param {Loser} loser @param {Loser | null} active @returns {Reading | null} */
  otherwise(loser, active) {
    if (loser.isWinner || loser.cards.length) return null;
    if (loser.isFresh && loser.isAsRecorded) return null; // somebody looks at it, and has not touched it
    const isHeld = loser.asksCalls && isWholeSum(loser.points, loser.sums) && couldGrow(loser.points, loser.sums);
    // somebody came back to it, or it was not left yet: any third digit may follow
    if (loser === active) return loser.isFresh || isHeld ? this.third(loser) : null;
    const place = this.run.findIndex((each) => each.loser === loser);
    const digits = this.run
      .slice(Math.max(place, 0))
      .map((each) => each.digit)
      .join("");
    const isEnded = this.run.some((each) => each.loser === loser && !each.digit);
    if (place < 0 || isEnded || !digits.startsWith(loser.points)) return null;
    const after = digits.slice(loser.points.length);
    if (loser.points.length === 3) return this.split(loser);
    if (!after) return couldGrow(loser.points, loser.sums) ? this.third(loser) : null;
    const next = this.after(loser);
    const isLatest = next === active || next === this.latest;
    const isNear = isLatest && !isWholeSum(next?.points ?? "", loser.sums);
    return this.longer(loser, loser.points + after[0], isNear);
  }

  /** @param {Loser} loser */
  third(loser) {
    const typed = loser.points;
    if (typed.length !== 2) return null;
    return reading(0, this.words.thirdShort, this.words.third, { typed, name: loser.name });
  }

  /** A longer sum; unusually high ones are offered only until the next row is left. @param {Loser} loser @param {string} points @param {boolean} isNear */
  longer(loser, points, isNear) {
    const isMeant = isNear || isLikely(Number(points), loser.fullHand);
    if (points.length !== 3 || !isMeant || !isPossible(Number(points), loser.sums)) return null;
    return reading(3, this.words.longerShort, this.words.longer, { points, typed: loser.points, name: loser.name });
  }

  /** @param {Loser} loser */
  split(loser) {
    const { points } = loser;
    const place = this.losers.indexOf(loser);
    const others = [...this.losers.slice(place + 1), ...this.losers.slice(0, place)];
    const isLater = (/** @type {Loser} */ other) =>
      this.run.findLastIndex((each) => each.loser === other) > this.run.findLastIndex((each) => each.loser === loser);
    const next = others.find((other) => !other.filled || isLater(other));
    if (!next || points.endsWith("0")) return null;
    const facts = { points, typed: points.slice(0, 2), rest: points.slice(2), next: next.name };
    return reading(2, this.words.splitShort, this.words.split, facts);
  }
}
