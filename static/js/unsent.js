/**
 * What is stored on this phone for a game that is not at this address: queued hands, to be written down, and a backup, unless
 * the game was deleted or moved.
 */

import { deleteBackup, makeRestoring } from "./backups.js";
import { button, find, make, one, ROOT } from "./dom.js";
import { fill, showNote } from "./form.js";
import { dequeue, queuedUnder, typedAs } from "./outbox.js";

/** @typedef {import("./outbox.js").QueuedRequest} QueuedRequest */

const place = one("[data-unsent]");
const { won = "", seat: player = "", discard = "", sure = "" } = place.dataset;
const game = /^g\/\w+/.exec(location.pathname.slice(ROOT.pathname.length))?.[0];

/** Describe a queued hand in words. @param {QueuedRequest} request */
function describe({ body, names = {} }) {
  const typed = new URLSearchParams(body);
  const name = (/** @type {string} */ seat) => names[seat] ?? fill(player, { seat });
  const left = [...typed].flatMap(([field, value]) => {
    const seat = /^(?:left|cards|points)-(\d+)$/.exec(field)?.[1];
    return seat && value ? [`${name(seat)} ${value}`] : [];
  });
  const winner = typed.get("winner");
  return [winner ? fill(won, { name: name(winner) }) : "", left.join(", ")].filter(Boolean).join(" ");
}

/** @param {QueuedRequest} request */
function makeRow(request) {
  const discardNow = () => {
    dequeue(request);
    show();
  };
  const discarding = button(discard, () => discarding.replaceWith(button(sure, discardNow)));
  return make("li", {}, make("p", {}, typedAs(describe(request), [request])), discarding);
}

function show() {
  const requests = game ? queuedUnder(`${ROOT.pathname}${game}/`) : [];
  place.hidden = !requests.length;
  place.querySelector("ul")?.replaceChildren(...requests.map(makeRow));
}

show();
if (game) {
  const offered = find("[data-copies]");
  const restoring = makeRestoring(game, offered?.dataset.copies ?? "");
  if (!offered) deleteBackup(game);
  else if (restoring.length) showNote(offered.textContent ?? "", restoring, offered);
}
