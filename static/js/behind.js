// @ts-check
/**
 * The server knows less of a game than this phone: it was put back to an older copy. That is no news: the page says
 * what is missing there, and what this phone has of it stays until somebody says that the table goes on without.
 */

import { dropCopy } from "./copies.js";
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

/** Say no more of it. @param {HTMLElement} note */
function fallSilent(note) {
  note.hidden = true;
  note.replaceChildren();
  delete note.dataset.said;
}

/**
 * @param {HTMLElement} place the part of the page that follows the game
 * @param {{shown: string, version: string} | null} how what the page shows and what the server has; null once it has as much
 */
export async function tellBehind(place, how) {
  const note = /** @type {HTMLElement | null} */ (document.querySelector("[data-behind]"));
  if (!note) return;
  if (!how) return fallSilent(note);
  if (note.dataset.said === how.version) return;
  note.dataset.said = how.version;
  const game = place.dataset.game ?? "";
  const known = knownOf(game);
  const isOwn = entriesOf(how.shown) > entriesOf(how.version);
  if (isOwn) keepScreen(game, how.shown);
  const server = await there(game, known?.seen ?? 0).catch(() => null);
  if (note.dataset.said !== how.version) return;
  const copy = isOwn ? undefined : await copyOf(game);
  const { own = "", copied = "", look = "", back = "", goOn = "" } = note.dataset;
  const hand = server?.hand ?? 0;
  const said = document.createElement("p");
  said.textContent = [missing(note, hand, (known?.hand ?? 0) - 1), isOwn ? own : copy ? copied : ""].join(" ").trim();
  const row = document.createElement("div");
  row.className = "row";
  const offer = (/** @type {string} */ label, /** @type {() => void} */ act) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "button", textContent: label });
    button.addEventListener("click", act);
    row.append(button);
  };
  if (isOwn) offer(back, () => location.reload());
  else if (copy) offer(look, () => show(place, note, copy));
  if (!isOwn && server) offer(fill(goOn, { hand: String(hand) }), () => accept(game, server));
  note.replaceChildren(said, row);
  note.hidden = false;
}

/** @param {HTMLElement} note @param {number} first the hand that the server would record next @param {number} last the last one this phone knows */
function missing(note, first, last) {
  const { hands = "", hand = "", some = "" } = note.dataset;
  if (!first || first > last) return some;
  return fill(first < last ? hands : hand, { first: String(first), last: String(last) });
}

/** Show what this phone kept, instead of what the server has. @param {HTMLElement} place @param {HTMLElement} note @param {Response} copy */
async function show(place, note, copy) {
  const kept = parsed(await copy.clone().text()).querySelector("[data-live]");
  if (!kept) return;
  morph(place, kept);
  const { own = "", back = "" } = note.dataset;
  const [said, row] = note.children;
  if (said) said.textContent = own;
  const button = row?.querySelector("button");
  if (!button) return;
  const again = /** @type {HTMLButtonElement} */ (button.cloneNode());
  again.textContent = back;
  again.addEventListener("click", () => location.reload());
  row?.replaceChildren(again);
}

/** The table goes on with what the server has: what this phone kept of the rest goes. @param {string} game @param {{seen: number, hand: number}} server */
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
