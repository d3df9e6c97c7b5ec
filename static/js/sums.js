/**
 * Sums typed across the rows, and what else their digits could mean: 25, 135 and 8 are the digits of 25, 13 and 58.
 * Nobody guesses: where there are two readings, somebody says which is meant before it is saved.
 */

import { isWithin } from "./counting.js";

/**
 * @typedef {import("./loser.js").Loser} Loser
 * @typedef {{loser: Loser, digit: string}} Typed a digit with its row; "" is a Next, which ends that row's sum
 * @typedef {{run: Typed[], rows: Loser[], options: string[][]}} Question the rows typed in a run, and how their sums could
 *   be meant, as typed first
 */

const MOST_ASKED = 4;

/**
 * Every way to read digits as that many sums: of two or three digits, or of one where Next or the end follows.
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
  /** @param {number} dearest the variant's dearest hand */
  constructor(dearest) {
    this.dearest = dearest;
    /** digits typed without anything in between; the last run continues */
    this.runs = /** @type {Typed[][]} */ ([[]]);
  }

  get run() {
    return /** @type {Typed[]} */ (this.runs.at(-1));
  }

  /** After Next: this row takes no further digit. */
  end() {
    const last = this.run.at(-1);
    if (last) this.note(last.loser, "");
  }

  /** After anything else: what is typed from now on has nothing to do with what was typed before. */
  stop() {
    if (this.run.length) this.runs.push([]);
  }

  /** @param {Loser} loser @param {string} digit as it has just been typed there */
  note(loser, digit) {
    this.run.push({ loser, digit });
  }

  /** No sum begins with 0: before one, the last digit of an open sum of three belongs to the next row. @param {Loser} loser that row @returns {string} the digit, if any */
  lend(loser) {
    const last = this.run.at(-1);
    if (!last || !Number(last.digit) || last.loser === loser || last.loser.points.length !== 3) return "";
    last.loser.fields.points.value = last.loser.points.slice(0, 2);
    this.run.pop();
    return last.digit;
  }

  /** Empty a row and those typed after it. @param {Loser} loser @returns {string[]} their digits */
  takeBack(loser) {
    const taken = this.run.splice(this.run.findIndex((each) => each.loser === loser));
    for (const each of taken) each.loser.fields.points.value = "";
    return taken.map((each) => each.digit);
  }

  /** Whether a row's sum was typed in this run, and not ended with Next. @param {Loser} loser */
  isOpen(loser) {
    const own = this.run.filter((each) => each.loser === loser);
    return own.length > 0 && own.every((each) => each.digit);
  }

  /** Whether some row was typed later than another. @param {Loser} other @param {Loser} loser */
  isLater(other, loser) {
    const last = (/** @type {Loser} */ one) => this.run.findLastIndex((each) => each.loser === one);
    return last(other) > last(loser);
  }

  /** What somebody has to say before these sums are saved, if anything. @returns {Question | null} */
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

  /** It is known what a run means. @param {Question} question @param {string[]} sums */
  settle({ run, rows }, sums) {
    for (const [each, loser] of rows.entries()) loser.fields.points.value = sums[each] ?? "";
    run.length = 0;
  }
}
