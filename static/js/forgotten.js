// @ts-check
/** Deletes what this browser keeps besides the cookie: what was typed, hands not yet sent, pages, and their worker. */

import { forget, kept } from "./form.js";

const place = /** @type {HTMLElement} */ (document.querySelector("[data-forgotten]"));

async function forgetPages() {
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(workers.map((worker) => worker.unregister()));
  if ("caches" in window) await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
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
