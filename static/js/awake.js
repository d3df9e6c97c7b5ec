// @ts-check
/** Keeps the screen on while the page is visible; over plain http no browser can. */

export function stayAwake() {
  if (!("wakeLock" in navigator)) return;
  const hold = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // refused, perhaps because the battery is low
    }
  };
  document.addEventListener("visibilitychange", hold);
  hold();
}
