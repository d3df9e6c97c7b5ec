/**
 * What was saved but has not reached the server. It is sent again and again until the server answers, in the order it
 * was saved, and recorded exactly once, because it carries its submission. People resolve conflicts.
 */

import { all, one, submitFields } from "./dom.js";
import {
  asSent,
  draftAt,
  dropDraft,
  fill,
  forget,
  keep,
  keepDraftAt,
  LETTER,
  pathOf,
  post,
  putAside,
  ROOT,
  recall,
  showNote,
  storedNames,
  submissionOf,
} from "./form.js";

/**
 * @typedef {import("./form.js").Draft} Draft
 * @typedef {{action: string, body: string, place?: number, names?: Record<string, string>}} Letter a form ready to be
 *   sent, in the order of `place`; the players' `names` by seat
 * @typedef {"saved" | "refused" | "overtaken" | "waiting" | "gone"} Fate `saved`: the page goes on; `refused` and
 *   `overtaken` are for people, the latter because others have recorded meanwhile or reset the links; `waiting` is sent
 *   again; `gone`: the game was deleted, or has another address
 * @typedef {{fate: Fate, isBusy: boolean, isMissing: boolean, asked: number, next: string}} Answer `isBusy`: there is a
 *   network, though what waits is not taken; `asked`: the milliseconds to wait; `isMissing`: the server does not know
 *   what it belongs to; `next`: where the page goes when it is saved
 * @typedef {Answer & {letter: Letter, now: () => void}} Stop how far sending got: the letter that stopped it, or the last
 *   one; and what begins the next attempt at once
 */

// ---- What an answer means, and when it is sent again

/**
 * Of the server's own answers. What is missing there waits: it may have been restored from an older copy.
 * @type {Record<number, Fate>}
 */
const FATES = { 403: "overtaken", 404: "waiting", 409: "overtaken", 410: "gone", 429: "waiting" };

/**
 * What an answer means. Between this page and the server may stand a proxy that is busy, a guest network that wants a
 * password, a disk that is full: only an answer that is surely the server's ends the waiting.
 * @param {number} status @param {boolean} isOurs @returns {Fate}
 */
export const fateOf = (status, isOurs) =>
  !isOurs || status >= 500 ? "waiting" : (FATES[status] ?? (status < 300 ? "saved" : "refused"));

const SOONEST = 2000; // milliseconds
const LATEST = 15_000;

/** Milliseconds until the next attempt: later each time, and not before the answer's Retry-After. @param {number} tries failed so far @param {number} [asked] milliseconds */
export const pauseAfter = (tries, asked = 0) => Math.max(asked, Math.min(SOONEST * 1.5 ** (tries - 1), LATEST));

/** Milliseconds that a Retry-After header asks for, in seconds; 0 for none. @param {string | null} told */
export const askedToWait = (told) => Math.max(0, 1000 * Number(told)) || 0;

// ---- What waits

/** A sentence about hands that wait, which begins with the numbers they were typed as. @param {string} sentence @param {{body: string}[]} letters */
export function typedAs(sentence, letters) {
  const numbers = letters.map(({ body }) => new URLSearchParams(body).get("number") ?? "").filter(Boolean);
  const { typedAs = "", typedAsMany = "" } = one("[data-outbox]").dataset;
  const beginning = fill(numbers.length > 1 ? typedAsMany : typedAs, { number: numbers.join(", ") });
  return numbers.length ? `${beginning} ${sentence}` : sentence;
}

/** A letter as the draft it was made from. @param {{body: string}} letter @returns {Draft} */
const asDraft = ({ body }) => {
  const fields = [...new URLSearchParams(body)];
  return { seen: new Map(fields).get("seen") ?? "", fields };
};

/** What identifies a letter among those of its address; empty for a count, of which there is one. @param {{body: string}} letter */
const submissionIn = ({ body }) => new URLSearchParams(body).get("submission") ?? "";

/** @param {string} action the address of a form below a game's */
const gameOf = (action) => /^.*\/g\/\w+\//.exec(pathOf(action))?.[0] ?? pathOf(action);

/** Everything waiting at an address or below it, the oldest first. @param {string} path @returns {Letter[]} */
export const waitingIn = (path) =>
  storedNames("out:")
    .map((name) => /** @type {Letter} */ (recall(name)))
    .filter((letter) => letter && pathOf(letter.action).startsWith(path))
    .sort((one, other) => (one.place ?? 0) - (other.place ?? 0));

/** Keep a letter; returns whether there was room for it. @param {Letter} letter */
function put(letter) {
  withdraw(letter);
  navigator.storage?.persist().catch(() => {}); // a browser short of room takes what asked for none
  const place = 1 + Math.max(0, ...waitingIn(gameOf(letter.action)).map((each) => each.place ?? 0));
  return keep(`out:${pathOf(letter.action)}#${place}`, { ...letter, place });
}

