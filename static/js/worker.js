/**
 * The service worker, which caches pages and their files for offline use. Pages come from the network if possible; files with
 * a release in their path come from the cache first. With a game, it caches the page of all disputes (find.js) once per
 * release and set of rules, and the form that this phone may fill in whenever the game changes. The server's headers say which pages
 * to delete. A server that was restored from an old backup must delete nothing: cached pages stay if it has less. Only the
 * app's own responses, which carry its mark, are cached or delete anything: others come from a proxy or a guest network.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const ROOT = new URL("./", location.href).pathname;
const CACHE_NAME = `kalooki${ROOT.slice(0, -1)}`; // as in form.js
const RELEASE = /^static\/[0-9a-f]{10}\//; // 0.3 used static/js/hand.js?v=…
const GAME = /^g\/\w+$/;
const CLUB = /^c\/\w+$/;
const DISPUTES = /^g\/\w+\/disputes(\/all)?$/;
const PAGES = [/^$/, /^check$/, /^rules(\/|$)/, GAME, CLUB, /^g\/\w+\/(hand|count|table|check|rules|disputes\/all)$/];
const ALL = /(?:href|src)="([^"]*\/static\/[^"]+)"/g; // files
const EARLY = /(?:rel="(?:stylesheet|modulepreload)" href|src)="([^"]*\/static\/[^"]+)"/g;

const RIGHTS = "Kalooki-May"; // in this game: write, sit, both, or watch
const GAMES = "Kalooki-Games"; // the codes of all games and clubs on this phone
const NEEDED_RIGHTS = /** @type {Record<string, string>} */ ({ hand: "write", count: "sit" });
const SEEN = "Kalooki-Seen"; // the newest entry on a page of a game
const RULES = "Kalooki-Rules"; // the rules and the release of a game's page and its page of all disputes
const MARK = "Kalooki-Letter"; // on every response of the app
const UNASKED = "Kalooki-Unasked"; // on requests by the worker itself, whose responses set no cookie
const GONE = [403, 410];
const MISSING = 404;
const TROUBLE = [429, 502, 503, 504]; // the server is busy: use the cache
const LOGIN = [401, 403, 407]; // from a proxy: show it, or nobody could log in

let drops = 0; // counts deletions: a response requested before one is not cached after it
let replacing = Promise.resolve(); // one response after the other, lest an older one replace a newer one

worker.addEventListener("install", (event) => {
  event.waitUntil(install().then(() => worker.skipWaiting()));
});

/** Cache the page for being offline, Home, and the pages that are open; the rest comes with the next page. */
async function install() {
  const cache = await caches.open(CACHE_NAME);
  for (const path of ["offline", ""]) {
    const answer = await fetchAndCache(cache, unasked(ROOT + path), true);
    if (!answer.ok || !isOurs(answer)) throw new Error("not the app");
  }
  for (const { url } of await worker.clients.matchAll({ includeUncontrolled: true, type: "window" })) {
    const { pathname, search } = new URL(url);
    const answer = isKnown(pathname) ? await cacheWithFiles(pathname + search, EARLY) : null;
    if (answer?.headers.get(RIGHTS)?.includes("write")) await cacheForGame(pathname, answer);
  }
}

/** Return a request that nobody made. @param {string} path */
const unasked = (path) => new Request(path, { headers: { [UNASKED]: "1" } });

/** @param {Response} answer */
const isOurs = (answer) => answer.headers.has(MARK);

/** Whether a page is worth caching. @param {string} path */
const isKnown = (path) => path.startsWith(ROOT) && PAGES.some((known) => known.test(path.slice(ROOT.length)));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin || !address.pathname.startsWith(ROOT)) return;
  const path = address.pathname.slice(ROOT.length);
  if (path.startsWith("static/")) event.respondWith(serveFile(request));
  else if (request.mode === "navigate") {
    const response = page(request, path);
    event.respondWith(response);
    if (GAME.test(path)) event.waitUntil(response.then((answer) => cacheForGame(address.pathname, answer)));
  }
});

// the path of a form linked from the game page
worker.addEventListener("message", (event) => {
  const path = String(event.data);
  if (isKnown(path)) event.waitUntil(cacheWithFiles(path));
});

/** Cache what a game needs offline. @param {string} game @param {Response} answer the game's page */
async function cacheForGame(game, answer) {
  const cache = await caches.open(CACHE_NAME);
  const disputes = await cache.match(`${game}/disputes/all`, { ignoreSearch: true, ignoreVary: true });
  if (disputes?.headers.get(RULES) !== answer.headers.get(RULES)) await cacheWithFiles(`${game}/disputes/all`);
  const may = answer.headers.get(RIGHTS)?.split(" ") ?? [];
  for (const [form, need] of Object.entries(NEEDED_RIGHTS))
    if (may.includes(need)) await cacheWithFiles(`${game}/${form}`);
}

