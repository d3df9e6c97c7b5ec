/** What is left in a hand after some steps of a turn. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { inHand } from "../../static/js/inhand.js";

for (const [hand, steps, left] of /** @type {[string, [string, string][], string][]} */ ([
  ["KS KH 2C", [], "KS KH 2C"],
  ["KS KH 2C", [["stock", "KD"]], "KS KH 2C KD"],
  [
    "KS KH 2C",
    [
      ["stock", "KD"],
      ["meld", "KS KH KD"],
    ],
    "2C",
  ],
  [
    "KS KH 2C",
    [
      ["pile", "KD"],
      ["meld", "KS KH KD"],
      ["discard", "2C"],
    ],
    "",
  ],
  ["KS KS 2C", [["build", "KS"]], "KS 2C"],
  ["7H * 9H", [["meld", "7H *=8H 9H"]], ""],
  ["8H 2C", [["free_joker", "8H"]], "2C *"],
  ["KS", [["meld", "QS"]], "KS"],
  ["ks, k♥ jk", [["build_low", "KH"]], "KS *"],
])) {
  const told = steps.map(([does, cards]) => `${does} ${cards}`).join(", ");
  test(`${hand} after ${told || "nothing"} is ${left || "empty"}`, () => {
    assert.equal(
      inHand(
        hand,
        steps.map(([does, cards]) => ({ does, cards })),
      ).join(" "),
      left,
    );
  });
}
