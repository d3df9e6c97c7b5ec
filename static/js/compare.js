/**
 * Resolving a conflict: a hand was typed, and meanwhile somebody else recorded something. The server's page shows both.
 * Saving from that page works offline, too; discarding deletes the draft and the queued request on this phone.
 */

import { fieldOf, find, one, submittedBy } from "./dom.js";
import { deleteDraft, loadDraft, restoreAsideDraft, serialize, showNote } from "./form.js";
import { dequeue, openServerPage, saveForm, send } from "./outbox.js";

/** @typedef {import("./form.js").Draft} Draft */

const question = find("main > [data-compare]");
if (question) {
  const form = one("form", question, HTMLFormElement);
  question.querySelector("[data-discard]")?.addEventListener("click", () => {
    dequeue({ action: form.action, body: serialize(form).toString() });
    deleteDraft(form.dataset.typedAt ?? form.action);
  });
  form.addEventListener("submit", (event) => {
    if (submittedBy(event) !== "save") return;
    event.preventDefault();
    saveForm(form);
  });
}

/**
 * Decide what to do with a draft that is older than the page. The server compares it with what has been recorded since:
 * on a conflict, open the page that shows both; if it was saved before, delete it; without an answer, let the scorer choose.
 * @param {HTMLFormElement} form @param {Draft} draft @param {import("./form.js").Words} words
 * @param {(draft: Draft) => void} restore
 */
export async function resolveDraft(form, draft, words, restore) {
  form.hidden = true;
  const typed = new URLSearchParams(draft.fields);
  typed.set("seen", draft.seen);
  typed.set("csrf_token", fieldOf(form, "csrf_token").value);
  /** @param {string} does @returns {import("./outbox.js").QueuedRequest} */
  const makeRequest = (does) => {
    typed.set("do", does);
    return { action: form.action, body: typed.toString() };
  };
  const { outcome } = await send(makeRequest("resume"));
  if (outcome === "conflict") return openServerPage(outcome, makeRequest("compare"), "resume");
  form.hidden = false;
  if (outcome === "saved") {
    deleteDraft(form.action);
    restoreAsideDraft(form.action);
    const next = loadDraft(form.action);
    if (next) await resolveDraft(form, next, words, restore);
    return;
  }
  // no answer: the draft keeps its `seen`, so that the server detects a conflict when it is saved
  const closing = (/** @type {() => void} */ act) => () => {
    note.hidden = true;
    act();
  };
  const note = showNote(words.older, [
    [words.takeUp, closing(() => restore(draft))],
    [words.throwAway, closing(() => deleteDraft(form.action))],
  ]);
}
