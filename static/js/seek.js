// @ts-check
/**
 * Finds a question about the rules by the words a player has for it, and the number that came with them: “joker 25”,
 * “one meld a turn”, “three packs”. “10 pence” asks about money, and is no number of anything.
 */

/** @typedef {{words: string[], least?: number, most?: number}} Sought the words of a question, and the range of its number */

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const SMALL = /^(?:[a-z]{1,2}|the|for|per|with|our|play|once)$/;

const MONEY = "monei"; // without its ending, as all words are
const OF_MONEY = /(?<![a-z])(?:(?<=\d\s?)[pc]|pence|penn(?:y|ies)|cents?|pounds?|euros?|dollars?|quid)(?![a-z])|[£€$]/g;

/** @param {string} text @returns {string[]} its words, without their endings and without accents; coins are money */
export const wordsIn = (text) =>
  (
    text
      .replaceAll("%", " percent")
      .toLowerCase()
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(OF_MONEY, " money ")
      .match(/[a-z]+|\d+/g) ?? []
  ).map((word) => word.replace(/(?<=[a-z]{3})(?:ies|y)$/, "i").replace(/(?<=[a-z]{2})s$/, ""));

/** Whether somebody asks about money. @param {string} text */
export const isOfMoney = (text) => wordsIn(text).includes(MONEY);

/** @param {string} word @returns {number} the number it says, or NaN */
const numberIn = (word) =>
  /^\d+$/.test(word) ? Number(word) : NUMBERS.includes(word) ? NUMBERS.indexOf(word) : Number.NaN;

/** @param {string[]} words @param {string} wanted */
const has = (words, wanted) =>
  words.some((word) => word === wanted || (wanted.length > 2 && !/\d/.test(wanted) && word.startsWith(wanted)));

/** @param {Sought} question @param {number} number */
const holds = ({ least, most }, number) =>
  least !== undefined && most !== undefined && least <= number && number <= most;

/**
 * The questions that come nearest to what is typed, in their own order, each with the number to fill in.
 *
 * A number counts where the question has it among its words or can hold it; a question that has nothing but the number
 * is found only by a number alone. Only those that come nearest offer to be filled in: “joker 25” is about the hand.
 *
 * @template {Sought} T
 * @param {T[]} questions @param {string} typed @returns {{question: T, number: number | undefined}[]}
 */
export function nearest(questions, typed) {
  const wanted = wordsIn(typed).filter((word) => !SMALL.test(word));
  const numbers = isOfMoney(typed) ? [] : wanted.map(numberIn).filter((number) => !Number.isNaN(number));
  const words = wanted.filter((word) => Number.isNaN(numberIn(word)));
  const weighed = questions.map((question) => {
    const fits = numbers.filter((number) => holds(question, number));
    const said = words.filter((word) => has(question.words, word)).length;
    const literal = wanted.filter((word) => !words.includes(word) && question.words.includes(word)).length;
    return { question, number: fits.at(-1), said, weight: 4 * said + (fits.length ? 1 : 0) + (literal ? 2 : 0) };
  });
  const isFound = (/** @type {(typeof weighed)[number]} */ each) => (words.length ? each.said > 0 : each.weight > 0);
  const found = weighed.filter(isFound);
  const most = Math.max(0, ...found.map((each) => each.said));
  const best = found.filter((each) => each.said === most);
  const fitting = best.filter((each) => each.number !== undefined || each.weight > 4 * most);
  const closest = Math.max(...fitting.map((each) => (each.number === undefined ? 0 : each.weight)));
  const offered = fitting.map((each) =>
    words.length && each.weight < closest ? { ...each, number: undefined } : each,
  );
  return offered.length ? offered : best;
}
