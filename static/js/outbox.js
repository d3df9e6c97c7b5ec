/**
 * What was saved but has not reached the server. It is sent again and again until the server answers, in the order it
 * was saved, and recorded exactly once, because it carries its submission. People resolve conflicts.
 */

import { all, one, submitFields } from "./dom.js";
import {
  deleteDraft,
  deleteValue,
  fill,
  loadDraft,
  loadValue,
  pathOf,
  post,
  ROOT,
  SCRIPT_HEADER,
  saveDraftAt,
  saveValue,
  serialize,
  setDraftAside,
  showNote,
  storedNames,
  submissionOf,
} from "./form.js";

/**
 * @typedef {import("./form.js").Draft} Draft
 * @typedef {{action: string, body: string, place?: number, names?: Record<string, string>}} QueuedRequest a form ready to be
 *   sent, in the order of `place`; the players' `names` by seat
 * @typedef {"saved" | "refused" | "conflict" | "waiting" | "gone"} Outcome `saved`: the page goes on; `refused` and
 *   `conflict` are for people, the latter because others have recorded meanwhile or reset the links; `waiting` is sent
 *   again; `gone`: the game was deleted, or has another address
 * @typedef {{outcome: Outcome, isBusy: boolean, isMissing: boolean, retryAfter: number, next: string}} Result `isBusy`: there is a
 *   network, though what waits is not taken; `retryAfter`: the milliseconds to wait; `isMissing`: the server does not know
 *   what it belongs to; `next`: where the page goes when it is saved
 * @typedef {Result & {request: QueuedRequest, now: () => void}} Attempt how far sending got: the letter that stopped it, or the last
 *   one; and what begins the next attempt at once
 */

// ---- What an answer means, and when it is sent again

/**
 * Of the server's own answers. What is missing there waits: it may have been restored from an older copy.
 * @type {Record<number, Outcome>}
 */
const OUTCOMES = { 403: "conflict", 404: "waiting", 409: "conflict", 410: "gone", 429: "waiting" };

/**
 * What an answer means. Between this page and the server may stand a proxy that is busy, a guest network that wants a
 * password, a disk that is full: only an answer that is surely the server's ends the waiting.
 * @param {number} status @param {boolean} isOurs @returns {Outcome}
 */
export const outcomeOf = (status, isOurs) =>
  !isOurs || status >= 500 ? "waiting" : (OUTCOMES[status] ?? (status < 300 ? "saved" : "refused"));

const SOONEST = 2000; // milliseconds
const LATEST = 15_000;

/** Milliseconds until the next attempt: later each time, and not before the answer's Retry-After. @param {number} tries failed so far @param {number} [retryAfter] milliseconds */
export const retryDelay = (tries, retryAfter = 0) =>
  Math.max(retryAfter, Math.min(SOONEST * 1.5 ** (tries - 1), LATEST));

/** Milliseconds that a Retry-After header asks for, in seconds; 0 for none. @param {string | null} header */
export const parseRetryAfter = (header) => Math.max(0, 1000 * Number(header)) || 0;

// ---- What waits

/** A sentence about hands that wait, which begins with the numbers they were typed as. @param {string} sentence @param {{body: string}[]} requests */
export function typedAs(sentence, requests) {
  const numbers = requests.map(({ body }) => new URLSearchParams(body).get("number") ?? "").filter(Boolean);
  const { typedAs = "", typedAsMany = "" } = one("[data-outbox]").dataset;
  const beginning = fill(numbers.length > 1 ? typedAsMany : typedAs, { number: numbers.join(", ") });
  return numbers.length ? `${beginning} ${sentence}` : sentence;
}

/** A letter as the draft it was made from. @param {{body: string}} request @returns {Draft} */
const toDraft = ({ body }) => {
  const fields = [...new URLSearchParams(body)];
  return { seen: new Map(fields).get("seen") ?? "", fields };
};

/** What identifies a letter among those of its address; empty for a count, of which there is one. @param {{body: string}} request */
const submissionIn = ({ body }) => new URLSearchParams(body).get("submission") ?? "";

/** @param {string} action the address of a form below a game's */
const gameOf = (action) => /^.*\/g\/\w+\//.exec(pathOf(action))?.[0] ?? pathOf(action);

/** Everything waiting at an address or below it, the oldest first. @param {string} path @returns {QueuedRequest[]} */
export const queuedUnder = (path) =>
  storedNames("out:")
    .map((name) => /** @type {QueuedRequest} */ (loadValue(name)))
    .filter((request) => request && pathOf(request.action).startsWith(path))
    .sort((one, other) => (one.place ?? 0) - (other.place ?? 0));

