// @ts-check
/** Sending a result: the phone's own share sheet with picture and text, where there is one. */

const PICTURE = "kalooki.png";
const PATIENCE = 3000; // a browser opens its share sheet only soon after a touch

/** @param {string} address @returns {Promise<File[]>} the picture; nothing if it does not come in time */
async function pictureAt(address) {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout?.(PATIENCE) });
    return answer.ok ? [new File([await answer.blob()], PICTURE, { type: "image/png" })] : [];
  } catch {
    return [];
  }
}

/** @param {HTMLElement} door what was touched: it names the picture, and where the text stands @returns {Promise<boolean>} whether the share sheet was there */
async function send(door) {
  const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("text"));
  const files = await pictureAt(door.dataset.picture ?? "");
  try {
    const text = field?.value ?? (await (await fetch(door.dataset.send ?? "")).text());
    await navigator.share(files.length && navigator.canShare?.({ files, text }) ? { files, text } : { text });
    return true;
  } catch (cause) {
    return /** @type {Error} */ (cause).name === "AbortError"; // thought better of it
  }
}

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("button[data-send]"))) {
  button.hidden = !("share" in navigator);
}
// on the document, as the game's page changes while it is open
document.addEventListener("click", async (event) => {
  if (!(event.target instanceof Element)) return;
  const door = /** @type {HTMLElement | null} */ (event.target.closest("[data-send]"));
  if (!door || !("share" in navigator)) return;
  event.preventDefault();
  if (!(await send(door)) && door instanceof HTMLAnchorElement) location.assign(door.href);
});