/** @param {Request} request */
async function serveFile(request) {
  const cache = await caches.open(CACHE_NAME);
  const known = await cache.match(request);
  if (known && RELEASE.test(pathOf(request))) return known;
  const name = nameOf(request);
  const others = (await cache.keys()).filter((each) => nameOf(each) === name && each.url !== request.url);
  const answer = await fetchAndCache(cache, request, true).catch(() => null);
  if (answer?.ok && isOurs(answer)) await Promise.all(others.map((each) => cache.delete(each, { ignoreVary: true })));
  if (answer && isOurs(answer)) return answer;
  const instead = known ?? (others[0] && (await cache.match(others[0], { ignoreVary: true })));
  return instead ?? answer ?? Response.error();
}

/** @param {Request} request */
const pathOf = (request) => new URL(request.url).pathname.slice(ROOT.length);

/** Return the name of a file without its release. @param {Request} request */
const nameOf = (request) => pathOf(request).replace(RELEASE, "static/");

/** @param {Request} request @param {string} path */
async function page(request, path) {
  const cache = await caches.open(CACHE_NAME);
  // offline, the form restores a hand from its draft, and the page of all disputes is searched for a question
  const known = request.url.replace(/(\/hand)\/look\?.*/, "$1").replace(/(\/disputes)(\?.*)?$/, "$1/all");
  const earlier = () => cache.match(known, { ignoreVary: true, ignoreSearch: DISPUTES.test(path) });
  try {
    const answer = await fetchAndCache(cache, request, isKnown(ROOT + path));
    return (isTrouble(answer, path) && (await earlier())) || answer;
  } catch {
    return (await earlier()) ?? /** @type {Response} */ (await cache.match(`${ROOT}offline`, { ignoreVary: true }));
  }
}

/** Whether a cached page is better than this response. @param {Response} answer @param {string} path */
function isTrouble(answer, path) {
  if (!isOurs(answer)) return answer.type !== "opaqueredirect" && !LOGIN.includes(answer.status);
  return TROUBLE.includes(answer.status) || (answer.status === MISSING && /^[gc]\//.test(path));
}

/** Fetch, and replace the cached response. @param {Cache} cache @param {Request} request @param {boolean} isWorthKeeping */
async function fetchAndCache(cache, request, isWorthKeeping) {
  const before = drops;
  const answer = await fetch(request);
  const own = await dropPages(cache, request, answer);
  if (answer.ok && isOurs(answer) && isWorthKeeping && answer.headers.get("Cache-Control") !== "no-store") {
    const { status, headers } = answer;
    const copy = new Response(await answer.clone().blob(), { status, headers }); // complete, before the old one is deleted
    const replace = async () => {
      if (drops > before + own || (await isOlder(cache, request, answer))) return;
      await cache.delete(request, { ignoreSearch: true, ignoreVary: true });
      await cache.put(request, copy);
    };
    const replaced = replacing.then(replace);
    replacing = replaced.catch(() => {});
    await replaced;
  }
  return answer;
}

/** Whether a page of a game shows less than the cached one. @param {Cache} cache @param {Request} request @param {Response} answer */
async function isOlder(cache, request, answer) {
  const earlier = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
  return Number(answer.headers.get(SEEN)) < Number(earlier?.headers.get(SEEN));
}

/** Delete pages that this phone may no longer open; return 1 if there were any. @param {Cache} cache @param {Request} request @param {Response} answer */
async function dropPages(cache, request, answer) {
  const path = pathOf(request);
  if (!isOurs(answer)) return 0;
  const isGone = GONE.includes(answer.status);
  const may = answer.headers.get(RIGHTS)?.split(" ");
  const known = answer.headers.get(GAMES)?.split(" ");
  /** @param {string} page */
  const isRevoked = (page) => {
    const [, code, part = ""] = /^[gc]\/(\w+)(?:\/(\w+))?/.exec(page) ?? [];
    if (!code) return false;
    if (isGone && (page === path || (GAME.test(path) && page.startsWith(`${path}/`)))) return true;
    const need = NEEDED_RIGHTS[part];
    if (may && path === `g/${code}` && need && !may.includes(need)) return true;
    return known !== undefined && !known.includes(code);
  };
  if (!isGone && !may && !known) return 0;
  const pages = await cache.keys();
  const over = pages.filter((page) => isRevoked(new URL(page.url).pathname.slice(ROOT.length)));
  if (!over.length) return 0;
  drops += 1;
  await Promise.all(over.map((page) => cache.delete(page, { ignoreVary: true })));
  return 1;
}

/** Cache a page and files it links; keep the old ones if offline. @param {string} path @param {RegExp} links */
async function cacheWithFiles(path, links = ALL) {
  const cache = await caches.open(CACHE_NAME);
  try {
    const answer = await fetchAndCache(cache, unasked(path), true);
    if (!isOurs(answer)) return null;
    const page = await answer.text();
    const files = [...page.matchAll(links)].map(([, address]) => String(address));
    await Promise.all(files.map((address) => serveFile(new Request(new URL(address, location.href)))));
    return answer;
  } catch {
    return null; // retried when the game is next opened
  }
}
