// @ts-check
/**
 * New game: adds, moves and removes seats at once, fetches another variant's questions, and shows what the server
 * suggests for stakes. Without this file, the buttons do the same through the server.
 */

import { draftOf, dropDraft, fill, keepDraft } from "./form.js";
import { sendAll, workRules } from "./house.js";
import { suggestStakes } from "./stakes.js";
import { keepTyped, lessenDraft } from "./typed.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("new-game"));
const seats = /** @type {HTMLOListElement} */ (form.querySelector("[data-seats]"));

/** How many can be dealt to, and what to say of that and the rules as typed, once the server has judged them. */
const judged = () => /** @type {HTMLElement} */ (form.querySelector("[data-most-seats]")).dataset;
const mostSeats = () => Number(judged().mostSeats);

/** @returns {HTMLLIElement[]} */
const rows = () => [...seats.querySelectorAll("li")];

/**
 * @template {HTMLElement} T
 * @param {ParentNode} within
 * @param {string} selector
 * @returns {T}
 */
const one = (within, selector) => /** @type {T} */ (within.querySelector(selector));

/** @param {HTMLLIElement} row @returns {HTMLInputElement} */
const nameOf = (row) => one(row, ".seat-name");

/** @param {string | undefined} pattern @param {string} name */
const said = (pattern, name) => fill(pattern ?? "", { name });

/** Give every row the field names, numbers and labels of its place. */
function renumber() {
  const all = rows();
  all.forEach((row, place) => {
    const input = nameOf(row);
    const player = said(seats.dataset.player, String(place + 1));
    input.name = input.id = `players-${place}-name`;
    input.placeholder = player;
    input.setAttribute("aria-label", player);
    const drawn = /** @type {HTMLInputElement} */ (one(row, "input[type=hidden]"));
    drawn.name = drawn.id = `players-${place}-drawn`;
    const deals = /** @type {HTMLInputElement} */ (one(row, "input[type=radio]"));
    deals.value = String(place);
    deals.setAttribute("aria-label", said(seats.dataset.deals, input.value || player));
    for (const [what, idle] of /** @type {[string, boolean][]} */ ([
      ["up", place === 0],
      ["remove", all.length < 3],
    ])) {
      const button = /** @type {HTMLButtonElement} */ (one(row, `[data-do=${what}]`));
      button.value = `${what}-${place}`;
      button.disabled = idle;
      button.setAttribute("aria-label", said(seats.dataset[what], player));
    }
  });
  boundSeats();
}

/** Offer no seat that cannot be dealt to, and say so loudly where more sit down than usual. */
function boundSeats() {
  const room = one(form, "[data-room]");
  const isMany = rows().length > Number(judged().usualMost);
  room.className = isMany ? "notice notice-warn" : "hint";
  const full = rows().length >= mostSeats();
  /** @type {HTMLButtonElement} */ (one(form, "[data-do=add]")).disabled = full;
}

/** Forget the cards drawn: seats changed by hand no longer match them. */
function forgetDraw() {
  for (const input of seats.querySelectorAll("input[type=hidden]")) input.setAttribute("value", "");
  document.getElementById("drawn")?.remove();
}

/** @returns {HTMLInputElement | undefined} the new seat's name field, unless the table is full */
function addSeat() {
  const all = rows();
  const last = all.at(-1);
  if (!last || all.length >= mostSeats()) return undefined;
  const row = /** @type {HTMLLIElement} */ (last.cloneNode(true));
  row.querySelector(".seat-error")?.remove();
  nameOf(row).value = "";
  nameOf(row).removeAttribute("aria-invalid");
  /** @type {HTMLInputElement} */ (one(row, "input[type=radio]")).checked = false;
  seats.append(row);
  renumber();
  return nameOf(row);
}

/** @param {HTMLLIElement} row */
function moveUp(row) {
  const above = row.previousElementSibling;
  if (!above) return;
  const dealt = seats.querySelector("input[type=radio]:checked");
  seats.insertBefore(row, above);
  if (dealt instanceof HTMLInputElement) dealt.checked = true;
  renumber();
  /** @type {HTMLButtonElement} */ (one(row, "[data-do=up]")).focus();
}

/** @param {HTMLLIElement} row */
function removeSeat(row) {
  const next = /** @type {HTMLLIElement} */ (row.nextElementSibling ?? row.previousElementSibling);
  row.remove();
  renumber();
  nameOf(next).focus();
}

