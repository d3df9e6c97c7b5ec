/**
 * The terms of a table, its house rules among them: while somebody types, the server says what they come to and what cannot
 * be played.
 */

import { all, around, find, one } from "./dom.js";
import { debounce, isEdited, post, serialize } from "./form.js";
import { markUnedited } from "./submit.js";

const WAIT = 300; // milliseconds without a key, before the server is asked

/** What finds a rule and unfolds it: most tables never ask for one. */
const finder = () => import("./find.js");

/** Work the terms of a form. @param {HTMLFormElement} form */
export function enhanceTerms(form) {
  const terms = one("#terms", form);

  const judgeSoon = debounce(WAIT, async (signal) => {
    const body = serialize(form).toString();
    markUnedited(form);
    const answer = await post(terms.dataset.judge ?? "", body, signal);
    const html = answer?.ok ? await answer.text().catch(() => "") : "";
    const { morph } = await import("./morph.js");
    if (!html || signal.aborted) return;
    morph(terms, html);
    const sought = find("[data-find] input", terms, HTMLInputElement);
    if (sought?.value) sought.dispatchEvent(new Event("input"));
    form.dispatchEvent(new Event("judged"));
  });

  // the usual currency and unit are sent only if others were typed: the place and the currency say which they are
  form.addEventListener("formdata", ({ formData }) => {
    for (const { name, value, dataset } of all("[data-usual]", form, HTMLInputElement)) {
      if (value.trim() === dataset.usual) formData.delete(name);
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
    if (!around(target, "[data-find]")) judgeSoon();
  });
  // put back from a draft, or in the currency of this place, which the server has not seen
  if ([...form.elements].some(isEdited) || find(".money:has(#money:checked) #currency[data-usual]", terms))
    judgeSoon(0);
}
