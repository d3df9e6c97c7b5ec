// @ts-check
/**
 * The referee's page: keys lay cards, and each card brings a new verdict.
 * The address always holds the whole claim, so that people can share it and open it on another phone.
 */

import { asSent } from "./form.js";
import { offerInHand } from "./inhand.js";
import { morph } from "./morph.js";
import { names, picker } from "./picker.js";
import { slots } from "./slots.js";

const PAUSE = 120; // milliseconds: typing a word asks once

const form = document.querySelector("[data-claim]");
const keys = document.querySelector("[data-picker]");

if (form instanceof HTMLFormElement && keys instanceof HTMLElement) {
  start(form, keys);
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} keys
 */
function start(form, keys) {
  let waiting = 0;
  let asking = new AbortController();
  const laid = slots(form, names(keys), changed, () => {
    release();
    offer();
  });
  const release = picker(keys, laid);
  const offer = offerInHand(form, names(keys), (word) => {
    release();
    laid.add(word);
  });

  function changed() {
    offer();
    later();
  }

  function later() {
    clearTimeout(waiting);
    waiting = setTimeout(ask, PAUSE);
  }

  /** The claim as an address, which becomes the page's own. */
  function remember() {
    const address = new URL(form.action);
    address.search = asSent(form).toString();
    history.replaceState(null, "", address);
    return address;
  }

  async function ask() {
    asking.abort();
    asking = new AbortController();
    const address = remember();
    try {
      const answer = await fetch(address, { signal: asking.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      showVerdict(page, form);
      addRows(form, page);
      ready();
    } catch (error) {
      // superseded by a newer question, or no network: the button still works
      if (!(error instanceof DOMException)) form.querySelector("[data-ask]")?.removeAttribute("hidden");
    }
  }

  function ready() {
    laid.refresh();
    for (const step of form.querySelectorAll(".step")) showPlace(step);
    offer();
  }

  document.body.classList.add("is-laying");
  form.querySelector("[data-ask]")?.setAttribute("hidden", "");
  form.addEventListener("change", (event) => {
    const step = event.target instanceof Element ? event.target.closest(".step") : null;
    if (step) showPlace(step);
    changed();
  });
  // a card laid just before leaving is here after coming back
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a")) remember();
  });
  // another variant has other fields
  document.querySelector("select[form=claim]")?.addEventListener("change", () => form.submit());
  ready();
}

/**
 * Keep the fields under the thumb, however much room the verdict above them takes.
 * @param {Document} page
 * @param {HTMLElement} form
 */
function showVerdict(page, form) {
  const before = form.getBoundingClientRect().top;
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (fresh) morph(part, fresh);
  }
  scrollBy({ top: form.getBoundingClientRect().top - before, behavior: "instant" });
}

/**
 * Take over the empty row that every list of rows on the new page ends with.
 * @param {HTMLElement} form
 * @param {Document} page
 */
function addRows(form, page) {
  for (const list of form.querySelectorAll("[data-rows]")) {
    const fresh = page.querySelector(`[data-rows="${list.getAttribute("data-rows")}"]`);
    const rows = [...(fresh?.querySelectorAll("[data-row]") ?? [])];
    list.append(...rows.slice(list.querySelectorAll("[data-row]").length));
  }
}

/**
 * Show the choice of a meld only for building and for freeing a joker.
 * @param {Element} step
 */
function showPlace(step) {
  const place = step.querySelector(".step-place");
  const does = step.querySelector("[data-do]");
  if (place instanceof HTMLElement && does instanceof HTMLSelectElement) {
    place.hidden = !/^(build|free)/.test(does.value);
  }
}
