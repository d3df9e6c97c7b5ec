/**
 * Recording a hand with one thumb: choose the winner, then use the keypad for each other player; the focus moves to the next
 * row after a whole sum. Without this module, the form is typed, reviewed and saved. Modules needed later load later.
 */

import { all, around, fieldOf, find, make, one, submittedBy } from "./dom.js";
import {
  debounce,
  deleteDraft,
  fill,
  hasRoom,
  isOurs,
  isQueued,
  loadDraft,
  post,
  restoreAsideDraft,
  restoreDraft,
  saveDraft,
  seenOf,
  serialize,
  showNote,
  wordsOf,
} from "./form.js";
import { Loser } from "./loser.js";
import { Rows } from "./rows.js";

/**
 * @import { Entry } from "./counting.js"
 * @import { Draft } from "./form.js"
 */

const MOST_CALLS = 99;
const SETTLING = 400; // milliseconds
const PAUSE = 120; // so that typing a sum sends one request
const RETRY = 5000; // after no response

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
/** Instructions for the first hand. */
const guide = all("[data-guide] > span", form);
/** The order of these instructions. */
const GUIDE = { winner: 0, points: 1, cards: 2, save: 3, readOn: 4, typing: 5 };

const winner = () => new FormData(form).get("winner");
const isBeside = () => getComputedStyle(form).display === "grid";
const isComplete = () => Boolean(winner()) && rows.isComplete;
const tiles = all(".winner input", form, HTMLInputElement);
/** Shown while the previous hand is queued: asks who was out by then. */
const unknown = one("[data-unknown]");
const absent = all("input", unknown, HTMLInputElement);
const notDealtIn = one("#not-dealt-in", form);
notDealtIn.addEventListener("toggle", () => notDealtIn.scrollIntoView({ block: "center" })); // not behind the keypad
/** Reads out what saving does, for those who don't see well. */
const speak = one("[data-speak]", form, HTMLButtonElement);
const isWide = matchMedia("(min-width: 60rem)");
/** Loaded as soon as anything is typed, in case the phone goes offline. */
const outbox = () => import("./outbox.js");

/** Update the page from the fields. */
function show() {
  unknown.hidden = !words.nextHand || form.matches(".is-sent") || !isQueued(form.action);
  const away = absent.flatMap(({ checked, value }) => (checked && !unknown.hidden ? [value] : []));
  for (const tile of tiles) {
    tile.disabled = away.includes(tile.value);
    tile.checked &&= !tile.disabled;
  }
  const won = winner();
  form.classList.toggle("has-winner", Boolean(won));
  for (const loser of losers) loser.close(loser.seat === won || away.includes(loser.seat));
  rows.show();
  form.classList.toggle("is-last", rows.isLast);
  // the keypad may cover the error in the row
  const fault = rows.active?.fault ?? "";
  preview.dataset.empty = fault || nothingYet;
  preview.toggleAttribute("data-refused", fault !== "");
  if (fault) rows.active?.row.scrollIntoView({ block: "nearest" });
  updateSave();
  showClear();
  preview.ariaLive = isComplete() ? "polite" : "off";
  updatePreview(isComplete() || (won !== null && isWide.matches)); // beside the rows there is room for the totals so far
}

/** What the preview shows or will show: the form as typed. */
let previewed = "";

/** Fetch the preview: what saving the hand would do, in the server's words. */
const askSoon = debounce(PAUSE, async (signal) => {
  if (!previewed) return;
  const answer = await post(form.dataset.preview ?? "", previewed, signal);
  try {
    const { swap } = await import("./swap.js");
    if (!(await swap(answer, [preview], { isLate: () => signal.aborted }))) return;
  } catch {
    if (signal.aborted) return;
    const isForbidden = isOurs(answer) && answer?.status === 403;
    const promise = answer ? words.busy : words.offline;
    preview.textContent = isForbidden ? words.forbidden : hasRoom(previewed) ? promise : words.full;
    askSoon(Math.max(RETRY, 1000 * Number(answer?.headers.get("Retry-After") ?? 0)));
  }
  preview.ariaBusy = "false";
});

