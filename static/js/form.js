/** What a form sends, and what is stored on this phone. One module, so that the keypad page needs few requests. */

import { all, button, find, make, one, ROOT } from "./dom.js";

// ---- The contents of a form

/**
 * The texts in `data-words`.
 *
 * @typedef {Record<"remove" | "card" | "cards" | "inPoints" | "inCards" | "none" | "unreadable" |
 *   "after" | "beyond" | "zero" | "cleared" | "unclear" | "offline" | "busy" | "full" | "forbidden" | "older" |
 *   "begun" | "takeUp" | "throwAway" | "nextHand" | "readOn" | "typedAs" | "saveAs" | "save" | "clears", string>} Words
 */

/** @param {HTMLFormElement} form @returns {Words} */
export const wordsOf = (form) => JSON.parse(form.dataset.words ?? "{}");

/** Return what submitting the form would send. @param {HTMLFormElement} form */
export const serialize = (form) =>
  new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));

// ---- Requests

/** Set on requests by scripts, and on every response of the app: others come from a proxy or a guest network. */
const SCRIPT_HEADER = "Kalooki-Letter";
/** Set on requests that nobody waits for, whose responses set no cookie. */
const UNASKED_HEADER = "Kalooki-Unasked";
/** Set on the refusal of a script's form whose token is older than this phone's cookie. */
const TOKEN_HEADER = "Kalooki-Token";
const TIMEOUT = 10_000;

/** Whether a response is the app's. @param {Response | null} answer */
export const isOurs = (answer) => answer?.headers.has(SCRIPT_HEADER) ?? false;

/** Return a signal that aborts after some time. @param {number} milliseconds */
export function timeout(milliseconds) {
  const late = new AbortController();
  window.setTimeout(() => late.abort(), milliseconds);
  return late.signal;
}

/** @param {string} action @param {URLSearchParams} body @param {AbortSignal} signal */
const postOnce = (action, body, signal) =>
  fetch(action, { method: "POST", body, headers: { [SCRIPT_HEADER]: "1" }, redirect: "manual", signal }).catch(
    () => null,
  );

/** Put the fresh token of a refusal into the forms of this page; return it, or "" if there is none. @param {Response | null} answer */
function keepToken(answer) {
  const token = answer?.headers.get(TOKEN_HEADER) ?? "";
  if (token) for (const field of all("[name=csrf_token]", document, HTMLInputElement)) field.value = token;
  return token;
}

/** Fetch a token for the forms of this page; return "" without a connection. @param {string} action of any form */
export const fetchToken = async (action) => keepToken(await postOnce(action, new URLSearchParams(), timeout(TIMEOUT)));

/**
 * Post fields; return null if there is no response. If their token is old, send them again with a fresh one.
 * @param {string} action @param {string | string[][]} fields @param {AbortSignal} [signal]
 */
export async function post(action, fields, signal = timeout(TIMEOUT)) {
  const body = new URLSearchParams(fields);
  const answer = await postOnce(action, body, signal);
  const token = keepToken(answer);
  if (!token) return answer;
  body.set("csrf_token", token);
  return postOnce(action, body, signal);
}

/** Fetch a part of a page, without a cookie set; throw unless the app answers. @param {string | URL} address @param {AbortSignal} [signal] */
export async function fetchOurs(address, signal = timeout(TIMEOUT)) {
  const answer = await fetch(address, { cache: "no-cache", headers: { [UNASKED_HEADER]: "1" }, signal });
  if (!isOurs(answer)) throw new Error("not the app");
  return answer;
}

// ---- Typing

/**
 * Return a function that calls `ask` once it has not been called for a while, and aborts the call before.
 * @param {number} pause milliseconds @param {(signal: AbortSignal) => void} ask @returns {(wait?: number) => void}
 */
export function debounce(pause, ask) {
  let timer = 0;
  let asking = new AbortController();
  return (wait = pause) => {
    window.clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
    timer = window.setTimeout(ask, wait, asking.signal);
  };
}

/** Replace each `{name}` in a text. @param {string} text @param {Record<string, string>} facts */
export const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => facts[name] ?? "");

/** Return the newest entry that the form knows of, or "" if no game has begun. @param {HTMLFormElement} form */
export const seenOf = (form) => seenField(form)?.value ?? "";

/** @param {HTMLFormElement} form */
const seenField = (form) => find("[name=seen]", form, HTMLInputElement);

/** @param {{type: string}} field */
export const isCheckable = ({ type }) => /^(checkbox|radio)$/.test(type);

/** Return the option of a select that the server marked as selected. @param {HTMLSelectElement} select */
export const defaultChoice = ({ options }) =>
  ([...options].findLast((option) => option.defaultSelected) ?? options[0])?.value;

/** Whether a field is being edited, or differs from what the server sent. @param {Node} node */
export function isEdited(node) {
  const isFocused = node === document.activeElement;
  if (node instanceof HTMLSelectElement) return isFocused || node.value !== defaultChoice(node);
  if (node instanceof HTMLInputElement && isCheckable(node)) return node.checked !== node.defaultChecked;
  const isText = node instanceof HTMLTextAreaElement || (node instanceof HTMLInputElement && node.type !== "hidden");
  return isText && (isFocused || node.value !== node.defaultValue);
}

// ---- Values stored on this phone

export const NAMESPACE = `kalooki${ROOT.pathname.slice(0, -1)}`;

