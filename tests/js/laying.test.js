/** Ranks and suits in every order hands press them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTHING, press, withoutTheLast } from "../../static/js/laying.js";

const SUITS = "SHDC";

/** The cards that lie after some keys, such as "K S H D". @param {string} keys */
function laid(keys) {
  let held = NOTHING;
  /** @type {string[]} */
  const cards = [];
  for (const key of keys.split(" ")) {
    const next = press(held, SUITS.includes(key) ? { suit: key } : { rank: key });
    held = next.held;
    cards.length -= next.back;
    cards.push(...next.cards);
  }
  return cards.join(" ");
}

test("a set needs its rank once", () => {
  assert.equal(laid("K S H D"), "KS KH KD");
});

test("a run needs its suit once, first or last", () => {
  assert.equal(laid("H 7 8 9"), "7H 8H 9H");
  assert.equal(laid("7 8 9 H"), "7H 8H 9H");
});

test("both keys for each card, in either order", () => {
  assert.equal(laid("7 H 8 H 9 H"), "7H 8H 9H");
  assert.equal(laid("H 7 H 8 H 9"), "7H 8H 9H");
  assert.equal(laid("K S K H K D"), "KS KH KD");
  assert.equal(laid("S K H K D K"), "KS KH KD");
});

test("a whole hand changes over in the middle", () => {
  assert.equal(laid("K S H D H 7 8 9"), "KS KH KD 7H 8H 9H");
  assert.equal(laid("H 7 8 9 K S H D"), "7H 8H 9H KS KH KD");
});

test("the last rank pressed is given up before the ones that wait", () => {
  const waiting = press(press(NOTHING, { rank: "7" }).held, { rank: "8" }).held;
  assert.deepEqual([waiting.waiting, waiting.rank], [["7"], "8"]);
  assert.equal(withoutTheLast(waiting).rank, "7");
  assert.equal(withoutTheLast(withoutTheLast(waiting)), NOTHING);
});
