// @ts-check
/**
 * Sending a result: the phone's own share sheet with picture and text, where there is one; a copy of the text
 * everywhere, even over plain http, where browsers have no clipboard for pages.
 */

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

/** @param {HTMLTextAreaElement} field @returns {Promise<boolean>} */
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // no clipboard over plain http: the old way still works there
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}

/** @param {HTMLElement} button */
async function copied(button) {
  const field = /** @type {HTMLTextAreaElement} */ (document.getElementById(button.dataset.copy ?? ""));
  if (!(await copy(field))) return;
  button.textContent = button.dataset.copied ?? "";
  const told = document.querySelector("[data-said]");
  if (told) told.textContent = button.textContent;
}

for (const hidden of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-send], [data-copy]"))) {
  hidden.hidden = "send" in hidden.dataset && !("share" in navigator) && hidden.nodeName === "BUTTON";
}
// on the document, as the game's page changes while it is open
document.addEventListener("click", async (event) => {
  if (!(event.target instanceof Element)) return;
  const button = /** @type {HTMLElement | null} */ (event.target.closest("[data-copy]"));
  if (button) return copied(button);
  const door = /** @type {HTMLElement | null} */ (event.target.closest("[data-send]"));
  if (!door || !("share" in navigator)) return;
  event.preventDefault();
  if (!(await send(door)) && door instanceof HTMLAnchorElement) location.assign(door.href);
});
