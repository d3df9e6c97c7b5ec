/** Live updates for the pages of a game: a page is fetched again only when the game has changed. */

import { all, find } from "./dom.js";
import { fill } from "./form.js";
import { entriesOf, follow, loadProgress, makeUpdater, saveProgress } from "./live.js";

const MINUTE = 60_000;

const place = find("[data-live]");

/** @param {HTMLElement} place */
function start(place) {
  const game = place.dataset.game ?? "";
  const note = find("[data-lost]");
  const shown = () => place.dataset.version ?? "";
  let opened = entriesOf(shown());
  /** @type {Promise<typeof import("./stale_server.js")> | null} */
  let staleServer = null;

  /** Store the progress of the game, and back up a game recorded on this phone. */
  function remember() {
    const next = find("[data-next-hand]", place)?.dataset.nextHand;
    const seen = entriesOf(shown());
    if (seen >= (loadProgress(game)?.seen ?? 0)) saveProgress(game, next ? { seen, hand: Number(next) } : { seen });
    if ("records" in place.dataset)
      import("./backups.js").then(({ saveBackup }) => saveBackup(game, seen)).catch(() => {});
  }

  const update = makeUpdater(place, place.dataset.live ?? "", () => {
    // messages shown when the page was opened are out of date once something else is recorded
    if (entriesOf(shown()) !== opened) for (const notice of all("[data-message]")) notice.remove();
    remember();
  });

  /** @param {import("./live.js").Lost | null} lost */
  function onLost(lost) {
    if (note) note.hidden = !lost;
    if (!note || !lost) return;
    const { offline = "", silent = "", missing = "" } = note.dataset;
    const time = new Date(lost.at).toTimeString().slice(0, 5); // in the phone's own time zone
    const text = lost.isMissing ? missing : Date.now() - lost.at > MINUTE ? fill(silent, { time }) : offline;
    if (note.dataset.text !== text) note.textContent = note.dataset.text = text;
    if (!lost.isMissing) return;
    import("./backups.js").then(({ offerBackup }) => offerBackup(note, game, note.dataset.bring ?? ""));
  }

  // submit.js has replaced the page
  document.addEventListener("asked", () => {
    opened = entriesOf(shown());
    remember();
  });
  follow(game, {
    onVersion(version) {
      const isBehind = entriesOf(version) < Math.max(entriesOf(shown()), loadProgress(game)?.seen ?? 0);
      if (isBehind) staleServer ??= import("./stale_server.js");
      staleServer?.then(({ warnOfStaleServer }) =>
        warnOfStaleServer(place, isBehind ? { shown: shown(), version } : null),
      );
      if (isBehind) return;
      staleServer = null;
      update(version);
    },
    onLost,
  });
  remember();
}

if (place) start(place);