/** Update the preview, or empty it. @param {boolean} isWanted */
function updatePreview(isWanted) {
  const typed = isWanted ? serialize(form).toString() : "";
  if (typed === previewed) return;
  const isGiven = !previewed && preview.hasChildNodes(); // a correction comes with the preview of what is saved
  previewed = typed;
  if (isGiven) return;
  preview.ariaBusy = String(typed !== "");
  if (!typed) preview.replaceChildren();
  askSoon();
}

/** Whether the keypad covers the end of the preview. On wide pages the preview is beside it. */
const isPreviewCovered = () => !pad.hidden && !isBeside() && preview.scrollHeight > preview.clientHeight + 1;

let saves = save.textContent ?? "";

/** Enable Save once the whole preview can be read. */
function updateSave() {
  const isReady = isComplete() && isPreviewReady();
  save.ariaDisabled = String(!isReady || find(".error", preview) !== null);
  speak.disabled = !isReady;
  const isUnread = isReady && isPreviewCovered();
  const label = isUnread ? words.readOn : saves;
  if (save.textContent !== label) save.textContent = label; // replaced under a press, Safari would lose the click
  const step = stepOfGuide(isUnread);
  for (const [each, line] of guide.entries()) line.hidden = each !== step;
}

/** Return which line of the guide is shown. @param {boolean} isUnread */
function stepOfGuide(isUnread) {
  if (!winner() || form.matches(".choosing")) return GUIDE.winner;
  if (save.ariaDisabled === "false") return isUnread ? GUIDE.readOn : GUIDE.save;
  if (pad.hidden) return GUIDE.typing;
  return rows.mode === "points" ? GUIDE.points : GUIDE.cards;
}

/** Whether the dock scrolls with the page, as it does with large text. */
const isLoose = () => getComputedStyle(dock).position === "static";

/** Keep the active row visible above the dock. */
function keepRowVisible() {
  const isBelow = isBeside() || isLoose();
  document.documentElement.style.scrollPaddingBottom = isBelow ? "" : `${dock.offsetHeight + 8}px`;
  const row = rows.active?.row;
  // a correction starts with a choice of rows; above the first row are the ways to go out
  const isFirst = rows.active === losers.find((loser) => !loser.isClosed);
  const above = isEarlier ? row?.parentElement : isFirst ? find(".ending", form) : null;
  for (const each of [above, row]) each?.scrollIntoView({ block: "nearest" });
  if (isLoose() && document.activeElement === dock) dock.scrollIntoView();
  updateSave();
}

/** Handle any change to the form. */
function changed() {
  form.classList.remove("choosing");
  rows.active?.checkWhileTyping();
  show();
  saveDraft(form);
  outbox().catch(() => {});
}

/** When the review opened. Until it has settled, no key saves: a key that bounces presses twice. */
let reviewedAt = Number.NEGATIVE_INFINITY;
const isSettling = () => performance.now() - reviewedAt < SETTLING;

/** Replace the keypad with the preview, where Enter saves the hand. */
function completed() {
  reviewedAt = performance.now();
  // ignore a tap meant for a key that was here a moment ago
  const refuse = (/** @type {Event} */ event) => event.preventDefault();
  preview.addEventListener("click", refuse);
  window.setTimeout(() => preview.removeEventListener("click", refuse), SETTLING);
  show();
  dock.focus({ preventScroll: true });
}

const isPreviewReady = () => preview.childNodes.length > 0 && preview.ariaBusy !== "true";

/** Show the preview's error for a row in that row, and go there if nothing else has the focus. */
function showFaults() {
  if (!isComplete() || !isPreviewReady()) return;
  for (const loser of losers) {
    const fault = preview.querySelector(`[data-fault="${loser.seat}"]`)?.textContent ?? "";
    loser.showFault(fault);
    if (fault && document.activeElement === dock) rows.enterAnew(loser);
  }
}

/** Fill the form from a draft. @param {Draft} draft */
function restore(draft) {
  restoreDraft(form, draft);
  show();
  for (const loser of losers) loser.check();
  if (winner() && !isComplete()) rows.advance();
}

/** Leave the active row. */
function leaveRow() {
  rows.leave();
  form.classList.remove("choosing");
  show();
}

