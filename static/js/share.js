/**
 * Buttons that copy a text or link, or share a link or a result with its picture, and show whether they worked. Copying
 * works over plain HTTP, too, where there is no clipboard API.
 */

import { all, around, find, make } from "./dom.js";
import { fetchOurs, isOurs, timeout } from "./form.js";

const PICTURE = "kalooki.png";
const PICTURE_TIMEOUT = 3000; // the share sheet opens only shortly after a tap

/** @param {HTMLElement} place @returns {Promise<boolean>} whether its text was copied */
async function copy(place) {
  const field = place instanceof HTMLTextAreaElement ? place : null;
  try {
    await navigator.clipboard.writeText(field?.value ?? place.textContent ?? "");
    return true;
  } catch {
    // no clipboard API over plain HTTP
    field?.focus();
    field?.select();
    if (!field) getSelection()?.selectAllChildren(place);
    return document.execCommand("copy");
  }
}

/** Fetch the picture; return nothing if it takes too long. @param {string} address */
async function fetchPicture(address) {
  const answer = await fetchOurs(address, timeout(PICTURE_TIMEOUT)).catch(() => null);
  const blob = answer?.ok && (await answer.blob().catch(() => null));
  return blob ? [new File([blob], PICTURE, { type: "image/png" })] : [];
}

/** Return the result to share, as text with its picture if possible. @param {DOMStringMap} words @returns {Promise<ShareData>} */
async function makeResult({ picture = "", send = "" }) {
  const files = await fetchPicture(picture);
  const field = document.getElementById("text");
  const text = field instanceof HTMLTextAreaElement ? field.value : await (await fetchOurs(send)).text();
  return files.length && navigator.canShare?.({ files, text }) ? { files, text } : { text };
}

/** @param {ShareData | Promise<ShareData>} content @returns {Promise<boolean>} whether the share sheet opened */
async function share(content) {
  try {
    await navigator.share(await content);
    return true;
  } catch (cause) {
    return cause instanceof DOMException && cause.name === "AbortError"; // cancelled by the user
  }
}

/** Share a file or download it, as an installed app has no way back from one. @param {HTMLAnchorElement} link */
export async function shareFile({ href }) {
  const answer = await fetch(href).catch(() => null);
  if (!answer?.ok || !isOurs(answer)) return location.assign(href);
  const blob = await answer.blob();
  const named = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
  const name = named ?? /[^/]*$/.exec(new URL(href).pathname)?.[0] ?? "";
  const files = [new File([blob], name, { type: blob.type })];
  if (navigator.canShare?.({ files }) && (await share({ files }))) return;
  make("a", { href: URL.createObjectURL(blob), download: name }).click();
}

/** Show the outcome on the button, without changing its width, and announce it. @param {HTMLElement} button @param {string} text */
function showOnButton(button, text) {
  button.style.minWidth = `${button.offsetWidth}px`;
  button.textContent = text;
  const status = document.querySelector("p[data-message]");
  if (status) status.textContent = text;
}

/** @param {HTMLElement} button @returns {Promise<boolean>} whether it worked */
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

for (const button of all("button[data-share], button[data-send]")) button.hidden = !("share" in navigator);
// the server draws the picture now, and sends it after the tap
const { picture } = find("[data-picture]")?.dataset ?? {};
if (picture && "share" in navigator) fetch(picture, { method: "HEAD" }).catch(() => {});
// delegated, because live updates replace the buttons
document.addEventListener("click", async (event) => {
  const button = around(event.target, "[data-copy], [data-share], [data-send]");
  if (!button || !("copy" in button.dataset || "share" in navigator)) return;
  event.preventDefault();
  if (await handleTap(button)) return;
  if (button instanceof HTMLAnchorElement) location.assign(button.href);
  else showOnButton(button, button.dataset.failed ?? "");
});
