/** A question about the rules is found by the words a player has for it, with the number that came with them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfMoney, nearest, wordsIn } from "../../static/js/seek.js";

const QUESTIONS = [
  { key: "packs", words: "Packs decks how many decks", least: 1, most: 4 },
  { key: "jokers", words: "Jokers wild cards", least: 0, most: 16 },
  { key: "joker_left", words: "Joker left in hand caught with a joker 15", least: 0, most: 200 },
  { key: "joker_points", words: "Joker in a meld", least: 0, most: 50 },
  { key: "joker_from_set", words: "Joker out of a set of three swap a joker for both missing suits never" },
  { key: "melds_a_turn", words: "Melds in one turn one meld a turn", least: 1, most: 13 },
  { key: "buy_ins", words: "Buy-ins come back", least: 0, most: 99 },
  { key: "limit", words: "Limit out at 150 bust", least: 1, most: 10000 },
].map(({ words, ...more }) => ({ ...more, words: wordsIn(words) }));

/** @param {string} typed */
const found = (typed) => nearest(QUESTIONS, typed).map(({ question, number }) => [question.key, number]);

for (const [typed, keys] of /** @type {[string, [string, number | undefined][]][]} */ ([
  ["three packs", [["packs", 3]]],
  ["3 decks", [["packs", 3]]],
  ["one meld a turn", [["melds_a_turn", 1]]],
  ["buy-in", [["buy_ins", undefined]]],
  ["buy in once", [["buy_ins", undefined]]],
  ["swap jokers", [["joker_from_set", undefined]]],
  [
    "JOKER 25",
    [
      ["joker_left", 25],
      ["joker_points", 25],
    ],
  ],
  [
    "joker 15",
    [
      ["jokers", undefined],
      ["joker_left", 15],
      ["joker_points", undefined],
    ],
  ],
  ["joker 120", [["joker_left", 120]]],
  [
    "150",
    [
      ["joker_left", 150],
      ["limit", 150],
    ],
  ],
  ["zebra", []],
  ["", []],
])) {
  test(`“${typed}” finds ${keys.map(([key]) => key).join(", ") || "nothing"}`, () =>
    assert.deepEqual(found(typed), keys));
}

const STAKES = [
  { key: "call_up", words: "Call-up stake a hand pay the winner money 1", least: 0, most: 1000 },
  { key: "initial", words: "Initial stake ante kitty pot money", least: 0, most: 1000 },
].map(({ words, ...more }) => ({ ...more, words: wordsIn(words) }));

for (const typed of [
  "10 pence",
  "10pence",
  "5p",
  "5 P",
  "penny",
  "pennies",
  "2 cents",
  "5c",
  "£2",
  "0.10 €",
  "one quid",
  "money",
]) {
  test(`“${typed}” finds the stakes, and is no number of units`, () =>
    assert.deepEqual(
      nearest([...QUESTIONS, ...STAKES], typed).map(({ question, number }) => [question.key, number]),
      [
        ["call_up", undefined],
        ["initial", undefined],
      ],
    ));
}

test("letters that only look like coins are none", () => {
  for (const typed of ["p", "5 packs", "pennon", "c 5"]) assert.equal(isOfMoney(typed), false);
});

test("a stake in units is filled in", () => {
  assert.deepEqual(
    nearest(STAKES, "ante 5").map(({ number }) => number),
    [5],
  );
});

test("a sign for a percentage is a word", () => {
  assert.deepEqual(wordsIn("Pool 75%"), ["pool", "75", "percent"]);
});

test("a number in letters counts as one in digits", () => {
  assert.deepEqual(found("three jokers")[0], ["jokers", 3]);
});

test("a word that no question has does not hide those that have the others", () => {
  assert.deepEqual(found("our zebra packs"), [["packs", undefined]]);
});

test("a number that no question holds leaves what the words find", () => {
  assert.deepEqual(found("packs 900"), [["packs", undefined]]);
});
