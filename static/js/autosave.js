/**
 * Autosave, so that a reload, Back or a closed tab loses nothing until the form is sent. `data-draft` holds the note shown
 * above a restored form, and `data-afresh` the label of the button that deletes the draft.
 */

import { all, make } from "./dom.js";
import { deleteDraft, loadDraft, restoreDraft, saveDraft, seenOf, showNote } from "./form.js";

/** @typedef {import("./form.js").Draft} Draft */

/** Say that the form was restored. @param {HTMLFormElement} form */
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

/** Whether the page is as it was when the draft was typed, and does not show what was sent. @param {HTMLFormElement} form @param {Draft} draft */
export const isCurrent = (form, draft) => !("typed" in form.dataset) && draft.seen === seenOf(form);

/**
 * Restore the form's draft, and save every change.
 * @param {HTMLFormElement} form
 * @param {{accepts?: (draft: Draft) => boolean, onRestore?: (draft: Draft) => void}} [options] `onRestore` is called before
 *   the fields are filled in, and may add some
 */
export function autosave(form, { accepts = (draft) => isCurrent(form, draft), onRestore } = {}) {
  const draft = loadDraft(form.action);
  if (draft && accepts(draft)) {
    // typed before this module loaded
    const newer = all(".input", form, HTMLInputElement).filter(({ value, defaultValue }) => value !== defaultValue);
    const texts = newer.map(({ value }) => value);
    onRestore?.(draft);
    restoreDraft(form, draft);
    for (const [each, field] of newer.entries()) field.value = texts[each] ?? "";
    if (isCurrent(form, draft) && form.dataset.draft) showRestored(form);
  }
  if ("typed" in form.dataset) saveDraft(form);
  form.addEventListener("input", () => saveDraft(form));
}
