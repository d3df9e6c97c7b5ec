/** Copies of the games recorded on this phone, for restoring one that the server has lost. Each holds the whole log. */

import { all, button, make, one, ROOT } from "./dom.js";
import { deleteValue, fetchOurs, loadValue, NAMESPACE, saveValue, storedNames } from "./form.js";

const MAX_BACKUPS = 3;
const PREFIX = "log:";

/** @typedef {{at: number, seen: number, text: string}} Backup `at`: a number above those of all backups made before (a clock may go back); its newest entry, and the log */

/** @param {string} game the path of the game's page */
const codeOf = (game) => game.split("/").at(-1) ?? "";

/** @param {string} code @returns {Backup | null} */
const loadBackup = (code) => /** @type {Backup | null} */ (loadValue(PREFIX + code));

/** @param {string} game */
export const deleteBackup = (game) => deleteValue(PREFIX + codeOf(game));

/** Delete the cached pages of a game. @param {string} game */
export async function deletePages(game) {
  if (!("caches" in window)) return;
  const pages = await caches.open(NAMESPACE);
  const own = (await pages.keys()).filter(({ url }) => `${new URL(url).pathname}/`.startsWith(`${game}/`));
  await Promise.all(own.map((page) => pages.delete(page, { ignoreVary: true })));
}

/**
 * Replace the backup of a game if it lacks entries, and delete the oldest backups.
 * @param {string} game @param {number} seen the newest entry @returns {Promise<number>} the newest entry in the backup
 */
export async function saveBackup(game, seen) {
  const code = codeOf(game);
  const known = loadBackup(code)?.seen ?? 0;
  if (known >= seen) return known;
  const answer = await fetchOurs(new URL(`api/v1/games/${code}/sheet.json`, ROOT));
  if (!answer.ok) return known;
  const text = await answer.text();
  const numberOf = (/** @type {string} */ name) => /** @type {Backup} */ (loadValue(name)).at;
  const at = Math.max(0, ...storedNames(PREFIX).map(numberOf)) + 1;
  saveValue(PREFIX + code, { at, seen, text });
  const names = storedNames(PREFIX).sort((one, other) => numberOf(other) - numberOf(one));
  names.slice(MAX_BACKUPS).forEach(deleteValue);
  return seen;
}

/** Return the names of the players in a backup. @param {Backup | null} backup @returns {string[]} */
const playersIn = (backup) => JSON.parse(backup?.text ?? "").log[0].event.players ?? [];

/** List the backups of games that the server lost, instead of what says that there are none; delete those of deleted games. @param {HTMLElement} place */
export async function listLost(place) {
  for (const code of storedNames(PREFIX).map((name) => name.slice(PREFIX.length))) {
    const answer = await fetchOurs(new URL(`g/${code}/version`, ROOT)).catch(() => null);
    if (answer?.status === 410) deleteValue(PREFIX + code);
    if (answer?.status !== 404) continue;
    const names = make("span", { translate: false }, playersIn(loadBackup(code)).join(", "));
    const buttons = makeRestoring(code, place.dataset.restore ?? "").map((answer) => button(...answer));
    one("ul", place).append(make("li", { className: "row row-between" }, names, ...buttons));
    place.hidden = false;
    for (const none of all("[data-none]")) none.hidden = true;
  }
}

/** Return the button of a note that restores this phone's copy of a game, if there is one. @param {string} game @param {string} label @returns {[string, () => void][]} */
export const makeRestoring = (game, label) =>
  loadBackup(codeOf(game)) ? [[label, () => location.assign(`${ROOT}copy/saved#${codeOf(game)}`)]] : [];

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
