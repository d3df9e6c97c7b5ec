/** One run of digits over the rows, and how else it could be meant. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Sums } from "../../static/js/rows.js";

const WORDS = {
  third: "{name}: {typed}_",
  thirdShort: "_?",
  longerShort: "{points}?",
  longer: "{name}: {points}, not {typed}",
  split: "{typed} and {rest} for {next}",
  splitShort: "{typed}, {rest}",
};

/** A row without its page. @param {string} name @param {string} points */
const row = (name, points = "") => ({
  name,
  points,
  cards: [],
  isWinner: false,
  isFresh: false,
  fullHand: 13,
  sums: { dearest: 145, gaps: [1] },
  get filled() {
    return Number(this.points) > 0;
  },
});

/** Rows typed as one run: `["Ben", "12"]` and so on. @param {[string, string][]} typed */
function run(...typed) {
  const rows = typed.map(([name, points]) => row(name, points));
  const sums = new Sums(rows, WORDS);
  for (const each of rows) for (const digit of each.points) sums.note(each, digit);
  return { rows, sums };
}

test("the first digit of the next row may be the third of this one", () => {
  const { rows, sums } = run(["Ben", "12"], ["Cat", "8"]);
  assert.deepEqual(sums.otherwise(rows[0], rows[1]), { digits: 3, shown: "128?", said: "Ben: 128, not 12" });
});

test("the third digit may be the first of the next row", () => {
  const { rows, sums } = run(["Ben", "107"], ["Cat", ""]);
  assert.deepEqual(sums.otherwise(rows[0], rows[1]), { digits: 2, shown: "10, 7", said: "10 and 7 for Cat" });
});

test("no sum begins with nothing: 100 is not 10 and 0", () => {
  const { rows, sums } = run(["Ben", "100"], ["Cat", ""]);
  assert.equal(sums.otherwise(rows[0], rows[1]), null);
});

test("a third digit may still come where such a sum exists", () => {
  const { rows, sums } = run(["Ben", "12"], ["Cat", ""]);
  assert.deepEqual(sums.otherwise(rows[0], rows[1]), { digits: 0, shown: "_?", said: "Ben: 12_" });
  const dear = run(["Ben", "35"], ["Cat", ""]);
  assert.equal(dear.sums.otherwise(dear.rows[0], dear.rows[1]), null);
});

test("after any other key the digits stand as they are", () => {
  const { rows, sums } = run(["Ben", "12"], ["Cat", "8"]);
  sums.stop();
  assert.equal(sums.otherwise(rows[0], rows[1]), null);
});

test("cards say what is meant", () => {
  const { rows, sums } = run(["Ben", "12"], ["Cat", "8"]);
  Object.assign(rows[0], { cards: [{ word: "KH", rank: "K", suit: "H" }] });
  assert.equal(sums.otherwise(rows[0], rows[1]), null);
});

test("a sum recorded before raises no doubt, one typed now does", () => {
  const ben = Object.assign(row("Ben", "12"), { isFresh: true, isAsRecorded: true });
  const sums = new Sums([ben], WORDS);
  assert.equal(sums.otherwise(ben, ben), null);
  ben.isAsRecorded = false;
  assert.deepEqual(sums.otherwise(ben, ben), { digits: 0, shown: "_?", said: "Ben: 12_" });
});
