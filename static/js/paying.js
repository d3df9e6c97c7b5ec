// @ts-check
/**
 * Ticks payments in place: the server's answer appears in this page, which neither reloads nor moves. Without this
 * file, or if sending fails, the form is submitted like any other.
 */

import { morph, parsed } from "./morph.js";

const place = /** @type {HTMLElement} */ (document.querySelector("[data-live]"));
let isBusy = false;
let isGivenUp = false;
/** The forms pressed and not answered yet, in order, by their names. */
const pressed = /** @type {Set<string>} */ (new Set());

/** @param {string} id */
const formOf = (id) => /** @type {HTMLFormElement | null} */ (document.getElementById(id));

/** Tick the boxes pressed at once, because answers may take their time; forget those whose payments have gone. */
function tick() {
  for (const id of pressed) {
    const form = formOf(id);
    const box = form?.querySelector("button > [aria-hidden]");
    if (box) box.textContent = "☑";
    if (!form) pressed.delete(id);
  }
}

/** The server's page after a button was pressed; null if that failed. @param {HTMLFormElement} form @param {HTMLButtonElement} button */
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

/** Put the server's messages at the top, and scroll to them unless they are only read out. @param {ParentNode} page */
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
  morph(place, shown);
  tell(page);
  row?.querySelector("button")?.focus({ preventScroll: true });
  isBusy = false;
  pressed.delete(form.id);
  tick();
  const [next = ""] = pressed;
  formOf(next)?.requestSubmit();
}

// on an element that stays, because the rows change
place.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (isGivenUp || !form.matches(".settled > form")) return;
  event.preventDefault();
  pressed.add(form.id);
  tick();
  if (!isBusy) press(form, /** @type {HTMLButtonElement} */ (form.querySelector("button")));
});
place.addEventListener("patched", tick);
