/**
 * What the keypad's digits, Next and ⌫ mean. There is one reading: two digits that no third can follow are a whole sum, and
 * the next digit belongs to the next row; Next ends any other sum. ⌫ removes the last digit, also in a row that was left
 * automatically. No DOM here.
 *
 * @typedef {Object} Row
 * @property {string} text
 * @property {boolean} isOpen whether it still needs typing
 * @property {number} from the row that was left automatically for this one, or -1
 * @typedef {{rows: Row[], at: number}} Typed `at`: the row typed in, or -1 after the last one
 */

import { isWithin } from "./counting.js";

/** Whether digits are a sum, which never begins with 0. @param {string} text */
export const isSum = (text) => /^[1-9]\d{0,5}$/.test(text);

/** Whether two digits are a whole sum: 15 is one if no hand counts 150. @param {string} text @param {number} dearest the most points that a hand can be worth */
export const isWholePair = (text, dearest) => /^[1-9]\d$/.test(text) && !isWithin(`${text}0`, dearest);

/**
 * @param {Typed} typed @param {string} key a digit, "next" or "back"
 * @param {{dearest: number, hasCalls: boolean}} entry with calls, a whole sum is left only by the next digit, so that its
 *   calls can be entered first
 * @returns {Typed}
 */
export function pressKey(typed, key, { dearest, hasCalls }) {
  const { rows, at } = typed;
  const row = rows[at];
  if (!row) return typed;
  if (key === "back") {
    const place = row.text ? at : row.from;
    return write(typed, place, rows[place]?.text.slice(0, -1));
  }
  if (key === "next") return row.isOpen ? arrive(typed, at, -1) : leave(typed, -1);
  const here = isWholePair(row.text, dearest) ? leave(typed, at) : typed;
  const after = write(here, here.at, `${here.rows[here.at]?.text}${key}`);
  const isLeft = !hasCalls && isWholePair(after.rows[after.at]?.text ?? "", dearest);
  return isLeft ? leave(after, after.at) : after;
}

/** @param {Typed} typed @param {number} place @param {string} [text] @returns {Typed} */
function write(typed, place, text) {
  if (text === undefined) return typed;
  return {
    rows: typed.rows.map((row, each) => (each === place ? { ...row, text, isOpen: !isSum(text) } : row)),
    at: place,
  };
}

/** Go to a row, and note from which it was reached. @param {Typed} typed @param {number} at @param {number} from @returns {Typed} */
const arrive = ({ rows }, at, from) => ({ rows: rows.map((row, each) => (each === at ? { ...row, from } : row)), at });

/** Leave a row for the next open one. Only Next leaves the last. @param {Typed} typed @param {number} from the row, if it is left automatically, else -1 @returns {Typed} */
function leave(typed, from) {
  const open = typed.rows.flatMap((row, each) => (row.isOpen && each !== typed.at ? [each] : []));
  const next = open.find((each) => each > typed.at) ?? open[0];
  if (next !== undefined) return arrive(typed, next, from);
  return from < 0 ? { ...typed, at: -1 } : typed;
}
