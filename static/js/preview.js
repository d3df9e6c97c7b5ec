/** The preview: what saving the hand would do, in the server's words. */

import { debounce, hasRoom, isOurs, post, serialize } from "./form.js";

const PAUSE = 120; // milliseconds, so that typing a sum sends one request
const RETRY = 5000; // after no response

/**
 * @param {HTMLElement} place @param {HTMLFormElement} form @param {import("./form.js").Words} words
 * @returns {(isWanted: boolean) => void} fetches the preview, or empties it
 */
export function makePreview(place, form, words) {
  let shown = ""; // or requested
  const askSoon = debounce(PAUSE, async (signal) => {
    if (!shown) return;
    const answer = await post(form.dataset.preview ?? "", shown, signal);
    try {
      const { swap } = await import("./swap.js");
      if (!(await swap(answer, [place], { isLate: () => signal.aborted }))) return;
    } catch {
      if (signal.aborted) return;
      const isForbidden = isOurs(answer) && answer?.status === 403;
      const promise = answer ? words.busy : words.offline;
      place.textContent = isForbidden ? words.forbidden : hasRoom(shown) ? promise : words.full;
      askSoon(Math.max(RETRY, 1000 * Number(answer?.headers.get("Retry-After") ?? 0)));
    }
    place.ariaBusy = "false";
  });

  return (isWanted) => {
    const body = isWanted ? serialize(form).toString() : "";
    if (body === shown) return;
    shown = body;
    place.ariaBusy = String(body !== "");
    if (!body) place.replaceChildren();
    askSoon();
  };
}
