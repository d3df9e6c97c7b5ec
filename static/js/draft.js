// @ts-check
/** A form as typed so far, kept on the device until the server has it: reload, sleep, back and a closed tab lose nothing. */

import { forget, keep, recall } from "./store.js";

/** @typedef {{seen: string, fields: [string, string][]}} Draft */

const UNKEPT = new Set(["csrf_token", "seen", "do"]);

/** @param {string} action */
const nameOf = (action) => `draft:${new URL(action, location.href).pathname}`;

/** @param {HTMLFormElement} form @returns {HTMLInputElement[]} */
const fieldsOf = (form) =>
  /** @type {HTMLInputElement[]} */ ([...form.elements]).filter((field) => field.name && !UNKEPT.has(field.name));

/** @param {HTMLInputElement} field */
const isTick = (field) => field.type === "radio" || field.type === "checkbox";

/** Keep what is typed, fields switched off included. @param {HTMLFormElement} form */
export function keepDraft(form) {
  const fields = fieldsOf(form)
    .filter((field) => field.type !== "submit" && field.type !== "button")
    .filter((field) => !isTick(field) || field.checked)
    .map((field) => [field.name, field.value]);
  keep(nameOf(form.action), { seen: seenOf(form), fields });
}

/** The last entry the form knows of; nothing where no game has begun. @param {HTMLFormElement} form */
export const seenOf = (form) => /** @type {HTMLInputElement | null} */ (form.elements.namedItem("seen"))?.value ?? "";

/** @param {HTMLFormElement} form @returns {Draft | null} */
export const draftOf = (form) => /** @type {Draft | null} */ (recall(nameOf(form.action)));

/** Put a draft back as it was begun; its submission too, so that what had reached the server is not recorded again. @param {HTMLFormElement} form @param {Draft} draft */
export function restoreDraft(form, draft) {
  const typed = new Map(draft.fields);
  const seen = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("seen"));
  if (seen) seen.value = draft.seen;
  for (const field of fieldsOf(form)) {
    if (field.type === "checkbox") field.checked = typed.has(field.name);
    if (!typed.has(field.name) || field.type === "submit" || field.type === "button") continue;
    if (isTick(field)) field.checked = field.value === typed.get(field.name);
    else field.value = typed.get(field.name) ?? "";
  }
}

/** @param {string} action the address the form is sent to */
export const dropDraft = (action) => forget(nameOf(action));
