/**
 * Recording a hand with one thumb: the winner first, then the keypad for each of the others; the focus moves on by
 * itself after a sum. Without this file the form is typed, looked at and saved. What the first taps need comes first.
 */

import { all, around, fieldOf, find, make, one, submittedBy } from "./dom.js";
import {
  deleteDraft,
  fill,
  isQueued,
  loadDraft,
  restoreAsideDraft,
  restoreDraft,
  saveDraft,
  seenOf,
  showNote,
  wordsOf,
} from "./form.js";
import { Loser } from "./loser.js";
import { makePreview } from "./preview.js";
import { Rows } from "./rows.js";

/**
 * @import { Entry } from "./counting.js"
 * @import { Draft } from "./form.js"
 */

const MOST_CALLS = 99;
const SETTLING = 400; // milliseconds

const form = one("#hand", document, HTMLFormElement);
const entry = /** @type {Entry} */ (JSON.parse(form.dataset.entry ?? ""));
const words = wordsOf(form);
const pad = one("[data-keypad]", form);
const dock = one(".dock", form);
const save = one("[data-save]", form, HTMLButtonElement);
const losers = all(".loser", form).map((row) => new Loser(row, entry, words));
const isEarlier = form.matches(".is-earlier");
const rows = new Rows(form, losers, words, "points", { pad, show, changed, completed, isEarlier });
const preview = one("[data-preview-region]", form);
const nothingYet = preview.dataset.empty;
/** What leads through the first hand: who won, what the others hold (by sums, by cards), saving. */
const guide = all("[data-guide] > span", form);
const updatePreview = makePreview(preview, form, words);

const winner = () => new FormData(form).get("winner");
const isBeside = () => getComputedStyle(form).display === "grid";
const isComplete = () => Boolean(winner()) && rows.isComplete && !rows.question;
const tiles = all(".winner input", form, HTMLInputElement);
/** Asked while the hand before waits on this phone: who was out by then. */
const unknown = one("[data-unknown]");
const absent = all("input", unknown, HTMLInputElement);
/** Asked for once somebody has won: it must be here before the network is gone. */
const outbox = () => import("./outbox.js");

/** Everything the page shows, from what the fields hold. */
function show() {
  unknown.hidden = !words.nextHand || form.matches(".is-sent") || !isQueued(form.action);
  const away = absent.flatMap(({ checked, value }) => (checked && !unknown.hidden ? [value] : []));
  for (const tile of tiles) {
    tile.disabled = away.includes(tile.value);
    tile.checked &&= !tile.disabled;
  }
  const won = winner();
  if (won) outbox().catch(() => {});
  form.classList.toggle("has-winner", Boolean(won));
  for (const loser of losers) loser.isWinner = loser.seat === won || away.includes(loser.seat);
  rows.show();
  pad.hidden = !won || !rows.active;
  form.classList.toggle("is-last", rows.isLast);
  // the row’s own note about it may be behind the keys
  const fault = rows.active?.fault ?? "";
  preview.dataset.empty = fault || nothingYet;
  preview.toggleAttribute("data-refused", fault !== "");
  if (fault) rows.active?.row.scrollIntoView({ block: "nearest" });
  updateSave();
  showClear();
  updatePreview(isComplete());
}

/** The end of what saving does is behind the keys. Beside them, where the page is wide, it has a place of its own. */
const isCut = () => !pad.hidden && !isBeside() && preview.scrollHeight > preview.clientHeight + 1;

let saves = save.textContent ?? "";

/** Saving is offered once the table can read all that it does. */
function updateSave() {
  const isReady = isComplete() && isPreviewReady();
  save.ariaDisabled = String(!isReady || find(".error", preview) !== null);
  save.textContent = isReady && isCut() ? words.readOn : saves;
  const isChosen = winner() && !form.matches(".choosing");
  const step = !isChosen ? 0 : save.ariaDisabled === "false" ? 3 : rows.mode === "points" ? 1 : 2;
  for (const [each, line] of guide.entries()) line.hidden = each !== step;
}

/** With large letters the dock without its keys is the end of the page (`--loose`). */
const isLoose = () => Number.parseFloat(getComputedStyle(dock).bottom) < 0;

/** The row being filled stays in sight above the dock, whatever the dock shows; where it stands beside, it hides none. */
function stayInSight() {
  const isBelow = isBeside() || isLoose();
  document.documentElement.style.scrollPaddingBottom = isBelow ? "" : `${dock.offsetHeight + 8}px`;
  const row = rows.active?.row;
  // who corrects a hand chooses among its rows; above the first row stands how the hand ended
  const isFirst = rows.active === losers.find((loser) => !loser.isWinner);
  const above = isEarlier ? row?.parentElement : isFirst ? find(".ending", form) : null;
  for (const each of [above, row]) each?.scrollIntoView({ block: "nearest" });
  updateSave();
}

