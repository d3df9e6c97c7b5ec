/** The game page. It sends what is queued on this phone, and changes the label of the link to a hand that was begun here. */

import "./submit.js";
import { find, one } from "./dom.js";
import { deleteValue, isQueued, loadDraft, loadValue, saveValue, storedNames } from "./form.js";

const game = `${location.pathname}/`;
const TYPED = /^(winner|note|(left|cards|points|calls)-\d+)$/;

const { moved } = one("[data-outbox]").dataset;
if (moved) {
  const before = location.pathname.replace(/\w+$/, moved);
  moveStored(before, location.pathname);
  import("./backups.js").then(({ deletePages }) => deletePages(before));
}
if (storedNames(`out:${game}`).length) {
  import("./outbox.js").then(({ queuedUnder, sendQueued, showWaiting }) => {
    sendQueued(game, (attempt) => showWaiting(attempt, queuedUnder(game)));
  });
}

/** Rename what is stored for a game that has a new address. @param {string} from @param {string} to the paths of its pages */
function moveStored(from, to) {
  for (const kind of ["out:", "draft:", "aside:"]) {
    for (const name of storedNames(`${kind}${from}/`)) {
      const value = /** @type {Record<string, unknown>} */ (loadValue(name));
      const { action } = value;
      saveValue(
        name.replace(from, to),
        typeof action === "string" ? { ...value, action: action.replace(from, to) } : value,
      );
      deleteValue(name);
    }
  }
}

/** Whether the current hand has been begun on this phone. @param {string} action the form's action @param {number} dealtAfter the entry before the hand */
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
  // cache the form of the current hand for offline use
  navigator.serviceWorker?.controller?.postMessage(findHandLink()?.pathname ?? "");
});
window.addEventListener("pageshow", labelHandLink); // Back from the form
// with a keyboard, continue with the next hand, or read the offer, so that no Enter too many buys in
if (matchMedia("(hover: hover) and (pointer: fine)").matches)
  find(".action-bar :is([data-question], .button-primary)")?.focus({ preventScroll: true });
window.addEventListener("storage", labelHandLink); // changed in another tab
