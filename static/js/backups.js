/**
 * Copies that this phone keeps of the games it records in, for when the server has lost one: of each its whole log, as it
 * is saved from a score sheet's page.
 */

import { make } from "./dom.js";
import { deleteValue, loadValue, ROOT, saveValue, storedNames } from "./form.js";

const MAX_BACKUPS = 3;
const PREFIX = "log:";

/** @typedef {{at: number, seen: number, text: string}} Backup when it was fetched; the newest entry in it */

/** @param {string} game the path of its page */
export const codeOf = (game) => game.split("/").at(-1) ?? "";

/** @param {string} code @returns {Backup | null} */
export const loadBackup = (code) => /** @type {Backup | null} */ (loadValue(PREFIX + code));

/** @param {string} game */
export const deleteBackup = (game) => deleteValue(PREFIX + codeOf(game));

/** Renew the copy of a game, unless it has as much; an older one makes room. @param {string} game @param {number} seen the newest entry */
export async function saveBackup(game, seen) {
  const code = codeOf(game);
  if ((loadBackup(code)?.seen ?? 0) >= seen) return;
  const answer = await fetch(new URL(`api/v1/games/${code}/sheet.json`, ROOT), { cache: "no-cache" });
  if (!answer.ok) return;
  saveValue(PREFIX + code, { at: Date.now(), seen, text: await answer.text() });
  const age = (/** @type {string} */ name) => /** @type {Backup} */ (loadValue(name)).at;
  const names = storedNames(PREFIX).sort((one, other) => age(other) - age(one));
  names.slice(MAX_BACKUPS).forEach(deleteValue);
}

/** Offer the copy of a game that the server does not know, if there is one. @param {HTMLElement} place @param {string} game @param {string} label */
export function offerBackup(place, game, label) {
  const href = `${ROOT}copy/saved#${codeOf(game)}`;
  if (!loadBackup(codeOf(game)) || place.querySelector("a")) return;
  place.append(" ", make("a", { className: "button", href }, label));
  place.hidden = false;
}
