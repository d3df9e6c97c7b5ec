// @ts-check
/**
 * What a form carries, and what this phone keeps of it. It is all one file, so that a page with a keypad needs few
 * requests before it works.
 */

import { button, make, one } from "./dom.js";

// ---- What a form carries

/**
 * The words of the page, from `data-words`.
 *
 * @typedef {Record<"remove" | "differ" | "none" | "unreadable" | "take" |
 *   "which" | "or" | "and" | "split" | "splitShort" | "just" | "justShort" | "cleared" | "unclear" | "offline" | "busy" | "barred" | "older" |
 *   "begun" | "takeUp" | "throwAway" | "nextHand" | "readOn" | "typedAs" | "saveAs", string>} Words
 */

/** @param {HTMLFormElement} form @returns {Words} */
export const wordsOf = (form) => JSON.parse(form.dataset.words ?? "{}");

/** What submitting the form would send. @param {HTMLFormElement} form */
export const asSent = (form) =>
  new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));

const PATIENCE = 10_000;

/** Send fields; null if no answer comes. @param {string} action @param {string | string[][]} fields @param {AbortSignal} [signal] @returns {Promise<Response | null>} */
export const post = (action, fields, signal = AbortSignal.timeout?.(PATIENCE)) =>
  fetch(action, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { [LETTER]: "1" },
    redirect: "manual",
    signal,
  }).catch(() => null);

/** A text with its facts in place of each `{name}`. @param {string} text @param {Record<string, string>} facts */
export const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => facts[name] ?? "");

/** @param {HTMLFormElement} form @param {string} name */
const hiddenField = (form, name) => /** @type {HTMLInputElement | null} */ (form.elements.namedItem(name));

/** The last entry the form knows of; empty if no game has begun. @param {HTMLFormElement} form */
export const seenOf = (form) => hiddenField(form, "seen")?.value ?? "";

/** Whether somebody typed or chose something else than the server sent, or is about to. @param {Node} node */
export function isTyped(node) {
  if (node instanceof HTMLSelectElement)
    return node === document.activeElement || [...node.options].some(isChosen(node));
  if (node instanceof HTMLTextAreaElement || node instanceof HTMLInputElement) {
    if (node.type === "hidden") return false;
    if (node instanceof HTMLInputElement && /^(checkbox|radio)$/.test(node.type))
      return node.checked !== node.defaultChecked;
    return node === document.activeElement || node.value !== node.defaultValue;
  }
  return false;
}

/** A select without a chosen option shows its first. @param {HTMLSelectElement} select */
function isChosen(select) {
  const usual = [...select.options].findLast((option) => option.defaultSelected) ?? select.options[0];
  return (/** @type {HTMLOptionElement} */ option) => option.selected !== (option === usual);
}

// ---- What this phone keeps between pages

/** The root of this server's pages: another one may share their origin, below another path. */
export const ROOT = new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf("/static/") + 1));
/** The header of what a script sends, and of each of the server's own answers to it. */
export const LETTER = "Kalooki-Letter";
export const OURS = `kalooki${ROOT.pathname.slice(0, -1)}`;

const PREFIX = `${OURS}:`;

const storage = (() => {
  try {
    return localStorage;
  } catch {
    return null; // forbidden
  }
})();

