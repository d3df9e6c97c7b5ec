// @ts-check
/** Sends a result through the phone's own share sheet, if there is one, with picture and text. */

const PICTURE = "kalooki.png";
const PATIENCE = 3000; // a browser opens its share sheet only soon after a touch

/** @param {string} address @returns {Promise<File[]>} the picture; none if it does not arrive in time */
async function pictureAt(address) {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout?.(PATIENCE) });
    return answer.ok ? [new File([await answer.blob()], PICTURE, { type: "image/png" })] : [];
  } catch {
    return [];
  }
}

/** @param {HTMLElement} door what was touched: it names the picture and the place of the text @returns {Promise<boolean>} whether there is a share sheet */
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
// on the document, because the game's page changes while it is open
document.addEventListener("click", async (event) => {
  if (!(event.target instanceof Element)) return;
  const door = /** @type {HTMLElement | null} */ (event.target.closest("[data-send]"));
  if (!door || !("share" in navigator)) return;
  event.preventDefault();
  if (!(await send(door)) && door instanceof HTMLAnchorElement) location.assign(door.href);
});
