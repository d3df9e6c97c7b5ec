// @ts-check
/** What saving would do, told by the server in words and shown where Save is. */

import { asSent } from "./form.js";

const PAUSE = 120;

/**
 * @param {HTMLFormElement} form @param {HTMLElement} place @param {string} offline what to say without a network
 * @returns {(isComplete: boolean) => void} asks again, or shows nothing while the hand is incomplete
 */
export function makeOutlook(form, place, offline) {
  let timer = 0;
  let asked = new AbortController();
  let shown = "";

  const ask = async (/** @type {string} */ body) => {
    asked = new AbortController();
    try {
      const answer = await fetch(form.dataset.preview ?? "", {
        method: "POST",
        body,
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        signal: asked.signal,
      });
      if (answer.status !== 200 && answer.status !== 422) throw new Error(answer.statusText);
      place.innerHTML = await answer.text();
    } catch (cause) {
      if (/** @type {Error} */ (cause).name === "AbortError") return;
      place.textContent = offline;
      shown = "";
    }
    place.setAttribute("aria-busy", "false");
  };

  return (isComplete) => {
    const body = isComplete ? asSent(form).toString() : "";
    if (body === shown && body) return;
    shown = body;
    window.clearTimeout(timer);
    asked.abort();
    // what stands there is about cards typed before: nobody shall read it out as if it were about these
    place.setAttribute("aria-busy", String(body !== ""));
    if (!body) place.replaceChildren();
    else timer = window.setTimeout(() => ask(body), PAUSE);
  };
}