/** Keep a letter; returns whether there was room for it. @param {QueuedRequest} request */
function enqueue(request) {
  dequeue(request);
  navigator.storage?.persist().catch(() => {}); // a browser short of room takes what retryAfter for none
  const place = 1 + Math.max(0, ...queuedUnder(gameOf(request.action)).map((each) => each.place ?? 0));
  return saveValue(`out:${pathOf(request.action)}#${place}`, { ...request, place });
}

/** Send a letter no more. @param {QueuedRequest} request */
export function dequeue(request) {
  for (const name of storedNames("out:")) {
    const each = /** @type {QueuedRequest} */ (loadValue(name));
    if (pathOf(each.action) === pathOf(request.action) && submissionIn(each) === submissionIn(request))
      deleteValue(name);
  }
}

/** Send once. @param {QueuedRequest} request */
export const send = async ({ action, body }) => readAnswer(await post(action, body));

/** No answer, or one about trouble on the way, means "waiting". @param {Response | null} answer @returns {Result} */
export function readAnswer(answer) {
  const isOurs = answer?.headers.has(SCRIPT_HEADER) ?? false;
  return {
    outcome: outcomeOf(answer?.status ?? 0, isOurs),
    isBusy: Boolean(answer),
    isMissing: isOurs && answer?.status === 404,
    retryAfter: parseRetryAfter(answer?.headers.get("Retry-After") ?? null),
    next: answer?.headers.get("Location") ?? "",
  };
}

/**
 * Try until an answer is no longer "waiting", or there is none; sooner when the network or the page comes back.
 * @template {Result} Sent
 * @param {(signal: AbortSignal) => Promise<Sent | null>} attempt
 * @param {(result: Sent & {now: () => void}) => void} onAttempt is called after every attempt
 * @returns {AbortController} stops trying
 */