/** Empty the form for the hand after a queued one. */
function beginNext() {
  for (const name of ["seen", "number"]) fieldOf(form, name).value = String(Number(fieldOf(form, name).value) + 1);
  fieldOf(form, "submission").value = [...crypto.getRandomValues(new Uint32Array(4))].join("-");
  for (const each of [...tiles, ...absent, ...losers.flatMap((loser) => loser.absent ?? [])]) each.checked = false;
  one(".ending input", form, HTMLInputElement).checked = true;
  for (const loser of losers) loser.empty();
  saves = fill(words.save, { number: fieldOf(form, "number").value });
  one(".hand-head", form).replaceChildren(make("h1", {}, words.nextHand));
  deleteDraft(form.action);
  leaveRow();
}

// ---- Clear, with a way to undo it

const clear = one("[data-clear]", form, HTMLAnchorElement);
const seenAtFirst = seenOf(form);
/** @type {HTMLElement | null} */
let cleared = null; // the note with the button that undoes it

function showClear() {
  clear.hidden = !winner() && !losers.some((loser) => loser.isFilled);
  if (cleared && !clear.hidden) cleared.hidden = true;
}

clear.addEventListener("click", (event) => {
  event.preventDefault();
  saveDraft(form);
  const draft = loadDraft(form.action);
  deleteDraft(form.action);
  // the page was rendered with the typed values: open the empty form instead
  if ("typed" in form.dataset) return location.replace(clear.href);
  form.reset();
  fieldOf(form, "seen").value = seenAtFirst;
  leaveRow();
  focusNames();
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
  const sitsOut = losers.find((loser) => loser.absent === field);
  if (sitsOut) markAbsent(sitsOut, field);
  rows.onInput();
  changed();
  // the arrow keys pass over names without choosing one
  if (field.name === "winner" && isByArrow) form.classList.add("choosing");
  else if (field.name === "winner") rows.start();
});

form.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  // tapping the winner again shows all names
  const isWinner = target.matches("input[name=winner]");
  if (isWinner && form.classList.contains("has-winner")) form.classList.toggle("choosing");
  if (target.dataset.step) step(target, Number(target.dataset.step));
  const link = around(target, "[data-preview-region] a", HTMLAnchorElement);
  // on a laptop, open explanations in a new tab, as this hand is not saved yet
  if (link) link.target = isByMouse || !event.detail ? "_blank" : "";
  // return the focus that a mouse click took away
  if (!isByMouse || !(target.dataset.step || target.matches("input[name=ending]"))) return;
  if (rows.active) rows.enter(rows.active);
  else dock.focus({ preventScroll: true });
});

/** Clear the row of a player who was not dealt in, after asking. @param {Loser} loser @param {HTMLInputElement} tick */
function markAbsent(loser, tick) {
  tick.checked &&= loser.isEmpty || window.confirm(fill(words.clears, { name: loser.name }));
  if (!tick.checked) return;
  loser.empty();
  rows.leave();
}

/** Change the number of calls by one, and fire an input event. @param {HTMLElement} button @param {number} more */
function step(button, more) {
  const field = one("input", button.parentElement ?? form, HTMLInputElement);
  if (/\D/.test(field.value)) return field.focus(); // not a number: leave it to whoever typed it
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
  if (isByArrow && field.name === "winner") form.classList.add("choosing"); // show all names again
  if (/^(Arrow|Home|End)/.test(event.key)) rows.onCaretMove();
  if (event.key === "Backspace" && rows.takeBack()) return event.preventDefault();
  // Enter continues with the points, Space with the ways to go out; ignore the Enter that opened the page
  const isTaken = field.name === "winner" && /^( |Enter)$/.test(event.key);
  if (isTaken && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    if (event.repeat) return;
    form.classList.remove("choosing");
    if (field.checked) rows.start();
    else field.click();
    if (event.key === " ") find(".ending input:checked", form)?.focus({ preventScroll: true });
    return;
  }
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
  if (field.matches("a, button, summary, select")) return; // Enter has its own meaning there
  event.preventDefault();
  if (dock.contains(field) && save.ariaDisabled === "false") return event.repeat || isSettling() || save.click();
  rows.enterPressed();
});

