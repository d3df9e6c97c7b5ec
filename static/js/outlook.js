// @ts-check
/** What saving a hand would do, told by the server in words and shown where Save is. */

import { asSent, LETTER } from "./form.js";

const PAUSE = 120; // milliseconds: typing a sum asks once what saving would do
const PATIENCE = 2000; // with an answer about what has been typed over
const AGAIN = 5000; // where none came

/**
 * @param {HTMLElement} place @param {HTMLFormElement} form @param {import("./form.js").Words} words
 * @returns {(isComplete: boolean) => void} asks again, or shows nothing while the hand is incomplete
 */
export function makeOutlook(place, form, words) {
  let timer = 0;
  let late = 0;
  let asked = new AbortController();
  let isAsking = false;
  let isNext = false; // something was typed over what the server is being asked
  let shown = "";

  /** Asks once at a time. */
  const ask = async (/** @type {string} */ body) => {
    asked = new AbortController();
    isAsking = true;
    let answer = /** @type {Response | null} */ (null);
    try {
      answer = await fetch(form.dataset.preview ?? "", {
        method: "POST",
        body,
        headers: { "Content-Type": "application/x-www-form-urlencoded", [LETTER]: "1" },
        signal: asked.signal,
      });
      const isOurs = answer.headers.has(LETTER) && (answer.ok || answer.status === 422);
      if (!isOurs) throw new Error(answer.statusText);
      const [{ morph }, said] = await Promise.all([import("./morph.js"), answer.text()]);
      if (body !== shown) return; // emptied, or typed over: asked next
      morph(place, said);
    } catch {
      if (body !== shown || isNext) return; // what stands there is still true, or asked about next
      place.textContent = answer?.status === 403 ? words.barred : answer ? words.busy : words.offline;
      shown = "";
      timer = window.setTimeout(() => askFor(body), Math.max(AGAIN, 1000 * Number(answer?.headers.get("Retry-After"))));
    } finally {
      isAsking = false;
      window.clearTimeout(late);
      if (isNext && shown) askNext();
    }
    place.setAttribute("aria-busy", "false");
  };

  const askNext = () => {
    if (isAsking && !isNext) late = window.setTimeout(() => asked.abort(), PATIENCE);
    isNext = isAsking;
    if (!isAsking) ask(shown);
  };

  const askFor = (/** @type {string} */ body) => {
    shown = body;
    askNext();
  };

  return (isComplete) => {
    const body = isComplete ? asSent(form).toString() : "";
    if (body === shown && body) return;
    shown = body;
    window.clearTimeout(timer);
    place.setAttribute("aria-busy", String(body !== ""));
    if (!body) place.replaceChildren();
    else timer = window.setTimeout(askNext, PAUSE);
  };
}
