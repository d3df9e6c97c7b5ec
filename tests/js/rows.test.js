/** Sums typed over the rows, with and without Next: which row is being filled, and what is one tap away. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { couldGrow } from "../../static/js/counting.js";
import { Rows } from "../../static/js/rows.js";

const WORDS = { third: "", thirdShort: "", longer: "", longerShort: "", split: "", splitShort: "" };
const NAMES = ["Ben", "Cat", "Dan", "Eve", "Fay"];

/** The dearest hand each variant knows, what no cards count, the cards dealt, and whether calls are counted. */
const EUROPEAN = { dearest: 148, gaps: [1], fullHand: 13, asksCalls: false };
const NORTH_AMERICAN = { ...EUROPEAN, dearest: 230 };
const JAMAICAN = { dearest: 270, gaps: [], fullHand: 9, asksCalls: true };

/** @typedef {typeof EUROPEAN} Variant */

/** A row with its fields, but without its page. @param {string} name @param {Variant} variant @param {(field: object) => void} focused */
function loser(name, { dearest, gaps, fullHand, asksCalls }, focused) {
  const field = { value: "", setSelectionRange() {}, closest: () => null, focus: () => focused(field) };
  return {
    name,
    asksCalls,
    other: {},
    fields: { points: field, cards: {} },
    row: { scrollIntoView() {}, contains: (/** @type {unknown} */ target) => target === field },
    cards: [],
    isWinner: false,
    isFresh: false,
    isAsRecorded: false,
    fullHand,
    sums: { dearest, gaps },
    get points() {
      return field.value;
    },
    get filled() {
      return Number(field.value) > 0;
    },
    get isWaiting() {
      return !this.isFresh && field.value.length === 2 && couldGrow(field.value, this.sums);
    },
    type(/** @type {string} */ digit) {
      field.value = (this.isFresh ? "" : field.value) + digit;
      this.isFresh = false;
    },
  };
}

/** The rows of players who hold cards, the first of them active. */
function table(variant = EUROPEAN, names = NAMES.slice(0, 3)) {
  const losers = names.map((name) => loser(name, variant, (field) => rows.focused(field)));
  const page = { show() {}, changed() {}, completed() {} };
  const rows = new Rows({ addEventListener() {}, querySelector: () => null }, losers, WORDS, "points", page);
  rows.advance();
  let taps = 0;
  /** Keys of the keypad; N is Next. @param {string} keys */
  const press = (keys) => {
    for (const key of keys) rows.press(key === "N" ? "next" : key);
    taps += keys.length;
  };
  /** Keys of a keyboard, which writes into the field before we hear of it; N is Enter. @param {string} keys */
  const type = (keys) => {
    for (const key of keys) {
      if (key === "N") {
        rows.press("next");
        continue;
      }
      const field = rows.active?.fields.points;
      field.value += key;
      rows.typed({ data: key, inputType: "insertText", target: field });
      rows.advanceIfWhole();
    }
  };
  /** A tap on a row's field. @param {number} row */
  const goTo = (row) => {
    if (rows.active !== losers[row]) rows.focused(losers[row].fields.points);
    rows.pressed(losers[row].fields.points);
  };
  /** A tap on the key in a row for what its digits may mean instead. @param {number} row */
  const mean = (row) => {
    rows.pressed(Object.assign(losers[row].other, { closest: () => null }));
    taps += 1;
  };
  /** How many digits that key gives the row, 0 if a third is still to come; undefined where no key shows. @param {number} row */
  const offered = (row) => rows.sums.otherwise(losers[row], rows.active)?.digits;
  const active = () => losers.indexOf(rows.active);
  const sums = () => losers.map((each) => each.points);
  return { rows, losers, press, type, goTo, mean, offered, active, sums, taps: () => taps };
}

/** Ann has won; the keys pressed, and what lies there. @param {string} keys */
function after(keys, variant = EUROPEAN) {
  const begun = table(variant);
  begun.press(keys);
  return begun;
}

/** A sum as somebody writes it who looks at the page. @param {ReturnType<typeof table>} begun @param {string} sum @param {number} row */
function write({ press, mean, losers }, sum, row) {
  const isWaitedFor = ["10", "11"].includes(sum.slice(0, 2));
  if (sum.length === 3 && !isWaitedFor && row < losers.length - 1) {
    press(sum.slice(0, 2));
    mean(row);
    press(sum.charAt(2));
  } else press(sum.length === 1 || sum === "10" || sum === "11" ? `${sum}N` : sum);
}

