/** Copies of the games recorded on this phone, for restoring one that the server has lost. Each holds the whole log. */

import { all, make, one, ROOT } from "./dom.js";
import { deleteValue, fetchOurs, loadValue, saveValue, storedNames } from "./form.js";

const MAX_BACKUPS = 3;
const PREFIX = "log:";

/** @typedef {{at: number, seen: number, text: string}} Backup `at`: a number above those of all backups made before (a clock may go back); its newest entry, and the log */

/** @param {string} game the path of the game's page */
export const codeOf = (game) => game.split("/").at(-1) ?? "";

/** @param {string} code @returns {Backup | null} */
export const loadBackup = (code) => /** @type {Backup | null} */ (loadValue(PREFIX + code));

/** @param {string} game */
export const deleteBackup = (game) => deleteValue(PREFIX + codeOf(game));

/** Replace the backup of a game if it lacks entries, and delete the oldest backups. @param {string} game @param {number} seen the newest entry */
export async function saveBackup(game, seen) {
  const code = codeOf(game);
  if ((loadBackup(code)?.seen ?? 0) >= seen) return;
  const answer = await fetchOurs(new URL(`api/v1/games/${code}/sheet.json`, ROOT));
  if (!answer.ok) return;
  const text = await answer.text();
  const numberOf = (/** @type {string} */ name) => /** @type {Backup} */ (loadValue(name)).at;
  const at = Math.max(0, ...storedNames(PREFIX).map(numberOf)) + 1;
  saveValue(PREFIX + code, { at, seen, text });
  const names = storedNames(PREFIX).sort((one, other) => numberOf(other) - numberOf(one));
  names.slice(MAX_BACKUPS).forEach(deleteValue);
}

/** Return the names of the players in a backup. @param {Backup | null} backup @returns {string[]} */
const playersIn = (backup) => JSON.parse(backup?.text ?? "").log[0].event.players ?? [];

/** List the backups of games that the server does not have, instead of what says that there are no games. @param {HTMLElement} place */
export async function listLost(place) {
  for (const code of storedNames(PREFIX).map((name) => name.slice(PREFIX.length))) {
    const answer = await fetchOurs(new URL(`g/${code}/version`, ROOT)).catch(() => null);
    if (answer?.status !== 404) continue;
    const names = make("span", { translate: false }, playersIn(loadBackup(code)).join(", "));
    const row = make("li", { className: "row row-between" }, names);
    offerBackup(row, code, place.dataset.bring ?? "");
    one("ul", place).append(row);
    place.hidden = false;
    for (const none of all("[data-none]")) none.hidden = true;
  }
}

/** Add a link that restores a game the server does not have, if there is a backup. @param {HTMLElement} place @param {string} game @param {string} label */
export function offerBackup(place, game, label) {
  const href = `${ROOT}copy/saved#${codeOf(game)}`;
  if (!loadBackup(codeOf(game)) || place.querySelector("a")) return;
  place.append(" ", make("a", { className: "button", href }, label));
  place.hidden = false;
}

/** Fill in the backup of the game in the hash, and review it. */
export function fillIn() {
  const field = one("[name=pasted]", document, HTMLTextAreaElement);
  const code = location.hash.slice(1);
  const copy = code && !field.value && loadBackup(code);
  if (!copy) return;
  field.value = copy.text;
  one("[name=former]", document, HTMLInputElement).value = code;
  one("[value=show]").click();
}
