// @ts-check
/** What is shown for a while only: counted down by this page, whatever its clock says, then gone. */

/** Elements with `data-lasts` (seconds) go when their time is up; `data-left` inside shows what is left. @param {Element} place */
export function countDown(place) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-lasts]"))) {
    const lasts = element.dataset.lasts ?? "0";
    if (element.dataset.countedDown === lasts) continue; // the same telling: its clock runs already
    element.dataset.countedDown = lasts;
    run(element, performance.now() + Number(lasts) * 1000);
  }
}

/** @param {HTMLElement} element @param {number} until */
function run(element, until) {
  const stamp = element.dataset.countedDown;
  const tick = () => {
    if (!element.isConnected || element.dataset.countedDown !== stamp) return;
    const left = Math.ceil((until - performance.now()) / 1000);
    const shown = element.querySelector("[data-left]");
    if (shown) shown.textContent = String(Math.max(0, left));
    if (left > 0) window.setTimeout(tick, 500);
    else timeIsUp(element);
  };
  tick();
}

/** What is still told after this is counted down anew. @param {HTMLElement} element */
function timeIsUp(element) {
  delete element.dataset.countedDown;
  element.dispatchEvent(new CustomEvent("time-up", { bubbles: true }));
}
