// @ts-check
/** Keeps the screen on while the page is looked at, where the browser can (it cannot on a plain http address). */

/** @param {Document} page */
export function stayAwake(page = document) {
  const hold = async () => {
    if (page.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // a low battery may refuse
    }
  };
  page.addEventListener("visibilitychange", hold);
  hold();
}
