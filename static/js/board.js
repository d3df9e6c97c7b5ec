// @ts-check
/** Keeps a page of the game up to date: fetches it again whenever something has changed, and only then. */

import { countDown } from "./lasting.js";
import { follow } from "./live.js";
import { patch } from "./patch.js";

/** How many entries a version of the game counts, before what players signal. @param {string} version */
const entriesOf = (version) => version.split(".")[0];

const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-live]"));

/** What this page said as it opened, about the hand of that time, is over with the next entry. */
function fallSilent() {
  for (const said of document.querySelectorAll("[data-said]")) said.remove();
}

/** @param {HTMLElement} place */
function start(place) {
  let shown = place.dataset.version ?? "";
  const opened = entriesOf(shown);
  let wanted = shown;
  let busy = false;

  async function refresh() {
    if (busy || shown === wanted) return;
    busy = true;
    const version = wanted;
    try {
      const answer = await fetch(place.dataset.live ?? "", { cache: "no-cache" });
      if (answer.status === 404) return location.reload(); // the game has moved
      if (answer.ok) {
        patch(place, await answer.text());
        countDown(place);
        place.dispatchEvent(new CustomEvent("patched", { bubbles: true }));
        if (entriesOf(version) !== opened) fallSilent();
        shown = version;
      }
    } catch {
      wanted = shown; // the next sign of life tells again
    }
    busy = false;
    if (wanted !== version) refresh();
  }

  // take a pen that nobody refused; for anything else whose time is up, show the page as it is now
  place.addEventListener("time-up", (event) => {
    const then = /** @type {HTMLElement} */ (event.target).querySelector("form[data-then]");
    if (then instanceof HTMLFormElement) return then.requestSubmit();
    shown = "";
    refresh();
  });

  const lost = /** @type {HTMLElement | null} */ (document.querySelector("[data-lost]"));
  follow(place.dataset.game ?? "", {
    heard(version) {
      wanted = version;
      refresh();
    },
    lost(isLost) {
      if (lost) lost.hidden = !isLost;
    },
  });
  countDown(place);
}

if (place) start(place);
