// @ts-check
/** What a form carries: what is typed into it, and the words the page says with it. */

/**
 * In the language of the page, in its `data-words`: those of the keypad, and its own. A key of the keypad has its name
 * under what it lays (`K`, `Ared`, `*`).
 *
 * @typedef {Record<string, string> & {
 *   cards: string, sum: string, next: string, done: string, back: string, full: string, fullLong: string,
 *   remove: string, differ: string, impossible: string, held: string, take: string,
 *   third: string, longer: string, split: string, splitShort: string,
 *   cleared: string, unclear: string, offline: string, older: string, takeUp: string, throwAway: string,
 *   waiting: string, waitingHere: string, change: string,
 * }} Words
 */

/** @param {HTMLFormElement} form @returns {Words} */
export const wordsOf = (form) => JSON.parse(form.dataset.words ?? "{}");

/** What sending it would send. @param {HTMLFormElement} form */
export const asSent = (form) =>
  new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** A text with its facts in the place of `{name}`. @param {string} text @param {Record<string, string>} facts */
export const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => facts[name] ?? "");
