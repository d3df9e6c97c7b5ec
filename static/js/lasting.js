// @ts-check
/** Elements shown only for a while: the page counts them down, whatever the phone's clock says. */

/** Count down elements with `data-lasts` (seconds), with the rest in `data-left`; an event says when the time is up. @param {Element} place */
export function countDown(place) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-lasts]"))) {
    const lasts = element.dataset.lasts ?? "0";
    if (element.dataset.countedDown === lasts) continue; // not renewed: its countdown is already running
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

/** Tell the page; if the element comes again, its countdown starts again. @param {HTMLElement} element */
function timeIsUp(element) {
  delete element.dataset.countedDown;
  element.dispatchEvent(new CustomEvent("time-up", { bubbles: true }));
}
