/** A list of numbers as text and as rows: “3+0, 2+1” is two hands. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { asText, longer, namesOf, rowsIn, stepped } from "../../static/js/lists.js";

const CONTRACTS = {
  columns: /** @type {[string, string][]} */ ([
    ["set", "sets"],
    ["run", "runs"],
  ]),
  rows: /** @type {Record<string, [string, number]>} */ ({ any: ["Hand {n}", 1] }),
  most: 16,
  each: { least: 0, most: 6 },
};
const DEALT = {
  columns: /** @type {[string, string][]} */ ([["card", "cards"]]),
  rows: /** @type {Record<string, [string, number]>} */ ({ players: ["{n} players", 2], contract: ["Hand {n}", 1] }),
  alone: "All players",
  most: 16,
  each: { least: 3, most: 30 },
};

test("what rows are written as is read as the same rows", () => {
  const rows = [
    [3, 0],
    [2, 1],
    [0, 4],
  ];
  assert.equal(asText(rows), "3+0, 2+1, 0+4");
  assert.deepEqual(rowsIn("3+0, 2+1, 0+4"), rows);
  assert.deepEqual(rowsIn("13 11"), [[13], [11]]);
  assert.deepEqual(rowsIn(""), []);
});

test("a number stays within its bounds", () => {
  assert.deepEqual(stepped([6, 1], 0, 1, CONTRACTS), [6, 1]);
  assert.deepEqual(stepped([2, 1], 1, -1, CONTRACTS), [2, 0]);
  assert.deepEqual(stepped([3], 0, -1, DEALT), [3]);
  assert.deepEqual(stepped([13], 0, 1, DEALT), [14]);
});

test("no hand is left without a set and without a run", () => {
  assert.deepEqual(stepped([1, 0], 0, -1, CONTRACTS), [1, 0]);
});

test("another row is as the last, the first as little as there may be", () => {
  assert.deepEqual(
    longer(
      [
        [3, 0],
        [2, 1],
      ],
      CONTRACTS,
    ),
    [
      [3, 0],
      [2, 1],
      [2, 1],
    ],
  );
  assert.deepEqual(longer([], CONTRACTS), [[1, 0]]);
  assert.deepEqual(longer([], DEALT), [[3]]);
});

test("one number of cards is dealt to all players, several to so many players or in each hand", () => {
  assert.deepEqual(namesOf(1, "players", DEALT), ["All players"]);
  assert.deepEqual(namesOf(3, "players", DEALT), ["2 players", "3 players", "4 players"]);
  assert.deepEqual(namesOf(2, "contract", DEALT), ["Hand 1", "Hand 2"]);
  assert.deepEqual(namesOf(1, "", CONTRACTS), ["Hand 1"]);
});