export function retry(attempt, onAttempt) {
  const ended = new AbortController();
  const { signal } = ended;
  let tries = 0;
  let timer = 0;
  let busy = false;
  let earliest = 0; // what the answer retryAfter for
  const now = async () => {
    if (busy || signal.aborted) return;
    busy = true;
    window.clearTimeout(timer);
    const result = await attempt(signal);
    busy = false;
    if (!result || signal.aborted) return;
    tries += 1;
    earliest = performance.now() + result.retryAfter;
    if (result.outcome === "waiting") timer = window.setTimeout(now, retryDelay(tries, result.retryAfter));
    else ended.abort();
    onAttempt({ ...result, now });
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
 * @param {string} path where the letters go @param {(attempt: Attempt) => void} onAttempt is told how far it got
 */
function keepSending(path, onAttempt) {
  const trying = retry((signal) => sendInOrder(path, signal), onAttempt);
  const askBeforeLeaving = (/** @type {BeforeUnloadEvent} */ event) => {
    if (queuedUnder(path).length && !navigator.serviceWorker?.controller) event.preventDefault();
  };
  window.addEventListener("beforeunload", askBeforeLeaving, { signal: trying.signal });
  return trying;
}

/** Send letters in order, until one is not saved. @param {string} path @param {AbortSignal} signal @returns {Promise<(Result & {request: QueuedRequest}) | null>} */
async function sendInOrder(path, signal) {
  let result = null;
  for (const request of queuedUnder(path)) {
    result = { ...(await send(request)), request };
    if (result.outcome === "saved") dequeue(request);
    if (result.outcome !== "saved" || signal.aborted) break;
    if (submissionOf(loadDraft(request.action)) === submissionIn(request)) deleteDraft(request.action);
  }
  return result;
}

// ---- Saving a form: sent at once; kept and sent later without a network; shown to people if it is refused

let sending = new AbortController();

/** Save a form; where this phone has no room to keep it meanwhile, as without this file. @param {HTMLFormElement} form @param {() => void} [beginNext] makes the form ready for the next, if there can be one */
export function saveForm(form, beginNext) {
  if (form.classList.contains("is-sent")) return;
  const body = serialize(form);
  body.set("do", "save");
  const names = Object.fromEntries(all(".loser", form).map(({ dataset }) => [dataset.seat ?? "", dataset.name ?? ""]));
  const request = { action: form.action, body: body.toString(), names };
  if (enqueue(request)) watchQueue(form, request, beginNext);
  else submitFields(form.action, body);
}

/**
 * Go on sending what an earlier page could not.
 * @param {HTMLFormElement} form
 * @param {(draft: Draft) => void} restore shows what waits, unless something else has been typed @param {() => void} [beginNext]
 */
export function resumeSending(form, restore, beginNext) {
  const request = queuedUnder(pathOf(form.action)).at(-1);
  if (!request) return;
  const draft = loadDraft(form.action);
  if (draft && submissionOf(draft) !== submissionIn(request)) return watchQueue(form, null);
  restore(toDraft(request));
  watchQueue(form, request, beginNext);
}

/** @param {HTMLFormElement} form @param {QueuedRequest | null} queued what waits in the form itself @param {() => void} [beginNext] */
function watchQueue(form, queued, beginNext) {
  sending.abort();
  form.classList.toggle("is-sent", queued !== null);
  for (const part of all(".entry, .dock", form)) part.inert = queued !== null;
  const game = gameOf(form.action);
  if (queued) {
    sending = keepSending(game, (attempt) => {
      if (attempt.outcome === "waiting") showFormWaiting(form, queued, attempt, beginNext);
      else if (attempt.outcome === "saved") location.replace(attempt.next || (form.dataset.game ?? ROOT.href));
      else if (attempt.outcome === "gone") openGame(attempt.request.action);
      else openServerPage(attempt.outcome, attempt.request);
    });
  } else {
    const look = (/** @type {Attempt} */ { outcome, request }) => {
      setDraftAside(form.action);
      openServerPage(outcome, request);
    };
    sending = sendQueued(game, () => {}, look);
  }
}

/** @param {HTMLFormElement} form @param {QueuedRequest} queued @param {Attempt} attempt @param {() => void} [beginNext] */
function showFormWaiting(form, queued, attempt, beginNext) {
  const note = one("[data-outbox]");
  const { change = "", another = "" } = note.dataset;
  const release = () => {
    note.hidden = true;
    watchQueue(form, null);
  };
  const takeBack = () => {
    dequeue(queued);
    release();
  };
  const goOn = () => {
    release();
    beginNext?.();
  };
  const answers = /** @type {[string, () => void][]} */ ([[change, takeBack], ...(beginNext ? [[another, goOn]] : [])]);
  showWaiting(attempt, queuedUnder(gameOf(form.action)), answers);
}

/**
 * Send what waits below a path, on a page that shows none of it.
 * @param {string} path @param {(attempt: Attempt) => void} onWait is called while it waits
 * @param {(attempt: Attempt) => void} [look] shows people what the server has refused
 */
export const sendQueued = (
  path,
  onWait,
  look = ({ request }) => location.assign(addressOf(request) || request.action),
) =>
  keepSending(path, (attempt) => {
    const { refused = "", lookAt = "" } = one("[data-outbox]").dataset;
    if (attempt.outcome === "waiting") onWait(attempt);
    else if (attempt.outcome === "saved") location.reload();
    else if (attempt.outcome === "gone") openGame(attempt.request.action);
    else showNote(typedAs(refused, [attempt.request]), [[lookAt, () => look(attempt)]]);
  });

/**
 * Say that something waits, and why; it is tried again by itself, or with a button.
 * @param {{isBusy: boolean, isMissing: boolean, now: () => void}} attempt @param {QueuedRequest[]} requests the hands that wait, if any
 * @param {[string, () => void][]} [answers] @param {string} [sentence] about anything but hands
 */
export function showWaiting(attempt, requests, answers = [], sentence = "") {
  const note = one("[data-outbox]");
  const { now = "", missing = "", many = "", busy = "", waiting = "" } = note.dataset;
  const ofHands = requests[1] ? fill(many, { n: String(requests.length) }) : attempt.isBusy ? busy : waiting;
  const text = typedAs(attempt.isMissing ? missing : sentence || ofHands, requests);
  if (!note.hidden && note.firstElementChild?.textContent === text) return; // under a thumb, perhaps
  showNote(text, [...answers, [now, attempt.now]]).scrollIntoView({ block: "nearest" });
}

/** Where the game is by now, or what became of it: what waits for it goes along, or is shown there. @param {string} action */
const openGame = (action) => location.assign(gameOf(action).replace(/\/$/, ""));

const LONGEST = 3500; // what every server and browser takes as an address

/** What a hand's letter holds, as the server's page shows it; empty for a count, or one too long for an address. @param {QueuedRequest} request @param {string} [does] what that page is retryAfter */
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
 * @param {Outcome} outcome @param {QueuedRequest} request @param {string} [does] what that page is retryAfter
 */
export function openServerPage(outcome, request, does) {
  dequeue(request);
  saveDraftAt(request.action, toDraft(request));
  const address = addressOf(request, does);
  if (outcome === "conflict" && address) return location.replace(address);
  submitFields(request.action, new URLSearchParams(request.body));
}
