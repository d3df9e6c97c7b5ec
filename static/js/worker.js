// @ts-check
/**
 * Keeps pages and their parts on the phone, so that they open without a network. The network always comes first for
 * pages; only files whose address holds the hash of their contents are taken from the phone at once. What is asked for
 * again and again (versions, streams, boards) and everything that is sent is left alone.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const KEPT = "kalooki";
const ROOT = new URL("./", location.href).pathname;
const PAGES = [/^$/, /^check$/, /^rules(\/|$)/, /^g\/\w+$/, /^g\/\w+\/(hand|count|table|check|rules)$/];

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((kept) => kept.addAll([`${ROOT}offline`, ROOT]))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin || !address.pathname.startsWith(ROOT)) return;
  const path = address.pathname.slice(ROOT.length);
  if (path.startsWith("static/")) event.respondWith(file(request, address.searchParams.has("v")));
  else if (request.mode === "navigate")
    event.respondWith(
      page(
        request,
        PAGES.some((known) => known.test(path)),
      ),
    );
});

/** @param {Request} request @param {boolean} isForGood */
async function file(request, isForGood) {
  const kept = await caches.open(KEPT);
  const known = await kept.match(request);
  if (known && isForGood) return known;
  try {
    return await fetched(kept, request, true);
  } catch (cause) {
    if (known) return known;
    throw cause;
  }
}

/** @param {Request} request @param {boolean} isWorthKeeping */
async function page(request, isWorthKeeping) {
  const kept = await caches.open(KEPT);
  try {
    return await fetched(kept, request, isWorthKeeping);
  } catch {
    const known = await kept.match(request, { ignoreVary: true });
    return known ?? /** @type {Response} */ (await kept.match(`${ROOT}offline`, { ignoreVary: true }));
  }
}

/** From the network, kept in place of what was kept of it before. @param {Cache} kept @param {Request} request @param {boolean} isWorthKeeping */
async function fetched(kept, request, isWorthKeeping) {
  const answer = await fetch(request);
  if (answer.ok && isWorthKeeping && answer.headers.get("Cache-Control") !== "no-store") {
    const copy = answer.clone();
    await kept.delete(request, { ignoreSearch: true, ignoreVary: true });
    await kept.put(request, copy);
  }
  return answer;
}
