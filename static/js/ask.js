/**
 * Sends what is pressed without leaving the page, which then shows what the server answers. What is pressed meanwhile is sent
 * after it. An answer that does not come through, or only a proxy's, is asked for again by itself, but not longer than the
 * page is open: nobody's "Decline" or "I went out" shall arrive when the table has long gone on. Without this file, forms
 * are submitted like any other.
 */

import { around, find, one, submitFields } from "./dom.js";
import { fill, LETTER, post } from "./form.js";

/** @typedef {{form: HTMLFormElement, button: HTMLButtonElement | null, value: string, row: Element | null}} Press */
/** @typedef {{action: string, fields: string[][]}} Sent */

/** What was pressed and is not answered yet, in order. */
const pressed = /** @type {Press[]} */ ([]);
let isBusy = false;

/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
const isAsked = (form, button) =>
  form.method === "post" && (button?.hasAttribute("formaction") || form.matches("[data-live] *"));

/** Whether a button still does what it did when it was pressed. @param {Press} press */
const isThere = ({ form, button, value }) =>
  form.isConnected && (!button || (button.isConnected && !button.disabled && button.value === value));

/** Show what waits as done, because answers may take their time. */
function mark() {
  for (const press of pressed.filter(isThere)) {
    press.button?.setAttribute("aria-busy", "true");
    const box = press.button && find("[aria-hidden]", press.button);
    if (box?.textContent === "☐") box.textContent = "☑";
  }
}

/** The server knows all this now: what is typed over it stays. @param {HTMLFormElement} form */
export function settleFields(form) {
  for (const field of form.elements) {
    if (field instanceof HTMLSelectElement) for (const each of field.options) each.defaultSelected = each.selected;
    if (field instanceof HTMLInputElement) field.defaultChecked = field.checked;
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.defaultValue = field.value;
  }
}

/** Show the server's page in this one. @param {string} html @param {Press} press @param {string} hash names what was recorded */
async function show(html, { row, value }, hash) {
  const { morph, parseHtml } = await import("./morph.js");
  const fresh = parseHtml(html).querySelector("main");
  if (!fresh) return location.reload();
  morph(one("main"), fresh);
  document.dispatchEvent(new CustomEvent("asked", { detail: value }));
  const at = (hash && document.getElementById(hash.slice(1))) || row;
  if (at && document.activeElement === document.body) find("button, a", at)?.focus({ preventScroll: true });
  find("main > [data-said]:not(.visually-hidden)")?.scrollIntoView({ block: "center" });
}

/** Show what an answer is or leads to, here if it is this page; then what was pressed next is sent. @param {Response} answer @param {Press} press */
async function arrive(answer, press) {
  const next = answer.headers.get("Location");
  const to = new URL(next ?? location.href, location.href);
  const isHere = to.pathname === location.pathname;
  const page = next && isHere ? await fetch(to).catch(() => null) : answer;
  if (!isHere || !page?.ok) return location.assign(to);
  await show(await page.text(), press, to.hash).catch(() => location.reload());
  isBusy = false;
  pressed.shift();
  work();
}

/** Send it again until the server answers, and say so; an answer for people is the server's own page. @param {Sent} sent @param {Press} press */
async function insist(sent, press) {
  const { keepTrying, noteAgain, readAnswer } = await import("./outbox.js");
  const note = one("[data-outbox]");
  const label = (press.button ?? find("button", press.form))?.textContent?.trim() ?? "";
  const sentence = fill(note.dataset.tap ?? "", { label });
  const attempt = async () => {
    const answer = await post(sent.action, sent.fields);
    return { answer, ...readAnswer(answer), isMissing: false };
  };
  keepTrying(attempt, (end) => {
    if (end.fate === "waiting") noteAgain(end, [], [[note.dataset.drop ?? "", () => location.reload()]], sentence);
    else if (end.answer && end.fate === "saved") arrive(end.answer, press);
    else submitFields(sent.action, sent.fields);
    note.hidden = end.fate !== "waiting";
  });
}

/** @param {Press} press */
async function send(press) {
  const { form, button } = press;
  const fields = [...new FormData(form, button)].map(([name, value]) => [name, String(value)]);
  const sent = { action: button?.hasAttribute("formaction") ? button.formAction : form.action, fields };
  settleFields(form);
  const answer = await post(sent.action, fields);
  if (answer?.ok && answer.headers.has(LETTER)) return arrive(answer, press);
  if (find("[data-outbox]")) return insist(sent, press).catch(() => submitFields(sent.action, fields));
  submitFields(sent.action, fields);
}

/** Send what was pressed first, of what is still there. */
function work() {
  while (pressed[0] && !isThere(pressed[0])) pressed.shift();
  mark();
  if (!pressed[0]) return;
  isBusy = true;
  send(pressed[0]);
}

document.addEventListener("submit", (event) => {
  const form = around(event.target, "form", HTMLFormElement);
  const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
  if (!form || event.defaultPrevented || !isAsked(form, button)) return;
  event.preventDefault();
  pressed.push({ form, button, value: button?.value ?? "", row: form.closest("li, .action-bar") });
  if (isBusy) mark();
  else work();
});
document.addEventListener("patched", mark);
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  isBusy = false;
  pressed.length = 0;
});
