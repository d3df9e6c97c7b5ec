// @ts-check
/**
 * The terms of a table, its house rules among them: while somebody types, the server says what they come to and what cannot
 * be played. Only what was changed is sent.
 */

import { settleFields } from "./ask.js";
import { all, around, find, one } from "./dom.js";
import { asSent, isTyped } from "./form.js";

const WAIT = 300; // milliseconds without a key, before the server is asked

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

/** What says what is usual: a control, or a list of them. @param {HTMLElement} box @returns {Control[]} */
const controlsOf = (box) =>
  box instanceof HTMLFieldSetElement ? all("input", box, HTMLInputElement) : [/** @type {Control} */ (box)];

/** @param {HTMLElement} box */
function isChanged(box) {
  const texts = controlsOf(box).map(({ value }) => value.trim());
  return texts.filter(Boolean).join(" ") !== box.dataset.usual;
}

/** Send these fields even where they say what is usual here: they answer another variant. @param {HTMLFormElement} form @param {Set<string>} names */
export function sendAll(form, names) {
  for (const box of all("[data-usual]", form)) {
    if (controlsOf(box).some(({ name }) => names.has(name))) delete box.dataset.usual;
  }
}

/** What finds a rule and unfolds it: most tables never ask for one. */
const finder = () => import("./find.js");

/** Work the terms of a form. @param {HTMLFormElement} form */
export function workRules(form) {
  const terms = one("#terms", form);
  let due = 0;
  let latest = 0;

  async function judge() {
    const asked = ++latest;
    const body = asSent(form);
    settleFields(form);
    const answer = await fetch(terms.dataset.judge ?? "", { method: "POST", body }).catch(() => undefined);
    const html = answer?.ok ? await answer.text() : "";
    const { morph } = await import("./morph.js");
    if (!html || asked !== latest) return;
    morph(terms, html);
    const sought = find("[data-find] input", terms, HTMLInputElement);
    if (sought?.value) sought.dispatchEvent(new Event("input"));
    form.dispatchEvent(new Event("judged"));
  }

  form.addEventListener("formdata", ({ formData }) => {
    for (const box of all("[data-usual]:not([type=radio]:not(:checked))", form)) {
      if (!isChanged(box)) for (const { name } of controlsOf(box)) formData.delete(name);
    }
  });
  // what leads without script to a page with a question unfolded
  form.addEventListener("click", async (event) => {
    const link = around(event.target, "a[href*='#house-']", HTMLAnchorElement);
    if (link?.pathname !== location.pathname) return;
    event.preventDefault();
    await finder();
    location.hash = link.hash;
  });
  if (location.hash || find("#house[open]", terms)) finder();
  else find("#house", terms)?.addEventListener("toggle", finder, { once: true });
  // the number typed next takes the place of the one there
  terms.addEventListener("focusin", ({ target }) => around(target, ".input-number", HTMLInputElement)?.select());
  terms.addEventListener("input", ({ target }) => {
    if (around(target, "[data-find]")) return;
    window.clearTimeout(due);
    due = window.setTimeout(judge, WAIT);
  });
  // put back from a draft, or in the currency of this place, which the server has not seen
  if ([...form.elements].some(isTyped) || find(".money:has(#money:checked) #currency[data-usual]", terms)) judge();
}
