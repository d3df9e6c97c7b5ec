// @ts-check
/**
 * Keeps the screen on while the page is looked at. On a plain http address no browser can: there a phone is told once
 * how to set it, where the page has the words (`data-dark`).
 */

import { keep, recall } from "./form.js";

const TOLD = "dark-told";

/** @param {Document} page */
export function stayAwake(page = document) {
  if (!("wakeLock" in navigator)) return tell(page.querySelector("[data-dark]"));
  const hold = async () => {
    if (page.visibilityState !== "visible") return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // a low battery may refuse
    }
  };
  page.addEventListener("visibilitychange", hold);
  hold();
}

/** @param {HTMLElement | null} notice */
function tell(notice) {
  if (!notice || recall(TOLD) || !navigator.maxTouchPoints) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = notice.dataset.read ?? "";
  button.addEventListener("click", () => {
    keep(TOLD, true);
    notice.hidden = true;
  });
  notice.append(button);
  notice.hidden = false;
}
