// @ts-check
/**
 * The game page: also sends what was saved on this phone but has not reached the server, and marks the link to a hand
 * begun on this phone.
 */

import { stayAwake } from "./awake.js";
import { draftAt, fill, isWaiting, moveKept, recall } from "./form.js";
import "./ask.js";
import { addressOf, holdBack, keepSending, noteAgain, toTheGame, typedAs, waitingIn } from "./outbox.js";

/** @typedef {import("./form.js").Draft} Draft */

const note = /** @type {HTMLElement} */ (document.querySelector("[data-outbox]"));
const words = note.dataset;
const game = `${location.pathname}/`;
const TYPED = /^(winner|note|(cards|points|calls)-\d+)$/;

/** @param {string} text @param {string} address */
function say(text, address) {
  const link = document.createElement("a");
  link.className = "button";
  link.href = address;
  link.textContent = words.look ?? "";
  note.replaceChildren(text, " ", link);
  note.hidden = false;
}

if (words.moved) moveKept(location.pathname.replace(/\w+$/, words.moved), location.pathname);
if (waitingIn(game).length) {
  let renew = /** @type {ReturnType<typeof noteAgain> | null} */ (null);
  const all = waitingIn(game);
  const sentence = all.length > 1 ? fill(words.many ?? "", { n: String(all.length) }) : (words.waiting ?? "");
  keepSending(game, (stop) => {
    const { fate, letter } = stop;
    if (fate === "saved") location.reload();
    else if (fate === "gone") toTheGame(letter.action);
    else if (fate !== "waiting") say(typedAs(words.refused ?? "", [letter]), addressOf(letter) || letter.action);
    else if (renew) renew(stop);
    else renew = noteAgain(stop, [typedAs(sentence, all)], [], typedAs("", all));
  });
}
holdBack(game, { stay: words.stay ?? "", leave: words.leave ?? "" });
stayAwake();

/** Whether somebody began to type the hand that is dealt now. @param {string} action where it is sent @param {number} dealtAfter the entry before it */
function isBegun(action, dealtAfter) {
  const draft = /** @type {Draft | null} */ (recall(draftAt(action)));
  if (!draft || Number(draft.seen) < dealtAfter || isWaiting(action)) return false;
  return draft.fields.some(([name, value]) => value && TYPED.test(name));
}

function label() {
  const either = /** @type {HTMLElement | null} */ (document.querySelector("a > .either"));
  const shown = either?.firstElementChild;
  if (!either || !shown) return;
  const { dealtAfter, begun, fresh, next } = either.dataset;
  const { href } = /** @type {HTMLAnchorElement} */ (either.parentElement);
  const text = isWaiting(href) ? next : isBegun(href, Number(dealtAfter)) ? begun : fresh;
  shown.textContent = text ?? "";
}

/** Let the worker fetch the form of the hand dealt now, so that it is at hand without a network. */
function keepForm() {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a:has(> .either)"));
  if (link) navigator.serviceWorker?.controller?.postMessage(link.pathname);
}

label();
document.addEventListener("patched", label);
document.addEventListener("patched", keepForm);
window.addEventListener("pageshow", label); // back from the form
window.addEventListener("storage", label); // typed, saved or cleared beside this page
