/** The terms of a game: stakes and house rules. The server judges and summarises them while they are edited. */

import { all, around, find, one } from "./dom.js";
import { debounce, isEdited, post, serialize } from "./form.js";
import { markUnedited } from "./submit.js";

const PAUSE = 300; // milliseconds without typing

/** Load the search, which most people never need here. */
const loadSearch = () => import("./find.js");

/** Keep what is wrong with amounts that nobody has changed since; house rules are judged anew. @param {DocumentFragment} fresh the new HTML */
function keepErrors(fresh) {
  const terms = one("#terms");
  for (const error of all(".field > .error", terms)) {
    const id = error.id.replace(/-error-\d+$/, "");
    const [old, now] = [find(`#${id}`, terms), find(`#${id}`, fresh)];
    if (!old || !now || id.startsWith("house-") || fresh.getElementById(error.id)) continue;
    for (const name of ["aria-invalid", "aria-describedby"]) {
      const value = old.getAttribute(name);
      if (value) now.setAttribute(name, value);
    }
    now.closest(".field")?.append(error.cloneNode(true));
  }
}

/** @param {HTMLFormElement} form */
export function enhanceTerms(form) {
  const terms = one("#terms", form);

  const judgeSoon = debounce(PAUSE, async (signal) => {
    const body = serialize(form).toString();
    markUnedited(form);
    const answer = await post(terms.dataset.judge ?? "", body, signal);
    const { swap } = await import("./swap.js");
    const options = { isLate: () => signal.aborted, prepare: keepErrors };
    if (!(await swap(answer, [terms], options).catch(() => null))) return; // no connection
    const sought = find("[data-find] input", terms, HTMLInputElement);
    if (sought?.value) sought.dispatchEvent(new Event("input"));
    form.dispatchEvent(new Event("judged"));
  });

  // omit the usual currency and unit, as the server derives them from the place
  form.addEventListener("formdata", ({ formData }) => {
    for (const { name, value, dataset } of all("[data-usual]", form, HTMLInputElement)) {
      if (value.trim() === dataset.usual) formData.delete(name);
    }
  });
  // without scripts, this link opens a page with the question unfolded
  form.addEventListener("click", async (event) => {
    const link = around(event.target, "a[href*='#house-']", HTMLAnchorElement);
    if (link?.pathname !== location.pathname) return;
    event.preventDefault();
    await loadSearch();
    location.hash = link.hash;
  });
  if (location.hash || find("#house[open]", terms)) loadSearch();
  else find("#house", terms)?.addEventListener("toggle", loadSearch, { once: true });
  // other stakes than those offered are typed
  terms.addEventListener("change", ({ target }) => {
    if (around(target, "[name=money]", HTMLInputElement)?.value !== "other") return;
    one("#stakes", terms, HTMLDetailsElement).open = true;
    find("#stakes .input", terms)?.focus();
  });
  // replace the number when typing
  terms.addEventListener("focusin", ({ target }) => around(target, ".input-number", HTMLInputElement)?.select());
  terms.addEventListener("input", ({ target }) => {
    const field = around(target, ".field");
    for (const error of field ? all(".error", field) : []) error.remove();
    around(target, "[aria-invalid]")?.removeAttribute("aria-invalid");
    if (!around(target, "[data-find]")) judgeSoon();
  });
  // values that the server has not judged: from a draft, or the local currency
  if (
    [...form.elements].some(isEdited) ||
    find(".money:has([name=money]:checked:not([value=none])) #currency[data-usual]", terms)
  )
    judgeSoon(0);
}
