// @ts-check
/**
 * A hand kept on this phone while others went on recording. If they recorded a hand, the page shows this one beside it
 * and asks what becomes of it. If they did not, it is taken up, and the page says what they did.
 */

import { draftOf, dropDraft, LETTER, seenOf, showNote, takeFromAside } from "./form.js";
import { patch } from "./patch.js";
import { ask } from "./stale.js";

/** @typedef {import("./form.js").Draft} Draft */

const PATIENCE = 5000;

/** @param {HTMLFormElement} form @param {Draft} draft @returns {Promise<string | null>} what the server says to it; null without a network */
async function weighed(form, draft) {
  const body = new URLSearchParams([...draft.fields, ["seen", draft.seen]]);
  body.set("csrf_token", /** @type {HTMLInputElement} */ (form.elements.namedItem("csrf_token"))?.value ?? "");
  try {
    const answer = await fetch(form.dataset.keptAt ?? "", {
      method: "POST",
      body: body.toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded", [LETTER]: "1" },
      signal: AbortSignal.timeout?.(PATIENCE),
    });
    return answer.ok && answer.headers.has(LETTER) ? answer.text() : null;
  } catch {
    return null;
  }
}

/**
 * @param {HTMLFormElement} form @param {Draft} draft @param {import("./form.js").Words} words
 * @param {(draft: Draft) => void} takeUp
 */
export async function weigh(form, draft, words, takeUp) {
  const place = /** @type {HTMLElement} */ (document.querySelector("[data-kept]"));
  form.hidden = true;
  const said = await weighed(form, draft);
  if (said === null) {
    form.hidden = false;
    return offer(form, draft, words, takeUp);
  }
  patch(place, said);
  const question = place.querySelector("[data-stale]");
  if (question) {
    return ask(question, (event) => {
      event.preventDefault();
      place.replaceChildren();
      form.hidden = false;
    });
  }
  form.hidden = false;
  if (said.trim()) return takeUp({ ...draft, seen: seenOf(form) });
  dropDraft(form.action);
  takeFromAside(form.action);
  const next = draftOf(form);
  if (next) return weigh(form, next, words, takeUp);
}

/** Offer the draft without a network: it keeps its `seen`, so that the server compares it before saving. @param {HTMLFormElement} form @param {Draft} draft @param {import("./form.js").Words} words @param {(draft: Draft) => void} takeUp */
function offer(form, draft, words, takeUp) {
  const note = showNote(words.older, [
    [
      words.takeUp,
      () => {
        note.hidden = true;
        takeUp(draft);
      },
    ],
    [
      words.throwAway,
      () => {
        note.hidden = true;
        dropDraft(form.action);
      },
    ],
  ]);
}
