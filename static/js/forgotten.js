// @ts-check
/** Deletes everything this browser keeps besides the cookie: drafts, hands not yet sent, pages, and the worker. */

import { forget, kept, OURS, ROOT } from "./form.js";

const place = /** @type {HTMLElement} */ (document.querySelector("[data-forgotten]"));

async function forgetPages() {
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(workers.filter(({ scope }) => scope === ROOT.href).map((worker) => worker.unregister()));
  if ("caches" in window) await caches.delete(OURS);
}

kept("").forEach(forget);
forgetPages().then(
  () => {
    place.textContent = place.dataset.forgotten ?? "";
  },
  () => {
    place.textContent = place.dataset.failed ?? "";
  },
);
