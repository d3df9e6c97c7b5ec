/** Live updates for the pages of a game: a page is fetched again only when the game has changed. */

import { all, find, one } from "./dom.js";
import { fill } from "./form.js";
import { entriesOf, follow, loadProgress, makeUpdater, saveProgress } from "./live.js";

const MINUTE = 60_000;

const place = one("[data-live]");
const game = place.dataset.game ?? "";
const note = find("[data-lost]");
const staleNote = find("[data-stale]");
const shown = () => place.dataset.version ?? "";
let opened = entriesOf(shown());

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

/** @param {string} version */
function onVersion(version) {
  const isBehind = entriesOf(version) < Math.max(entriesOf(shown()), loadProgress(game)?.seen ?? 0);
  const versions = isBehind ? { shown: shown(), version } : null;
  if (isBehind || staleNote?.dataset.text)
    import("./stale_server.js").then(({ warnOfStaleServer }) => warnOfStaleServer(game, versions));
  if (!isBehind) update(version);
}

/** @param {import("./live.js").Lost | null} lost */
function onLost(lost) {
  if (note) note.hidden = !lost;
  if (!note || !lost) return;
  const { offline = "", silent = "", missing = "", waits = "" } = note.dataset;
  const time = new Date(lost.at).toTimeString().slice(0, 5); // in the phone's own time zone
  const gone = Date.now() - lost.at > MINUTE ? fill(silent, { time }) : offline;
  const others = navigator.serviceWorker?.controller ? "" : ` ${waits}`; // the worker opens them
  const text = lost.isMissing ? missing : gone + others;
  if (note.dataset.text !== text) note.textContent = note.dataset.text = text;
  if (!lost.isMissing) return;
  import("./backups.js").then(({ offerBackup }) => offerBackup(note, game, note.dataset.bring ?? ""));
}

// submit.js has replaced the page
document.addEventListener("submitted", () => {
  opened = entriesOf(shown());
  remember();
});
follow(game, { onVersion, onLost });
remember();
