// @ts-check
/** Times of day as this device's clock shows them; without this file they stand in UTC. */

const shown = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

function show() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-time]"))) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.textContent = shown.format(at);
  }
}

show();
document.addEventListener("patched", show); // parts fetched anew say UTC again
