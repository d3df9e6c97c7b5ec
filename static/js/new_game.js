/**
 * New game: what its buttons ask the server for is shown in this page (submit.js), except that a seat is added at once, so
 * that a keyboard can go on typing. Without this file, the buttons do the same through the server.
 */

import "./submit.js";
import { autosave } from "./autosave.js";
import { all, around, find, one, submittedBy } from "./dom.js";
import { defaultChoice, deleteDraft, fill, loadDraft, saveDraft, saveDraftAt } from "./form.js";
import { enhanceTerms } from "./terms.js";

const form = one("#new-game", document, HTMLFormElement);
const seats = one("[data-seats]", form);

const nameFields = () => all(".seat-name", seats, HTMLInputElement);

/** How many can be dealt to, and what to say of that and the rules as typed, once the server has judged them. */
const judgement = () => one("[data-most-seats]", form).dataset;

/** Offer no seat that cannot be dealt to, and say so loudly where more sit down than usual. */
function boundSeats() {
  const { mostSeats, usualMost } = judgement();
  one("[data-room]", form).className = nameFields().length > Number(usualMost) ? "notice notice-warn" : "hint";
  one("[value=add]", form, HTMLButtonElement).disabled = nameFields().length >= Number(mostSeats);
  for (const button of all("[value^=remove-]", seats, HTMLButtonElement)) button.disabled = nameFields().length < 3;
}

/** Add a seat, unless the table is full; returns its name field. @param {string} [most] seats */
function addSeat(most = judgement().mostSeats) {
  const row = nameFields().length;
  if (row >= Number(most)) return undefined;
  const seat = one("template", form, HTMLTemplateElement).innerHTML;
  seats.insertAdjacentHTML("beforeend", fill(seat, { row: String(row), number: String(row + 1) }));
  boundSeats();
  return nameFields().at(-1);
}

form.addEventListener("click", (event) => {
  if (!around(event.target, "[value=add]")) return;
  event.preventDefault();
  addSeat()?.focus();
  saveDraft(form);
});

// Enter goes to the next field, a new seat after the last name, and from the last field to the button
form.addEventListener("keydown", (event) => {
  const field = around(event.target, "input.input", HTMLInputElement);
  if (event.key !== "Enter" || event.isComposing || !field) return;
  event.preventDefault();
  if (field === nameFields().at(-1)) return field.value.trim() && addSeat()?.focus();
  const fields = all("input.input, [value=start]", form).filter((each) => each.checkVisibility());
  fields[fields.indexOf(field) + 1]?.focus();
});

/** Call each player by the name typed. */
function nameDealers() {
  for (const name of nameFields()) {
    const deals = fill(seats.dataset.deals ?? "", { name: name.value || name.placeholder });
    one("input[type=radio]", around(name, "li") ?? seats).setAttribute("aria-label", deals);
  }
}

seats.addEventListener("input", nameDealers);

// a seat that moved takes the focus along; of one that went, the next one has it
document.addEventListener("asked", (event) => {
  const [what, row] = String(/** @type {CustomEvent} */ (event).detail).split("-");
  const place = Number(row);
  if (what === "up") find(`[value=up-${place - 1}]`, seats)?.focus();
  if (what === "remove") (nameFields()[place] ?? nameFields().at(-1))?.focus();
  if (what === "known") find("[data-known]:enabled", form)?.focus({ preventScroll: true });
  variantButton.hidden = true;
  saveDraft(form);
});

// the stakes just asked for come into sight; no field is entered, as the usual stakes need no keyboard
form.addEventListener("change", ({ target }) => {
  if (!around(target, "#money")) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  find(".money:has(:checked) > .money-more", form)?.scrollIntoView({ block: "nearest", behavior });
});

// a variant without stakes gets a call-up of one unit; without script the link leads to where its stakes are typed
form.addEventListener("click", (event) => {
  if (!around(event.target, "[data-for-money]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  one("#money", form, HTMLInputElement).checked = true;
  const callUp = one("#house-stake_call_up", form, HTMLInputElement);
  if (!Number(callUp.value)) callUp.value = "1";
  callUp.dispatchEvent(new Event("input", { bubbles: true }));
  form.addEventListener("judged", () => find("#money-terms", form)?.scrollIntoView(), { once: true });
});

const variantButton = one("[data-variant]", form, HTMLButtonElement);
variantButton.hidden = true;
const variant = one("#variant", form, HTMLSelectElement);
variant.addEventListener("change", () => form.requestSubmit(variantButton));
// the variant this page was rendered for, even if another was chosen before this file arrived
const renderedFor = defaultChoice(variant);
/** @param {[string, string]} field */
const isName = ([name]) => /^players-\d+-name$/.test(name);
const draft = loadDraft(form.action);
const { of } = form.dataset;
if (draft && of && draft.of !== of) {
  // players typed before the rules were chosen elsewhere play by these
  const fields = draft.fields.filter(([name]) => !/^(?:house-|asked_of$|variant$)/.test(name));
  if (draft.fields.some((field) => isName(field) && field[1])) saveDraftAt(form.action, { ...draft, of, fields });
  else deleteDraft(form.action);
}
autosave(form, (draft) => {
  const seated = draft.fields.filter(isName).length;
  while (nameFields().length < seated && addSeat(seats.dataset.mostEver));
});
form.addEventListener("submit", (event) => {
  if (submittedBy(event) === "start") deleteDraft(form.action);
});
form.addEventListener("judged", () => {
  one("[data-room]", form).textContent = judgement().told ?? "";
  one("[data-about]", form).textContent = judgement().summary ?? "";
  boundSeats();
});
enhanceTerms(form);
boundSeats();
nameDealers();
// chosen early, or restored with another variant: fetch its questions from the server, with what was answered to them
if (variant.value !== renderedFor) {
  const isAnswered = one("[name=asked_of]", form, HTMLInputElement).value === variant.value;
  form.requestSubmit(isAnswered ? one("[value=keep]", form) : variantButton);
}