const PREFIX = `${NAMESPACE}:`;

const storage = (() => {
  try {
    return localStorage;
  } catch {
    return null; // storage is disabled
  }
})();

/** @param {string} name @returns {unknown} the stored value, or null */
export function loadValue(name) {
  try {
    return JSON.parse(storage?.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value; return false if there is no room, and then remove the old value. @param {string} name @param {unknown} value */
export function saveValue(name, value) {
  try {
    storage?.setItem(PREFIX + name, JSON.stringify(value));
    return storage !== null;
  } catch {
    deleteValue(name);
    return false;
  }
}

/** @param {string} name */
export const deleteValue = (name) => storage?.removeItem(PREFIX + name);

/** Whether there is room for a value of that length. @param {string} text */
export function hasRoom(text) {
  const isStored = saveValue("room", text);
  deleteValue("room");
  return isStored;
}

/** Return the names of stored values with that prefix. @param {string} beginning @returns {string[]} */
export const storedNames = (beginning) =>
  Object.keys(storage ?? {})
    .filter((key) => key.startsWith(PREFIX + beginning))
    .map((key) => key.slice(PREFIX.length));

// ---- Drafts: a form as typed so far, stored until the server has it

/** @typedef {{seen: string, of?: string, isSent?: boolean, fields: [string, string][]}} Draft `of`: what the page was opened for, if anything */

const NOT_IN_DRAFTS = new Set(["csrf_token", "seen", "do"]);

/** @param {string} action */
export const pathOf = (action) => new URL(action, location.href).pathname;

/** @param {string} action the form's action */
const draftKey = (action) => `draft:${pathOf(action)}`;

/** @param {string} action */
export const loadDraft = (action) => /** @type {Draft | null} */ (loadValue(draftKey(action)));

/** @param {string} action @param {Draft} draft */
export const saveDraftAt = (action, draft) => saveValue(draftKey(action), draft);

/** @param {string} action */
export const deleteDraft = (action) => deleteValue(draftKey(action));

/** @param {HTMLFormElement} form */
const fieldsOf = (form) =>
  /** @type {HTMLInputElement[]} */ ([...form.elements]).filter(
    ({ name, type }) => name && !NOT_IN_DRAFTS.has(name) && type !== "submit" && type !== "button",
  );

/** Store the form as a draft, disabled fields included. @param {HTMLFormElement} form */
export function saveDraft(form) {
  const fields = /** @type {[string, string][]} */ ([]);
  for (const field of fieldsOf(form)) if (!isCheckable(field) || field.checked) fields.push([field.name, field.value]);
  saveDraftAt(form.action, { seen: seenOf(form), of: form.dataset.of, fields });
}

/** Return the idempotency key of a draft. @param {Draft | null} draft */
export const submissionOf = (draft) => new Map(draft?.fields).get("submission") ?? "";

/** Whether a request to this address is waiting to be sent (outbox.js). @param {string} action */
export const isQueued = (action) => storedNames(`out:${pathOf(action)}`).length > 0;

/** Fill the form from a draft, with its idempotency key, so that the same hand is never recorded twice. @param {HTMLFormElement} form @param {Draft} draft */
export function restoreDraft(form, draft) {
  /** @type {Map<string, string[]>} */
  const typed = new Map();
  for (const [each, text] of draft.fields) {
    const name = each.replace(/^(?:cards|points)-(?=\d+$)/, "left-"); // drafts of earlier pages have two fields a player
    if (name === each || text) typed.set(name, [...(typed.get(name) ?? []), text]);
  }
  const seen = seenField(form);
  if (seen) seen.value = draft.seen;
  // repeat the cells of a list until there are as many as in the draft
  for (const list of all("[data-cells]", form)) {
    const count = typed.get(list.dataset.cells ?? "")?.length ?? 0;
    while (all("input", list).length < count) list.append(list.lastElementChild?.cloneNode(true) ?? "");
  }
  for (const field of fieldsOf(form)) {
    const texts = typed.get(field.name) ?? (field.type === "checkbox" ? [] : null);
    if (!texts) continue;
    if (isCheckable(field)) field.checked = texts.includes(field.value);
    else field.value = texts.shift() ?? "";
  }
}

/** Set the draft at an address aside, so that an earlier hand can be resolved first. @param {string} action */
export function setDraftAside(action) {
  const draft = loadDraft(action);
  if (draft) saveValue(`aside:${pathOf(action)}#${submissionOf(draft)}`, draft);
}

/** Restore a draft that was set aside, unless there is a different one by now. @param {string} action */
export function restoreAsideDraft(action) {
  for (const name of storedNames(`aside:${pathOf(action)}#`)) {
    const draft = /** @type {Draft} */ (loadValue(name));
    const typed = loadDraft(action) ?? draft;
    if (submissionOf(typed) !== submissionOf(draft)) return;
    saveDraftAt(action, typed);
    deleteValue(name);
  }
}

// ---- Notes

/** Show a note, with a button for each answer. @param {string} text @param {[string, () => void][]} answers */
export function showNote(text, answers, note = one("[data-outbox]")) {
  if (!note.hidden && note.firstElementChild?.textContent === text) return note; // it may be about to be tapped
  const buttons = answers.map(([label, act]) => button(label, act));
  note.replaceChildren(make("p", {}, text), ...(buttons.length ? [make("div", { className: "row" }, ...buttons)] : []));
  note.hidden = false;
  return note;
}
