/**
 * The server has fewer entries of a game than this phone: it was restored from an old backup. The page says what is missing,
 * and keeps showing what it has until somebody decides to continue without it.
 */

import { codeOf, deleteBackup } from "./backups.js";
import { find, ROOT } from "./dom.js";
import { fetchOurs, fill, NAMESPACE, showNote } from "./form.js";
import { entriesOf, loadProgress, saveProgress } from "./live.js";

/** Fetch the server's newest entry and next hand, or null if it is not behind. @param {string} game @param {number} seen */
async function fetchProgress(game, seen) {
  const answer = await fetchOurs(new URL(`api/v1/games/${codeOf(game)}?seen=${seen}`, ROOT));
  const state = answer.ok ? await answer.json() : {};
  return state.behind ? { seen: state.seen, hand: state.hand.number } : null;
}

/**
 * Show or hide the note about it.
 * @param {string} game
 * @param {{shown: string, version: string} | null} versions the page's and the server's; null once the server has as much
 */
export async function warnOfStaleServer(game, versions) {
  const note = find("[data-stale]");
  const version = versions?.version ?? "";
  if (!note || note.dataset.text === version) return;
  note.hidden = true;
  note.dataset.text = version;
  if (!versions) return;
  const known = loadProgress(game);
  const server = await fetchProgress(game, known?.seen ?? 0).catch(() => null);
  if (note.dataset.text !== version) return;
  const { own = "", back = "", goOn = "" } = note.dataset;
  const isOwn = entriesOf(versions.shown) > entriesOf(version);
  const lost = nameMissing(note, server?.hand ?? 0, (known?.hand ?? 0) - 1);
  /** @type {[string, () => void][]} */
  const answers = [];
  if (isOwn) answers.push([back, () => location.reload()]);
  else if (server) answers.push([fill(goOn, { hand: String(server.hand) }), () => continueFromServer(game, server)]);
  showNote(isOwn ? `${lost} ${own}` : lost, answers, note);
}

/** @param {HTMLElement} note @param {number} first the server's next hand @param {number} last the last hand known here */
function nameMissing(note, first, last) {
  const { hands = "", hand = "", some = "" } = note.dataset;
  if (!first || first > last) return some;
  return fill(first < last ? hands : hand, { first: String(first), last: String(last) });
}

/** Continue from the server's state: delete the backup and the cached pages of the game. @param {string} game @param {{seen: number, hand: number}} server */
async function continueFromServer(game, server) {
  saveProgress(game, server);
  deleteBackup(game);
  await deletePages(game);
  location.reload();
}

/** Delete the cached pages of a game. @param {string} game the path of its page */
export async function deletePages(game) {
  if (!("caches" in window)) return;
  const pages = await caches.open(NAMESPACE);
  const own = (await pages.keys()).filter(({ url }) => `${new URL(url).pathname}/`.startsWith(`${game}/`));
  await Promise.all(own.map((page) => pages.delete(page, { ignoreVary: true })));
}
