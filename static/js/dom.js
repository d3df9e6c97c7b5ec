/** Typed helpers for finding and creating elements. */

/**
 * What browsers have that show everything here, and older ones may lack: Safari 15.5, Chrome 105, Firefox 121. Where any of
 * it is missing no script runs, and every page works as without scripts. Older built-ins are in tests/javascript/builtins.txt.
 */
const NEEDED = {
  Array: "at findLast findLastIndex",
  Element: "ariaBusy ariaDisabled ariaInvalid ariaLabel ariaLive ariaPressed",
  FormDataEvent: "formData",
  HTMLElement: "inert inputMode",
  SubmitEvent: "submitter",
};
/** @type {string[]} */
const missing = [];
for (const [owner, names] of Object.entries(NEEDED)) {
  const built = /** @type {any} */ (globalThis)[owner]?.prototype ?? {};
  missing.push(...names.split(" ").filter((name) => !(name in built)));
}
if (missing.length || !CSS.supports("selector(:has(*))")) {
  document.documentElement.classList.add("is-plain");
  throw new Error(`missing: ${missing}`);
}

/** The root of the server's pages. The origin may have other servers, below other paths. */
export const ROOT = new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf("/static/") + 1));

/**
 * Return the first match, or null if there is none of that class.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector @param {ParentNode} [within] @param {new () => T} [kind] @returns {T | null}
 */
export function find(selector, within = document, kind = /** @type {any} */ (HTMLElement)) {
  const found = within.querySelector(selector);
  return found instanceof kind ? found : null;
}

/**
 * Return the first match; throw if there is none of that class.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector @param {ParentNode} [within] @param {new () => T} [kind] @returns {T}
 */
export function one(selector, within = document, kind = /** @type {any} */ (HTMLElement)) {
  const found = find(selector, within, kind);
  if (!found) throw new Error(`no ${selector} here`);
  return found;
}

/**
 * Return all matches of that class.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector @param {ParentNode} [within] @param {new () => T} [kind] @returns {T[]}
 */
export const all = (selector, within = document, kind = /** @type {any} */ (HTMLElement)) =>
  [...within.querySelectorAll(selector)].flatMap((each) => (each instanceof kind ? [each] : []));

/**
 * Return the closest matching ancestor of an event's target, or the target itself.
 * @template {Element} [T=HTMLElement]
 * @param {EventTarget | null} target @param {string} selector @param {new () => T} [kind] @returns {T | null}
 */
export function around(target, selector, kind = /** @type {any} */ (HTMLElement)) {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found instanceof kind ? found : null;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Partial<HTMLElementTagNameMap[Tag]>} [properties] @param {(Node | string)[]} children
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  element.append(...children);
  return /** @type {HTMLElementTagNameMap[Tag]} */ (Object.assign(/** @type {object} */ (element), properties));
}

/** @param {string} textContent @param {() => void} onclick @param {string} [className] */
export const button = (textContent, onclick, className = "button") =>
  make("button", { type: "button", className, textContent, onclick });

/** Return the field of that name, which must exist. @param {HTMLFormElement} form @param {string} name */
export const fieldOf = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** Return the value of the button that submits the form. @param {SubmitEvent} event */
export const submittedBy = ({ submitter }) => (submitter instanceof HTMLButtonElement ? submitter.value : "");

/** Submit fields as a plain form, which leaves the page. @param {string} action @param {Iterable<readonly string[]>} fields */
export function submitFields(action, fields) {
  const inputs = [...fields].map(([name = "", value = ""]) => make("input", { type: "hidden", name, value }));
  const form = make("form", { method: "post", action, hidden: true }, ...inputs);
  document.body.append(form);
  form.submit();
}