/** What spellings of a name have in common; the server knows more of them, and judges. @param {string} name */
const person = (name) =>
  name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[‘’‛`´ʼʻ′]/g, "'")
    .replace(/[\p{Pd}−]/gu, "-")
    .trim()
    .toLowerCase();

/** Disable the buttons of players who are already seated; each keeps its place. */
function offerCompany() {
  const seated = new Set(rows().map((row) => person(nameOf(row).value)));
  for (const chip of /** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll("[data-known]"))) {
    chip.disabled = seated.has(person(chip.dataset.known ?? ""));
  }
}

/** Seat a player of an earlier game in the first empty row. @param {string} name */
function seat(name) {
  forgetDraw();
  if (!rows().some((row) => !nameOf(row).value.trim())) addSeat();
  const row = rows().find((row) => !nameOf(row).value.trim());
  if (row) nameOf(row).value = name;
  renumber();
  offerCompany();
  /** @type {HTMLElement | null} */ (form.querySelector("[data-known]:enabled"))?.focus({ preventScroll: true });
  keepDraft(form);
}

form.addEventListener("click", (event) => {
  const chip = event.target instanceof Element ? event.target.closest("[data-known]") : null;
  if (!(chip instanceof HTMLElement)) return;
  event.preventDefault();
  seat(chip.dataset.known ?? "");
});

form.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button[data-do]") : null;
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  forgetDraw();
  const row = button.closest("li");
  if (!row) addSeat()?.focus();
  else if (button.dataset.do === "up") moveUp(row);
  else removeSeat(row);
  offerCompany();
  keepDraft(form);
});

seats.addEventListener("keydown", (event) => {
  const row = event.target instanceof Element && event.target.matches(".seat-name") ? event.target.closest("li") : null;
  if (event.key !== "Enter" || event.isComposing || !row) return;
  event.preventDefault();
  const next = row.nextElementSibling;
  if (next instanceof HTMLLIElement) nameOf(next).focus();
  else if (nameOf(row).value.trim()) {
    forgetDraw();
    addSeat()?.focus();
  }
});

seats.addEventListener("input", () => {
  renumber();
  offerCompany();
});

// the stakes just asked for come into sight; no field is entered, as the usual stakes need no keyboard
form.querySelector("#money")?.addEventListener("change", () => {
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  form.querySelector(".money:has(:checked) > .money-more")?.scrollIntoView({ block: "nearest", behavior });
});

form.querySelector("[data-for-money]")?.addEventListener("click", () => {
  /** @type {HTMLInputElement} */ (one(form, "#money")).checked = true;
});

const variantButton = /** @type {HTMLButtonElement} */ (one(form, "[data-variant]"));
variantButton.hidden = true;
const variant = /** @type {HTMLSelectElement} */ (one(form, "#variant"));
variant.addEventListener("change", () => form.requestSubmit(variantButton));
// the variant this page was rendered for, even if another was chosen before this file arrived
const asked = ([...variant.options].find((option) => option.defaultSelected) ?? variant.options[0])?.value;
/** @param {[string, string]} field */
const isName = ([name]) => /^players-\d+-name$/.test(name);
// players typed before the rules were chosen elsewhere play by these
lessenDraft(form, (fields) =>
  fields.some((field) => isName(field) && field[1])
    ? fields.filter(([name]) => !/^(?:house-|out_at$|asked_of$|variant$)/.test(name))
    : [],
);
keepTyped(form, (draft) => {
  const seated = draft.fields.filter(isName).length;
  while (rows().length < Math.min(seated, Number(seats.dataset.mostEver))) addSeat();
});
form.addEventListener("submit", (event) => {
  if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value === "start") dropDraft(form.action);
});
form.addEventListener("judged", () => {
  one(form, "[data-room]").textContent = judged().told ?? "";
  one(form, "[data-about]").textContent = judged().summary ?? "";
  boundSeats();
});
workRules(form);
renumber();
suggestStakes(form);
// chosen early, or restored with another variant: fetch its questions from the server, with what was answered to them
if (variant.value !== asked) {
  const isAnswered = /** @type {HTMLInputElement} */ (one(form, "[name=asked_of]")).value === variant.value;
  if (isAnswered) sendAll(form, new Set(draftOf(form)?.fields.map(([name]) => name)));
  form.requestSubmit(isAnswered ? one(form, "[value=keep]") : variantButton);
}
