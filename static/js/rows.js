/** The rows of the players left with cards: which is active, which is next, and sums typed across several rows. */

import { countsOf, findUsedUp, isWholeSum, isWithin } from "./counting.js";
import { around, button, find, make } from "./dom.js";
import { fill } from "./form.js";
import { useKeypad } from "./loser.js";
import { Sums } from "./sums.js";

/**
 * @import { Loser, Mode } from "./loser.js"
 * @import { Words } from "./form.js"
 * @import { Question } from "./sums.js"
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
    this.words = words;
    this.dearest = losers[0]?.entry.dearest ?? 0;
    this.sums = new Sums(this.dearest);
    this.active = /** @type {Loser | null} */ (null);
    this.isGoingOn = false; // while a script moves the focus
    /** the row that was left automatically, until something is typed into the next one */
    this.jumpedFrom = /** @type {Loser | null} */ (null);
    this.doubt = find("[data-doubt]", form);
    this.showKeypad = useKeypad(page.pad, (key) => this.press(key));
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

  show() {
    const { losers, active, isLast } = this;
    for (const loser of losers) {
      const isWaiting = loser === active && loser.isWaiting;
      loser.show(loser === active, isWaiting ? this.acceptLabel(loser) : this.splitLabel(loser));
      loser.row.classList.toggle("is-waiting", isWaiting);
    }
    if (this.doubt) showQuestion(this.doubt, this.question, this.words, (choice) => this.answer(choice));
    if (!active) return;
    const cards = losers.flatMap((loser) => loser.cards);
    this.showKeypad({
      mode: this.mode,
      counts: countsOf(active.cards, active.entry),
      usedUp: findUsedUp(cards, active.entry),
      isLast,
      isAsked: active.isWaiting && !isLast, // in the last row, Save is just as close
    });
  }

  /** The question to answer before saving, once every row is filled. */
  get question() {
    return this.isComplete ? this.sums.question() : null;
  }

  /** @param {Loser} loser @param {Mode} mode */
  enter(loser, mode = loser.mode ?? this.mode) {
    const field = loser.fields[mode];
    this.isGoingOn = true;
    field.focus({ preventScroll: true });
    this.isGoingOn = false;
    field.setSelectionRange(field.value.length, field.value.length);
    this.choose(field);
    loser.row.scrollIntoView({ block: "nearest" });
  }

  /** Enter a row so that the next digit replaces its sum. @param {Loser} loser */
  enterAnew(loser) {
    this.enter(loser);
    loser.isFresh = true;
    this.choose(loser.fields[this.mode]);
    this.page.show();
  }

  leave() {
    this.active = null;
    this.sums.stop();
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
    const next = (byRow && below.find((loser) => !loser.isWinner)) || open;
    if (next === this.active && next?.fault) return this.enterAnew(next);
    if (next) return this.enter(next);
    this.active = null;
    this.page.completed();
  }

  /** Go to the first row that is not filled, once a winner is chosen. */
  start() {
    this.chooseTypedField();
    this.active?.check();
    this.active = null;
    this.advance(this.page.isEarlier && this.isComplete);
  }

  /** Leave a row automatically. A Next pressed after that still belongs to the row that was left. */
  jump() {
    const before = this.active;
    this.advance();
    this.jumpedFrom = before;
  }

  /** Handle Next. After a 0, stay in the row: its points are still missing. @param {boolean} [byRow] */
  next(byRow) {
    if (this.active?.isZero) {
      this.active.check();
      return this.enterAnew(this.active);
    }
    if (this.jumpedFrom || this.active?.isFilled) this.sums.end();
    else this.sums.stop();
    if (!this.jumpedFrom) return this.advance(byRow);
    this.jumpedFrom = null;
    this.page.show();
  }

  /** Whether a digit cannot belong to the sum of this row, and starts the next. @param {Loser} loser @param {string} digit */
  isBeyond({ points, isFresh }, digit) {
    return !isFresh && /^\d{2,}$/.test(points) && !isWithin(points + digit, this.dearest);
  }

  /** @param {string} digit */
  type(digit) {
    const last = this.sums.run.at(-1);
    const isEnded = last?.loser === this.active && !last?.digit; // by Next, which stays in a row for its calls
    if (this.active && !this.isLast && (isEnded || this.isBeyond(this.active, digit))) this.advance();
    const { active } = this;
    if (!active) return;
    this.jumpedFrom = null;
    if (digit === "0" && !active.isFilled) this.write(active, this.sums.lend(active));
    this.write(active, digit);
    this.page.changed();
    // a row with calls is left only by the next digit, so that the calls can be entered first; the last row never is,
    // because the keypad must not vanish under a thumb that is still typing
    if (isWholeSum(active.points, this.dearest) && !this.isLast && !active.calls) this.jump();
  }

  /** @param {Loser} loser @param {string} digit or "" */
  write(loser, digit) {
    if (digit) loser.type(digit);
    if (digit && loser.points !== "0") this.sums.note(loser, digit);
  }

  /** Handle typing into a field itself, which moves no digit to another row. @param {EventTarget | null} target */
  onInput(target) {
    const { active } = this;
    if (active && target === active.calls) return this.sums.end();
    this.jumpedFrom = null;
    if (active) active.isFresh = false;
    this.sums.stop();
  }

  /** Select a sum that the next key replaces, or unreadable text. @param {EventTarget | null} target */
  choose(target) {
    const { active } = this;
    if (!active?.isFresh || !(target instanceof HTMLInputElement)) return;
    if (target === active.fields.points || (target === active.fields.cards && active.unreadable)) target.select();
  }

  /** Stop replacing the sum once the caret has been moved. */
  onCaretMove() {
    if (!this.active?.isFresh) return;
    this.active.isFresh = false;
    this.page.show();
  }

  /** Handle Enter, which moves on only from a row with something in it. */
  enterPressed() {
    if ((this.active && !this.active.isEmpty) || this.jumpedFrom) return this.next(this.page.isEarlier);
    if (this.active) return this.enter(this.active);
    if (!this.isComplete) this.advance();
  }

  /** Choose the field that has text, as Tab moves through both fields of a row. */
  chooseTypedField() {
    this.mode = this.active?.mode ?? this.mode;
  }

  /** Type into the active row although no field has the focus; after Tab, into the next open row. @param {boolean} isByTab */
  takeKeys(isByTab) {
    if (isByTab) this.chooseTypedField();
    const next = (!isByTab && this.active) || this.losers.find((loser) => loser.isOpen);
    if (next) this.enter(next);
  }

  /** Split the digits of a row: two belong to it, and the rest to the following rows. @param {Loser} loser */
  split(loser) {
    const digits = this.sums.takeBack(loser);
    this.enter(loser, "points");
    loser.isFresh = false;
    for (const digit of digits.splice(0, 2)) this.write(loser, digit);
    this.page.changed();
    this.sums.end();
    this.jump();
    for (const digit of digits) digit ? this.type(digit) : this.next();
  }

  focusQuestion() {
    this.doubt?.querySelector("button")?.focus();
  }

  /** Apply the chosen reading. @param {number} choice */
  answer(choice) {
    const { question } = this;
    const sums = question?.options[choice];
    if (!question || !sums) return;
    this.sums.settle(question, sums);
    this.page.changed();
    this.advance();
  }

  /** Return the label for splitting a row's three digits, if the rest could be sums, too. @param {Loser} loser */
  splitLabel(loser) {
    const { points } = loser;
    const isDoubtful = /^\d\d[1-9]$/.test(points) && loser !== this.active && this.sums.isOpen(loser);
    if (!isDoubtful || loser.isWinner || loser.cards.length) return "";
    const place = this.losers.indexOf(loser);
    const others = [...this.losers.slice(place + 1), ...this.losers.slice(0, place)];
    const next = others.find((other) => !other.isFilled || this.sums.isLater(other, loser));
    if (!next) return "";
    return fill(this.words.split, { points, typed: points.slice(0, 2), rest: points.slice(2), next: next.name });
  }

  /** Return the label for accepting two digits that a third could follow. @param {Loser} loser */
  acceptLabel({ points }) {
    return this.isLast ? "" : fill(this.words.just, { points });
  }

  /** Return to the row that was left automatically, and remove its last digit. @returns {boolean} whether there was one */
  takeBack() {
    const before = this.jumpedFrom;
    if (!before || !this.active?.isEmpty) return false;
    this.sums.stop();
    this.enter(before, "points");
    before.press("back", "points");
    this.page.changed();
    return true;
  }

  /** Handle a key of the keypad. @param {string} key */
  press(key) {
    if (!this.active) return;
    this.active.row.scrollIntoView({ block: "nearest" }); // the row may have been scrolled out of view
    if (/^\d$/.test(key)) return this.type(key);
    if (key === "next") return this.next();
    if (key === "back" && this.takeBack()) return;
    this.sums.stop();
    this.jumpedFrom = null;
    if (key === "mode") {
      this.mode = this.mode === "cards" ? "points" : "cards";
      return this.enter(this.active, this.mode);
    }
    this.active.press(key, this.mode);
    this.page.changed();
  }

  /** Activate the row that got the focus. @param {EventTarget | null} target */
  onFocus(target) {
    const loser = this.losers.find((each) => Object.values(each.fields).some((field) => field === target));
    if (loser !== this.active && !this.active?.row.contains(/** @type {Node} */ (target))) this.active?.check();
    if (!loser) return;
    if (!this.isGoingOn) this.sums.stop();
    loser.isFresh = loser !== this.active;
    this.jumpedFrom = null;
    this.active = loser;
    this.mode = target === loser.fields.cards ? "cards" : "points";
    this.page.show();
  }

  /** @param {EventTarget | null} target */
  onClick(target) {
    const other = this.losers.find((loser) => loser.other === target);
    if (other) return other === this.active ? this.next() : this.split(other);
    if (!this.active || this.active.row.contains(/** @type {Node} */ (target))) this.jumpedFrom = null;
    const chip = around(target, "[data-remove]");
    if (!chip || !this.active) return;
    this.active.remove(chip.dataset.remove);
    this.page.changed();
    this.enter(this.active);
  }
}

/** Ask which reading is meant, with a button for each. @param {HTMLElement} place @param {Question | null} question @param {Words} words @param {(choice: number) => void} choose */
function showQuestion(place, question, words, choose) {
  const answers = question ? inWords(question, words) : [];
  const text = fill(words.which, { readings: answers.join(words.or) });
  place.hidden = !question;
  if (!question || place.textContent?.startsWith(text)) return; // unchanged, and perhaps about to be tapped
  const buttons = answers.map((answer, each) => button(answer, () => choose(each)));
  place.replaceChildren(make("p", {}, text), ...buttons);
}

/** Describe each reading by the sums in which they differ. @param {Question} question @param {Words} words */
function inWords({ rows, options }, words) {
  const differ = rows.flatMap((_, each) => (options.every((sums) => sums[each] === options[0]?.[each]) ? [] : [each]));
  return options.map((sums) => differ.map((each) => `${rows[each]?.name} ${sums[each]}`).join(words.and));
}
