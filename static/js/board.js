/** Keeps a page of the game up to date: fetches it again whenever something has changed, and only then. */

import { all, find } from "./dom.js";
import { fill } from "./form.js";
import { entriesOf, follow, keepKnown, keepUp, knownOf } from "./live.js";

const MINUTE = 60_000;

const place = find("[data-live]");

/** @param {HTMLElement} place */
function start(place) {
  const game = place.dataset.game ?? "";
  const note = find("[data-lost]");
  const shown = () => place.dataset.version ?? "";
  let opened = entriesOf(shown());
  /** @type {Promise<typeof import("./behind.js")> | null} */
  let behind = null; // the server knows less than this phone

  /** Remember how far the game has come, as this page shows it. */
  function remember() {
    const next = find("[data-next-hand]", place)?.dataset.nextHand;
    const seen = entriesOf(shown());
    if (seen >= (knownOf(game)?.seen ?? 0)) keepKnown(game, next ? { seen, hand: Number(next) } : { seen });
    if ("records" in place.dataset) import("./copies.js").then(({ keepCopy }) => keepCopy(game, seen)).catch(() => {});
  }

  const update = keepUp(place, place.dataset.live ?? "", () => {
    // what this page said as it opened, about the hand of that time, is over with the next entry
    if (entriesOf(shown()) !== opened) for (const notice of all("[data-said]")) notice.remove();
    remember();
  });

  /** @param {import("./live.js").Lost | null} how */
  function onLost(how) {
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
    opened = entriesOf(shown());
    remember();
  });
  follow(game, {
    onVersion(version) {
      const isBehind = entriesOf(version) < Math.max(entriesOf(shown()), knownOf(game)?.seen ?? 0);
      if (isBehind) behind ??= import("./behind.js");
      behind?.then(({ tellBehind }) => tellBehind(place, isBehind ? { shown: shown(), version } : null));
      if (isBehind) return;
      behind = null;
      update(version);
    },
    onLost,
  });
  remember();
}

if (place) start(place);
