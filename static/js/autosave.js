/**
 * Autosave for plain forms, so that a reload, Back or a closed tab loses nothing until the form is sent. `data-draft` holds
 * the note shown above a restored form, and `data-afresh` the label of the button that deletes the draft.
 */

import { make } from "./dom.js";
import { deleteDraft, loadDraft, restoreDraft, saveDraft, seenOf, showNote } from "./form.js";

/** @param {HTMLFormElement} form */
function showRestored(form) {
  const { draft = "", afresh = "" } = form.dataset;
  const start = () => {
    deleteDraft(form.action);
    location.reload();
  };
  const note = make("div", { className: "notice stack stack-s", role: "status" });
  form.before(note);
  showNote(draft, [[afresh, start]], note);
}

/**
 * Restore the form's draft, unless something has been recorded since or the page already shows what was sent; then save
 * every change.
 * @param {HTMLFormElement} form
 * @param {(draft: import("./form.js").Draft) => void} addFields adds fields that the draft has and the page lacks
 */
export function autosave(form, addFields = () => {}) {
  const draft = loadDraft(form.action);
  // includes anything typed before this module loaded
  if ("typed" in form.dataset) saveDraft(form);
  else if (draft && draft.seen === seenOf(form)) {
    addFields(draft);
    restoreDraft(form, draft);
    showRestored(form);
  }
  form.addEventListener("input", () => saveDraft(form));
}
