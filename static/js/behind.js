// @ts-check
/**
 * The server knows less of a game than this phone: it was put back to an older copy. That is no news: the page says
 * what is missing there, and what this phone has of it stays until somebody says that the table continues without.
 */

import { dropCopy } from "./copies.js";
import { button, find, make } from "./dom.js";
import { fill, OURS, ROOT } from "./form.js";
import { entriesOf, keepKnown, knownOf } from "./live.js";
import { morph, parsed } from "./morph.js";

const SEEN = "Kalooki-Seen"; // of a page: the newest entry it shows (worker.js)

/** What is kept of a page, if anything is. @param {string} game */
const copyOf = async (game) =>
  "caches" in window ? (await caches.open(OURS)).match(game, { ignoreSearch: true, ignoreVary: true }) : undefined;

/** Keep the page as it stands on the screen, for when it is opened again. @param {string} game @param {string} version */
export async function keepScreen(game, version) {
  if (!navigator.serviceWorker?.controller || location.pathname !== game) return;
  const seen = entriesOf(version);
  const copy = await copyOf(game);
  if (Number(copy?.headers.get(SEEN)) >= seen) return;
  const headers = { "Content-Type": "text/html; charset=utf-8", [SEEN]: String(seen) };
  const page = `<!doctype html>${document.documentElement.outerHTML}`;
  const pages = await caches.open(OURS);
  await pages.delete(game, { ignoreSearch: true, ignoreVary: true });
  await pages.put(game, new Response(page, { headers }));
}

/** How far the game is on the server: its newest entry, and the next hand. @param {string} game @param {number} seen */
async function there(game, seen) {
  const code = game.split("/").at(-1);
  const answer = await fetch(new URL(`api/v1/games/${code}?seen=${seen}`, ROOT), { cache: "no-cache" });
  const state = answer.ok ? await answer.json() : {};
  return state.behind ? { seen: state.seen, hand: state.hand.number } : null;
}

/**
 * @param {HTMLElement} place the part of the page that follows the game
 * @param {{shown: string, version: string} | null} how what the page shows and what the server has; null once it has as much
 */
export async function tellBehind(place, how) {
  const note = find("[data-behind]");
  if (!note) return;
  if (!how) {
    note.hidden = true;
    delete note.dataset.said;
    return;
  }
  const { version } = how;
  if (note.dataset.said === version) return;
  note.dataset.said = version;
  const game = place.dataset.game ?? "";
  const known = knownOf(game);
  const isOwn = entriesOf(how.shown) > entriesOf(version);
  if (isOwn) keepScreen(game, how.shown);
  const server = await there(game, known?.seen ?? 0).catch(() => null);
  const kept = isOwn ? null : parsed((await (await copyOf(game))?.text()) ?? "").querySelector("[data-live]");
  if (note.dataset.said !== version) return;
  const { own = "", copied = "", look = "", back = "", goOn = "" } = note.dataset;
  const lost = missing(note, server?.hand ?? 0, (known?.hand ?? 0) - 1);
  /** @param {string} more @param {HTMLElement[]} buttons */
  const say = (more, ...buttons) =>
    note.replaceChildren(make("p", {}, `${lost} ${more}`), make("div", { className: "row" }, ...buttons));
  const toServer = button(back, () => location.reload());
  const toCopy = button(look, () => {
    if (kept) morph(place, kept);
    say(own, toServer);
  });
  const onwards = server && button(fill(goOn, { hand: String(server.hand) }), () => accept(game, server));
  if (isOwn) say(own, toServer);
  else say(kept ? copied : "", ...(kept ? [toCopy] : []), ...(onwards ? [onwards] : []));
  note.hidden = false;
}

/** @param {HTMLElement} note @param {number} first the hand that the server would record next @param {number} last the last one this phone knows */
function missing(note, first, last) {
  const { hands = "", hand = "", some = "" } = note.dataset;
  if (!first || first > last) return some;
  return fill(first < last ? hands : hand, { first: String(first), last: String(last) });
}

/** The table continues with what the server has: what this phone kept of the rest goes. @param {string} game @param {{seen: number, hand: number}} server */
async function accept(game, server) {
  keepKnown(game, server);
  dropCopy(game);
  if ("caches" in window) {
    const pages = await caches.open(OURS);
    const own = (await pages.keys()).filter(({ url }) => `${new URL(url).pathname}/`.startsWith(`${game}/`));
    await Promise.all(own.map((page) => pages.delete(page, { ignoreVary: true })));
  }
  location.reload();
}
