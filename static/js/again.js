// @ts-check
/**
 * What an answer to something sent means, and when it is sent again. Between this page and the server may stand a proxy
 * that is busy, a guest network that wants a password, a disk that is full: only an answer that is surely the server's
 * says that something is saved, or that people must decide.
 */

/**
 * `saved` is where the page goes next; `refused` and `overtaken` are for people, the latter because others have recorded
 * meanwhile or reset the links; `waiting` is sent again; `gone`: the game was deleted, or has another address.
 * @typedef {"saved" | "refused" | "overtaken" | "waiting" | "gone"} Fate
 */

const OVERTAKEN = [403, 409];
export const MISSING = 404; // on the server, which may have been put back to an older copy: it waits
const GONE = 410;
const TOO_MANY = 429;

/** @param {number} status @param {boolean} isOurs @returns {Fate} */
export function fateOf(status, isOurs) {
  if (!isOurs || status >= 500 || status === TOO_MANY || status === MISSING) return "waiting";
  if (status === GONE) return "gone";
  if (OVERTAKEN.includes(status)) return "overtaken";
  return status < 300 ? "saved" : "refused";
}

const SOONEST = 2000; // milliseconds
const LATEST = 15_000;

/** Milliseconds until the next attempt: later each time, and not before the answer's Retry-After. @param {number} tries failed so far @param {number} [asked] milliseconds */
export const pauseAfter = (tries, asked = 0) => Math.max(asked, Math.min(SOONEST * 1.5 ** (tries - 1), LATEST));

/** Milliseconds that a Retry-After header asks for, in seconds; 0 for none. @param {string | null} told */
export const askedToWait = (told) => Math.max(0, 1000 * Number(told)) || 0;
