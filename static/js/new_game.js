/**
 * The new game form. Its buttons are sent without leaving the page (submit.js), except that a seat is added at once, so that
 * typing can continue. Without this module, the server does the same.
 */

import "./submit.js";
import { autosave } from "./autosave.js";
import { all, around, find, one, submittedBy } from "./dom.js";
import { defaultChoice, deleteDraft, fill, loadDraft, saveDraft, saveDraftAt } from "./form.js";
import { enhanceTerms } from "./terms.js";

const form = one("#new-game", document, HTMLFormElement);
const seats = one("[data-seats]", form);

const nameFields = () => all(".seat-name", seats, HTMLInputElement);

/** The server's judgement of the form as typed: seats allowed, and a summary of the rules. */
const judgement = () => one("[data-most-seats]", form).dataset;

/** The number of players so far: empty rows do not count. */
const players = () => nameFields().filter((field) => field.value.trim()).length;

/** Disable Add at the maximum number of seats, and warn about an unusual number of players. */
function limitSeats() {
  const { mostSeats, usualMost } = judgement();
  one("[data-room]", form).className = players() > Number(usualMost) ? "notice notice-warn" : "hint";
  one("[value=add]", form, HTMLButtonElement).disabled = nameFields().length >= Number(mostSeats);
  for (const button of all("[value^=remove-]", seats, HTMLButtonElement)) button.disabled = nameFields().length < 3;
}

/** Add a seat unless the table is full, and return its name field. @param {string} [most] seats */
function addSeat(most = judgement().mostSeats) {
  const row = nameFields().length;
  if (row >= Number(most)) return undefined;
  const seat = one("template", form, HTMLTemplateElement).innerHTML;
  seats.insertAdjacentHTML("beforeend", fill(seat, { row: String(row), number: String(row + 1) }));
  limitSeats();
  return nameFields().at(-1);
}

form.addEventListener("click", (event) => {
  if (!around(event.target, "[value=add]")) return;
  event.preventDefault();
  addSeat()?.focus();
  saveDraft(form);
});

// a name typed over gives its player back
form.addEventListener("input", () => {
  const seated = nameFields().map((field) => field.value.trim().toLowerCase());
  for (const button of all("[data-known]", form, HTMLButtonElement))
    button.disabled = seated.includes((button.dataset.known ?? "").toLowerCase());
});

const SETTLING = 400; // milliseconds
let movedAt = Number.NEGATIVE_INFINITY;

/** Whether a field takes room on the page, and is not folded away. @param {HTMLElement} field */
const isShown = (field) => field.getClientRects().length > 0 && !field.closest("details:not([open])");

// Enter goes to the next field, adds a seat after the last name up to the usual number, and ends at the button, as it
// does in an empty seat; the button ignores the same press if the key bounces
form.addEventListener("keydown", (event) => {
  const field = around(event.target, "input.input", HTMLInputElement);
  if (event.key !== "Enter" || event.isComposing) return;
  if (around(event.target, "[value=start]") && performance.now() - movedAt < SETTLING) return event.preventDefault();
  if (!field) return;
  event.preventDefault();
  movedAt = performance.now();
  const isEmpty = nameFields().includes(field) && !field.value.trim();
  if (isEmpty) return one("[value=start]", form).focus();
  if (field === nameFields().at(-1) && players() < Number(judgement().usualMost)) return addSeat()?.focus();
  const fields = all("input.input, [value=start]", form).filter(isShown);
  fields[fields.indexOf(field) + 1]?.focus();
});

/** Put the names into the labels of the dealer buttons. */
function labelDealers() {
  for (const name of nameFields()) {
    const deals = fill(seats.dataset.deals ?? "", { name: name.value || name.placeholder });
    one("input[type=radio]", around(name, "li") ?? seats).setAttribute("aria-label", deals);
  }
}

seats.addEventListener("input", labelDealers);
seats.addEventListener("input", limitSeats);

// a seat that moved keeps the focus; if it was removed, focus the next one
document.addEventListener("submitted", (event) => {
  const [what, row] = String(/** @type {CustomEvent} */ (event).detail).split("-");
  const place = Number(row);
  if (what === "up") find(`[value=up-${place - 1}]`, seats)?.focus();
  if (what === "remove") (nameFields()[place] ?? nameFields().at(-1))?.focus();
  if (what === "known") find("[data-known]:enabled", form)?.focus({ preventScroll: true });
  variantButton.hidden = true;
  saveDraft(form);
});

// a variant without stakes gets a call-up of one unit, for a start
form.addEventListener("click", (event) => {
  if (!around(event.target, "[data-for-money]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  one("[name=money][value='10']", form, HTMLInputElement).checked = true;
  const callUp = one("#house-stake_call_up", form, HTMLInputElement);
  if (!Number(callUp.value)) callUp.value = "1";
  callUp.dispatchEvent(new Event("input", { bubbles: true }));
  form.addEventListener("judged", () => find("#money-terms", form)?.scrollIntoView(), { once: true });
});

const variantButton = one("[data-variant]", form, HTMLButtonElement);
variantButton.hidden = true;
const variant = one("#variant", form, HTMLSelectElement);
variant.addEventListener("change", () => variantButton.click());
// browsers may restore another choice, or it was made before this module loaded
const renderedFor = defaultChoice(variant);
/** @param {[string, string]} field */
const isName = ([name]) => /^players-\d+-name$/.test(name);
const draft = loadDraft(form.action);
const { of } = form.dataset;
if (draft && of && draft.of !== of) {
  // keep the players, but drop the rules: this page was opened for other rules
  const fields = draft.fields.filter(([name]) => !/^(?:house-|asked_of$|variant$)/.test(name));
  if (draft.fields.some((field) => isName(field) && field[1])) saveDraftAt(form.action, { ...draft, of, fields });
  else deleteDraft(form.action);
}
autosave(form, {
  onRestore({ fields }) {
    const seated = fields.filter(isName).length;
    while (nameFields().length < seated && addSeat(seats.dataset.mostEver));
  },
});
form.addEventListener("submit", (event) => {
  if (submittedBy(event) === "start") deleteDraft(form.action);
});
form.addEventListener("judged", () => {
  one("[data-room]", form).textContent = judgement().told ?? "";
  one("[data-about]", form).textContent = judgement().summary ?? "";
  limitSeats();
});
enhanceTerms(form);
limitSeats();
labelDealers();
// the variant was changed before this module loaded, or by the draft: fetch the questions of that variant
if (variant.value !== renderedFor) {
  const isAnswered = one("[name=asked_of]", form, HTMLInputElement).value === variant.value;
  (isAnswered ? one("[value=keep]", form) : variantButton).click();
}
