/**
 * Copies a text or a link, even over plain http, where pages cannot use the clipboard; sends a link, or a result with its
 * picture, if the phone has a share sheet. The buttons for this are hidden until this script runs, and say so if it fails.
 */

import { all, around, make } from "./dom.js";

const PICTURE = "kalooki.png";
const PICTURE_TIMEOUT = 3000; // a browser opens its share sheet only soon after a tap

/** @param {HTMLElement} place @returns {Promise<boolean>} whether its text was copied */
async function copy(place) {
  const field = place instanceof HTMLTextAreaElement ? place : null;
  try {
    await navigator.clipboard.writeText(field?.value ?? place.textContent ?? "");
    return true;
  } catch {
    // no clipboard over plain http: the old way still works
    field?.focus();
    field?.select();
    if (!field) getSelection()?.selectAllChildren(place);
    return document.execCommand("copy");
  }
}

/** The picture; none if it does not arrive in time. @param {string} address */
async function fetchPicture(address) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PICTURE_TIMEOUT) }).catch(() => null);
  const blob = answer?.ok && (await answer.blob().catch(() => null));
  return blob ? [new File([blob], PICTURE, { type: "image/png" })] : [];
}

/** A result, of which a tap names the picture and the place of the text. @param {DOMStringMap} words @returns {Promise<ShareData>} */
async function makeResult({ picture = "", send = "" }) {
  const files = await fetchPicture(picture);
  const field = document.getElementById("text");
  const text = field instanceof HTMLTextAreaElement ? field.value : await (await fetch(send)).text();
  return files.length && navigator.canShare?.({ files, text }) ? { files, text } : { text };
}

/** @param {ShareData | Promise<ShareData>} content @returns {Promise<boolean>} whether the share sheet opened */
async function share(content) {
  try {
    await navigator.share(await content);
    return true;
  } catch (cause) {
    return cause instanceof DOMException && cause.name === "AbortError"; // thought better of it
  }
}

/** Share a file, or save it: an installed app that opened it had no way back. @param {HTMLAnchorElement} link */
export async function shareFile({ href }) {
  const answer = await fetch(href).catch(() => null);
  if (!answer?.ok) return location.assign(href);
  const blob = await answer.blob();
  const named = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
  const name = named ?? /[^/]*$/.exec(new URL(href).pathname)?.[0] ?? "";
  const files = [new File([blob], name, { type: blob.type })];
  if (navigator.canShare?.({ files }) && (await share({ files }))) return;
  make("a", { href: URL.createObjectURL(blob), download: name }).click();
}

/** Say on the button itself, which keeps its width so that its neighbours do not move, and aloud. @param {HTMLElement} button @param {string} text */
function showOnButton(button, text) {
  button.style.minWidth = `${button.offsetWidth}px`;
  button.textContent = text;
  const status = document.querySelector("p[data-message]");
  if (status) status.textContent = text;
}

/** @param {HTMLElement} button @returns {Promise<boolean>} whether it did what it says */
async function handleTap(button) {
  const { copy: text, share: link } = button.dataset;
  const place = document.getElementById(text ?? link ?? "");
  if (!place) return share(makeResult(button.dataset));
  if (text === undefined)
    return share({ title: document.title, url: place instanceof HTMLAnchorElement ? place.href : "" });
  const isCopied = await copy(place);
  if (isCopied) showOnButton(button, button.dataset.copied ?? "");
  return isCopied;
}

for (const button of all("[data-copy], button[data-share], button[data-send]")) {
  button.hidden = !("copy" in button.dataset || "share" in navigator);
}
// on the document, because the game's page changes while it is open
document.addEventListener("click", async (event) => {
  const button = around(event.target, "[data-copy], [data-share], [data-send]");
  if (!button || !("copy" in button.dataset || "share" in navigator)) return;
  event.preventDefault();
  if (await handleTap(button)) return;
  if (button instanceof HTMLAnchorElement) location.assign(button.href);
  else showOnButton(button, button.dataset.failed ?? "");
});
