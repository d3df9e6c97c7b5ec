// @ts-check
/** What saving a hand would do, told by the server in words and shown where Save is. */

import { asSent, LETTER, post } from "./form.js";

const PAUSE = 120; // milliseconds: typing a sum asks once what saving would do
const AGAIN = 5000; // where no answer came

/**
 * @param {HTMLElement} place @param {HTMLFormElement} form @param {import("./form.js").Words} words
 * @returns {(isComplete: boolean) => void} asks again, or shows nothing while the hand is incomplete
 */
export function makeOutlook(place, form, words) {
  let timer = 0;
  let shown = "";
  let asked = new AbortController(); // gone once something else is typed

  const ask = async (/** @type {string} */ body) => {
    asked = new AbortController();
    const { signal } = asked;
    const answer = await post(form.dataset.preview ?? "", body, signal);
    try {
      const isOurs = answer?.headers.has(LETTER) && (answer.ok || answer.status === 422);
      if (!answer || !isOurs) throw new Error("no answer");
      const [{ morph }, html] = await Promise.all([import("./morph.js"), answer.text()]);
      if (signal.aborted) return;
      morph(place, html);
    } catch {
      if (signal.aborted) return;
      place.textContent = answer?.status === 403 ? words.barred : answer ? words.busy : words.offline;
      timer = window.setTimeout(ask, Math.max(AGAIN, 1000 * Number(answer?.headers.get("Retry-After"))), body);
    }
    place.setAttribute("aria-busy", "false");
  };

  return (isComplete) => {
    const body = isComplete ? asSent(form).toString() : "";
    if (body === shown) return;
    shown = body;
    asked.abort();
    window.clearTimeout(timer);
    place.setAttribute("aria-busy", String(body !== ""));
    if (body) timer = window.setTimeout(ask, PAUSE, body);
    else place.replaceChildren();
  };
}
