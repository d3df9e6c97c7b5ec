// @ts-check
/**
 * Payments ticked where they stand: what the server answers is shown in this very page, which neither loads anew nor
 * moves. Without this file, or where sending fails, the form goes the way of every form.
 */

import { parsed, patch } from "./patch.js";

const place = /** @type {HTMLElement} */ (document.querySelector("[data-live]"));
let isBusy = false;
let isGivenUp = false;

/** What the server shows after a button was pressed; nothing where it says no. @param {HTMLFormElement} form @param {HTMLButtonElement} button */
async function answered(form, button) {
  const typed = new FormData(form, button);
  const body = new URLSearchParams([...typed].map(([name, value]) => [name, String(value)]));
  try {
    const answer = await fetch(form.action, { method: "POST", body });
    return answer.ok ? parsed(await answer.text()) : null;
  } catch {
    return null;
  }
}

/** What the server says besides stands above everything, and is looked at unless it is only read out. @param {ParentNode} page */
function tell(page) {
  for (const old of document.querySelectorAll("main > .notice[role=status]")) old.remove();
  const notices = [...page.querySelectorAll("main > .notice[role=status]")];
  place.parentElement?.prepend(...notices);
  notices.find((each) => !each.matches(".visually-hidden"))?.scrollIntoView({ block: "center" });
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement} button */
async function press(form, button) {
  const row = form.closest("li");
  isBusy = true;
  const page = await answered(form, button);
  const shown = page?.querySelector("[data-live]");
  if (!page || !shown) {
    isGivenUp = true;
    return form.requestSubmit(button);
  }
  patch(place, shown);
  tell(page);
  row?.querySelector("button")?.focus({ preventScroll: true });
  isBusy = false;
}

// on what stays, as the rows change
place.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (isGivenUp || !form.matches(".settled > form")) return;
  event.preventDefault();
  if (!isBusy) press(form, /** @type {HTMLButtonElement} */ (event.submitter));
});
