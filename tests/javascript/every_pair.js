/**
 * For every pair of sums of two or three digits up to the dearest hand, typed without Next: what would be saved is what
 * was meant, or it is asked with what was meant among the answers; or a row is still empty, and another offers it a digit. `node every_pair.js 148 two calls three`.
 */

import { CALLS, EUROPEAN, NAMES, table } from "./table.js";

/** @param {number} dearest @param {boolean} calls @param {string} last the sum of a third player, or nobody's */
function wrong(dearest, calls, last) {
  const names = NAMES.slice(0, last ? 3 : 2);
  const variant = { ...(calls ? CALLS : EUROPEAN), dearest };
  const found = /** @type {string[]} */ ([]);
  let asked = 0;
  for (let one = 10; one <= dearest; one += 1) {
    for (let other = 10; other <= dearest; other += 1) {
      const meant = [String(one), String(other), ...(last ? [last] : [])];
      const { rows, losers, sums, press } = table(variant, names);
      press(meant.join(""));
      const { question } = rows;
      if (question) asked += 1;
      const isAnswer = question?.options.some(
        (sums) => question.rows.length === names.length && String(sums) === String(meant),
      );
      // not all typed by that reading: nothing can be saved, and a row says how else it could be meant
      if (!rows.isComplete && losers.some((loser) => rows.splitLabel(loser))) continue;
      if (question ? !isAnswer : String(sums()) !== String(meant)) found.push(`${meant.join(" ")} is ${sums()}`);
    }
  }
  return { found: found.slice(0, 10), wrong: found.length, asked };
}

const most = Number(process.argv[2]);
/** @type {Record<string, () => ReturnType<typeof wrong>>} */
const WAYS = {
  two: () => wrong(most, false, ""),
  calls: () => wrong(most, true, ""),
  three: () => wrong(most, false, "37"),
};
console.log(JSON.stringify(process.argv.slice(3).map((way) => WAYS[way]?.())));
