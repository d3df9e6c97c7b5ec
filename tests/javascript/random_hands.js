/**
 * How many of a thousand random hands of four are asked about before saving, with Next pressed where the page waits for
 * it, and only after single digits. `node random_hands.js '{"european": {…what the page is told…}}'`.
 */

import { EUROPEAN, NAMES, table } from "./table.js";

const HANDS = 1000;
const PLAYERS = NAMES.slice(0, 3);

/** Numbers from 0 up to 1, the same in every run. @param {number} seed */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param {import("../../static/js/counting.js").Entry} entry */
function pack({ worths, ranks, jokers, colours }) {
  const copies = (/** @type {string} */ key) => {
    if (key === "*") return jokers;
    return colours && key.startsWith("A") ? ranks / 2 : ranks;
  };
  return Object.entries(worths).flatMap(([key, worth]) => new Array(copies(key)).fill(worth));
}

/** The sums of three players, each with one to all of their cards left. @param {number[]} cards @param {number} dealt @param {() => number} random */
function sums(cards, dealt, random) {
  const rest = [...cards];
  return PLAYERS.map(() => {
    const left = 1 + Math.floor(random() * dealt);
    let sum = 0;
    for (let card = 0; card < left; card += 1) sum += rest.splice(Math.floor(random() * rest.length), 1)[0] ?? 0;
    return String(sum);
  });
}

/** @param {string} keys @param {number} dearest */
function isAsked(keys, dearest) {
  const { rows, press } = table({ ...EUROPEAN, dearest }, PLAYERS);
  press(keys);
  return Boolean(rows.question);
}

/** @typedef {import("../../static/js/counting.js").Entry & {dealt: number}} Entry */

/** @param {Entry} entry */
function asked(entry) {
  const random = numbers(1);
  const cards = pack(entry);
  const found = { invited: 0, straight: 0 };
  for (let hand = 0; hand < HANDS; hand += 1) {
    const meant = sums(cards, entry.dealt, random);
    const waits = (/** @type {string} */ sum) =>
      sum.length === 1 || (sum.length === 2 && Number(sum) * 10 <= entry.dearest);
    const invited = meant.map((sum) => (waits(sum) ? `${sum}N` : sum)).join("");
    const straight = meant.map((sum) => (sum.length === 1 ? `${sum}N` : sum)).join("");
    if (isAsked(invited, entry.dearest)) found.invited += 1;
    if (isAsked(straight, entry.dearest)) found.straight += 1;
  }
  return found;
}

const entries = /** @type {Record<string, Entry>} */ (JSON.parse(process.argv[2] ?? "{}"));
console.log(
  JSON.stringify(Object.fromEntries(Object.entries(entries).map(([variant, entry]) => [variant, asked(entry)]))),
);
