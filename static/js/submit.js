/**
 * Sends what is pressed without leaving the page, which then shows what the server answers. What is pressed meanwhile is sent
 * after it. An answer that does not come through, or only a proxy's, is asked for again by itself, but not longer than the
 * page is open: nobody's "Decline" or "I went out" shall arrive when the table has long gone on. Without this file, forms
 * are submitted like any other.
 */

import { around, find, one, submitFields } from "./dom.js";
import { fill, post, SCRIPT_HEADER } from "./form.js";

/** @typedef {{form: HTMLFormElement, button: HTMLButtonElement | null, value: string, row: Element | null}} Press */
/** @typedef {{action: string, fields: string[][]}} FormRequest */

/** What was pressed and is not answered yet, in order. */
const presses = /** @type {Press[]} */ ([]);
let isBusy = false;

/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
const isHandled = (form, button) =>
  form.method === "post" && (button?.hasAttribute("formaction") || form.matches("[data-live] *"));

/** Whether a button still does what it did when it was pressed. @param {Press} press */
const isStillValid = ({ form, button, value }) =>
  form.isConnected && (!button || (button.isConnected && !button.disabled && button.value === value));

/** Show what waits as done, because answers may take their time. */
function markBusy() {
  for (const press of presses.filter(isStillValid)) {
    press.button?.setAttribute("aria-busy", "true");
    const box = press.button && find("[aria-hidden]", press.button);
    if (box?.textContent === "☐") box.textContent = "☑";
  }
}

/** The server knows all this now: what is typed over it stays. @param {HTMLFormElement} form */
export function markUnedited(form) {
  for (const field of form.elements) {
    if (field instanceof HTMLSelectElement) for (const each of field.options) each.defaultSelected = each.selected;
    if (field instanceof HTMLInputElement) field.defaultChecked = field.checked;
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.defaultValue = field.value;
  }
}

/** Show the server's page in this one. @param {string} html @param {Press} press @param {string} hash names what was recorded */
async function showPage(html, { row, value }, hash) {
  const { morph, parseHtml } = await import("./morph.js");
  const fresh = parseHtml(html).querySelector("main");
  if (!fresh) return location.reload();
  morph(one("main"), fresh);
  document.dispatchEvent(new CustomEvent("asked", { detail: value }));
  const at = (hash && document.getElementById(hash.slice(1))) || row;
  if (at && document.activeElement === document.body) find("button, a", at)?.focus({ preventScroll: true });
  find("main > [data-message]:not(.visually-hidden)")?.scrollIntoView({ block: "center" });
}

/** Show what an answer is or leads to, here if it is this page; then what was pressed next is sent. @param {Response} answer @param {Press} press */
async function showAnswer(answer, press) {
  const next = answer.headers.get("Location");
  const to = new URL(next ?? location.href, location.href);
  const isHere = to.pathname === location.pathname;
  const page = next && isHere ? await fetch(to).catch(() => null) : answer;
  if (!isHere || !page?.ok) return location.assign(to);
  await showPage(await page.text(), press, to.hash).catch(() => location.reload());
  isBusy = false;
  presses.shift();
  sendNext();
}

/** Send it again until the server answers, and say so; an answer for people is the server's own page. @param {FormRequest} sent @param {Press} press */
async function retrySend(sent, press) {
  const { retry, showWaiting, readAnswer } = await import("./outbox.js");
  const note = one("[data-outbox]");
  const label = (press.button ?? find("button", press.form))?.textContent?.trim() ?? "";
  const sentence = fill(note.dataset.tap ?? "", { label });
  const attempt = async () => {
    const answer = await post(sent.action, sent.fields);
    return { answer, ...readAnswer(answer), isMissing: false };
  };
  retry(attempt, (result) => {
    if (result.outcome === "waiting")
      showWaiting(result, [], [[note.dataset.drop ?? "", () => location.reload()]], sentence);
    else if (result.answer && result.outcome === "saved") showAnswer(result.answer, press);
    else submitFields(sent.action, sent.fields);
    note.hidden = result.outcome !== "waiting";
  });
}

/** @param {Press} press */
async function send(press) {
  const { form, button } = press;
  const fields = [...new FormData(form, button)].map(([name, value]) => [name, String(value)]);
  const sent = { action: button?.hasAttribute("formaction") ? button.formAction : form.action, fields };
  markUnedited(form);
  const answer = await post(sent.action, fields);
  if (answer?.ok && answer.headers.has(SCRIPT_HEADER)) return showAnswer(answer, press);
  if (find("[data-outbox]")) return retrySend(sent, press).catch(() => submitFields(sent.action, fields));
  submitFields(sent.action, fields);
}

/** Send what was pressed first, of what is still there. */
function sendNext() {
  while (presses[0] && !isStillValid(presses[0])) presses.shift();
  markBusy();
  if (!presses[0]) return;
  isBusy = true;
  send(presses[0]);
}

document.addEventListener("submit", (event) => {
  const form = around(event.target, "form", HTMLFormElement);
  const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
  if (!form || event.defaultPrevented || !isHandled(form, button)) return;
  event.preventDefault();
  presses.push({ form, button, value: button?.value ?? "", row: form.closest("li, .action-bar") });
  if (isBusy) markBusy();
  else sendNext();
});
document.addEventListener("patched", markBusy);
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  isBusy = false;
  presses.length = 0;
});
