/**
 * The game page: also sends what was saved on this phone but has not reached the server, and marks the link to a hand
 * begun on this phone.
 */

import "./ask.js";
import { find, one } from "./dom.js";
import { draftAt, isWaiting, moveKept, storedNames } from "./form.js";

const game = `${location.pathname}/`;
const TYPED = /^(winner|note|(cards|points|calls)-\d+)$/;

async function sendWaiting() {
  const { noteAgain, sendOn, waitingIn } = await import("./outbox.js");
  sendOn(game, (stop) => noteAgain(stop, waitingIn(game)));
}

const { moved } = one("[data-outbox]").dataset;
if (moved) moveKept(location.pathname.replace(/\w+$/, moved), location.pathname);
if (storedNames(`out:${game}`).length) sendWaiting();

/** Whether somebody began to type the hand that is dealt now. @param {string} action where it is sent @param {number} dealtAfter the entry before it */
function isBegun(action, dealtAfter) {
  const draft = draftAt(action);
  if (!draft || Number(draft.seen) < dealtAfter || isWaiting(action)) return false;
  return draft.fields.some(([name, value]) => value && TYPED.test(name));
}

const toTheHand = () => find("a[data-dealt-after]", document, HTMLAnchorElement);

function label() {
  const link = toTheHand();
  if (!link) return;
  const { dealtAfter, begun, fresh, next } = link.dataset;
  link.textContent = (isWaiting(link.href) ? next : isBegun(link.href, Number(dealtAfter)) ? begun : fresh) ?? "";
}

label();
document.addEventListener("patched", () => {
  label();
  // let the worker fetch the form of the hand dealt now, so that it is at hand without a network
  navigator.serviceWorker?.controller?.postMessage(toTheHand()?.pathname ?? "");
});
window.addEventListener("pageshow", label); // back from the form
// after a save, a laptop's keyboard goes on with the next hand
if (find("[data-said]") && matchMedia("(hover: hover) and (pointer: fine)").matches) {
  find(".action-bar:not(.is-asking) [data-dealt-after]")?.focus({ preventScroll: true });
}
window.addEventListener("storage", label); // typed, saved or cleared beside this page
