/** The one reading of the keypad's keys: which row each digit belongs to. N is Next, < is ⌫. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isWholePair, pressKey } from "../../static/js/reading.js";

const EUROPEAN = { dearest: 148, hasCalls: false };
const JAMAICAN = { dearest: 400, hasCalls: true };
const KEYS = /** @type {Record<string, string>} */ ({ N: "next", "<": "back" });

/** @param {string} keys */
function after(keys, entry = EUROPEAN, rows = 3) {
  const begun = { rows: new Array(rows).fill({ text: "", isOpen: true, from: -1 }), at: 0 };
  const typed = [...keys].reduce((now, key) => pressKey(now, KEYS[key] ?? key, entry), begun);
  return [...typed.rows.map(({ text }) => text), typed.at];
}

for (const [keys, read] of /** @type {[string, (string | number)[]][]} */ ([
  // two digits that no third can follow are whole; Next after them skips nobody
  ["23", ["23", "", "", 1]],
  ["231731", ["23", "17", "31", 2]],
  ["23N17N31", ["23", "17", "31", 2]],
  ["23N17N31N", ["23", "17", "31", -1]],
  ["23NN31", ["23", "31", "", 2]],
  // Next ends any other sum
  ["12", ["12", "", "", 0]],
  ["12N", ["12", "", "", 1]],
  ["128", ["128", "", "", 0]],
  ["128N35", ["128", "35", "", 2]],
  ["7N17N3", ["7", "17", "3", 2]],
  ["105N7N131N", ["105", "7", "131", -1]],
  // without it, all digits stay in the row: nothing can be saved
  ["125530", ["125530", "", "", 0]],
  ["251358", ["25", "1358", "", 1]],
  // the last row takes all digits
  ["253748", ["25", "37", "48", 2]],
  ["2537485", ["25", "37", "485", 2]],
  // no sum begins with 0
  ["370", ["37", "0", "", 1]],
  ["370N5N", ["37", "05", "", 1]],
  ["370<8N", ["37", "8", "", 2]],
  // Next leaves no row empty
  ["NN5N", ["5", "", "", 1]],
  // ⌫ goes back over what was left automatically, but not over Next
  ["25<", ["2", "", "", 0]],
  ["25<817", ["28", "17", "", 2]],
  ["25374<<<<6", ["26", "", "", 1]],
  ["25N<", ["25", "", "", 1]],
  ["12N7<<", ["12", "", "", 1]],
])) {
  test(`${keys} is ${read}`, () => assert.deepEqual(after(keys), read));
}

test("one loser alone types three digits", () => assert.deepEqual(after("131", EUROPEAN, 1), ["131", 0]));

test("with calls, a whole sum is left by the next digit or by Next, and the sums are the same", () => {
  assert.deepEqual(after("45", JAMAICAN), ["45", "", "", 0]);
  assert.deepEqual(after("452N", JAMAICAN), ["45", "2", "", 2]);
  assert.deepEqual(after("45N62N7", JAMAICAN), ["45", "62", "7", 2]);
  assert.deepEqual(after("452<<6", JAMAICAN), ["46", "", "", 0]);
  assert.deepEqual(after("33N12N40", JAMAICAN), ["33", "12", "40", 2]);
});

test("two digits are whole from a tenth of the dearest hand", () => {
  const pairs = ["1", "10", "14", "15", "99", "05", "150"];
  assert.deepEqual(
    pairs.map((digits) => isWholePair(digits, 148)),
    [false, false, false, true, true, false, false],
  );
});
