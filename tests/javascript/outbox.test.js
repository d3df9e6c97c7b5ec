/** What an answer to something sent means, and when it is sent again. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf, parseRetryAfter, retryDelay } from "../../static/js/outbox.js";

for (const [status, isOurs, outcome] of /** @type {[number, boolean, string][]} */ ([
  [204, true, "saved"],
  [422, true, "refused"],
  [400, true, "refused"],
  [404, true, "waiting"],
  [410, true, "gone"],
  [403, true, "conflict"],
  [409, true, "conflict"],
  [413, true, "refused"],
  [429, true, "waiting"],
  [500, true, "waiting"],
  [503, true, "waiting"],
  // a proxy, or the page of a guest network
  [0, false, "waiting"],
  [200, false, "waiting"],
  [302, false, "waiting"],
  [403, false, "waiting"],
  [404, false, "waiting"],
  [410, false, "waiting"],
  [413, false, "waiting"],
  [429, false, "waiting"],
  [502, false, "waiting"],
  [504, false, "waiting"],
])) {
  test(`${status} ${isOurs ? "from the server" : "from a proxy"}: ${outcome}`, () => {
    assert.equal(outcomeOf(status, isOurs), outcome);
  });
}

test("each attempt waits longer than the one before, up to a quarter of a minute", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7].map((tries) => retryDelay(tries)),
    [2000, 3000, 4500, 6750, 10125, 15000, 15000],
  );
});

test("no attempt comes before the time the answer asks for", () => {
  assert.equal(retryDelay(1, 30_000), 30_000);
  assert.equal(retryDelay(7, 5000), 15_000);
});

for (const [header, wait] of /** @type {[string | null, number][]} */ ([
  [null, 0],
  ["", 0],
  ["7", 7000],
  ["0", 0],
  ["-3", 0],
  ["soon", 0],
])) {
  test(`Retry-After ${header} is ${wait / 1000} seconds`, () => assert.equal(parseRetryAfter(header), wait));
}
