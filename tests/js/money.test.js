/** Amounts as people write them, in whole minor units. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { minorUnits, written } from "../../static/js/money.js";

test("a comma or a point, with one or two digits after it or none", () => {
  assert.deepEqual(["2", "0.5", "1,20", " 10 "].map(minorUnits), [200, 50, 120, 1000]);
});

test("what is no amount is no number", () => {
  for (const typed of ["", "-1", "1.234", "a", "1.2.3"]) assert.ok(Number.isNaN(minorUnits(typed)), typed);
});

test("an amount is written with two digits", () => {
  assert.deepEqual([0, 5, 50, 120, 123456].map(written), ["0.00", "0.05", "0.50", "1.20", "1234.56"]);
});
