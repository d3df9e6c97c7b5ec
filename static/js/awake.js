// @ts-check
/**
 * Keeps the screen on while the page is visible. Over plain http no browser can, so a page that has the words
 * (`data-dark`) says once how to set the phone.
 */

import { button, find } from "./dom.js";
import { keep, recall } from "./form.js";

const TOLD = "dark-told";

/** @param {Document} page */
export function stayAwake(page = document) {
  if (!("wakeLock" in navigator)) return tell(find("[data-dark]", page));
  const hold = async () => {
    if (page.visibilityState !== "visible") return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // refused, perhaps because the battery is low
    }
  };
  page.addEventListener("visibilitychange", hold);
  hold();
}

/** @param {HTMLElement | null} notice */
function tell(notice) {
  if (!notice || recall(TOLD) || !navigator.maxTouchPoints) return;
  const read = () => {
    keep(TOLD, true);
    notice.hidden = true;
  };
  notice.append(button(notice.dataset.read ?? "", read));
  notice.hidden = false;
}
