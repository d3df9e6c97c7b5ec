/**
 * What a form carries, and what this phone keeps of it. It is all one file, so that a page with a keypad needs few
 * requests before it works.
 */

import { all, button, find, make, one } from "./dom.js";

// ---- What a form carries

/**
 * The words of the page, from `data-words`.
 *
 * @typedef {Record<"remove" | "card" | "cards" | "differ" | "none" | "unreadable" | "take" |
 *   "which" | "or" | "and" | "split" | "just" | "cleared" | "unclear" | "offline" | "busy" | "barred" | "older" |
 *   "begun" | "takeUp" | "throwAway" | "nextHand" | "readOn" | "typedAs" | "saveAs", string>} Words
 */

/** @param {HTMLFormElement} form @returns {Words} */
export const wordsOf = (form) => JSON.parse(form.dataset.words ?? "{}");

/** What submitting the form would send. @param {HTMLFormElement} form */
export const serialize = (form) =>
  new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));

const PATIENCE = 10_000;

/** Send fields; null if no answer comes. @param {string} action @param {string | string[][]} fields @param {AbortSignal} [signal] */
export const post = (action, fields, signal = AbortSignal.timeout(PATIENCE)) =>
  fetch(action, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { [SCRIPT_HEADER]: "1" },
    redirect: "manual",
    signal,
  }).catch(() => null);

/**
 * Ask a moment after the last call; what was asked before is given up.
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

/** A text with its facts in place of each `{name}`. @param {string} text @param {Record<string, string>} facts */
export const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => facts[name] ?? "");

/** The last entry the form knows of; empty if no game has begun. @param {HTMLFormElement} form */
export const seenOf = (form) => seenField(form)?.value ?? "";

/** @param {HTMLFormElement} form */
const seenField = (form) => find("[name=seen]", form, HTMLInputElement);

/** @param {{type: string}} field */
export const isCheckable = ({ type }) => /^(checkbox|radio)$/.test(type);

/** What a select says as the server sent it. @param {HTMLSelectElement} select */
export const defaultChoice = ({ options }) =>
  ([...options].findLast((option) => option.defaultSelected) ?? options[0])?.value;

/** Whether somebody typed or chose something else than the server sent, or is about to. @param {Node} node */
export function isEdited(node) {
  const isFocused = node === document.activeElement;
  if (node instanceof HTMLSelectElement) return isFocused || node.value !== defaultChoice(node);
  if (node instanceof HTMLInputElement && isCheckable(node)) return node.checked !== node.defaultChecked;
  const isText = node instanceof HTMLTextAreaElement || (node instanceof HTMLInputElement && node.type !== "hidden");
  return isText && (isFocused || node.value !== node.defaultValue);
}

// ---- What this phone keeps between pages

/** The root of this server's pages: another one may share their origin, below another path. */
export const ROOT = new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf("/static/") + 1));
/** The header of what a script sends, and of each of the server's own answers to it. */
export const SCRIPT_HEADER = "Kalooki-Letter";
export const NAMESPACE = `kalooki${ROOT.pathname.slice(0, -1)}`;

const PREFIX = `${NAMESPACE}:`;

const storage = (() => {
  try {
    return localStorage;
  } catch {
    return null; // forbidden
  }
})();

/** @param {string} name @returns {unknown} what is kept under a name, or null */
export function loadValue(name) {
  try {
    return JSON.parse(storage?.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** Keep a value; returns whether there was room. Where there is none, nothing older stays in its place. @param {string} name @param {unknown} value */
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

/** The names in use that begin like this. @param {string} beginning @returns {string[]} */
export const storedNames = (beginning) =>
  Object.keys(storage ?? {})
    .filter((key) => key.startsWith(PREFIX + beginning))
    .map((key) => key.slice(PREFIX.length));

// ---- A form as typed so far, kept until the server has it: reload, sleep, back and a closed tab lose nothing

/** @typedef {{seen: string, of?: string, fields: [string, string][]}} Draft `of` is what the page was asked for, if anything */

const NOT_IN_DRAFTS = new Set(["csrf_token", "seen", "do"]);

/** @param {string} action */
export const pathOf = (action) => new URL(action, location.href).pathname;

/** @param {string} action the address the form is sent to */
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

/** Keep what is typed, even in disabled fields. @param {HTMLFormElement} form */
export function saveDraft(form) {
  const fields = /** @type {[string, string][]} */ ([]);
  for (const field of fieldsOf(form)) if (!isCheckable(field) || field.checked) fields.push([field.name, field.value]);
  saveDraftAt(form.action, { seen: seenOf(form), of: form.dataset.of, fields });
}

/** The submission of a draft, which identifies it. @param {Draft | null} draft */
export const submissionOf = (draft) => new Map(draft?.fields).get("submission") ?? "";

/** Whether something saved at an address has not reached the server (outbox.js). @param {string} action */
export const isQueued = (action) => storedNames(`out:${pathOf(action)}`).length > 0;

/** Put a draft back, with its submission, so that what has already reached the server is not recorded again. @param {HTMLFormElement} form @param {Draft} draft */
export function restoreDraft(form, draft) {
  /** @type {Map<string, string[]>} */
  const typed = new Map();
  for (const [name, text] of draft.fields) typed.set(name, [...(typed.get(name) ?? []), text]);
  const seen = seenField(form);
  if (seen) seen.value = draft.seen;
  // a list of cells of one name is as long as it was
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

/** Put the draft at an address aside, so that an earlier one can come first. @param {string} action */
export function setDraftAside(action) {
  const draft = loadDraft(action);
  if (draft) saveValue(`aside:${pathOf(action)}#${submissionOf(draft)}`, draft);
}

/** Take up again what was put aside; while something else is typed, it waits. @param {string} action */
export function restoreAsideDraft(action) {
  for (const name of storedNames(`aside:${pathOf(action)}#`)) {
    const draft = /** @type {Draft} */ (loadValue(name));
    const typed = loadDraft(action) ?? draft;
    if (submissionOf(typed) !== submissionOf(draft)) return;
    saveDraftAt(action, typed);
    deleteValue(name);
  }
}

/** Take along what is kept of a game that has another address. @param {string} from @param {string} to the paths of its pages */
export function moveStored(from, to) {
  for (const kind of ["out:", "draft:", "aside:"]) {
    for (const name of storedNames(`${kind}${from}/`)) {
      const value = /** @type {Record<string, unknown>} */ (loadValue(name));
      const { action } = value;
      saveValue(
        name.replace(from, to),
        typeof action === "string" ? { ...value, action: action.replace(from, to) } : value,
      );
      deleteValue(name);
    }
  }
}

// ---- A note about it

/** Show a note at the top of the page, with a button for each answer. @param {string} text @param {[string, () => void][]} answers */
export function showNote(text, answers, note = one("[data-outbox]")) {
  const buttons = answers.map(([label, act]) => button(label, act));
  note.replaceChildren(make("p", {}, text), make("div", { className: "row" }, ...buttons));
  note.hidden = false;
  return note;
}
