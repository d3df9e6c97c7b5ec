// @ts-check
/**
 * The rules a table plays its own way: lists edited by steppers, what cannot be played told while somebody types; only
 * what was changed is sent.
 */

import { asSent } from "./form.js";
import { editRows } from "./lists.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

const WAIT = 300; // milliseconds without a key, before the server is asked

/** @param {ParentNode} within @returns {Control[]} */
const controlsIn = (within) =>
  [...within.querySelectorAll("[data-usual]")].map((each) => /** @type {Control} */ (each));

/** @param {Control} control */
const isChanged = (control) => control.value !== control.dataset.usual;

/** Whether a control says what the server sent. @param {Control} control */
function isAsSent(control) {
  if (control instanceof HTMLInputElement) return control.value === control.defaultValue;
  return control.value === ([...control.options].find((each) => each.defaultSelected) ?? control.options[0])?.value;
}

/** @param {Control} control */
const boxOf = (control) => /** @type {HTMLElement} */ (control.closest(".field"));

/** Send these fields even where they say what is usual here: they answer another variant. @param {HTMLFormElement} form @param {Set<string>} names */
export function sendAll(form, names) {
  for (const control of controlsIn(form)) if (names.has(control.name)) delete control.dataset.usual;
}

/** Work the rules of a form, if it has any. @param {HTMLFormElement} form */
export function workRules(form) {
  const box = form.querySelector("[data-rules]");
  if (!(box instanceof HTMLElement)) return;
  form.addEventListener("formdata", (event) => {
    for (const control of controlsIn(form)) if (!isChanged(control)) event.formData.delete(control.name);
  });
  box.addEventListener("input", () => askAlong(form));
  // the number typed next takes the place of the one there
  box.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(".input-number")) target.select();
  });
  dress(form, box);
  lead();
  judgeOf(form);
  document.addEventListener("asked", () => dress(form, box));
}

/** Give lists their steppers. @param {HTMLFormElement} form @param {HTMLElement} box */
function dress(form, box) {
  for (const field of controlsIn(box)) {
    if (!(field instanceof HTMLInputElement) || !field.dataset.list) continue;
    const { by } = JSON.parse(field.dataset.list);
    const decides = () => /** @type {Control | null} */ (form.elements.namedItem(`house-${by}`));
    const show = editRows(field, box.dataset, () => decides()?.value || decides()?.dataset.follows || "");
    decides()?.addEventListener("input", show);
    field.hidden = true;
  }
  followIn(form);
  askAlong(form);
}

/** Let fields left blank know what follows: the cards as the contracts need them. @param {HTMLFormElement} form */
function followIn(form) {
  for (const told of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-following]"))) {
    const field = form.querySelector(`#${told.dataset.following}`);
    if (field instanceof HTMLInputElement) field.placeholder = told.dataset.rows ?? "";
    if (field instanceof HTMLSelectElement) field.dataset.follows = told.dataset.rows ?? "";
    field?.dispatchEvent(new Event("input")); // reaches the list only: nobody typed
  }
}

/** Ask what has a use only beside other values, once these have a number, and name it. @param {HTMLFormElement} form */
function askAlong(form) {
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-with]"))) {
    const beside = (box.dataset.with ?? "").split(" ").map((name) => form.elements.namedItem(name));
    const typed = beside.flatMap((control) => (control instanceof HTMLInputElement ? [control.value.trim()] : []));
    if (!typed.length) continue;
    box.hidden = !typed.some((number) => Number(number) > 0);
    if (typed.length > 1) continue;
    for (const text of box.querySelectorAll(".choice-text span")) {
      text.textContent = text.textContent?.replace(/\d+/, typed[0] || "0") ?? "";
    }
  }
}

/** Say at each question what is wrong with it now, in place of what was wrong before. @param {HTMLFormElement} form @param {HTMLElement} told */
function blameIn(form, told) {
  for (const control of controlsIn(form)) {
    const box = boxOf(control);
    for (const earlier of box.querySelectorAll(".error")) earlier.remove();
    const faults = [...told.querySelectorAll(`.notice-fault li:has(a[href="#${control.id}"])`)];
    const errors = faults.map((fault, number) => {
      const error = document.createElement("p");
      error.className = "error";
      error.id = `${control.id}-error-${number + 1}`;
      error.textContent = fault.firstChild?.textContent ?? "";
      return error;
    });
    box.append(...errors);
    const about = [...box.querySelectorAll(".hint[id]"), ...errors].map(({ id }) => id).join(" ");
    if (about) control.setAttribute("aria-describedby", about);
    else control.removeAttribute("aria-describedby");
    if (errors.length) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }
}

/** Ask the server, after a pause, what the rules typed so far come to. @param {HTMLFormElement} form */
function judgeOf(form) {
  const place = /** @type {HTMLElement | null} */ (form.querySelector("[data-judge]"));
  if (!place) return;
  let due = 0;
  let latest = 0;

  async function judge() {
    const asked = ++latest;
    const answer = await fetch(place?.dataset.judge ?? "", { method: "POST", body: asSent(form) }).catch(
      () => undefined,
    );
    if (!answer?.ok || asked !== latest || !place) return;
    const said = await answer.text();
    if (asked !== latest) return;
    place.innerHTML = said;
    followIn(form);
    blameIn(form, place);
    for (const told of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-count-of]"))) {
      const shown = form.querySelector(`#rules-${told.dataset.countOf} [data-count]`);
      if (shown) shown.textContent = told.textContent;
    }
    form.dispatchEvent(new Event("judged"));
  }

  // put back from a draft, which the server has not seen
  if (!controlsIn(form).every(isAsSent)) judge();
  form.addEventListener("input", (event) => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches("[data-usual], [name=out_at]")) return;
    window.clearTimeout(due);
    due = window.setTimeout(judge, WAIT);
  });
}

/** Follow links, from other pages too, to questions folded away. */
function lead() {
  /** @param {string} id */
  function show(id) {
    const control = document.getElementById(id);
    for (let fold = control?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
    const shown =
      control instanceof HTMLElement && control.hidden ? control.closest(".field")?.querySelector("button") : control;
    if (shown instanceof HTMLElement) shown.focus();
    shown?.scrollIntoView({ block: "center" });
  }

  /** @param {Location | HTMLAnchorElement} address @returns {string} the id of a question it names, or nothing */
  function asked({ hash }) {
    const id = hash.slice(1);
    return id.startsWith("house-") || document.getElementById(id)?.closest("[data-rules]") ? id : "";
  }

  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const id = link?.pathname === window.location.pathname ? asked(link) : "";
    if (!id) return;
    event.preventDefault();
    show(id);
  });
  const named = asked(window.location);
  if (named) show(named);
}
