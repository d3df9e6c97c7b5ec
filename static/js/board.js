/** Keeps a page of the game up to date: fetches it again whenever something has changed, and only then. */

import { all, find } from "./dom.js";
import { fill } from "./form.js";
import { entriesOf, follow, keepKnown, knownOf } from "./live.js";

const MINUTE = 60_000;

const place = find("[data-live]");

/** What this page said as it opened, about the hand of that time, is over with the next entry. */
function removeNotices() {
  for (const notice of all("[data-said]")) notice.remove();
}

/** @param {HTMLElement} place */
function start(place) {
  let shown = place.dataset.version ?? "";
  let opened = entriesOf(shown);
  let wanted = shown;
  let busy = false;
  /** @type {Promise<typeof import("./behind.js")> | null} */
  let behind = null; // the server knows less than this phone

  const game = place.dataset.game ?? "";

  /** Remember how far the game has come, as this page shows it. */
  function remember() {
    const next = find("[data-next-hand]", place)?.dataset.nextHand;
    const seen = entriesOf(shown);
    if (seen >= (knownOf(game)?.seen ?? 0)) keepKnown(game, next ? { seen, hand: Number(next) } : { seen });
    if ("records" in place.dataset) import("./copies.js").then(({ keepCopy }) => keepCopy(game, seen)).catch(() => {});
  }

  async function refresh() {
    if (busy || shown === wanted) return;
    busy = true;
    const version = wanted;
    try {
      const answer = await fetch(place.dataset.live ?? "", { cache: "no-cache" });
      if (answer.status === 410) return location.reload(); // the game has moved
      const [{ morph }, text] = await Promise.all([import("./morph.js"), answer.text()]);
      // a page opened anew meanwhile has more to say: that what was pressed is done
      if (answer.ok && shown !== version) {
        morph(place, text);
        place.dispatchEvent(new CustomEvent("patched", { bubbles: true }));
        if (entriesOf(version) !== opened) removeNotices();
        place.dataset.version = shown = version;
        remember();
      }
    } catch {
      wanted = shown; // the next sign of life tells again
    }
    busy = false;
    if (wanted !== version) refresh();
  }

  const note = find("[data-lost]");

  /** @param {import("./live.js").Lost | null} how */
  function lost(how) {
    if (note) note.hidden = !how;
    if (!note || !how) return;
    const { offline = "", silent = "", missing = "" } = note.dataset;
    const time = new Date(how.at).toTimeString().slice(0, 5); // as this phone's clock shows it
    const said = how.isMissing ? missing : Date.now() - how.at > MINUTE ? fill(silent, { time }) : offline;
    if (note.dataset.said !== said) note.textContent = note.dataset.said = said;
    if (!how.isMissing) return;
    import("./copies.js").then(({ offerCopy }) => offerCopy(note, game, note.dataset.bring ?? ""));
  }

  // the page was opened anew by what was pressed (ask.js)
  document.addEventListener("asked", () => {
    wanted = shown = place.dataset.version ?? "";
    opened = entriesOf(shown);
    remember();
  });
  follow(game, {
    heard(version) {
      const isBehind = entriesOf(version) < Math.max(entriesOf(shown), knownOf(game)?.seen ?? 0);
      if (isBehind) behind ??= import("./behind.js");
      behind?.then(({ tellBehind }) => tellBehind(place, isBehind ? { shown, version } : null));
      if (isBehind) return;
      behind = null;
      wanted = version;
      refresh();
    },
    lost,
  });
  remember();
}

if (place) start(place);