/** After anything was typed. */
function changed() {
  form.classList.remove("choosing");
  rows.active?.reconsider();
  show();
  saveDraft(form);
}

/** Nothing is missing, and somebody said so: the keypad makes way for the preview, which Enter saves once it is told. */
function completed() {
  // a tap that comes now was meant for a key, or for Save
  const refuse = (/** @type {Event} */ event) => event.preventDefault();
  preview.addEventListener("click", refuse);
  window.setTimeout(() => preview.removeEventListener("click", refuse), SETTLING);
  show();
  dock.focus({ preventScroll: true });
  if (isLoose()) dock.scrollIntoView();
}

const isPreviewReady = () => preview.childNodes.length > 0 && preview.ariaBusy !== "true";

/** What the preview says of a row stands in that row, to which it leads whoever waits for it. */
function showFaults() {
  if (!isPreviewReady()) return;
  for (const loser of losers) {
    const fault = preview.querySelector(`[data-fault="${loser.seat}"]`)?.textContent ?? "";
    loser.refuse(fault);
    if (fault && document.activeElement === dock) rows.enterAnew(loser);
  }
}

/** Back to the form as it was typed before. @param {Draft} draft */
function restore(draft) {
  restoreDraft(form, draft);
  show();
  for (const loser of losers) loser.check();
  if (winner() && !isComplete()) rows.advance();
}

/** No row is being filled any more. */
function leaveRow() {
  rows.leave();
  form.classList.remove("choosing");
  show();
}

/** The form for the hand after one that waits: what that one changes is not known yet. */
function beginNext() {
  for (const name of ["seen", "number"]) fieldOf(form, name).value = String(Number(fieldOf(form, name).value) + 1);
  fieldOf(form, "submission").value = [...crypto.getRandomValues(new Uint32Array(4))].join("-");
  for (const each of [...tiles, ...absent]) each.checked = false;
  one(".ending input", form, HTMLInputElement).checked = true;
  for (const loser of losers) loser.empty();
  one(".hand-head", form).replaceChildren(make("h1", {}, words.nextHand));
  deleteDraft(form.action);
  leaveRow();
}

// ---- The button that empties the form, there as long as something is typed; what it took can be brought back

const clear = one("[data-clear]", form, HTMLAnchorElement);
const seenAtFirst = seenOf(form);
/** @type {HTMLElement | null} */
let cleared = null; // the note about it

function showClear() {
  clear.hidden = !winner() && !losers.some((loser) => loser.isFilled);
  if (cleared && !clear.hidden) cleared.hidden = true;
}

clear.addEventListener("click", (event) => {
  event.preventDefault();
  saveDraft(form);
  const draft = loadDraft(form.action);
  deleteDraft(form.action);
  // what the page came with is what was typed: an empty form is another page
  if ("typed" in form.dataset) return location.replace(clear.href);
  form.reset();
  fieldOf(form, "seen").value = seenAtFirst;
  leaveRow();
  const bringBack = () => {
    if (draft) restore(draft);
    saveDraft(form);
  };
  cleared = draft && showNote(words.cleared, [[words.unclear, bringBack]]);
});

// ---- Taps and keys

let isByArrow = false;
let isByMouse = false;

form.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  rows.onInput(field);
  changed();
  // who goes through the names with the arrows has not chosen yet
  if (field.name === "winner" && isByArrow) form.classList.add("choosing");
  else if (field.name === "winner") rows.start();
});

form.addEventListener("click", (event) => {
  const touched = /** @type {HTMLElement} */ (event.target);
  // the winner's own tile opens the choice again
  const isWinner = touched.matches("input[name=winner]");
  if (isWinner && form.classList.contains("has-winner")) form.classList.toggle("choosing");
  if (touched.dataset.step) step(touched, Number(touched.dataset.step));
  const link = around(touched, "[data-preview-region] a", HTMLAnchorElement);
  // at a laptop the reason stands beside the hand, which is not saved yet
  if (link) link.target = isByMouse || !event.detail ? "_blank" : "";
  // a mouse leaves the keyboard where it was
  if (!isByMouse || !(touched.dataset.step || touched.matches("input[name=ending]"))) return;
  if (rows.active) rows.enter(rows.active);
  else dock.focus({ preventScroll: true });
});

