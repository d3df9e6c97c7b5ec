// @ts-check
/**
 * A button that sends at once, on the game page: it is sent without leaving the page, so that an answer that does not
 * come through, or only a proxy's, is sent again by itself. It is not kept longer than the page: nobody's "Decline" or
 * "I went out" shall arrive when the table has long gone on. Without this file, the form is submitted like any other.
 */

import { fill } from "./form.js";
import { keepTrying, noteAgain, send } from "./outbox.js";

/** @typedef {import("./again.js").Fate} Fate */

const place = /** @type {HTMLElement} */ (document.querySelector("[data-live]"));
const note = /** @type {HTMLElement} */ (document.querySelector("[data-outbox]"));
let isBusy = false;

/** Go where the answer leads; an answer for people is the server's own page. @param {Fate} fate @param {string} next @param {HTMLFormElement} form */
function goOn(fate, next, form) {
  if (fate !== "saved") return form.submit();
  const to = new URL(next, location.href);
  if (to.pathname === location.pathname) location.replace(to);
  else location.assign(to);
}

/** What was pressed, as a form of its own: the page may change while it waits. @param {HTMLFormElement} form @param {HTMLElement | null} button */
function asPressed(form, button) {
  const plain = document.createElement("form");
  Object.assign(plain, { method: "post", action: form.action, hidden: true });
  for (const [name, value] of new FormData(form, button)) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    plain.append(field);
  }
  document.body.append(plain);
  return plain;
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
function press(form, button) {
  isBusy = true;
  const pressed = asPressed(form, button);
  const body = new URLSearchParams([...new FormData(pressed)].map(([name, value]) => [name, String(value)])).toString();
  const label = (button ?? form.querySelector("button"))?.textContent?.trim() ?? "";
  const said = fill(note.dataset.tap ?? "", { label });
  let renew = /** @type {ReturnType<typeof noteAgain> | null} */ (null);
  keepTrying(
    () => send({ action: pressed.action, body }),
    (end) => {
      if (end.fate !== "waiting") goOn(end.fate, end.next, pressed);
      else if (renew) renew(end);
      else renew = noteAgain(end, [said], [[note.dataset.drop ?? "", () => location.reload()]]);
    },
  );
}

place.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.method !== "post") return;
  event.preventDefault();
  if (!isBusy) press(form, event.submitter);
});

window.addEventListener("pageshow", (event) => {
  if (event.persisted) isBusy = false;
});
