/**
 * The server knows less of a game than this phone: it was restored from an older copy. That is no news: the page says
 * what is missing there, and what this phone has of it stays until somebody says that the table continues without.
 */

import { codeOf, deleteBackup } from "./backups.js";
import { find } from "./dom.js";
import { fill, NAMESPACE, ROOT, showNote } from "./form.js";
import { entriesOf, loadProgress, saveProgress } from "./live.js";

/** How far the game is on the server: its newest entry, and the next hand. @param {string} game @param {number} seen */
async function fetchProgress(game, seen) {
  const answer = await fetch(new URL(`api/v1/games/${codeOf(game)}?seen=${seen}`, ROOT), { cache: "no-cache" });
  const state = answer.ok ? await answer.json() : {};
  return state.behind ? { seen: state.seen, hand: state.hand.number } : null;
}

/**
 * @param {HTMLElement} place the part of the page that follows the game
 * @param {{shown: string, version: string} | null} versions what the page shows and what the server has; null once it has as much
 */
export async function warnOfStaleServer(place, versions) {
  const note = find("[data-stale]");
  const version = versions?.version ?? "";
  if (!note || note.dataset.text === version) return;
  note.hidden = true;
  note.dataset.text = version;
  if (!versions) return;
  const game = place.dataset.game ?? "";
  const known = loadProgress(game);
  const server = await fetchProgress(game, known?.seen ?? 0).catch(() => null);
  if (note.dataset.text !== version) return;
  const { own = "", back = "", goOn = "" } = note.dataset;
  const isOwn = entriesOf(versions.shown) > entriesOf(version);
  const lost = nameMissing(note, server?.hand ?? 0, (known?.hand ?? 0) - 1);
  /** @type {[string, () => void][]} */
  const answers = [];
  if (isOwn) answers.push([back, () => location.reload()]);
  else if (server) answers.push([fill(goOn, { hand: String(server.hand) }), () => accept(game, server)]);
  showNote(isOwn ? `${lost} ${own}` : lost, answers, note);
}

/** @param {HTMLElement} note @param {number} first the hand that the server would record next @param {number} last the last one this phone knows */
function nameMissing(note, first, last) {
  const { hands = "", hand = "", some = "" } = note.dataset;
  if (!first || first > last) return some;
  return fill(first < last ? hands : hand, { first: String(first), last: String(last) });
}

/** The table continues with what the server has: what this phone kept of the rest goes. @param {string} game @param {{seen: number, hand: number}} server */
async function accept(game, server) {
  saveProgress(game, server);
  deleteBackup(game);
  if ("caches" in window) {
    const pages = await caches.open(NAMESPACE);
    const own = (await pages.keys()).filter(({ url }) => `${new URL(url).pathname}/`.startsWith(`${game}/`));
    await Promise.all(own.map((page) => pages.delete(page, { ignoreVary: true })));
  }
  location.reload();
}
