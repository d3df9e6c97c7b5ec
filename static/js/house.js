// @ts-check
/**
 * The rules a table plays its own way: groups are fetched when one is unfolded or searched, found by players' words,
 * lists edited by steppers; only what was changed is sent. Without this file, the buttons do the same through the server.
 */

import { asSent, fill } from "./form.js";
import { editRows } from "./lists.js";
import { isOfMoney, nearest, wordsIn } from "./seek.js";

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

/** What the form says, as a button would send it. @param {HTMLFormElement} form @param {string} button */
function sent(form, button) {
  const body = asSent(form);
  body.set("do", button);
  return body;
}

/** @param {Control} control */
const boxOf = (control) => /** @type {HTMLElement} */ (control.closest(".field"));

/**
 * What a form says of rules that the page has no field for yet: kept as hidden fields until there is one.
 * @param {HTMLFormElement} form @param {import("./form.js").Draft} draft
 */
export function keepUnfetched(form, draft) {
  const groups = form.querySelector("[data-groups]");
  for (const [name] of draft.fields) {
    if (!groups || !name.startsWith("house-") || form.elements.namedItem(name)) continue;
    const stand = document.createElement("input");
    stand.type = "hidden";
    stand.name = name;
    stand.dataset.stand = "";
    groups.append(stand);
  }
}

/** Send these fields even where they say what is usual here: they answer another variant. @param {HTMLFormElement} form @param {Set<string>} names */
export function sendAll(form, names) {
  for (const control of controlsIn(form)) if (names.has(control.name)) delete control.dataset.usual;
}

/** Work the rules of a form, if it has any. @param {HTMLFormElement} form */
export function workRules(form) {
  const box = form.querySelector("[data-rules]");
  if (!(box instanceof HTMLElement)) return;
  const rules = new Rules(form, box);
  const whole = () => rules.whole();
  form.addEventListener("formdata", (event) => {
    for (const control of controlsIn(form)) if (!isChanged(control)) event.formData.delete(control.name);
  });
  const opened = (/** @type {Event} */ { target }) => target instanceof HTMLDetailsElement && target.open && whole();
  rules.groups.addEventListener("toggle", opened, true);
  box.addEventListener("input", () => askAlong(form));
  // the number typed next takes the place of the one there
  box.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(".input-number")) target.select();
  });
  const seekNothing = seekIn(box, whole);
  rules.dress();
  lead(whole, seekNothing);
  judgeOf(form);
  if (rules.groups.querySelector("[data-stand]")) whole();
}

class Rules {
  /** @param {HTMLFormElement} form @param {HTMLElement} box */
  constructor(form, box) {
    this.form = form;
    this.box = box;
    this.groups = /** @type {HTMLElement} */ (box.querySelector("[data-groups]"));
    this.fetched = /** @type {Promise<void> | undefined} */ (undefined);
  }

  /** The questions of all groups; if they cannot be fetched, the button stays that asks the server for one. */
  whole() {
    if (!this.groups.querySelector("[data-unfetched]")) return Promise.resolve();
    this.fetched ??= this.fetchAll().catch(() => {
      this.fetched = undefined;
    });
    return this.fetched;
  }

  /** Fetch the questions of all groups, with what is typed in them. */
  async fetchAll() {
    const answer = await fetch(this.form.action, { method: "POST", body: sent(this.form, "open-all") });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const lacking of this.groups.querySelectorAll("[data-unfetched]")) {
      const come = page.querySelector(`#${lacking.closest("details")?.id} > .stack`);
      if (come) lacking.parentElement?.replaceWith(document.adoptNode(come));
    }
    for (const stand of /** @type {NodeListOf<HTMLInputElement>} */ (this.groups.querySelectorAll("[data-stand]"))) {
      const control = controlsIn(this.groups).find((each) => each.name === stand.name);
      if (control) control.value = stand.value;
      stand.remove();
    }
    this.dress();
  }

  /** Give lists their steppers. */
  dress() {
    for (const field of controlsIn(this.box)) {
      if (!(field instanceof HTMLInputElement) || !field.dataset.list || field.hidden) continue;
      const { by } = JSON.parse(field.dataset.list);
      const decides = () => /** @type {Control | null} */ (this.form.elements.namedItem(`house-${by}`));
      const show = editRows(field, this.box.dataset, () => decides()?.value || decides()?.dataset.follows || "");
      decides()?.addEventListener("input", show);
      field.hidden = true;
    }
    followIn(this.form);
    askAlong(this.form);
  }
}

