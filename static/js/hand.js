// @ts-check
/**
 * Recording a hand with one thumb: the winner first, then the keypad for each of the others; the focus goes on by
 * itself when no further digit could make a hand. Without this file the form is typed, looked at and saved.
 */

import { stayAwake } from "./awake.js";
import { couldGrow, countsOf, spent } from "./counting.js";
import { dropDraft, draftOf, keepDraft, restoreDraft } from "./draft.js";
import { makeKeypad } from "./keypad.js";
import { habitOf, Loser } from "./loser.js";
import { makeOutlook } from "./outlook.js";
import { deliver, resume, showNote } from "./saving.js";
import "./stepper.js";
import { keep, recall } from "./store.js";

/** @typedef {import("./keypad.js").Mode} Mode */

const form = /** @type {HTMLFormElement} */ (document.getElementById("hand"));
const entry = /** @type {import("./counting.js").Entry} */ (JSON.parse(form.dataset.entry ?? ""));
const words = /** @type {Record<string, string>} */ (JSON.parse(form.dataset.words ?? ""));
const pad = /** @type {HTMLElement} */ (form.querySelector("[data-keypad]"));
const save = /** @type {HTMLButtonElement} */ (form.querySelector("[data-save]"));
const losers = [...form.querySelectorAll(".loser")].map(
  (row) => new Loser(/** @type {HTMLElement} */ (row), entry, words));
const showKeypad = makeKeypad(pad, entry, words, press);
const showOutlook = makeOutlook(
  form, /** @type {HTMLElement} */ (form.querySelector("[data-outlook]")), words.offline);

/** @type {Mode} */
let mode = (entry.mode || recall("mode")) === "cards" ? "cards" : "points";
/** @type {Loser | null} */
let active = null;

const winner = () => new FormData(form).get("winner");
const isComplete = () => Boolean(winner()) && losers.every((loser) => loser.filled);

/** Everything the page shows, from what the fields hold. */
function show() {
  const won = winner();
  form.classList.toggle("has-winner", Boolean(won));
  for (const loser of losers) {
    loser.isWinner = loser.seat === won;
    loser.show(loser === active);
  }
  pad.hidden = !won || !active;
  if (active) {
    const all = losers.flatMap((loser) => loser.cards);
    const others = losers.filter((loser) => loser !== active);
    showKeypad({
      mode,
      counts: countsOf(active.cards, entry),
      spent: spent(all, entry),
      full: active.full,
      isLast: others.every((loser) => loser.filled),
    });
  }
  save.classList.toggle("is-waiting", !isComplete());
  showOutlook(isComplete());
}

/** The row being filled stays in sight above the dock, whatever the dock shows. */
function stayInSight() {
  const dock = /** @type {HTMLElement} */ (pad.closest(".dock"));
  document.documentElement.style.scrollPaddingBottom = `${dock.offsetHeight + 8}px`;
  active?.row.scrollIntoView({ block: "nearest" });
}

/** After anything was typed. */
function changed() {
  form.classList.remove("choosing");
  show();
  keepDraft(form);
}

/** @param {Loser} loser */
function enter(loser) {
  const field = loser.fields[mode];
  field.focus({ preventScroll: true });
  field.setSelectionRange(field.value.length, field.value.length);
  loser.row.scrollIntoView({ block: "nearest" });
}

/** To the next hand that is still missing; the keypad makes way for the preview when none is. */
function advance() {
  const place = active ? losers.indexOf(active) : -1;
  const next = [...losers.slice(place + 1), ...losers.slice(0, place + 1)].find((loser) => !loser.filled);
  if (next) return enter(next);
  active = null;
  save.focus({ preventScroll: true });
  show();
}

/** Goes on once no further digit could make a sum that exists: a third digit is never cut off. */
function advanceIfDone() {
  if (active?.points && Number(active.points) > 0 && !couldGrow(active.points, active.sums)) advance();
}

/** @param {string} key */
function press(key) {
  if (!active) return;
  const [what, value] = key.split(" ");
  if (what === "next") return advance();
  if (what === "mode") {
    mode = mode === "cards" ? "points" : "cards";
    return enter(active);
  }
  if (what === "card") active.add(value);
  else if (what === "full") active.full = !active.full;
  else if (what === "usual") active.fields.points.value = value;
  else if (what === "back") mode === "cards" ? active.remove() : active.erase();
  else active.type(what);
  changed();
  if (what === "usual") advance();
  else if (/^\d$/.test(what)) advanceIfDone();
}

form.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.name.startsWith("points-")) field.value = field.value.replace(/\D/g, "");
  if (active) active.isFresh = false;
  changed();
  if (field.name === "winner") advance();
  else if (field.name.startsWith("points-")) advanceIfDone();
});

form.addEventListener("focusin", (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  const loser = losers.find((each) => Object.values(each.fields).some((own) => own === field));
  if (!loser) return;
  loser.isFresh = loser !== active;
  active = loser;
  mode = field === loser.fields.cards ? "cards" : "points";
  show();
});

form.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const chip = target.closest("[data-remove]");
  if (chip && active) {
    active.remove(/** @type {HTMLElement} */ (chip).dataset.remove);
    changed();
    enter(active);
  }
  // the winner's own tile opens the choice again
  if (target.matches("input[name=winner]") && form.classList.contains("has-winner")) form.classList.toggle("choosing");
});

form.addEventListener("keydown", (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "Enter" || field instanceof HTMLButtonElement) return;
  event.preventDefault();
  advance();
});

form.addEventListener("submit", (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (button?.value !== "save") return;
  event.preventDefault();
  if (!winner()) return form.querySelector("#winner")?.scrollIntoView({ block: "nearest" });
  if (!isComplete()) return enter(/** @type {Loser} */ (losers.find((loser) => !loser.filled)));
  keep("mode", habitOf(losers));
  deliver(form, words);
});

/** Back to the form as it was typed before. @param {import("./draft.js").Draft} draft */
function takeUp(draft) {
  restoreDraft(form, draft);
  show();
  if (winner() && !isComplete()) advance();
}

/** What was typed before somebody recorded something is not put in unasked: it may be the very hand recorded. @param {import("./draft.js").Draft} draft */
function offer(draft) {
  const note = showNote(words.older, [
    [words.takeUp, () => { note.hidden = true; takeUp(draft); }],
    [words.throwAway, () => { note.hidden = true; dropDraft(form.action); }],
  ]);
}

function begin() {
  form.classList.add("is-live");
  save.hidden = false;
  /** @type {HTMLElement} */ (form.querySelector("[data-look]")).hidden = true;
  const draft = draftOf(form);
  const isCurrent = draft?.seen === /** @type {HTMLInputElement} */ (form.elements.namedItem("seen")).value;
  // an answer to what was sent from another page's form: from here on it is kept as this one's
  if ("typed" in form.dataset && form.action !== location.href) dropDraft(location.href);
  if ("typed" in form.dataset) keepDraft(form);
  else if (draft && (resume(form, words) || isCurrent)) takeUp(draft);
  else if (draft) offer(draft);
  show();
  // a winner tapped before this file had come
  if (winner() && !active && !isComplete()) advance();
  new ResizeObserver(stayInSight).observe(/** @type {HTMLElement} */ (pad.closest(".dock")));
}

begin();
stayAwake();
