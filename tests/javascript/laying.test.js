/** Ranks and suits in every order hands press them: exactly the cards typed lie in the field. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { beginsNext, NOTHING, press, undoLast, waitingRanks, withRanks } from "../../static/js/laying.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = "SHDC";

/** The cards that lie after some keys, such as "K S H * D"; < takes back. @param {string} keys */
function laid(keys) {
  let held = NOTHING;
  /** @type {string[]} */
  const cards = [];
  for (const key of keys.split(" ")) {
    if (key === "*") {
      cards.push(key);
      continue;
    }
    if (key === "<") {
      if (!held.isFresh) cards.pop();
      held = undoLast(held);
      continue;
    }
    const next = press(held, SUITS.includes(key) ? { suit: key } : { rank: key });
    held = next.held;
    cards.push(...next.cards);
  }
  return cards.join(" ");
}

for (const [keys, cards] of /** @type {[string, string][]} */ ([
  ["K S H D", "KS KH KD"],
  ["H 7 8 9", "7H 8H 9H"],
  ["7 8 9 H", "7H 8H 9H"],
  ["7 H 8 H 9 H", "7H 8H 9H"],
  ["H 7 H 8 H 9", "7H 8H 9H"],
  ["K S K H K D", "KS KH KD"],
  ["S K H K D K", "KS KH KD"],
  ["7 S 7 H 7 C 7 D", "7S 7H 7C 7D"],
  ["K S K H * K D", "KS KH * KD"],
  ["K S * D", "KS * KD"],
  ["* H 7 8", "* 7H 8H"],
  ["9 C C 9 D", "9C 9C 9D"],
  ["K S H D Q S", "KS KH KD QS"],
  ["H 7 8 9 S 7", "7H 8H 9H 7S"],
  ["K K S K K H", "KS KH"],
  ["K Q S", "KS QS"],
  ["Q K A S 2 S", "QS KS AS 2S"],
  ["K S H D 7 8 9 H", "KS KH KD 7H 8H 9H"],
  ["H 7 8 9 10 * S H 5", "7H 8H 9H 10H * 5H"],
  ["H 7 8 9 S D K", "7H 8H 9H KD"],
  ["S K H D Q", "KS QD"],
  ["10 H A H", "10H AH"],
  ["H 7 8 < 9", "7H 9H"],
  ["H 7 < 8 9", "8H 9H"],
  ["H 7 8 < < 9 10", "9H 10H"],
  ["H 7 8 9 < S 7", "7H 8H 7S"],
  ["H < 7 S", "7S"],
  ["K S H D H < H 7 8 9", "KS KH KD 7H 8H 9H"], // the K♥ too many lets go of the king
  ["9 H < 10 H", "10H"],
])) {
  test(`${keys} lays ${cards}`, () => assert.equal(laid(keys), cards));
}

// ---- Many lists of cards, in the four orders people type

