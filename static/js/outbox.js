// @ts-check
/**
 * What was saved but has not reached the server: sent again by itself until the server answers, and recorded exactly
 * once, because it carries its submission. A conflict is left to people.
 *
 * @typedef {{action: string, body: string}} Letter a form ready to be sent
 * @typedef {"saved" | "refused" | "overtaken" | "waiting"} Fate
 */

import { forget, keep, kept, recall } from "./store.js";

const SOONEST = 2000;
const LATEST = 15000;
const PATIENCE = 10000;

/** @param {string} action */
const nameOf = (action) => `out:${new URL(action, location.href).pathname}`;

/** Whether it is kept even if this page is closed. @param {Letter} letter */
export const post = (letter) => keep(nameOf(letter.action), letter);

/** @param {string} action */
export const withdraw = (action) => forget(nameOf(action));

/** What waits for one form. @param {string} action @returns {Letter | null} */
export const waitingFor = (action) => /** @type {Letter | null} */ (recall(nameOf(action)));

/** Everything that waits in one game. @param {string} code @returns {Letter[]} */
export const waitingIn = (code) =>
  kept("out:")
    .filter((name) => name.includes(`/g/${code}/`))
    .map((name) => /** @type {Letter | null} */ (recall(name)))
    .filter((letter) => letter !== null);

/**
 * Send once. A redirect is the server's "saved"; an answer that asks for people is "overtaken" where others recorded
 * meanwhile, else "refused"; no answer, or one that speaks of trouble on the way, is "waiting".
 * @param {Letter} letter @returns {Promise<Fate>}
 */
export async function send(letter) {
  try {
    const answer = await fetch(letter.action, {
      method: "POST",
      body: letter.body,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      redirect: "manual",
      signal: AbortSignal.timeout?.(PATIENCE),
    });
    if (answer.type === "opaqueredirect") {
      withdraw(letter.action);
      return "saved";
    }
    if (answer.status === 409) return "overtaken";
    return answer.status < 500 ? "refused" : "waiting";
  } catch {
    return "waiting";
  }
}

/**
 * Keep trying, sooner when the network or the page comes back, until `settled` has been told a fate other than waiting.
 * @param {Letter} letter @param {(fate: Fate) => void} settled @returns {() => void} stops it
 */
export function keepSending(letter, settled) {
  let pause = SOONEST;
  let timer = 0;
  let busy = false;
  let stopped = false;
  const attempt = async () => {
    if (busy || stopped) return;
    busy = true;
    window.clearTimeout(timer);
    const fate = await send(letter);
    busy = false;
    if (stopped) return;
    if (fate === "waiting") {
      timer = window.setTimeout(attempt, pause);
      pause = Math.min(pause * 1.5, LATEST);
      return;
    }
    stop();
    settled(fate);
  };
  const soon = () => {
    if (document.visibilityState === "visible") attempt();
  };
  const stop = () => {
    stopped = true;
    window.clearTimeout(timer);
    window.removeEventListener("online", soon);
    document.removeEventListener("visibilitychange", soon);
  };
  window.addEventListener("online", soon);
  document.addEventListener("visibilitychange", soon);
  timer = window.setTimeout(attempt, pause);
  return stop;
}
