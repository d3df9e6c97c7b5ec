/** Amounts as people write them, in whole minor units. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { minorUnits, written } from "../../static/js/money.js";

test("a comma or a point, with one or two digits after it or none", () => {
  const typed = ["2", "0.5", "1,20", " 10 "];
  assert.deepEqual(
    typed.map((each) => minorUnits(each, 2)),
    [200, 50, 120, 1000],
  );
});

test("yen are whole, a dinar has three digits, and zeros too many do no harm", () => {
  assert.deepEqual([minorUnits("250", 0), minorUnits("250.00", 0), minorUnits("12345678", 0)], [250, 250, 12345678]);
  assert.deepEqual([minorUnits("1.25", 3), minorUnits("0,005", 3), minorUnits("2", 3)], [1250, 5, 2000]);
  for (const typed of ["2.5", "1.000", "123456789"]) assert.ok(Number.isNaN(minorUnits(typed, 0)), typed);
  assert.deepEqual([written(250, 0), written(0, 0), written(1250, 3), written(5, 3)], ["250", "0", "1.250", "0.005"]);
});

test("what is no amount is no number", () => {
  for (const typed of ["", "-1", "1.234", "a", "1.2.3"]) assert.ok(Number.isNaN(minorUnits(typed, 2)), typed);
});

test("an amount is written with two digits", () => {
  const units = [0, 5, 50, 120, 123456];
  assert.deepEqual(
    units.map((each) => written(each, 2)),
    ["0.00", "0.05", "0.50", "1.20", "1234.56"],
  );
});
