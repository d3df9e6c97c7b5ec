/**
 * Copies that this phone keeps of the games it records in, for when the server has lost one: of each its whole log, as it
 * is saved from a score sheet's page.
 */

import { make } from "./dom.js";
import { forget, keep, ROOT, recall, storedNames } from "./form.js";

const MOST = 3;
const ALL = "log:";

/** @typedef {{at: number, seen: number, text: string}} Copy when it was fetched; the newest entry in it */

/** @param {string} game the path of its page */
export const codeOf = (game) => game.split("/").at(-1) ?? "";

/** @param {string} code @returns {Copy | null} */
export const copyOf = (code) => /** @type {Copy | null} */ (recall(ALL + code));

/** @param {string} game */
export const dropCopy = (game) => forget(ALL + codeOf(game));

/** Renew the copy of a game, unless it has as much; an older one makes room. @param {string} game @param {number} seen the newest entry */
export async function keepCopy(game, seen) {
  const code = codeOf(game);
  if ((copyOf(code)?.seen ?? 0) >= seen) return;
  const answer = await fetch(new URL(`api/v1/games/${code}/sheet.json`, ROOT), { cache: "no-cache" });
  if (!answer.ok) return;
  keep(ALL + code, { at: Date.now(), seen, text: await answer.text() });
  const age = (/** @type {string} */ name) => /** @type {Copy} */ (recall(name)).at;
  const names = storedNames(ALL).sort((one, other) => age(other) - age(one));
  names.slice(MOST).forEach(forget);
}

/** Offer the copy of a game that the server does not know, if there is one. @param {HTMLElement} place @param {string} game @param {string} label */
export function offerCopy(place, game, label) {
  const href = `${ROOT}copy/saved#${codeOf(game)}`;
  if (!copyOf(codeOf(game)) || place.querySelector("a")) return;
  place.append(" ", make("a", { className: "button", href }, label));
  place.hidden = false;
}
