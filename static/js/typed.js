// @ts-check
/**
 * What is typed into a plain form, `form[data-draft]`, outlives reload, back and a closed tab until it is sent. The
 * attribute says so to whoever finds it there again; data-afresh is the button that throws it away.
 */

import { draftOf, dropDraft, keepDraft, restoreDraft, seenOf } from "./form.js";

/** @param {HTMLFormElement} form */
function sayRestored(form) {
  const note = document.createElement("div");
  note.className = "notice notice-plain stack stack-s";
  note.setAttribute("role", "status");
  const text = document.createElement("p");
  text.textContent = form.dataset.draft ?? "";
  const afresh = document.createElement("button");
  afresh.type = "button";
  afresh.className = "button";
  afresh.textContent = form.dataset.afresh ?? "";
  afresh.addEventListener("click", () => {
    dropDraft(form.action);
    location.reload();
  });
  note.append(text, afresh);
  form.before(note);
}

/**
 * Puts back what was typed, unless something was recorded since or the page already comes with what was sent.
 *
 * @param {HTMLFormElement} form
 * @param {(draft: import("./form.js").Draft) => void} makeRoom makes the fields there are no more of
 */
export function keepTyped(form, makeRoom = () => {}) {
  const draft = draftOf(form);
  // with what was typed before this file had come
  if ("typed" in form.dataset) keepDraft(form);
  else if (draft && draft.seen === seenOf(form)) {
    makeRoom(draft);
    restoreDraft(form, draft);
    sayRestored(form);
  }
  form.addEventListener("input", () => keepDraft(form));
}
