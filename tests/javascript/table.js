/** Rows with their fields, but without their page: for tests of what keys do. */

import { couldGrow } from "../../static/js/counting.js";
import { Rows } from "../../static/js/rows.js";

for (const kind of ["Element", "HTMLElement", "HTMLInputElement"]) globalThis[kind] ??= class {}; // what a browser has
const WORDS = new Proxy({}, { get: (_, name) => String(name) });
export const NAMES = ["Ben", "Cat", "Dan", "Eve", "Fay"];

/** The dearest hand each variant knows, and whether calls are counted. */
export const EUROPEAN = { dearest: 148, asksCalls: false };
export const NORTH_AMERICAN = { ...EUROPEAN, dearest: 230 };
/** As European, with a stepper for calls in each row. */
export const CALLS = { ...EUROPEAN, asksCalls: true };
export const JAMAICAN = { dearest: 270, asksCalls: true };

/** @typedef {typeof EUROPEAN} Variant */

/** A row with its fields, but without its page. @param {string} name @param {Variant} variant @param {(field: object) => void} focused */
function loser(name, { dearest, asksCalls }, focused) {
  const field = {
    value: "",
    dataset: {},
    setSelectionRange() {},
    select() {},
    focus: () => focused(field),
  };
  return {
    name,
    asksCalls,
    other: {},
    fields: { points: field, cards: {} },
    row: { scrollIntoView() {}, contains: (/** @type {unknown} */ target) => target === field },
    cards: [],
    isWinner: false,
    isFresh: false,
    entry: { dearest },
    get points() {
      return field.value;
    },
    get isFilled() {
      return field.value !== "" && Number(field.value) !== 0;
    },
    get isEmpty() {
      return field.value === "";
    },
    get isZero() {
      return /^0+$/.test(field.value);
    },
    get isOpen() {
      return !this.isFilled;
    },
    get mode() {
      return field.value ? "points" : null;
    },
    unreadable: "",
    fault: "", // what is wrong in a row is shown by its page only
    check() {},
    get isWaiting() {
      return !this.isFresh && field.value.length === 2 && couldGrow(field.value, dearest);
    },
    press() {
      this.isFresh = false;
      field.value = field.value.slice(0, -1);
    },
    type(/** @type {string} */ digit) {
      const before = this.isFresh || field.value === "0" ? "" : field.value;
      field.value = before + digit;
      this.isFresh = false;
    },
  };
}

/** The rows of players who hold cards, the first of them active. */
export function table(variant = EUROPEAN, names = NAMES.slice(0, 3)) {
  const losers = names.map((name) => loser(name, variant, (field) => rows.onFocus(field)));
  const part = { addEventListener() {}, querySelector: () => null };
  const page = { pad: part, show() {}, changed() {}, completed() {} };
  const rows = new Rows(part, losers, WORDS, "points", page);
  rows.advance();
  let taps = 0;
  /** Keys of the keypad; N is Next. @param {string} keys */
  const press = (keys) => {
    for (const key of keys) rows.press(key === "N" ? "next" : key);
    taps += keys.length;
  };
  /** Keys of a keyboard, which writes into the field before we hear of it; N is Enter. @param {string} keys */
  const type = (keys) => {
    for (const key of keys) {
      const field = rows.active?.fields.points;
      if (key === "N") {
        rows.enterPressed();
        continue;
      }
      field.value += key;
      rows.onInput(field);
    }
  };
  /** A tap on a row's field. @param {number} row */
  const goTo = (row) => {
    if (rows.active !== losers[row]) rows.onFocus(losers[row].fields.points);
    rows.onClick(losers[row].fields.points);
  };
  /** A tap on the key in a row for what its digits may mean instead. @param {number} row */
  const mean = (row) => {
    rows.onClick(losers[row].other);
    taps += 1;
  };
  /** Whether that key shows. @param {number} row */
  const offered = (row) => rows.splitLabel(losers[row]) !== "";
  const active = () => losers.indexOf(rows.active);
  const sums = () => losers.map((each) => each.points);
  return { rows, losers, press, type, goTo, mean, offered, active, sums, taps: () => taps };
}
