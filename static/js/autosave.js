/**
 * Keeps what is typed into a plain form, `form[data-draft]`, through reload, back and a closed tab until it is sent. The
 * attribute is the note shown with a restored form, `data-afresh` the label of the button that throws the draft away.
 */

import { button, make } from "./dom.js";
import { deleteDraft, loadDraft, restoreDraft, saveDraft, seenOf } from "./form.js";

/** @param {HTMLFormElement} form */
function showRestored(form) {
  const { draft = "", afresh = "" } = form.dataset;
  const start = () => {
    deleteDraft(form.action);
    location.reload();
  };
  const note = { className: "notice stack stack-s", role: "status" };
  form.before(make("div", note, make("p", {}, draft), button(afresh, start)));
}

/**
 * Put back what was typed, unless something was recorded since or the page already shows what was sent.
 *
 * @param {HTMLFormElement} form
 * @param {(draft: import("./form.js").Draft) => void} makeRoom adds the fields a draft has and the page lacks
 */
export function autosave(form, makeRoom = () => {}) {
  const draft = loadDraft(form.action);
  // including what was typed before this file arrived
  if ("typed" in form.dataset) saveDraft(form);
  else if (draft && draft.seen === seenOf(form)) {
    makeRoom(draft);
    restoreDraft(form, draft);
    showRestored(form);
  }
  form.addEventListener("input", () => saveDraft(form));
}
