/** Cards as they are typed, read as the server reads them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isCards, isUnreadable, isWhole, read, signOfSuit } from "../../static/js/counting.js";

/** @param {string} text */
const words = (text) => read(text).map((card) => card.word);

test("cards are read in any case, with commas and with signs", () => {
  assert.deepEqual(words("kh, QD  9♣ 10♠"), ["KH", "QD", "9C", "10S"]);
  assert.deepEqual(words("A♥\ufe0f"), ["AH"]);
  assert.deepEqual(words(""), []);
});

test("T is a ten and 1 an ace", () => {
  assert.deepEqual(words("TH 1S"), ["10H", "AS"]);
});

test("a joker has many spellings, and may be declared", () => {
  assert.deepEqual(words("* jk Joker ★ 🃏"), ["*", "*", "*", "*", "*"]);
  assert.deepEqual(read("*=8h"), [{ word: "*=8H", rank: "*", suit: "", as: { rank: "8", suit: "H" } }]);
});

test("what is no card keeps its word and has no rank", () => {
  assert.deepEqual(read("11H Xx"), [
    { word: "11H", rank: "", suit: "" },
    { word: "Xx", rank: "", suit: "" },
  ]);
});

test("of a card left only the rank may be told, of an ace only the colour", () => {
  assert.deepEqual(words("ace King jack ten two"), ["A", "K", "J", "10", "2"]);
  assert.deepEqual(read("k ared Ablack"), [
    { word: "K", rank: "K", suit: "" },
    { word: "Ared", rank: "A", suit: "red" },
    { word: "Ablack", rank: "A", suit: "black" },
  ]);
});

test("a meld is made of cards with rank and suit, and of jokers", () => {
  assert.deepEqual(read("KH * K Ared 11H").map(isWhole), [true, true, false, false, false]);
});

test("a suit is drawn as its sign", () => {
  assert.deepEqual(["S", "H", "D", "C", "red", ""].map(signOfSuit), ["♠", "♥", "♦", "♣", "", ""]);
});

test("beside a name, letters and signs mean cards, and so do several ranks or one with a comma", () => {
  const meant = (/** @type {string} */ text) => (isUnreadable(text) ? "neither" : isCards(text) ? "cards" : "points");
  const texts = {
    cards: ["K Q 7", "kq7", "4 10", "10,", "7H", "*", "۷♥"],
    points: ["43", "10", "10+7", "10 + 7", "۴۳", ""],
    neither: ["12.5", "1 2", "4,5", "10+", "-50", "11H", "K 11", "many"],
  };
  for (const [meaning, all] of Object.entries(texts)) for (const text of all) assert.equal(meant(text), meaning, text);
});