/** Send a letter no more. @param {Letter} letter */
export function withdraw(letter) {
  for (const name of storedNames("out:")) {
    const each = /** @type {Letter} */ (recall(name));
    if (pathOf(each.action) === pathOf(letter.action) && submissionIn(each) === submissionIn(letter)) forget(name);
  }
}

/** Send once. @param {Letter} letter */
export const send = async ({ action, body }) => readAnswer(await post(action, body));

/** No answer, or one about trouble on the way, means "waiting". @param {Response | null} answer @returns {Answer} */
export function readAnswer(answer) {
  const isOurs = answer?.headers.has(LETTER) ?? false;
  return {
    fate: fateOf(answer?.status ?? 0, isOurs),
    isBusy: Boolean(answer),
    isMissing: isOurs && answer?.status === 404,
    asked: askedToWait(answer?.headers.get("Retry-After") ?? null),
    next: answer?.headers.get("Location") ?? "",
  };
}

/**
 * Try until an answer is no longer "waiting", or there is none; sooner when the network or the page comes back.
 * @template {Answer} Sent
 * @param {(signal: AbortSignal) => Promise<Sent | null>} attempt
 * @param {(end: Sent & {now: () => void}) => void} onAttempt is called after every attempt
 * @returns {AbortController} stops trying
 */
export function keepTrying(attempt, onAttempt) {
  const ended = new AbortController();
  const { signal } = ended;
  let tries = 0;
  let timer = 0;
  let busy = false;
  let earliest = 0; // what the answer asked for
  const now = async () => {
    if (busy || signal.aborted) return;
    busy = true;
    window.clearTimeout(timer);
    const end = await attempt(signal);
    busy = false;
    if (!end || signal.aborted) return;
    tries += 1;
    earliest = performance.now() + end.asked;
    if (end.fate === "waiting") timer = window.setTimeout(now, pauseAfter(tries, end.asked));
    else ended.abort();
    onAttempt({ ...end, now });
  };
  const soon = () => document.visibilityState === "visible" && performance.now() >= earliest && now();
  window.addEventListener("online", soon, { signal });
  document.addEventListener("visibilitychange", soon, { signal });
  now();
  return ended;
}

/**
 * Keep sending until a letter needs people or none is left. Meanwhile the browser asks before it leaves a page that no
 * worker could show again.
 * @param {string} path where the letters go @param {(stop: Stop) => void} onAttempt is told how far it got
 */
function keepSending(path, onAttempt) {
  const trying = keepTrying((signal) => sendInOrder(path, signal), onAttempt);
  const hold = (/** @type {BeforeUnloadEvent} */ event) => {
    if (waitingIn(path).length && !navigator.serviceWorker?.controller) event.preventDefault();
  };
  window.addEventListener("beforeunload", hold, { signal: trying.signal });
  return trying;
}

/** Send letters in order, until one is not saved. @param {string} path @param {AbortSignal} signal @returns {Promise<(Answer & {letter: Letter}) | null>} */
async function sendInOrder(path, signal) {
  let end = null;
  for (const letter of waitingIn(path)) {
    end = { ...(await send(letter)), letter };
    if (end.fate === "saved") withdraw(letter);
    if (end.fate !== "saved" || signal.aborted) break;
    if (submissionOf(draftAt(letter.action)) === submissionIn(letter)) dropDraft(letter.action);
  }
  return end;
}

// ---- Saving a form: sent at once; kept and sent later without a network; shown to people if it is refused

let sending = new AbortController();

/** Save a form; where this phone has no room to keep it meanwhile, as without this file. @param {HTMLFormElement} form @param {() => void} [begin] makes the form ready for the next, if there can be one */
export function deliver(form, begin) {
  if (form.classList.contains("is-sent")) return;
  const body = asSent(form);
  body.set("do", "save");
  const names = Object.fromEntries(all(".loser", form).map(({ dataset }) => [dataset.seat ?? "", dataset.name ?? ""]));
  const letter = { action: form.action, body: body.toString(), names };
  if (put(letter)) follow(form, letter, begin);
  else submitFields(form.action, body);
}

/**
 * Go on sending what an earlier page could not.
 * @param {HTMLFormElement} form
 * @param {(draft: Draft) => void} takeUp shows what waits, unless something else has been typed @param {() => void} [begin]
 */
export function resume(form, takeUp, begin) {
  const letter = waitingIn(pathOf(form.action)).at(-1);
  if (!letter) return;
  const draft = draftAt(form.action);
  if (draft && submissionOf(draft) !== submissionIn(letter)) return follow(form, null);
  takeUp(asDraft(letter));
  follow(form, letter, begin);
}

