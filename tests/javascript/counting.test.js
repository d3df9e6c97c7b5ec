/** What cards left count: the card values of the European variant. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { countsOf, findUsedUp, keyOf, read, signOf, worthOf } from "../../static/js/counting.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const COURT = { J: 10, Q: 10, K: 10 };
const ENTRY = {
  keys: [...RANKS, "*"],
  worths: { ...Object.fromEntries(RANKS.map((rank) => [rank, Number(rank)])), ...COURT, A: 11, "*": 15 },
  ranks: 8,
  jokers: 2,
  colours: false,
};
const COLOURED = {
  ...ENTRY,
  colours: true,
  keys: ["Ared", "Ablack", ...ENTRY.keys.slice(1)],
  worths: { ...ENTRY.worths, Ared: 1, Ablack: 15 },
};

test("cards count what the variant says", () => {
  assert.equal(worthOf(read("KH 7 A *"), ENTRY), 10 + 7 + 11 + 15);
  assert.equal(worthOf([], ENTRY), 0);
  assert.equal(worthOf(read("KH 11H"), ENTRY), null);
});

test("aces of two colours count apart, where the variant tells them apart", () => {
  assert.equal(worthOf(read("AH AS Ared Ablack"), COLOURED), 1 + 15 + 1 + 15);
  assert.equal(worthOf(read("A"), COLOURED), null);
  assert.equal(keyOf(read("AD")[0], ENTRY), "A");
});

test("cards are counted by their keys", () => {
  assert.deepEqual(countsOf(read("KH KS * 7"), ENTRY), { K: 2, "*": 1, 7: 1 });
});

test("a key is spent once the packs hold no more of it", () => {
  assert.deepEqual([...findUsedUp(read("* *"), ENTRY)], ["*"]);
  assert.deepEqual([...findUsedUp(read("K K K K K K K"), ENTRY)], []);
  assert.deepEqual([...findUsedUp(read("K K K K K K K K"), ENTRY)], ["K"]);
  assert.deepEqual([...findUsedUp(read("AH AH AD AD"), COLOURED)], ["Ared"]);
});

test("a card is shown as it lies on the table", () => {
  assert.deepEqual(
    read("KH * Ared Q").map((card) => signOf(card, COLOURED)),
    ["K♥", "★", "A♥♦", "Q"],
  );
});