/** @param {string} name @returns {unknown} what is kept under a name, or null */
export function recall(name) {
  try {
    return JSON.parse(storage?.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** Keep a value; returns whether there was room. Where there is none, nothing older stays in its place. @param {string} name @param {unknown} value */
export function keep(name, value) {
  try {
    storage?.setItem(PREFIX + name, JSON.stringify(value));
    return storage !== null;
  } catch {
    forget(name);
    return false;
  }
}

/** @param {string} name */
export const forget = (name) => storage?.removeItem(PREFIX + name);

/** The names in use that begin like this. @param {string} beginning @returns {string[]} */
export const kept = (beginning) =>
  Object.keys(storage ?? {})
    .filter((key) => key.startsWith(PREFIX + beginning))
    .map((key) => key.slice(PREFIX.length));

// ---- A form as typed so far, kept until the server has it: reload, sleep, back and a closed tab lose nothing

/** @typedef {{seen: string, of?: string, fields: [string, string][]}} Draft `of` is what the page was asked for, if anything */

const UNKEPT = new Set(["csrf_token", "seen", "do"]);

/** @param {string} action */
export const pathOf = (action) => new URL(action, location.href).pathname;

/** @param {string} action */
export const draftAt = (action) => `draft:${pathOf(action)}`;

/** @param {HTMLFormElement} form @returns {HTMLInputElement[]} */
const fieldsOf = (form) =>
  /** @type {HTMLInputElement[]} */ ([...form.elements]).filter((field) => field.name && !UNKEPT.has(field.name));

/** @param {HTMLInputElement} field */
const isTick = (field) => field.type === "radio" || field.type === "checkbox";

/** Keep what is typed, even in disabled fields. @param {HTMLFormElement} form */
export function keepDraft(form) {
  const fields = fieldsOf(form)
    .filter((field) => field.type !== "submit" && field.type !== "button")
    .filter((field) => !isTick(field) || field.checked)
    .map((field) => [field.name, field.value]);
  keep(draftAt(form.action), { seen: seenOf(form), of: form.dataset.of, fields });
}

/** @param {HTMLFormElement} form @returns {Draft | null} */
export const draftOf = (form) => /** @type {Draft | null} */ (recall(draftAt(form.action)));

/** The submission of a draft, which identifies it. @param {Draft | null} draft */
export const submissionOf = (draft) => new Map(draft?.fields).get("submission") ?? "";

/** Whether something saved at an address has not reached the server (outbox.js). @param {string} action */
export const isWaiting = (action) => kept(`out:${pathOf(action)}`).length > 0;

/** Put a draft back, with its submission, so that what has already reached the server is not recorded again. @param {HTMLFormElement} form @param {Draft} draft */
export function restoreDraft(form, draft) {
  /** @type {Map<string, string[]>} */
  const typed = new Map();
  for (const [name, value] of draft.fields) typed.set(name, [...(typed.get(name) ?? []), value]);
  const seen = hiddenField(form, "seen");
  if (seen) seen.value = draft.seen;
  // a list of cells of one name is as long as it was
  for (const list of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-cells]"))) {
    const texts = typed.get(list.dataset.cells ?? "") ?? [];
    const cells = () => [...list.querySelectorAll("input")];
    while (cells().length < texts.length) list.append(list.lastElementChild?.cloneNode(true) ?? "");
    if (texts.length) for (const [place, cell] of cells().entries()) cell.value = texts[place] ?? "";
    typed.delete(list.dataset.cells ?? "");
  }
  for (const field of fieldsOf(form)) {
    if (field.type === "checkbox") field.checked = typed.has(field.name);
    if (!typed.has(field.name) || field.type === "submit" || field.type === "button") continue;
    const texts = typed.get(field.name) ?? [];
    if (isTick(field)) field.checked = texts.includes(field.value);
    else field.value = texts.at(-1) ?? "";
  }
}

/** @param {string} action the address the form is sent to */
export const dropDraft = (action) => forget(draftAt(action));

/** Put the draft at an address aside, so that an earlier one can come first. @param {string} action */
export function putAside(action) {
  const draft = /** @type {Draft | null} */ (recall(draftAt(action)));
  if (draft) keep(`aside:${pathOf(action)}#${submissionOf(draft)}`, draft);
}

/** Take up again what was put aside; while something else is typed, it waits. @param {string} action */
export function takeFromAside(action) {
  for (const name of kept(`aside:${pathOf(action)}#`)) {
    const draft = /** @type {Draft | null} */ (recall(name));
    const typed = /** @type {Draft | null} */ (recall(draftAt(action)));
    if (typed && submissionOf(typed) !== submissionOf(draft)) return;
    if (!typed) keep(draftAt(action), draft);
    forget(name);
  }
}

/** Take along what is kept of a game that has another address. @param {string} from @param {string} to the paths of its pages */
export function moveKept(from, to) {
  for (const kind of ["out:", "draft:", "aside:"]) {
    for (const name of kept(`${kind}${from}/`)) {
      const value = /** @type {Record<string, unknown>} */ (recall(name));
      const { action } = value;
      keep(name.replace(from, to), typeof action === "string" ? { ...value, action: action.replace(from, to) } : value);
      forget(name);
    }
  }
}

// ---- A note about it

/**
 * A note at the top of the page.
 * @param {string} text @param {[string, () => void][]} answers @returns {HTMLElement}
 */
export function showNote(text, answers) {
  const note = one("[data-outbox]");
  const buttons = answers.map(([label, act]) => button(label, act));
  note.replaceChildren(make("p", {}, text), make("div", { className: "row" }, ...buttons));
  note.hidden = false;
  return note;
}

const SETTLING = 400; // milliseconds

/** Disable the links in a place for a moment: a tap that comes now was meant for what was there before. @param {HTMLElement} place */
export function settle(place) {
  const refuse = (/** @type {Event} */ event) => event.preventDefault();
  place.addEventListener("click", refuse);
  window.setTimeout(() => place.removeEventListener("click", refuse), SETTLING);
}
