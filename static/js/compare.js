/**
 * A hand typed while others recorded. The server's page shows it beside what they recorded: saved from there it goes like
 * any other, even without a network; discarded, it leaves nothing on this phone. What this phone kept meanwhile is shown
 * there too, unless the server has it already.
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
 * Bring back a draft that is older than the page: to the page that compares it, or to the form, which says what was
 * recorded.
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
  // without a network: it keeps its `seen`, so that the server compares it before saving
  const closing = (/** @type {() => void} */ act) => () => {
    note.hidden = true;
    act();
  };
  const note = showNote(words.older, [
    [words.takeUp, closing(() => restore(draft))],
    [words.throwAway, closing(() => deleteDraft(form.action))],
  ]);
}
