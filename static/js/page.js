/**
 * Loaded by every page: registers the service worker, and sets up features that need only a few lines, by their attributes.
 * Browsers run no worker over plain HTTP, and everything else works without it.
 */

import { around, find, one, ROOT } from "./dom.js";

/** Register the worker; first correct an address outside the root path, to which the cookie is limited. */
function install() {
  const { pathname, search, hash } = location;
  if (!pathname.startsWith(ROOT.pathname)) location.replace(`${ROOT.pathname}${pathname.slice(1)}${search}${hash}`);
  else navigator.serviceWorker?.register(new URL("sw.js", ROOT)).catch(() => {});
}

/** Keep the screen on while the page is visible, which browsers allow only over HTTPS. */
function stayAwake() {
  const lock = () => {
    // refused, for instance because the battery is low
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", lock);
  lock();
}

/** @type {Record<string, (place: HTMLElement) => unknown>} */
const SETUPS = {
  "body:not(:has([data-forgotten]))": install,
  "[data-forgotten]": async (place) => (await import("./forget.js")).forgetAll(place),
  // "/" goes to the question or the search
  "input[type=search]": (input) =>
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || around(event.target, "input, select, textarea")) return;
      event.preventDefault();
      input.focus();
    }),
  // the questions and checks below follow the variant
  "form[role=search] .variant-choice": (choice) =>
    choice.addEventListener("change", () => around(choice, "form", HTMLFormElement)?.submit()),
  // repeat a request that the server was too busy for
  "form[data-retry-after]": ({ dataset }) =>
    setTimeout(() => one("form[data-retry-after] button").click(), 1000 * Number(dataset.retryAfter)),
  // mention a draft that is still stored where this phone may no longer record
  "[data-draft-of]": async (note) => {
    const { storedNames } = await import("./form.js");
    note.hidden = !storedNames(`draft:${ROOT.pathname}g/${note.dataset.draftOf}/`).length;
  },
  // delete the backup of a game that is removed from this device
  "form:has([name=forget])": async (form) => {
    const { deleteBackup } = await import("./backups.js");
    form.addEventListener("click", ({ target }) =>
      deleteBackup(around(target, "button", HTMLButtonElement)?.value ?? ""),
    );
  },
  "[data-lost-games]": async (place) => (await import("./backups.js")).listLost(place),
  // fill in this phone's backup of the game in the hash
  "textarea[name=pasted]": async () => (await import("./backups.js")).fillIn(),
  "[data-awake]": stayAwake,
  // say at once that a sheet is being made; a PDF may open elsewhere, so not for ever
  "[data-waits]": (note) =>
    around(note, "form", HTMLFormElement)?.addEventListener("submit", () => {
      note.hidden = false;
      setTimeout(() => {
        note.hidden = true;
      }, 20_000);
    }),
  // autosave forms other than a hand's; only the set-up has terms
  "form[data-autosave]": async () => {
    const form = one("form[data-autosave]", document, HTMLFormElement);
    const rules = find("#terms", form) && (await import("./terms.js"));
    (await import("./autosave.js")).autosave(form);
    rules?.enhanceTerms(form);
  },
};

// send the time zone with a new game, for the date on its sheet
document.addEventListener("formdata", ({ formData }) => {
  if (formData.has("zone")) formData.set("zone", Intl.DateTimeFormat().resolvedOptions().timeZone);
});

// a page that the worker cached before this phone had a token takes one when its form is sent
document.addEventListener("submit", async (event) => {
  const form = around(event.target, "form", HTMLFormElement);
  if (!form || event.defaultPrevented || !find("[name=csrf_token][value='']", form, HTMLInputElement)) return;
  event.preventDefault();
  const { fetchToken } = await import("./form.js");
  const hasToken = await fetchToken(form.action);
  if (hasToken && event.submitter) event.submitter.click();
  else form.submit();
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