/** Numbers below a limit, the same in every run. @param {number} seed */
function chance(seed) {
  let state = seed;
  /** @param {number} limit */
  const below = (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return below;
}

/** Cards as they come: runs, sets and loose cards, some twice, jokers anywhere. @param {(limit: number) => number} below */
function aList(below) {
  const suit = () => SUITS.charAt(below(4));
  /** @type {string[]} */
  const cards = [];
  for (let meld = 0; meld <= below(3); meld++) {
    const [kind, rank, length] = [below(3), below(RANKS.length), 2 + below(3)];
    const [low, one] = [below(RANKS.length - 3), suit()];
    if (kind === 0) for (let each = 0; each < length; each++) cards.push(RANKS[rank] + suit());
    else if (kind === 1) cards.push(...RANKS.slice(low, low + length).map((each) => each + one));
    else cards.push(RANKS[rank] + one);
  }
  for (let jokers = below(4) - 1; jokers > 0; jokers--) cards.splice(below(cards.length + 1), 0, "*");
  return cards;
}

/** Rank and suit of every card. @param {string[]} cards @param {boolean} rankFirst */
const eachWhole = (cards, rankFirst) =>
  cards.flatMap((card) => {
    const [rank, suit] = [card.slice(0, -1), card.slice(-1)];
    if (card === "*") return [card];
    return rankFirst ? [rank, suit] : [suit, rank];
  });

/** The rank, or the suit, only where it is another one than that of the card before. @param {string[]} cards @param {boolean} rankFirst */
function saidOnce(cards, rankFirst) {
  let last = "";
  return cards.flatMap((card) => {
    if (card === "*") return [card];
    const [rank, suit] = [card.slice(0, -1), card.slice(-1)];
    const [stays, goes] = rankFirst ? [rank, suit] : [suit, rank];
    if (stays === last) return [goes];
    last = stays;
    return [stays, goes];
  });
}

for (const [order, typed] of /** @type {[string, (cards: string[]) => string[]][]} */ ([
  ["rank then suit", (cards) => eachWhole(cards, true)],
  ["suit then rank", (cards) => eachWhole(cards, false)],
  ["a rank once", (cards) => saidOnce(cards, true)],
  ["a suit once", (cards) => saidOnce(cards, false)],
])) {
  test(`${order} gives exactly the cards typed`, () => {
    const below = chance(order.length);
    for (let list = 0; list < 500; list++) {
      const cards = aList(below);
      assert.equal(laid(typed(cards).join(" ")), cards.join(" "), typed(cards).join(" "));
    }
  });
}

test("the last rank pressed is given up before the ones that wait", () => {
  const waiting = press(press(NOTHING, { rank: "7" }).held, { rank: "8" }).held;
  assert.deepEqual([waiting.waiting, waiting.rank], [["7"], "8"]);
  assert.equal(undoLast(waiting).rank, "7");
  assert.equal(undoLast(undoLast(waiting)), NOTHING);
});

test("ranks written without a suit wait for the next one, before those pressed since", () => {
  const held = withRanks(press(NOTHING, { rank: "9" }).held, ["7", "8"]);
  assert.deepEqual(waitingRanks(held), ["7", "8", "9"]);
  assert.deepEqual(press(held, { suit: "H" }).cards, ["7H", "8H", "9H"]);
  assert.deepEqual(press(withRanks(NOTHING, ["2"]), { suit: "C" }).cards, ["2C"]);
  assert.equal(withRanks(NOTHING, []), NOTHING);
});

/** The melds that lie after some keys in a list of melds; > is Next. @param {string} keys */
function laidInMelds(keys) {
  let held = NOTHING;
  /** @type {string[][]} */
  const melds = [[]];
  for (const name of keys.split(" ")) {
    const key = SUITS.includes(name) ? { suit: name } : { rank: name };
    const meld = /** @type {string[]} */ (melds.at(-1));
    const cards = meld.map((word) => ({ word, rank: word.slice(0, -1), suit: word.slice(-1) }));
    if (name === ">" || beginsNext(held, key, cards)) {
      held = NOTHING;
      melds.push([]);
    }
    if (name === ">") continue;
    const next = press(held, key);
    held = next.held;
    melds.at(-1)?.push(...next.cards);
  }
  return melds.map((meld) => meld.join(" ")).join(" / ");
}

for (const [keys, melds] of /** @type {[string, string][]} */ ([
  ["K S H D 7 S H C", "KS KH KD / 7S 7H 7C"], // another rank
  ["K S H D H 7 8 9", "KS KH KD / 7H 8H 9H"], // a suit that the set has
  ["K S H D C", "KS KH KD KC"],
  ["H 7 8 9 S 4 5 6", "7H 8H 9H / 4S 5S 6S"], // another suit
  ["H 7 8 9 K S D C", "7H 8H 9H / KS KD KC"], // a rank that does not continue the run
  ["H 7 8 9 10 6", "7H 8H 9H 10H 6H"],
  ["H Q K A", "QH KH AH"],
  ["H A 2 3 4", "AH 2H 3H 4H"],
  ["K S H Q D", "KS KH QD"], // two cards are no meld yet
  ["K S H D > C 7 8 9", "KS KH KD / 7C 8C 9C"],
]))
  test(`${keys}: ${melds}`, () => assert.equal(laidInMelds(keys), melds));

test("three melds of ten cards take fifteen taps, two of them to get there", () => {
  const keys = "K S H D 7 S H C H 4 5 6 7";
  assert.equal(laidInMelds(keys), "KS KH KD / 7S 7H 7C / 4H 5H 6H 7H");
  assert.equal(keys.split(" ").length + 2, 15);
});
