/**
 * Submits forms without leaving the page, and shows the server's response in it. Submissions are sent one after the other. If
 * none comes from the server, the submission is retried, but only while the page is open: "Decline" or "I went out" must not
 * arrive long after the table has moved on. Without this module, forms are submitted as usual.
 */

import { around, find, one, submitFields } from "./dom.js";
import { fill, isOurs, post } from "./form.js";

/** @typedef {{form: HTMLFormElement, button: HTMLButtonElement | null, value: string, row: Element | null}} Press */
/** @typedef {{action: string, fields: string[][]}} FormRequest */

/** Submissions without a response yet, in order. */
const presses = /** @type {Press[]} */ ([]);
let isBusy = false;

/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
const isHandled = (form, button) =>
  form.method === "post" && (button?.hasAttribute("formaction") || form.matches("[data-live] *"));

/** Whether a button still means what it did when it was pressed. @param {Press} press */
const isStillValid = ({ form, button, value }) =>
  form.isConnected && (!button || (button.isConnected && !button.disabled && button.value === value));

/** Show pending submissions as done, since a response may take its time. */
function markBusy() {
  for (const press of presses.filter(isStillValid)) {
    press.button?.setAttribute("aria-busy", "true");
    const box = press.button && find("[aria-hidden]", press.button);
    if (box?.textContent === "☐") box.textContent = "☑";
  }
}

/** Make the current values the defaults, so that only later changes count as edits. @param {HTMLFormElement} form */
export function markUnedited(form) {
  for (const field of form.elements) {
    if (field instanceof HTMLSelectElement) for (const each of field.options) each.defaultSelected = each.selected;
    if (field instanceof HTMLInputElement) field.defaultChecked = field.checked;
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.defaultValue = field.value;
  }
}

/** Show the server's page in this one. @param {Response} answer @param {Press} press @param {string} hash the id of what was recorded */
async function showPage(answer, { row, value }, hash) {
  const { swap } = await import("./swap.js");
  await swap(answer, [one("main")]);
  document.dispatchEvent(new CustomEvent("submitted", { detail: value }));
  const at = (hash && document.getElementById(hash.slice(1))) || row;
  if (at && document.activeElement === document.body)
    find("[data-question], button, a", at)?.focus({ preventScroll: true });
  find("main > [data-message]:not(.visually-hidden)")?.scrollIntoView({ block: "center" });
}

/** Show a response, or the page it leads to; then send the next submission. @param {Response} answer @param {Press} press */
async function showAnswer(answer, press) {
  const next = answer.headers.get("Location");
  const to = new URL(next ?? location.href, location.href);
  const isHere = to.pathname === location.pathname;
  const page = next && isHere ? await fetch(to).catch(() => null) : answer;
  if (!isHere || !page?.ok || !isOurs(page)) return location.assign(to);
  await showPage(page, press, to.hash).catch(() => location.reload());
  isBusy = false;
  presses.shift();
  sendNext();
}

/** Retry until the server responds, with a note; open its page if it did not save. @param {FormRequest} sent @param {Press} press */
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
  if (answer?.ok && isOurs(answer)) return showAnswer(answer, press);
  if (find("[data-outbox]")) return retrySend(sent, press).catch(() => submitFields(sent.action, fields));
  submitFields(sent.action, fields);
}

/** Send the first submission that is still valid. */
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