/** One call more or less; the field speaks up as if it had been typed into. @param {HTMLElement} button @param {number} more */
function step(button, more) {
  const field = one("input", button.parentElement ?? form, HTMLInputElement);
  if (/\D/.test(field.value)) return field.focus(); // only who typed it knows what it is
  field.value = String(Math.max(0, Math.min(MOST_CALLS, Number(field.value) + more)) || "");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

form.addEventListener("pointerdown", (event) => {
  isByArrow = false;
  isByMouse = event.pointerType === "mouse";
});

form.addEventListener("keydown", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  isByArrow = event.key.startsWith("Arrow");
  if (isByArrow && field.name === "winner") form.classList.add("choosing"); // the others' tiles show again
  if (/^(Arrow|Home|End)/.test(event.key)) rows.onCaretMove();
  if (event.key === "Backspace" && rows.takeBack()) return event.preventDefault();
  // Space, too, takes the winner that the arrows have come to; nobody chooses one by the Enter that opened the page
  const isTaken = field.name === "winner" && (event.key === "Enter" || (event.key === " " && field.checked));
  if (isTaken && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    if (event.repeat) return;
    if (!field.checked) return field.click();
    form.classList.remove("choosing");
    return rows.start();
  }
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
  if (field.matches("a, button, summary, select")) return; // where Enter has its own meaning
  event.preventDefault();
  if (dock.contains(field) && save.ariaDisabled === "false") return event.repeat || form.requestSubmit(save);
  rows.enterPressed();
});

document.addEventListener("keydown", (event) => {
  const { target, key, altKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (key === "Enter" && isCommand && !form.hidden) {
    event.preventDefault();
    if (!isComplete() || isPreviewReady()) form.requestSubmit(save);
  }
  // what is typed beside the fields continues where it stopped, and what looks chosen is: the key itself is typed after this
  if (key.length > 1 || key === " " || isCommand || altKey || !winner()) return;
  const isBeside = target instanceof Element && target.matches("body, #hand :is([type=radio], button)");
  if (isBeside) rows.takeKeys(!target.matches("body"));
  else rows.choose(target);
});

form.addEventListener("paste", (event) => rows.choose(event.target));
unknown.addEventListener("change", show);

form.addEventListener("submit", async (event) => {
  if (submittedBy(event) !== "save") return;
  event.preventDefault();
  if (!winner()) return form.querySelector("#winner")?.scrollIntoView({ block: "nearest" });
  if (rows.question) return rows.focusQuestion();
  for (const loser of losers) loser.check();
  const open = losers.find((loser) => !loser.isFilled || (isPreviewReady() && loser.isOpen));
  if (open) return open.isEmpty ? rows.enter(open) : rows.enterAnew(open);
  const isUnread = isCut();
  leaveRow();
  if (isUnread) return completed();
  const saving = await outbox().catch(() => null);
  if (!saving) return form.submit(); // as without script: the server shows it once more
  saving.saveForm(form, words.nextHand ? beginNext : undefined);
  show();
});

// ---- The beginning

function begin() {
  form.classList.add("is-live");
  save.hidden = false;
  one("[data-look]", form).hidden = true;
  for (const key of all("[data-step]", form)) key.hidden = false;
  restoreAsideDraft(form.action);
  const draft = loadDraft(form.action);
  if ("typed" in form.dataset) saveDraft(form);
  else if (draft && (isQueued(form.action) || Number(draft.seen) >= Number(seenOf(form)))) resumeDraft(draft);
  else if (draft) {
    form.hidden = true; // until it is known what others recorded since
    import("./compare.js").then(({ resolveDraft }) => resolveDraft(form, draft, words, restore));
  }
  // what was tapped before this file had come: a row, or the winner
  rows.onFocus(document.activeElement);
  show();
  focusOnTiles();
  // the keys would cover what says which cards are missing
  if (winner() && !rows.active && !find("[data-first]", form) && losers.some((loser) => loser.isOpen)) rows.advance();
  new ResizeObserver(stayInSight).observe(dock);
  const previewed = new MutationObserver(() => {
    updateSave();
    showFaults();
  });
  previewed.observe(preview, { childList: true, subtree: true, attributes: true });
}

/** At a laptop the winner is chosen at once with the keys; on a phone nothing has the focus, and nothing scrolls. */
function focusOnTiles() {
  const isAtRest = document.activeElement === document.body && one("[data-outbox]").hidden && !find(".error", form);
  if (isAtRest && !winner() && matchMedia("(pointer: fine)").matches)
    tiles.find(({ disabled }) => !disabled)?.focus({ preventScroll: true });
}

/** Nobody shall take what they typed earlier for what is recorded, or for a new hand. @param {Draft} draft */
function resumeDraft(draft) {
  const next = find("[name=number]", form, HTMLInputElement)?.value ?? "";
  const number = new Map(draft.fields).get("number") ?? "";
  restore(draft);
  if (isQueued(form.action)) return;
  if (Number(number) > Number(next)) {
    saves = fill(words.saveAs, { next });
    showNote(fill(words.typedAs, { number, next }), []);
  } else if (!clear.hidden) showNote(words.begun, [[clear.textContent ?? "", () => clear.click()]]);
}

/** What the first taps can do without. */
async function loadRest() {
  import("./page.js");
  import("./incoming.js");
  if (navigator.serviceWorker?.controller) import("./compare.js"); // which keeps it for when there is no network
  if ("typed" in form.dataset || !isQueued(form.action)) return;
  const { resumeSending } = await outbox();
  resumeSending(form, restore, words.nextHand ? beginNext : undefined);
  show();
}

begin();
loadRest();