// ---- Next after every sum, though a sum is left by itself

for (const variant of [EUROPEAN, JAMAICAN]) {
  const where = variant.asksCalls ? "with calls" : "without calls";

  for (const [keys, sums] of /** @type {[string, string[]][]} */ ([
    ["23N17N31", ["23", "17", "31"]],
    ["231731", ["23", "17", "31"]],
    ["10N11N31", ["10", "11", "31"]],
    ["10N7N31", ["10", "7", "31"]],
    ["105N11N31", ["105", "11", "31"]],
    ["105N7N31", ["105", "7", "31"]],
    ["7N17N3", ["7", "17", "3"]],
    ["137N14", ["13", "7", "14"]],
    ["130N63N12", ["130", "63", "12"]],
    ["1306312", ["130", "63", "12"]],
    ["23N120N7", ["23", "120", "7"]],
    ["2537N12", ["25", "37", "12"]],
    ["253712", ["25", "37", "12"]],
    ["2537126", ["25", "37", "126"]],
    ["2537128", ["25", "37", "128"]],
    ["25N7N128N", ["25", "7", "128"]],
  ])) {
    test(`${keys} is ${sums} ${where}`, () => assert.deepEqual(after(keys, variant).sums(), sums));

    // who asks for calls, and types on a keyboard, ends every sum with Enter
    if (variant.asksCalls && keys.split("N").length < 3) continue;
    test(`${keys} is ${sums} on a keyboard ${where}`, () => {
      const { type, sums: typed } = table(variant);
      type(keys);
      assert.deepEqual(typed(), sums);
    });
  }

  test(`128 and Next is one tap away ${where}`, () => {
    const { offered, mean, press, sums, active } = after("128N", variant);
    assert.deepEqual(sums(), ["12", "8", ""]);
    assert.equal(offered(0), 3);
    mean(0);
    assert.equal(active(), 1);
    press("17N31");
    assert.deepEqual(sums(), ["128", "17", "31"]);
  });
}

test("a single digit and Next after 12 is asked about later too", () => {
  const { offered, mean, press, sums } = after("128N17N");
  assert.equal(offered(0), 3);
  mean(0);
  press("31");
  assert.deepEqual(sums(), ["128", "17", "31"]);
});

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
  const { goTo, press, sums } = after("23");
  goTo(1);
  press("N31");
  assert.deepEqual(sums(), ["23", "", "31"]);
});

test("nought after a sum that cannot grow stays where it is", () => {
  assert.deepEqual(after("370").sums(), ["37", "0", ""]);
});

test("one loser alone types three digits", () => {
  const { press, sums } = table(EUROPEAN, ["Ben"]);
  press("131");
  assert.deepEqual(sums(), ["131"]);
});

// ---- Taps

for (const [typed, taps] of /** @type {[string, number][]} */ ([
  ["25 37 48", 6],
  ["12 13 14", 6],
  ["99 20 15", 6],
  ["10 37 48", 7], // one more for each 10 and 11
  ["10 11 48", 8],
  ["105 37 48", 7], // and for each sum of three digits up to 119
  ["128 37 48", 8], // two more for the dearest hands
  ["37 48 128", 7], // but not in the last row
  ["7 37 48", 6],
  ["7 37 4", 6], // Done after the last
])) {
  test(`${typed} takes ${taps} taps beside the winner's and Save`, () => {
    const begun = table();
    typed.split(" ").forEach((sum, row) => {
      write(begun, sum, row);
    });
    assert.deepEqual([begun.sums(), begun.taps()], [typed.split(" "), taps]);
  });
}

// ---- Ten and eleven

for (const digits of ["10", "11"]) {
  test(`${digits} waits for a third digit until Next`, () => {
    const { losers, press, active } = after("1");
    assert.equal(losers[0].isWaiting, false);
    press(digits.charAt(1));
    assert.deepEqual([active(), losers[0].isWaiting], [0, true]);
    press("N");
    assert.equal(active(), 1);
  });
}

