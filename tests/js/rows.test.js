/** Which row is being filled, with Next pressed after a sum that is left by itself. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Rows } from "../../static/js/rows.js";

const WORDS = { third: "", thirdShort: "", longer: "", longerShort: "", split: "", splitShort: "" };

/** A row with its fields, but without its page. @param {string} name @param {boolean} asksCalls @param {(field: object) => void} focused */
function loser(name, asksCalls, focused) {
  const field = { value: "", setSelectionRange() {}, closest: () => null, focus: () => focused(field) };
  return {
    name,
    asksCalls,
    fields: { points: field, cards: {} },
    row: { scrollIntoView() {}, contains: (/** @type {unknown} */ target) => target === field },
    cards: [],
    isWinner: false,
    isFresh: false,
    fullHand: 13,
    sums: { dearest: 145, gaps: [1] },
    get points() {
      return field.value;
    },
    get filled() {
      return Number(field.value) > 0;
    },
    type(/** @type {string} */ digit) {
      field.value = (this.isFresh ? "" : field.value) + digit;
      this.isFresh = false;
    },
  };
}

/** Ann, Cleo and Dov hold cards; N is Next. @param {string} keys @param {boolean} asksCalls */
function after(keys, asksCalls = false) {
  const losers = ["Ann", "Cleo", "Dov"].map((name) => loser(name, asksCalls, (field) => rows.focused(field)));
  const page = { show() {}, changed() {}, completed() {} };
  const rows = new Rows({ addEventListener() {}, querySelector: () => null }, losers, WORDS, "points", page);
  rows.advance();
  const press = (/** @type {string} */ more) => {
    for (const key of more) rows.press(key === "N" ? "next" : key);
  };
  press(keys);
  return { rows, losers, press, sums: () => losers.map((each) => each.points) };
}

for (const asksCalls of [false, true]) {
  const where = asksCalls ? "with calls" : "without calls";

  for (const [keys, sums] of /** @type {[string, string[]][]} */ ([
    ["23N17N31", ["23", "17", "31"]],
    ["231731", ["23", "17", "31"]],
    ["10N11N31", ["10", "11", "31"]],
    ["105N7N31", ["105", "7", "31"]],
    ["7N17N3", ["7", "17", "3"]],
    ["130N63N12", ["130", "63", "12"]],
    ["1306312", ["130", "63", "12"]],
    ["23N120N7", ["23", "120", "7"]],
  ])) {
    test(`${keys} is ${sums} ${where}`, () => assert.deepEqual(after(keys, asksCalls).sums(), sums));
  }

  test(`128 and Next is one tap away ${where}`, () => {
    const { rows, losers, press, sums } = after("128N17N", asksCalls);
    assert.equal(rows.sums.otherwise(losers[0], rows.active)?.digits, 3);
    rows.reread(losers[0]);
    press("31");
    assert.deepEqual(sums(), ["128", "17", "31"]);
  });
}

test("a digit that may be the third of the sum before is doubtful once all is typed", () => {
  const { rows, losers, press } = after("134N");
  assert.equal(rows.doubtful, undefined);
  press("63");
  assert.equal(rows.doubtful, losers[0]);
  assert.equal(after("13N4N63").rows.doubtful, undefined);
  assert.equal(after("134463").rows.doubtful, undefined);
});

test("a second Next leaves a row reached by itself", () => {
  assert.deepEqual(after("23NN31").sums(), ["23", "", "31"]);
});

test("Next leaves a row that somebody touched", () => {
  const { rows, losers, press, sums } = after("23");
  rows.pressed(losers[1].fields.points);
  press("N31");
  assert.deepEqual(sums(), ["23", "", "31"]);
});