/** @param {HTMLFormElement} form @param {Letter | null} held what waits in the form itself @param {() => void} [begin] */
function follow(form, held, begin) {
  sending.abort();
  form.classList.toggle("is-sent", held !== null);
  for (const part of all(".entry, .dock", form)) part.inert = held !== null;
  const game = gameOf(form.action);
  if (held) {
    sending = keepSending(game, (stop) => {
      if (stop.fate === "waiting") noteWaiting(form, held, stop, begin);
      else if (stop.fate === "saved") location.replace(stop.next || (form.dataset.game ?? ROOT.href));
      else if (stop.fate === "gone") toTheGame(stop.letter.action);
      else toPeople(stop.fate, stop.letter);
    });
  } else {
    const look = (/** @type {Stop} */ { fate, letter }) => {
      putAside(form.action);
      toPeople(fate, letter);
    };
    sending = sendOn(game, () => {}, look);
  }
}

/** @param {HTMLFormElement} form @param {Letter} held @param {Stop} stop @param {() => void} [begin] */
function noteWaiting(form, held, stop, begin) {
  const note = one("[data-outbox]");
  const { change = "", another = "" } = note.dataset;
  const release = () => {
    note.hidden = true;
    follow(form, null);
  };
  const takeBack = () => {
    withdraw(held);
    release();
  };
  const goOn = () => {
    release();
    begin?.();
  };
  const answers = /** @type {[string, () => void][]} */ ([[change, takeBack], ...(begin ? [[another, goOn]] : [])]);
  noteAgain(stop, waitingIn(gameOf(form.action)), answers);
}

/**
 * Send what waits below a path, on a page that shows none of it.
 * @param {string} path @param {(stop: Stop) => void} onWait is called while it waits
 * @param {(stop: Stop) => void} [look] shows people what the server has refused
 */
export const sendOn = (path, onWait, look = ({ letter }) => location.assign(addressOf(letter) || letter.action)) =>
  keepSending(path, (stop) => {
    const { refused = "", lookAt = "" } = one("[data-outbox]").dataset;
    if (stop.fate === "waiting") onWait(stop);
    else if (stop.fate === "saved") location.reload();
    else if (stop.fate === "gone") toTheGame(stop.letter.action);
    else showNote(typedAs(refused, [stop.letter]), [[lookAt, () => look(stop)]]);
  });

/**
 * Say that something waits, and why; it is tried again by itself, or with a button.
 * @param {{isBusy: boolean, isMissing: boolean, now: () => void}} stop @param {Letter[]} letters the hands that wait, if any
 * @param {[string, () => void][]} [answers] @param {string} [sentence] about anything but hands
 */
export function noteAgain(stop, letters, answers = [], sentence = "") {
  const note = one("[data-outbox]");
  const { now = "", missing = "", many = "", busy = "", waiting = "" } = note.dataset;
  const ofHands = letters[1] ? fill(many, { n: String(letters.length) }) : stop.isBusy ? busy : waiting;
  const text = typedAs(stop.isMissing ? missing : sentence || ofHands, letters);
  if (!note.hidden && note.firstElementChild?.textContent === text) return; // under a thumb, perhaps
  showNote(text, [...answers, [now, stop.now]]).scrollIntoView({ block: "nearest" });
}

/** Where the game is by now, or what became of it: what waits for it goes along, or is shown there. @param {string} action */
const toTheGame = (action) => location.assign(gameOf(action).replace(/\/$/, ""));

const LONGEST = 3500; // what every server and browser takes as an address

/** What a hand's letter holds, as the server's page shows it; empty for a count, or one too long for an address. @param {Letter} letter @param {string} [does] what that page is asked */
function addressOf({ action, body }, does = "compare") {
  const typed = new URLSearchParams(body);
  typed.delete("csrf_token");
  typed.set("do", does);
  const address = `${action}/look?${typed}`;
  return pathOf(action).endsWith("/count") || address.length > LONGEST ? "" : address;
}

/**
 * Go to the server's own page, which asks or says what is wrong and brings back everything typed. The page that shows a
 * hand beside what was recorded meanwhile has an address that can be reloaded; for anything else, the form is sent plainly.
 * @param {Fate} fate @param {Letter} letter @param {string} [does] what that page is asked
 */
export function toPeople(fate, letter, does) {
  withdraw(letter);
  keepDraftAt(letter.action, asDraft(letter));
  const address = addressOf(letter, does);
  if (fate === "overtaken" && address) return location.replace(address);
  submitFields(letter.action, new URLSearchParams(letter.body));
}
