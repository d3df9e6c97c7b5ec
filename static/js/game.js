/**
 * The game page: also sends what was saved on this phone but has not reached the server, and marks the link to a hand
 * begun on this phone.
 */

import "./submit.js";
import { find, one } from "./dom.js";
import { isQueued, loadDraft, moveStored, storedNames } from "./form.js";

const game = `${location.pathname}/`;
const TYPED = /^(winner|note|(cards|points|calls)-\d+)$/;

async function sendWaiting() {
  const { showWaiting, sendQueued, queuedUnder } = await import("./outbox.js");
  sendQueued(game, (attempt) => showWaiting(attempt, queuedUnder(game)));
}

const { moved } = one("[data-outbox]").dataset;
if (moved) moveStored(location.pathname.replace(/\w+$/, moved), location.pathname);
if (storedNames(`out:${game}`).length) sendWaiting();

/** Whether somebody began to type the hand that is dealt now. @param {string} action where it is sent @param {number} dealtAfter the entry before it */
function hasBegun(action, dealtAfter) {
  const draft = loadDraft(action);
  if (!draft || Number(draft.seen) < dealtAfter || isQueued(action)) return false;
  return draft.fields.some(([name, value]) => value && TYPED.test(name));
}

const findHandLink = () => find("a[data-dealt-after]", document, HTMLAnchorElement);

function labelHandLink() {
  const link = findHandLink();
  if (!link) return;
  const { dealtAfter, begun, fresh, next } = link.dataset;
  link.textContent = (isQueued(link.href) ? next : hasBegun(link.href, Number(dealtAfter)) ? begun : fresh) ?? "";
}

labelHandLink();
document.addEventListener("patched", () => {
  labelHandLink();
  // let the worker fetch the form of the hand dealt now, so that it is at hand without a network
  navigator.serviceWorker?.controller?.postMessage(findHandLink()?.pathname ?? "");
});
window.addEventListener("pageshow", labelHandLink); // back from the form
// after a save, a laptop's keyboard goes on with the next hand
if (find("[data-message]") && matchMedia("(hover: hover) and (pointer: fine)").matches) {
  find(".action-bar:not(.is-asking) [data-dealt-after]")?.focus({ preventScroll: true });
}
window.addEventListener("storage", labelHandLink); // typed, saved or cleared beside this page
