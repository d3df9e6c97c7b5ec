/**
 * A hand typed while others recorded. The server's page shows it beside what they recorded: saved from there it goes like
 * any other, even without a network; discarded, it leaves nothing on this phone. What this phone kept meanwhile is shown
 * there too, unless the server has it already.
 */

import { fieldOf, find, one, submittedBy } from "./dom.js";
import { asSent, draftAt, dropDraft, showNote, takeFromAside } from "./form.js";
import { deliver, send, toPeople, withdraw } from "./outbox.js";

/** @typedef {import("./form.js").Draft} Draft */

const question = find("main > [data-compare]");
if (question) {
  const form = one("form", question, HTMLFormElement);
  question.querySelector("[data-throw]")?.addEventListener("click", () => {
    withdraw({ action: form.action, body: asSent(form).toString() });
    dropDraft(form.dataset.typedAt ?? form.action);
  });
  form.addEventListener("submit", (event) => {
    if (submittedBy(event) !== "save") return;
    event.preventDefault();
    deliver(form);
  });
}

/**
 * Bring back a draft that is older than the page: to the page that compares it, or to the form, which says what was
 * recorded.
 * @param {HTMLFormElement} form @param {Draft} draft @param {import("./form.js").Words} words
 * @param {(draft: Draft) => void} takeUp
 */
export async function weigh(form, draft, words, takeUp) {
  form.hidden = true;
  const typed = new URLSearchParams(draft.fields);
  typed.set("seen", draft.seen);
  typed.set("csrf_token", fieldOf(form, "csrf_token").value);
  /** @param {string} does @returns {import("./outbox.js").Letter} */
  const asking = (does) => {
    typed.set("do", does);
    return { action: form.action, body: typed.toString() };
  };
  const { fate } = await send(asking("resume"));
  if (fate === "overtaken") return toPeople(fate, asking("compare"), "resume");
  form.hidden = false;
  if (fate === "saved") {
    dropDraft(form.action);
    takeFromAside(form.action);
    const next = draftAt(form.action);
    if (next) await weigh(form, next, words, takeUp);
    return;
  }
  // without a network: it keeps its `seen`, so that the server compares it before saving
  const answered = (/** @type {() => void} */ act) => () => {
    note.hidden = true;
    act();
  };
  const note = showNote(words.older, [
    [words.takeUp, answered(() => takeUp(draft))],
    [words.throwAway, answered(() => dropDraft(form.action))],
  ]);
}
