// @ts-check
/** Keeps the screen on while the page is visible; over plain http no browser can. */

/** @param {Document} page */
export function stayAwake(page = document) {
  if (!("wakeLock" in navigator)) return;
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
