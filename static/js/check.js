/**
 * The referee's page: a set of keys enters cards, and each card brings a new verdict. The whole claim is always in the
 * address, so that people can share it or open it on another phone.
 */

import { all, around, find, one } from "./dom.js";
import { debounce, serialize } from "./form.js";
import { useSlots } from "./slots.js";
import { swap } from "./swap.js";

const PAUSE = 120; // milliseconds, so that typing a word sends one request

const form = one("[data-claim]", document, HTMLFormElement);
const button = one("[data-ask]", form);
const askSoon = debounce(PAUSE, ask);
const slots = useSlots(form, one("[data-picker]"), askSoon, goToNext);

/** Put the claim into the address of the page. */
function remember() {
  const address = new URL(form.action);
  address.search = slots.withWaiting(() => serialize(form)).toString();
  history.replaceState(null, "", address);
  return address;
}

/** @param {AbortSignal} [signal] */
async function ask(signal) {
  try {
    const answer = await fetch(remember(), { signal });
    const tapped = around(document.activeElement, ".in-hand") ?? form;
    const top = () => tapped.getBoundingClientRect().top;
    let before = 0;
    const prepare = () => {
      before = top();
    };
    const page = await swap(answer, all("[data-live]"), { prepare, isLate: () => signal?.aborted ?? false });
    if (!page) return;
    addRows(page);
    markSteps();
    slots.refresh();
    // the fields below the verdict stay where they are, or the cards in hand below a new step
    scrollBy({ top: top() - before, behavior: "instant" });
  } catch (error) {
    // aborted by a newer request, or offline: then the button is the fallback
    if (!(error instanceof DOMException)) button.hidden = false;
  }
}

/** Go to the next field, adding a row first if the last one is full. */
async function goToNext() {
  if (slots.isLast()) await ask();
  slots.next();
}

/** Copy each step's kind to `data-do`, for the style sheet. */
function markSteps() {
  for (const does of all("[data-do]", form, HTMLSelectElement)) does.dataset.do = does.value;
}

document.body.classList.add("is-laying");
button.hidden = true;
form.addEventListener("submit", (event) => {
  if (!button.hidden) return;
  event.preventDefault();
  goToNext();
});
form.addEventListener("change", ({ target }) => {
  if (around(target, "[name=check]")) openAgain();
  markSteps();
  askSoon();
});
form.addEventListener("click", ({ target }) => {
  const item = around(around(target, ".in-hand button"), "li");
  const next = item?.nextElementSibling ?? item?.previousElementSibling;
  item?.remove(); // the answer removes it too, but later
  if (next) find("button", next)?.focus({ preventScroll: true }); // for keyboard users
});
// save the last card in the address before following a link
document.addEventListener("click", ({ target }) => {
  if (!around(target, "a")) return;
  slots.flush();
  remember();
});
document.querySelector("select[form=claim]")?.addEventListener("change", openAgain);
markSteps();
slots.refresh();
// with a keyboard, cards may be typed at once
if (matchMedia("(hover: hover) and (pointer: fine)").matches && document.activeElement === document.body)
  find("[data-slot] input", form)?.focus({ preventScroll: true });

/** Open the page again, because another kind of claim or another variant has other fields. */
function openAgain() {
  slots.flush();
  location.replace(remember());
}

/** Add the empty row that the new page has at the end of a list. @param {ParentNode} page */
function addRows(page) {
  for (const list of all("[data-rows]", form)) {
    const rows = all(`[data-rows="${list.dataset.rows}"] > [data-row]`, page);
    list.append(...rows.slice(all("[data-row]", list).length));
  }
}