document.addEventListener("keydown", (event) => {
  const { target, key, altKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (key === "Enter" && isCommand && !form.hidden) {
    event.preventDefault();
    if (!isSettling() && (!isComplete() || isPreviewReady())) save.click();
  }
  // type into the active row even if no field has the focus; the browser enters the key itself
  if (key.length > 1 || key === " " || isCommand || altKey || !winner()) return;
  const isBeside = target instanceof Element && target.matches("body, #hand :is([type=radio], button)");
  if (isBeside) rows.takeKeys(!target.matches("body"));
  else rows.choose(target);
});

form.addEventListener("paste", (event) => rows.choose(event.target));
unknown.addEventListener("change", show);
speak.addEventListener("click", () => {
  speechSynthesis.cancel(); // a second tap begins again
  speechSynthesis.speak(new SpeechSynthesisUtterance(preview.innerText.replace(/\n+/g, ", ")));
});

form.addEventListener("submit", async (event) => {
  if (submittedBy(event) !== "save") return;
  event.preventDefault();
  if (!winner()) return form.querySelector("#winner")?.scrollIntoView({ block: "nearest" });
  for (const loser of losers) loser.check();
  const open = losers.find((loser) => !loser.isFilled || (isPreviewReady() && loser.isOpen));
  if (open) return open.isEmpty ? rows.enter(open) : rows.enterAnew(open);
  const isUnread = isPreviewCovered();
  leaveRow();
  if (isUnread) return completed();
  const saving = await outbox().catch(() => null);
  if (!saving) return form.submit(); // as without scripts: the server shows the form again
  saving.saveForm(form, words.nextHand ? beginNext : undefined);
  show();
});

// ---- Start

form.classList.add("is-live");
save.hidden = false;
speak.hidden = !("speechSynthesis" in window);
one("[data-look]", form).hidden = true;
for (const key of all("[data-step]", form)) key.hidden = false;
restoreAsideDraft(form.action);
const draft = loadDraft(form.action);
if (draft || "typed" in form.dataset) {
  preview.replaceChildren();
  outbox().catch(() => {});
}
if ("typed" in form.dataset) saveDraft(form);
else if (draft && (isQueued(form.action) || Number(draft.seen) >= Number(seenOf(form)))) resumeDraft(draft);
else if (draft) {
  form.hidden = true; // until the server has compared the draft
  import("./compare.js").then(({ resolveDraft }) => resolveDraft(form, draft, words, restore));
}
// focused or chosen before this module loaded
if (!draft && tiles.some(({ checked, defaultChecked }) => checked && !defaultChecked)) saveDraft(form);
rows.onFocus(document.activeElement);
show();
focusFirst();
// the keypad would cover the note about missing cards
if (winner() && !rows.active && !find("[data-first]", form) && losers.some((loser) => loser.isOpen)) rows.advance();
new ResizeObserver(keepRowVisible).observe(dock);
new MutationObserver(() => {
  updateSave();
  showFaults();
}).observe(preview, { childList: true, subtree: true, attributes: true });
loadRest();

/** Focus the names or, in a recorded hand, the first points if there is a keyboard; on a phone, that would scroll the page. */
function focusFirst() {
  const isAtRest = document.activeElement === document.body && one("[data-outbox]").hidden && !find(".error", form);
  if (!isAtRest || !matchMedia("(pointer: fine)").matches) return;
  if (!winner()) focusNames();
  else if (isEarlier)
    (losers.find(({ isOpen }) => isOpen) ?? losers.find(({ isClosed }) => !isClosed))?.field.focus({
      preventScroll: true,
    });
}

/** Focus the first name that may be chosen. */
function focusNames() {
  tiles.find(({ disabled }) => !disabled)?.focus({ preventScroll: true });
}

/** Restore a draft and say so, lest it look like a recorded or a new hand. @param {Draft} draft */
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

/** Load what the first taps do not need. */
async function loadRest() {
  import("./page.js");
  import("./incoming.js");
  if (navigator.serviceWorker?.controller) import("./compare.js"); // so that the worker caches it for offline use
  if ("typed" in form.dataset || !isQueued(form.action)) return;
  const { resumeSending } = await outbox();
  resumeSending(form, restore, words.nextHand ? beginNext : undefined);
  show();
}
