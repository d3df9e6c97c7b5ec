/** What is saved once all keys are typed: `node type_keys.js file.json` prints the sums of each case, or [] if a row is open. */

import { readFileSync } from "node:fs";
import { isSum, pressKey } from "../../static/js/reading.js";

/** @param {{keys: string[], players: number, dearest: number, hasCalls: boolean}} each */
function saved({ keys, players, ...entry }) {
  const rows = Array.from({ length: players - 1 }, () => ({ text: "", isOpen: true, from: -1 }));
  const typed = keys.reduce((now, key) => pressKey(now, key, entry), { rows, at: 0 });
  const sums = typed.rows.map(({ text }) => text);
  return sums.every(isSum) ? sums : [];
}

console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")).map(saved)));
