// @ts-check
/**
 * Sums typed as one run of digits over the rows, and how else the same digits could be meant. Two digits are a sum; who
 * typed 128, though, finds 12 in one row and 8 in the next, and who forgot Next after 10 finds 107 in one row. Neither
 * is guessed: the other reading stands in the row, one tap away.
 */

import { couldGrow, isLikely, isPossible } from "./counting.js";
import { fill } from "./form.js";

/**
 * @typedef {import("./loser.js").Loser} Loser
 * @typedef {import("./form.js").Words} Words
 * @typedef {{digits: number, shown: string, said: string}} Reading how many digits the row has in it, or 0 where a third
 *   is still to be typed; what its key shows and what is read out
 */

/** @param {number} digits @param {string} shown @param {string} said @param {Record<string, string>} facts @returns {Reading} */
const reading = (digits, shown, said, facts) => ({ digits, shown: fill(shown, facts), said: fill(said, facts) });

export class Sums {
  /** @param {Loser[]} losers @param {Words} words */
  constructor(losers, words) {
    this.losers = losers;
    this.words = words;
    /** digits typed with nothing between them, each with its row */
    this.run = /** @type {{loser: Loser, digit: string}[]} */ ([]);
  }

  /** After anything but a digit: what was typed before is meant as it stands. */
  stop() {
    this.run = [];
  }

  /** @param {Loser} loser @param {string} digit as it has just been typed there */
  note(loser, digit) {
    this.run.push({ loser, digit });
  }

  /** Empties a row and those typed after it. @param {Loser} loser @returns {string[]} their digits */
  takeBack(loser) {
    const taken = this.run.splice(this.run.findIndex((each) => each.loser === loser));
    for (const each of taken) each.loser.fields.points.value = "";
    return taken.map((each) => each.digit);
  }

  /** How else a row's digits could be meant. @param {Loser} loser @param {Loser | null} active @returns {Reading | null} */
  otherwise(loser, active) {
    if (loser.isWinner || loser.cards.length) return null;
    if (loser === active) return loser.isFresh ? this.third(loser) : null; // gone back to: any third digit may be meant
    const place = this.run.findIndex((each) => each.loser === loser);
    const digits = this.run
      .slice(Math.max(place, 0))
      .map((each) => each.digit)
      .join("");
    if (place < 0 || !digits.startsWith(loser.points)) return null;
    const after = digits.slice(loser.points.length);
    if (loser.points.length === 3) return this.split(loser);
    if (!after) return couldGrow(loser.points, loser.sums) ? this.third(loser) : null;
    const next = this.run.find((each, later) => later > place && each.loser !== loser)?.loser;
    return this.longer(loser, loser.points + after[0], next === active);
  }

  /** A third digit is still to come. @param {Loser} loser */
  third(loser) {
    const typed = loser.points;
    if (typed.length !== 2) return null;
    return reading(0, "{typed}_", this.words.third, { typed, name: loser.name });
  }

  /** The first digit of the next row is the third of this one. The dearest hands are offered only until that row is left. @param {Loser} loser @param {string} points @param {boolean} isNear */
  longer(loser, points, isNear) {
    const isMeant = isNear || isLikely(Number(points), loser.fullHand);
    if (points.length !== 3 || !isMeant || !isPossible(Number(points), loser.sums)) return null;
    return reading(3, "{points}?", this.words.longer, { points, typed: loser.points, name: loser.name });
  }

  /** The third digit is the first of the next row. @param {Loser} loser */
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
