// @ts-check
/**
 * Copies a text or a link, even over plain http, where pages cannot use the clipboard; sends a link if the phone has a
 * share sheet. The buttons for this are hidden until this script runs.
 */

/** @param {Element} place @returns {Promise<boolean>} */
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

/** @param {HTMLElement} button @param {Element} place */
async function copied(button, place) {
  if (!(await copy(place))) return;
  // keep the button's width, so that its neighbours do not move
  button.style.minWidth = `${button.offsetWidth}px`;
  button.textContent = button.dataset.copied ?? "";
  const told = document.querySelector("[data-said]");
  if (told) told.textContent = button.textContent;
}

/** @param {Element} link */
async function sendLink(link) {
  try {
    await navigator.share({ title: document.title, url: /** @type {HTMLAnchorElement} */ (link).href });
  } catch {
    // cancelled: the link is still on the page
  }
}

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy], [data-share]"))) {
  const place = document.getElementById(button.dataset.copy ?? button.dataset.share ?? "");
  if (!place || ("share" in button.dataset && !("share" in navigator))) continue;
  button.hidden = false;
  button.addEventListener("click", () => ("share" in button.dataset ? sendLink(place) : copied(button, place)));
}
