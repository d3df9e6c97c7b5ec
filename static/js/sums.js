/**
 * Sums typed across the rows without Next, and their other readings: 25, 135 and 8 have the digits of 25, 13 and 58. If there
 * are several readings, the scorer is asked before the hand is saved.
 */

import { isWithin } from "./counting.js";

/**
 * @typedef {import("./loser.js").Loser} Loser
 * @typedef {{loser: Loser, digit: string}} Typed a digit and its row; "" stands for Next
 * @typedef {{run: Typed[], rows: Loser[], options: string[][]}} Question the rows typed in a run, and the possible sums, as
 *   typed first
 */

const MOST_ASKED = 4;

/**
 * Return every way to split digits into that many sums: of two or three digits, or of one before Next or the end.
 * @param {string} typed digits, with N for Next @param {number} rows @param {number} dearest @returns {string[][]}
 */
function readings(typed, rows, dearest) {
  if (!rows) return typed ? [] : [[]];
  return [3, 2, 1].flatMap((length) => {
    const [sum, rest] = [typed.slice(0, length), typed.slice(length)];
    const isShort = sum.length < length || (length === 1 && /^\d/.test(rest));
    if (isShort || !isWithin(sum, dearest)) return [];
    return readings(rest.replace(/^N+/, ""), rows - 1, dearest).map((others) => [sum, ...others]);
  });
}

export class Sums {
  /** @param {number} dearest the most points that a hand can be worth */
  constructor(dearest) {
    this.dearest = dearest;
    /** digits typed without interruption; the last run continues */
    this.runs = /** @type {Typed[][]} */ ([[]]);
  }

  get run() {
    return /** @type {Typed[]} */ (this.runs.at(-1));
  }

  /** Handle Next: the row takes no further digit. */
  end() {
    const last = this.run.at(-1);
    if (last) this.note(last.loser, "");
  }

  /** Start a new run after anything else. */
  stop() {
    if (this.run.length) this.runs.push([]);
  }

  /** @param {Loser} loser @param {string} digit just typed there */
  note(loser, digit) {
    this.run.push({ loser, digit });
  }

  /** Return the digit that a 0 needs before it, taken from an open sum of three digits, or "". @param {Loser} loser the row of the 0 @returns {string} */
  lend(loser) {
    const last = this.run.at(-1);
    if (!last || !Number(last.digit) || last.loser === loser || last.loser.points.length !== 3) return "";
    last.loser.fields.points.value = last.loser.points.slice(0, 2);
    this.run.pop();
    return last.digit;
  }

  /** Empty a row and those typed after it, and return their digits. @param {Loser} loser @returns {string[]} */
  takeBack(loser) {
    const taken = this.run.splice(this.run.findIndex((each) => each.loser === loser));
    for (const each of taken) each.loser.fields.points.value = "";
    return taken.map((each) => each.digit);
  }

  /** Whether a row was typed in this run and not ended with Next. @param {Loser} loser */
  isOpen(loser) {
    const own = this.run.filter((each) => each.loser === loser);
    return own.length > 0 && own.every((each) => each.digit);
  }

  /** Whether a row was typed later than another. @param {Loser} other @param {Loser} loser */
  isLater(other, loser) {
    const last = (/** @type {Loser} */ one) => this.run.findLastIndex((each) => each.loser === one);
    return last(other) > last(loser);
  }

  /** Return the first question about the runs, or null. @returns {Question | null} */
  question() {
    return this.runs.map((run) => this.ofRun(run)).find((question) => question) ?? null;
  }

  /** @param {Typed[]} run @returns {Question | null} */
  ofRun(run) {
    const rows = [...new Set(run.map((each) => each.loser))];
    const sumOf = (/** @type {Loser} */ loser) => run.map((each) => (each.loser === loser ? each.digit : "")).join("");
    const typed = rows.map(sumOf);
    if (rows.some((loser, each) => loser.isWinner || loser.cards.length || loser.points !== typed[each])) return null;
    const keys = run.map(({ digit }) => digit || "N").join("");
    const all = readings(keys.replace(/^N+/, ""), rows.length, this.dearest);
    const others = all.filter((sums) => String(sums) !== String(typed));
    return others.length ? { run, rows, options: [typed, ...others].slice(0, MOST_ASKED) } : null;
  }

  /** Apply a reading of a run. @param {Question} question @param {string[]} sums */
  settle({ run, rows }, sums) {
    for (const [each, loser] of rows.entries()) loser.fields.points.value = sums[each] ?? "";
    run.length = 0;
  }
}
