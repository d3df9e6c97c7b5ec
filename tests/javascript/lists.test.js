/** A list of numbers as text and as rows: “3+0, 2+1” is two hands. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { asText, longer, rowsIn, stepped } from "../../static/js/lists.js";

const CONTRACTS = {
  columns: /** @type {[string, string][]} */ ([
    ["set", "sets"],
    ["run", "runs"],
  ]),
  rows: {},
  most: 16,
  each: { least: 0, most: 6 },
};
const DEALT = {
  columns: /** @type {[string, string][]} */ ([["card", "cards"]]),
  rows: {},
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
