/** Forgetting everything on this device. */

import { ROOT } from "./dom.js";
import { deleteValue, NAMESPACE, storedNames } from "./form.js";

/** Delete everything stored by this browser except the cookie: drafts, queued hands, cached pages, and the worker. */
async function deleteAll() {
  storedNames("").forEach(deleteValue);
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(workers.filter(({ scope }) => scope === ROOT.href).map((worker) => worker.unregister()));
  if ("caches" in window) await caches.delete(NAMESPACE);
}

/** Do so, and say whether it worked. @param {HTMLElement} place */
export function forgetAll(place) {
  const { forgotten = "", failed = "" } = place.dataset;
  return deleteAll().then(
    () => place.replaceChildren(forgotten),
    () => place.replaceChildren(failed),
  );
}
