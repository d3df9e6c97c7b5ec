/**
 * What this phone keeps of a game that is not at this address: hands, so that somebody can write them down, and its copy,
 * unless the game was deleted or has another address.
 */

import { dropCopy, offerCopy } from "./copies.js";
import { button, find, make, one } from "./dom.js";
import { fill, ROOT } from "./form.js";
import { typedAs, waitingIn, withdraw } from "./outbox.js";

/** @typedef {import("./outbox.js").Letter} Letter */

const place = one("[data-stranded]");
const { won = "", seat: player = "", discard = "", sure = "" } = place.dataset;
const game = /^g\/\w+/.exec(location.pathname.slice(ROOT.pathname.length))?.[0];

/** What was typed, as the table would say it. @param {Letter} letter */
function describe({ body, names = {} }) {
  const typed = new URLSearchParams(body);
  const name = (/** @type {string} */ seat) => names[seat] ?? fill(player, { seat });
  const left = [...typed].flatMap(([field, value]) => {
    const seat = /^(?:cards|points)-(\d+)$/.exec(field)?.[1];
    return seat && value ? [`${name(seat)} ${value}`] : [];
  });
  const winner = typed.get("winner");
  return [winner ? fill(won, { name: name(winner) }) : "", left.join(", ")].filter(Boolean).join(" ");
}

/** @param {Letter} letter */
function makeRow(letter) {
  const discardNow = () => {
    withdraw(letter);
    show();
  };
  const discarding = button(discard, () => discarding.replaceWith(button(sure, discardNow)));
  return make("li", {}, make("p", {}, typedAs(describe(letter), [letter])), discarding);
}

function show() {
  const letters = game ? waitingIn(`${ROOT.pathname}${game}/`) : [];
  place.hidden = !letters.length;
  place.querySelector("ul")?.replaceChildren(...letters.map(makeRow));
}

show();
if (game) {
  const offered = find("[data-copies]");
  if (offered) offerCopy(offered, game, offered.dataset.copies ?? "");
  else dropCopy(game);
}
