// @ts-check
/** What saving a hand would do, told by the server in words and shown where Save is. */

import { asSent, isWaiting } from "./form.js";

const PAUSE = 120; // milliseconds: typing a sum asks once what saving would do
const PATIENCE = 2000; // with an answer about what has been typed over
const RENEW = 25_000; // seated phones stop asking about a preview that no page renews for a minute

/**
 * @param {HTMLElement} place @param {HTMLFormElement} form @param {import("./form.js").Words} words
 * @returns {(isComplete: boolean) => void} asks again, or shows nothing while the hand is incomplete
 */
export function makeOutlook(place, form, words) {
  const hidden = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  let timer = 0;
  let failed = 0; // times in a row
  let late = 0;
  let asked = new AbortController();
  let isAsking = false;
  let isNext = false; // something was typed over what the server is being asked
  let shown = "";
  let proposal = ""; // what seated phones are asked about

  /** Nobody is asked any more about what this page no longer shows; what waits to be saved keeps its answers. */
  const withdraw = () => {
    if (!proposal || isWaiting(form.action)) return;
    const { value } = hidden("csrf_token");
    navigator.sendBeacon(form.dataset.withdraw ?? "", new URLSearchParams({ csrf_token: value, of: proposal }));
    proposal = "";
    isAbout("");
  };

  /** The hand that stands there, as players are asked about it: what they say to another is not shown with it. */
  const isAbout = (/** @type {string} */ name) => {
    if (form.dataset.proposal === name) return;
    form.dataset.proposal = name;
    form.dispatchEvent(new CustomEvent("proposed"));
  };

  /** Asks once at a time: what the server hears last, and players see, is what this page shows. */
  const ask = async (/** @type {string} */ body, isAgain = false) => {
    asked = new AbortController();
    isAsking = true;
    let answer = /** @type {Response | null} */ (null);
    try {
      answer = await fetch(form.dataset.preview ?? "", {
        method: "POST",
        body: isAgain ? `${body}&again=1` : body,
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        signal: asked.signal,
      });
      const named = answer.headers.get("Kalooki-Proposal");
      if (named === null) throw new Error(answer.statusText); // trouble on the way
      if (!named) withdraw();
      proposal = named;
      failed = 0;
      const [{ patch }, said] = await Promise.all([import("./patch.js"), answer.text()]);
      if (!shown) return withdraw(); // emptied while the server was asked
      if (body !== shown) return; // typed over: asked next
      patch(place, said);
      isAbout(named);
    } catch {
      if (body !== shown || isNext || isAgain) return; // what stands there is still true, or asked about next
      place.textContent = answer ? words.busy : words.offline;
      shown = "";
      failed += 1;
      const { askedToWait, pauseAfter } = await import("./again.js");
      if (shown) return; // typed over meanwhile: asked by itself
      const pause = pauseAfter(failed, askedToWait(answer?.headers.get("Retry-After") ?? null, Date.now()));
      timer = window.setTimeout(() => askFor(body), pause);
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

  const renew = () => {
    if (shown && !isAsking && document.visibilityState === "visible") ask(shown, true);
  };
  window.setInterval(renew, RENEW);
  document.addEventListener("visibilitychange", renew);
  window.addEventListener("pagehide", withdraw);
  window.addEventListener("pageshow", (event) => event.persisted && renew());

  return (isComplete) => {
    const body = isComplete ? asSent(form).toString() : "";
    if (body === shown && body) return;
    shown = body;
    window.clearTimeout(timer);
    if (!body) withdraw();
    // what stands there is about cards typed before: nobody shall read it out as if it were about these
    isAbout("");
    place.setAttribute("aria-busy", String(body !== ""));
    if (!body) place.replaceChildren();
    else timer = window.setTimeout(askNext, PAUSE);
  };
}
