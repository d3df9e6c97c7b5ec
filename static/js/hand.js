// @ts-check
/**
 * Recording a hand with one thumb: the winner first, then the keypad for each of the others; the focus goes on by
 * itself after a sum. Without this file the form is typed, looked at and saved.
 */

import { stayAwake } from "./awake.js";
import { makeClear } from "./clear.js";
import { countsOf, spent } from "./counting.js";
import { draftOf, keepDraft, restoreDraft, seenOf } from "./draft.js";
import { wordsOf } from "./form.js";
import { weigh } from "./kept.js";
import { makeKeypad } from "./keypad.js";
import { Loser } from "./loser.js";
import { makeOutlook } from "./outlook.js";
import { habitOf, Rows } from "./rows.js";
import { deliver, resume } from "./saving.js";
import "./stepper.js";
import { keep, recall } from "./store.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("hand"));
const entry = /** @type {import("./counting.js").Entry} */ (JSON.parse(form.dataset.entry ?? ""));
const words = wordsOf(form);
const pad = /** @type {HTMLElement} */ (form.querySelector("[data-keypad]"));
const save = /** @type {HTMLButtonElement} */ (form.querySelector("[data-save]"));
const losers = [...form.querySelectorAll(".loser")].map(
  (row) => new Loser(/** @type {HTMLElement} */ (row), entry, words),
);
const rows = new Rows(form, losers, words, (entry.mode || recall("mode")) === "cards" ? "cards" : "points", {
  show,
  changed,
  completed,
});
const showKeypad = makeKeypad(pad, entry, words, (key) => rows.press(key));
const showOutlook = makeOutlook(form, /** @type {HTMLElement} */ (form.querySelector("[data-outlook]")), words.offline);

const winner = () => new FormData(form).get("winner");
const isComplete = () => Boolean(winner()) && rows.isComplete;
const showClear = makeClear(form, words, takeUp, emptied);

/** Everything the page shows, from what the fields hold. */
function show() {
  const won = winner();
  form.classList.toggle("has-winner", Boolean(won));
  for (const loser of losers) loser.isWinner = loser.seat === won;
  rows.show();
  const { active } = rows;
  pad.hidden = !won || !active;
  if (active) {
    showKeypad({
      mode: rows.mode,
      counts: countsOf(active.cards, entry),
      spent: spent(
        losers.flatMap((loser) => loser.cards),
        entry,
      ),
      full: active.full,
      isWaiting: active.isWaiting,
      isLast: rows.isLast,
    });
  }
  save.classList.toggle("is-waiting", !isComplete());
  showClear(Boolean(won) || losers.some((loser) => loser.filled));
  showOutlook(isComplete());
}

/** The row being filled stays in sight above the dock, whatever the dock shows. */
function stayInSight() {
  const dock = /** @type {HTMLElement} */ (pad.closest(".dock"));
  document.documentElement.style.scrollPaddingBottom = `${dock.offsetHeight + 8}px`;
  rows.active?.row.scrollIntoView({ block: "nearest" });
}

/** After anything was typed. */
function changed() {
  form.classList.remove("choosing");
  show();
  keepDraft(form);
}

/** Nothing is missing: the keypad makes way for the preview. */
function completed() {
  save.focus({ preventScroll: true });
  show();
}

form.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.name.startsWith("points-")) field.value = field.value.replace(/\D/g, "");
  rows.typed(/** @type {InputEvent} */ (event));
  changed();
  if (field.name === "winner") rows.advance();
  else if (field.name.startsWith("points-")) rows.advanceIfWhole();
});

// the winner's own tile opens the choice again
form.addEventListener("click", (event) => {
  const isWinner = event.target instanceof Element && event.target.matches("input[name=winner]");
  if (isWinner && form.classList.contains("has-winner")) form.classList.toggle("choosing");
});

form.addEventListener("keydown", (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "Enter" || field instanceof HTMLButtonElement) return;
  event.preventDefault();
  rows.press("next");
});

form.addEventListener("submit", (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (button?.value !== "save") return;
  event.preventDefault();
  if (!winner()) return form.querySelector("#winner")?.scrollIntoView({ block: "nearest" });
  if (!isComplete()) return rows.enter(/** @type {Loser} */ (losers.find((loser) => !loser.filled)));
  keep("mode", habitOf(losers));
  deliver(form, words);
});

/** Back to the form as it was typed before. @param {import("./draft.js").Draft} draft */
function takeUp(draft) {
  restoreDraft(form, draft);
  show();
  if (winner() && !isComplete()) rows.advance();
}

/** After everything typed was taken away. */
function emptied() {
  rows.leave();
  form.classList.remove("choosing");
  show();
}

function begin() {
  form.classList.add("is-live");
  save.hidden = false;
  /** @type {HTMLElement} */ (form.querySelector("[data-look]")).hidden = true;
  const draft = draftOf(form);
  if ("typed" in form.dataset) keepDraft(form);
  else if (draft && (resume(form, words) || Number(draft.seen) >= Number(seenOf(form)))) takeUp(draft);
  else if (draft) weigh(form, draft, words, takeUp);
  show();
  // a winner tapped before this file had come
  if (winner() && !rows.active && !isComplete()) rows.advance();
  new ResizeObserver(stayInSight).observe(/** @type {HTMLElement} */ (pad.closest(".dock")));
}

begin();
stayAwake();