/**
 * Show only the questions that are sought, unfolded; returns what shows all of them again.
 *
 * @param {HTMLElement} rules @param {() => Promise<void>} whole
 */
function seekIn(rules, whole) {
  const box = /** @type {HTMLElement} */ (rules.querySelector("[data-seek]"));
  const input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
  const status = /** @type {HTMLElement} */ (box.querySelector("[data-found]"));
  const amounts = /** @type {HTMLElement} */ (box.querySelector("[data-amounts]"));

  /** @param {Control} control */
  function question(control) {
    const options = control instanceof HTMLSelectElement ? [...control.options].map((each) => each.text) : [];
    const label = boxOf(control).querySelector("label")?.textContent ?? "";
    const words = wordsIn([label, control.dataset.words, ...options].join(" "));
    const { least, most } = control.dataset;
    return {
      control,
      words,
      least: least === undefined ? undefined : Number(least),
      most: most === undefined ? undefined : Number(most),
    };
  }

  /** @param {Control} control @param {number} number */
  function offer(control, number) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.dataset.offer = "";
    button.textContent = fill(rules.dataset.set ?? "", { number: String(number) });
    button.addEventListener("click", () => {
      control.value = String(number);
      control.dispatchEvent(new Event("input", { bubbles: true }));
      button.remove();
    });
    control.after(button);
  }

  function show() {
    const controls = controlsIn(rules);
    for (const each of rules.querySelectorAll("[data-offer]")) each.remove();
    const isSought = wordsIn(input.value).length > 0;
    const found = isSought ? nearest(controls.map(question), input.value) : [];
    const kept = new Set(found.map(({ question: each }) => each.control));
    for (const control of controls) boxOf(control).hidden = isSought && !kept.has(control);
    for (const { question: each, number } of found) {
      if (number !== undefined && each.control.value !== String(number)) offer(each.control, number);
    }
    for (const fold of rules.querySelectorAll("details")) {
      const isIn = controlsIn(fold).some((control) => kept.has(control));
      fold.hidden = isSought && !isIn;
      if (isSought) fold.open = isIn;
      else if ("sought" in input.dataset) fold.open = false;
    }
    if (isSought) input.dataset.sought = "";
    else delete input.dataset.sought;
    status.textContent = isSought && !found.length ? (rules.dataset.none ?? "") : "";
    amounts.hidden = !isOfMoney(input.value) || !document.querySelector(".money:not([hidden])");
  }

  box.hidden = false;
  input.addEventListener("focus", () => whole());
  input.addEventListener("input", async () => {
    if (rules.querySelector("[data-unfetched]")) status.textContent = rules.dataset.wait ?? "";
    await whole();
    show();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  return () => {
    input.value = "";
    show();
  };
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
    if (!typed.length) continue; // not fetched: as the server has it
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
    const answer = await fetch(place?.dataset.judge ?? "", { method: "POST", body: sent(form, "") }).catch(
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
  if (form.querySelector("[data-stand]") || !controlsIn(form).every(isAsSent)) judge();
  form.addEventListener("input", (event) => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches("[data-usual], [name=out_at]")) return;
    window.clearTimeout(due);
    due = window.setTimeout(judge, WAIT);
  });
}

/**
 * Follow links, from other pages too, to questions folded away, not fetched yet or not among those sought.
 *
 * @param {() => Promise<void>} whole @param {() => void} seekNothing
 */
function lead(whole, seekNothing) {
  /** @param {string} id */
  async function show(id) {
    if (!document.getElementById(id)) await whole();
    seekNothing();
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
