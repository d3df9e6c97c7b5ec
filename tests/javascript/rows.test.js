/** Sums typed over the rows, with and without Next: which row is being filled, and what is asked before saving. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "../../static/js/counting.js";
import { CALLS, EUROPEAN, JAMAICAN, NAMES, NORTH_AMERICAN, table } from "./table.js";

/** Ann has won; the keys pressed, and what lies there. @param {string} keys */
function after(keys, variant = EUROPEAN) {
  const begun = table(variant);
  begun.press(keys);
  return begun;
}

/** A sum as somebody writes it who looks at the page. @param {ReturnType<typeof table>} begun @param {string} sum @param {number} row */
function write({ press, losers }, sum, row) {
  press(sum);
  if (sum.length === 1 || (losers[row].isWaiting && row < losers.length - 1)) press("N");
}

// ---- Next after every sum, though a sum is left by itself

for (const variant of [EUROPEAN, CALLS]) {
  const where = variant.asksCalls ? "with calls" : "without calls";

  for (const [keys, sums] of /** @type {[string, string[]][]} */ ([
    ["23N17N31", ["23", "17", "31"]],
    ["231731", ["23", "17", "31"]],
    ["10N11N31", ["10", "11", "31"]],
    ["10N7N31", ["10", "7", "31"]],
    ["105N11N31", ["105", "11", "31"]],
    ["105N7N31", ["105", "7", "31"]],
    ["7N17N3", ["7", "17", "3"]],
    ["13N7N14", ["13", "7", "14"]],
    ["128N17N31", ["128", "17", "31"]],
    ["1283547", ["128", "35", "47"]],
    ["251358", ["25", "135", "8"]],
    ["1493731", ["14", "93", "731"]], // no hand counts 149: the 9 begins the next sum
    ["101031", ["10", "103", "1"]], // and no sum begins with 0
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
  }
}

test("⌫ after a jump takes back the last digit of the row before, which goes on", () => {
  const begun = after("25");
  begun.press(["back"]);
  assert.deepEqual([begun.sums(), begun.active()], [["2", "", ""], 0]);
  begun.press("817");
  assert.deepEqual(begun.sums(), ["28", "17", ""]);
});

test("⌫ in an empty row that somebody tapped takes nothing from another", () => {
  const begun = after("25");
  begun.goTo(2);
  begun.press(["back"]);
  assert.deepEqual([begun.sums(), begun.active()], [["25", "", ""], 2]);
});

// ---- A keyboard: what is typed stays as it is and where it is; only Enter goes on

for (const [keys, sums] of /** @type {[string, string[]][]} */ ([
  ["23N17N31", ["23", "17", "31"]],
  ["10N7N31N", ["10", "7", "31"]],
  ["231731", ["231731", "", ""]],
  ["15+20N30N7", ["15+20", "30", "7"]],
  ["12.5N-50N1 2", ["12.5", "-50", "1 2"]],
  ["۴۳NK Q 7N4,5", ["۴۳", "K Q 7", "4,5"]],
  ["007N010N3", ["007", "010", "3"]],
  ["N17NN31N", ["17", "31", ""]], // nobody is passed over
])) {
  test(`${keys} is ${sums} on a keyboard`, () => {
    const { rows, type, sums: typed } = table();
    type(keys);
    assert.deepEqual(typed(), sums);
    assert.equal(rows.question, null);
  });
}

test("a sum typed on the keypad is left alone once something else is typed into it", () => {
  const { rows, press, sums, losers } = table();
  press("2513");
  losers[1].fields.points.value += "+5";
  rows.onInput(losers[1].fields.points);
  press("8");
  assert.deepEqual(sums(), ["25", "13+58", ""]);
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

test("calls counted after a sum say that it is whole", () => {
  const { losers, rows, press, sums } = table({ ...CALLS, dearest: 400 });
  press("23");
  const calls = {};
  Object.assign(losers[0], { calls });
  rows.onInput(calls);
  press("17");
  assert.deepEqual(sums(), ["23", "17", ""]);
});

// ---- Taps

for (const [typed, taps] of /** @type {[string, number][]} */ ([
  ["25 37 48", 6],
  ["12 13 14", 8],
  ["99 20 15", 6],
  ["10 37 48", 7], // one more for each sum that a third digit could follow
  ["10 11 48", 8],
  ["105 37 48", 7], // and for each third digit
  ["128 37 48", 7],
  ["37 48 128", 7],
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

// ---- Ten to fourteen

for (const digits of ["10", "11", "12", "13", "14"]) {
  test(`${digits} waits for a third digit until Next`, () => {
    const { losers, press, active } = after("1");
    assert.equal(losers[0].isWaiting, false);
    press(digits.charAt(1));
    assert.deepEqual([active(), losers[0].isWaiting], [0, true]);
    press("N");
    assert.equal(active(), 1);
  });
}

test("a digit that belongs to the next row is given to it by one tap", () => {
  const { offered, mean, sums, active } = after("10735");
  assert.deepEqual(sums(), ["107", "35", ""]);
  assert.ok(offered(0));
  mean(0);
  // 10 for Ben, 73 for Cat, 5 begun for Dan
  assert.deepEqual([sums(), active()], [["10", "73", "5"], 2]);
});

for (const digits of ["100", "110", "120", "130", "140"]) {
  test(`${digits} offers no sum that begins with nought`, () => {
    const { active, offered, sums } = after(digits);
    assert.deepEqual([sums(), active()], [[digits, "", ""], 1]);
    assert.ok(!offered(0));
  });
}

test("the last row has nobody to give a digit to", () => {
  const { offered, sums } = after("2537107");
  assert.deepEqual(sums(), ["25", "37", "107"]);
  assert.ok(!offered(2));
});

test("a row gone back to takes another sum, of three digits too", () => {
  const { goTo, offered, press, sums } = after("13N35");
  goTo(0);
  assert.ok(!offered(0));
  press("137");
  assert.deepEqual(sums(), ["137", "35", ""]);
});

test("a sum that cannot grow offers nothing", () => {
  const { offered } = after("253715");
  assert.deepEqual([0, 1, 2].map(offered), [false, false, false]);
});

test("Next says that the digits are meant as they stand", () => {
  const { offered, sums } = after("12N8");
  assert.deepEqual(sums(), ["12", "8", ""]);
  assert.ok(!offered(0));
});

test("a row somebody else goes to ends the offers", () => {
  const { offered, goTo } = after("128");
  assert.ok(offered(0));
  goTo(2);
  assert.ok(!offered(0));
});

// ---- What is asked before saving

/** What is asked, as answers. @param {ReturnType<typeof table>} begun */
const asked = ({ rows }) => rows.question?.options.map((sums) => sums.join(" ")) ?? [];

for (const [keys, answers] of /** @type {[string, string[]][]} */ ([
  ["251358", ["25 135 8", "25 13 58"]],
  ["25N1358", ["25 135 8", "25 13 58"]],
  ["2513N58", []], // Next says that the sum is whole
  ["25135N8", []],
  ["25135N8N", []],
  ["234731", []],
  ["121314", ["121 31 4", "12 131 4", "12 13 14"]],
  ["13134N47", ["131 34 47", "13 134 47"]],
  ["134N6347", []],
  ["1354531", ["135 45 31"].slice(1)], // 45 31 cannot be 4 531, nor 13 54 531
  ["2537513", []], // above what the cards can make: reading it out says so
  ["25", []], // not before all is typed
])) {
  test(`${keys} asks ${answers.length ? answers.join(" or ") : "nothing"}`, () => {
    assert.deepEqual(asked(after(keys)), answers);
  });
}

// ---- A sum beside cards, which are what counts

/** Somebody chooses a card in a row. @param {ReturnType<typeof table>} begun @param {number} row */
function choose({ losers }, row) {
  Object.assign(losers[row], { cards: read("KH") });
}

test("a row with cards is never split", () => {
  const begun = after("107");
  assert.ok(begun.offered(0));
  choose(begun, 0);
  assert.ok(!begun.offered(0));
});

for (const [keys, row] of /** @type {[string, number][]} */ ([
  ["251358", 1], // 135, or 13 with 58 for the next
  ["251358", 2],
])) {
  test(`${keys} asks nothing once row ${row} has cards`, () => {
    const begun = after(keys);
    assert.notDeepEqual(asked(begun), []);
    choose(begun, row);
    assert.deepEqual(asked(begun), []);
  });
}

test("what somebody answers stands in the rows, and is not asked again", () => {
  const begun = after("251358");
  begun.rows.answer(1);
  assert.deepEqual(begun.sums(), ["25", "13", "58"]);
  assert.deepEqual(asked(begun), []);
});

test("what was typed may be what was meant", () => {
  const begun = after("251358");
  begun.rows.answer(0);
  assert.deepEqual(begun.sums(), ["25", "135", "8"]);
  assert.deepEqual(asked(begun), []);
});

test("the question stays when somebody touches something else, until a sum of it is typed anew", () => {
  const begun = after("251358");
  begun.goTo(0);
  assert.deepEqual(asked(begun), ["25 135 8", "25 13 58"]);
  begun.goTo(2);
  begun.press("9");
  assert.deepEqual(asked(begun), []);
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
