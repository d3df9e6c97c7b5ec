/**
 * What every page has, and what a few pages need little script for, by an attribute. Registers the worker that keeps pages
 * on the phone; over plain http there is none, and everything else works there too.
 */

import { around, find, one } from "./dom.js";

const root = new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf("/static/") + 1));

/** Only the browser knows that a page was opened without the path below which all others are, where the cookie is. */
function install() {
  const { pathname, search, hash } = location;
  if (!pathname.startsWith(root.pathname)) location.replace(`${root.pathname}${pathname.slice(1)}${search}${hash}`);
  else navigator.serviceWorker?.register(new URL("sw.js", root)).catch(() => {});
}

/** Delete everything this browser keeps besides the cookie: drafts, hands not yet sent, pages, and the worker. */
async function forgetAll() {
  const { deleteValue, storedNames, NAMESPACE } = await import("./form.js");
  storedNames("").forEach(deleteValue);
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(workers.filter(({ scope }) => scope === root.href).map((worker) => worker.unregister()));
  if ("caches" in window) await caches.delete(NAMESPACE);
}

/** Keep the screen on while the page is visible; over plain http no browser can. */
function stayAwake() {
  const lock = () => {
    // refused, perhaps, because the battery is low
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", lock);
  lock();
}

/** @type {Record<string, (place: HTMLElement) => unknown>} */
const SETUPS = {
  "body:not(:has([data-forgotten]))": install,
  "[data-forgotten]": (place) => {
    const { forgotten = "", failed = "" } = place.dataset;
    return forgetAll().then(
      () => place.replaceChildren(forgotten),
      () => place.replaceChildren(failed),
    );
  },
  // a form that had to wait for its turn is sent again by itself
  "form[data-retry-after]": ({ dataset }) =>
    setTimeout(
      () => one("form[data-retry-after]", document, HTMLFormElement).requestSubmit(),
      1000 * Number(dataset.retryAfter),
    ),
  // whether something that was typed is still kept where this phone may not record any more
  "[data-draft-of]": async (note) => {
    const { storedNames } = await import("./form.js");
    note.hidden = !storedNames(`draft:${root.pathname}g/${note.dataset.draftOf}/`).length;
  },
  // a game removed from this device: the copy that this phone keeps of it goes too
  "form:has([name=forget])": async (form) => {
    const { deleteBackup } = await import("./backups.js");
    form.addEventListener("click", ({ target }) =>
      deleteBackup(around(target, "button", HTMLButtonElement)?.value ?? ""),
    );
  },
  // a saved game to import: the copy that this phone keeps of the game in the address
  "textarea[name=pasted]": async () => {
    const { loadBackup } = await import("./backups.js");
    const field = one("[name=pasted]", document, HTMLTextAreaElement);
    const code = location.hash.slice(1);
    const copy = code && !field.value && loadBackup(code);
    if (!copy) return;
    field.value = copy.text;
    one("[name=former]", document, HTMLInputElement).value = code;
    field.form?.requestSubmit();
  },
  "[data-awake]": stayAwake,
  // what is typed into an entry other than a hand; of these, the set-up alone asks for rules
  "form[data-autosave]": async () => {
    const form = one("form[data-autosave]", document, HTMLFormElement);
    const rules = find("#terms", form) && (await import("./terms.js"));
    (await import("./autosave.js")).autosave(form);
    rules?.enhanceTerms(form);
  },
};

// the table's time zone goes with a new game, so that its sheet shows the day at the table
document.addEventListener("formdata", ({ formData }) => {
  if (formData.has("zone")) formData.set("zone", Intl.DateTimeFormat().resolvedOptions().timeZone);
});

// an installed app has no way back from a file
document.addEventListener("click", async (event) => {
  const link = around(event.target, "a[href]", HTMLAnchorElement);
  if (!link || !/\.(pdf|png)$/.test(link.pathname) || !matchMedia("(display-mode: standalone)").matches) return;
  event.preventDefault();
  (await import("./share.js")).shareFile(link);
});

for (const [selector, setUp] of Object.entries(SETUPS)) {
  const place = find(selector);
  if (place) setUp(place);
}
