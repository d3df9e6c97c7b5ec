/**
 * The referee's page: keys lay cards, and each card brings a new verdict.
 * The address always holds the whole claim, so that people can share it and open it on another phone.
 */

import { all, around, find, one } from "./dom.js";
import { debounce, serialize } from "./form.js";
import { morph } from "./morph.js";
import { useSlots } from "./slots.js";

const PAUSE = 120; // milliseconds: typing a word asks once

const form = find("[data-claim]", document, HTMLFormElement);
const keys = find("[data-picker]");

if (form && keys) start(form, keys);

/** @param {HTMLFormElement} form @param {HTMLElement} keys */
function start(form, keys) {
  const button = one("[data-ask]", form);
  const askSoon = debounce(PAUSE, ask);
  const laid = useSlots(form, keys, askSoon, goOn);

  /** The claim as an address, which becomes the page's own. */
  function remember() {
    const address = new URL(form.action);
    address.search = serialize(form).toString();
    history.replaceState(null, "", address);
    return address;
  }

  /** @param {AbortSignal} [signal] */
  async function ask(signal) {
    try {
      const answer = await fetch(remember(), { signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      showVerdict(page, form);
      addRows(form, page);
      markSteps();
      laid.refresh();
    } catch (error) {
      // superseded by a newer question, or no network: the button still works
      if (!(error instanceof DOMException)) button.hidden = false;
    }
  }

  /** Go on to the next field; where the server has yet to give a list its next row, after that. */
  async function goOn() {
    if (laid.isLast()) await ask();
    laid.next();
  }

  /** What is in hand is offered below a step that does not draw. */
  function markSteps() {
    for (const does of all("[data-do]", form, HTMLSelectElement)) does.dataset.do = does.value;
  }

  document.body.classList.add("is-laying");
  button.hidden = true;
  form.addEventListener("submit", (event) => {
    if (!button.hidden) return;
    event.preventDefault();
    goOn();
  });
  form.addEventListener("change", () => {
    markSteps();
    askSoon();
  });
  form.addEventListener("click", ({ target }) => {
    const item = around(around(target, ".in-hand button"), "li");
    const next = item?.nextElementSibling ?? item?.previousElementSibling;
    item?.remove(); // before the server says the same
    if (next) find("button", next)?.focus({ preventScroll: true }); // for whoever uses a keyboard
  });
  // a card laid just before leaving is here after coming back
  document.addEventListener("click", ({ target }) => {
    if (!around(target, "a")) return;
    laid.settle();
    remember();
  });
  // another variant has other fields
  document.querySelector("select[form=claim]")?.addEventListener("change", () => {
    laid.settle();
    form.submit();
  });
  markSteps();
  laid.refresh();
}

/** Keep the fields under the thumb, however much room the verdict above them takes. @param {Document} page @param {HTMLElement} form */
function showVerdict(page, form) {
  const before = form.getBoundingClientRect().top;
  for (const part of all("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (fresh) morph(part, fresh);
  }
  scrollBy({ top: form.getBoundingClientRect().top - before, behavior: "instant" });
}

/** Take over the empty row that every list of rows on the new page ends with. @param {HTMLElement} form @param {Document} page */
function addRows(form, page) {
  for (const list of all("[data-rows]", form)) {
    const rows = all(`[data-rows="${list.dataset.rows}"] > [data-row]`, page);
    list.append(...rows.slice(all("[data-row]", list).length));
  }
}