test("a digit that belongs to the next row is given to it by one tap, and given back by another", () => {
  const { offered, mean, sums, active } = after("10735");
  assert.deepEqual(sums(), ["107", "35", ""]);
  assert.equal(offered(0), 2);
  mean(0);
  // 10 for Ben, 73 for Cat, 5 begun for Dan
  assert.deepEqual([sums(), active()], [["10", "73", "5"], 2]);
  assert.equal(offered(0), 3);
  mean(0);
  assert.deepEqual(sums(), ["107", "35", ""]);
});

test("the last row has nobody to give a digit to", () => {
  const { offered, sums } = after("2537107");
  assert.deepEqual(sums(), ["25", "37", "107"]);
  assert.equal(offered(2), undefined);
});

// ---- The dearest hands

test("a third digit is added by one tap more", () => {
  const { offered, mean, press, sums, active } = after("12");
  assert.deepEqual([active(), offered(0)], [1, 0]);
  mean(0);
  assert.equal(active(), 0);
  press("8");
  assert.equal(active(), 1);
  press("3748");
  assert.deepEqual(sums(), ["128", "37", "48"]);
});

for (const more of ["8", "83", "835", "83547"]) {
  test(`12${more} typed straight on is put right by one tap`, () => {
    const { offered, mean, press, sums } = after(`12${more}`);
    assert.equal(offered(0), 3);
    mean(0);
    press("83547".slice(more.length));
    assert.deepEqual(sums(), ["128", "35", "47"]);
  });
}

test("a row gone back to takes a third digit too", () => {
  const { goTo, offered, mean, press, sums } = after("1335");
  goTo(0);
  assert.equal(offered(0), 0);
  mean(0);
  press("7");
  assert.deepEqual(sums(), ["137", "35", ""]);
});

for (const variant of [EUROPEAN, JAMAICAN]) {
  test(`a sum recorded before raises no doubt until it is typed anew, ${variant.asksCalls ? "with" : "without"} calls`, () => {
    const { losers, goTo, press, offered } = table(variant);
    ["13", "35", "12"].forEach((sum, row) => {
      Object.assign(losers[row], { isAsRecorded: true }).fields.points.value = sum;
    });
    goTo(1);
    goTo(0);
    assert.equal(offered(0), undefined);
    press("14");
    losers[0].isAsRecorded = false;
    goTo(2);
    assert.equal(offered(2), undefined);
    goTo(0);
    assert.equal(offered(0), 0);
  });
}

test("a sum that cannot grow offers nothing", () => {
  const { offered } = after("253715");
  assert.deepEqual([0, 1, 2].map(offered), [undefined, undefined, undefined]);
});

test("Next says that the digits are meant as they stand", () => {
  const { offered, sums } = after("12N8");
  assert.deepEqual(sums(), ["12", "8", ""]);
  assert.equal(offered(0), undefined);
});

test("a row somebody else goes to ends the offers", () => {
  const { offered, goTo } = after("128");
  assert.equal(offered(0), 3);
  goTo(2);
  assert.equal(offered(0), undefined);
});

test("very dear hands are offered only where the eye still is", () => {
  const { offered, press, goTo, mean, sums } = after("25", JAMAICAN);
  assert.equal(offered(0), 0);
  press("3");
  assert.equal(offered(0), 3);
  press("7");
  assert.equal(offered(0), undefined); // 25 and 37 are what nearly everybody means
  goTo(0);
  mean(0);
  press("3");
  assert.deepEqual(sums(), ["253", "37", ""]);
});

// ---- Whole hands, as they come

for (const [name, variant] of Object.entries({ EUROPEAN, NORTH_AMERICAN, JAMAICAN })) {
  test(`whole hands of random sums are typed as they are meant: ${name}`, () => {
    let state = variant.dearest;
    /** @param {number} low @param {number} high */
    const between = (low, high) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return low + Math.floor((state / 2 ** 32) * (high - low + 1));
    };
    const ranges = /** @type {[number, number][]} */ ([
      [2, 60],
      [9, 15],
      [98, variant.dearest],
    ]);
    for (let hand = 0; hand < 300; hand++) {
      const begun = table(variant, NAMES);
      const sums = NAMES.map(() => String(between(...(ranges[between(0, 2)] ?? [0, 0]))));
      sums.forEach((sum, row) => {
        write(begun, sum, row);
      });
      assert.deepEqual(begun.sums(), sums);
    }
  });
}
