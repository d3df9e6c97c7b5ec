/** Live updates for the pages of a game: a page is fetched again only when the game has changed. */

import { deleteBackup, deletePages, makeRestoring, saveBackup } from "./backups.js";
import { all, find, one } from "./dom.js";
import { fill, showNote } from "./form.js";
import { follow, makeUpdater } from "./live.js";

const MINUTE = 60_000;

const place = one("[data-live]");
const game = place.dataset.game ?? "";
const note = find("[data-connection]");
const words = note?.dataset ?? {};
/** Return the number of entries in a version. @param {string} version */
const entriesOf = (version = "") => Number(version.split(".")[0]);
const shown = () => entriesOf(place.dataset.version);
let opened = shown();
let backedUp = 0; // entries
let latest = ""; // the server's version

/** Back up a game recorded on this phone. */
async function remember() {
  if (!("records" in place.dataset)) return;
  backedUp = await saveBackup(game, shown()).catch(() => backedUp);
  if (latest) onVersion(latest);
}

const update = makeUpdater(place, place.dataset.live ?? "", () => {
  // messages shown when the page was opened are out of date once something else is recorded
  if (shown() !== opened) for (const notice of all("[data-message]")) notice.remove();
  remember();
});

/** Show the version, unless the server has less than this phone: it was restored from an old backup. @param {string} version */
function onVersion(version) {
  latest = version;
  const isBehind = entriesOf(version) < Math.max(shown(), backedUp);
  const { restore = "", goOn = "", less = "" } = words;
  if (!isBehind) update(version);
  if (!isBehind && note) note.hidden = true;
  else if (note) showNote(less, [...makeRestoring(game, restore), [goOn, continueFromServer]], note);
}

/** Delete what this phone has of the game, and show what the server has. */
async function continueFromServer() {
  deleteBackup(game);
  await deletePages(game);
  location.reload();
}

/** @param {import("./live.js").Lost} lost */
function onLost(lost) {
  if (!note) return;
  const { offline = "", silent = "", missing = "", waits = "", restore = "" } = words;
  const time = new Date(lost.at).toTimeString().slice(0, 5); // in the phone's own time zone
  const gone = Date.now() - lost.at > MINUTE ? fill(silent, { time }) : offline;
  const others = navigator.serviceWorker?.controller ? "" : ` ${waits}`; // the worker opens them
  if (lost.isMissing) showNote(missing, makeRestoring(game, restore), note);
  else showNote(gone + others, [], note);
}

// submit.js has replaced the page
document.addEventListener("submitted", () => {
  opened = shown();
  remember();
});
follow(game, { onVersion, onLost });
remember();
