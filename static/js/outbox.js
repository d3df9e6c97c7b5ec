/**
 * The outbox: requests that were saved on this phone and have not reached the server. They are sent in order, and again until
 * the server answers. Each carries an idempotency key, so that it is recorded once. Conflicts are left to people.
 */

import { all, one, ROOT, submitFields } from "./dom.js";
import {
  deleteDraft,
  deleteValue,
  fill,
  isOurs,
  loadDraft,
  loadValue,
  pathOf,
  post,
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
 * @typedef {{action: string, body: string, place?: number, names?: Record<string, string>}} QueuedRequest the contents of a
 *   form; `place` is its position in the queue, `names` are the players by seat
 * @typedef {"saved" | "refused" | "conflict" | "waiting" | "gone"} Outcome `conflict`: something was recorded meanwhile, or
 *   the links were reset; `waiting`: to be sent again; `gone`: the game was deleted or moved
 * @typedef {{outcome: Outcome, isBusy: boolean, isMissing: boolean, retryAfter: number, next: string}} Result
 *   `isBusy`: there was a response, if not the server's; `isMissing`: the server lacks the game or an earlier entry;
 *   `retryAfter`: in milliseconds; `next`: the page to open once saved
 * @typedef {Result & {request: QueuedRequest, now: () => void}} Attempt the result of the last request sent; `now` tries
 *   again at once
 */

// ---- Responses and retries

/**
 * Outcomes of the server's own responses. 404 is worth a retry: the server may have been restored from an old backup.
 * @type {Record<number, Outcome>}
 */
const OUTCOMES = { 403: "conflict", 404: "waiting", 409: "conflict", 410: "gone", 429: "waiting" };

/**
 * Return the outcome of a response. A proxy, a guest network's login page or a full disk may answer instead of the app, so
 * everything else is retried.
 * @param {number} status @param {boolean} isOurs whether the app sent it @returns {Outcome}
 */
export const outcomeOf = (status, isOurs) =>
  !isOurs || status >= 500 ? "waiting" : (OUTCOMES[status] ?? (status < 300 ? "saved" : "refused"));

const SOONEST = 2000; // milliseconds
const LATEST = 15_000;

/** Return the milliseconds until the next attempt, which grow up to a limit. @param {number} tries failed so far @param {number} [retryAfter] the minimum */
export const retryDelay = (tries, retryAfter = 0) =>
  Math.max(retryAfter, Math.min(SOONEST * 1.5 ** (tries - 1), LATEST));

/** Parse a Retry-After header of seconds into milliseconds. @param {string | null} header */
export const parseRetryAfter = (header) => Math.max(0, 1000 * Number(header)) || 0;

// ---- The queue

/** Put the numbers of queued hands before a sentence about them. @param {string} sentence @param {{body: string}[]} requests */
export function typedAs(sentence, requests) {
  const numbers = requests.map(({ body }) => new URLSearchParams(body).get("number") ?? "").filter(Boolean);
  const { typedAs = "", typedAsMany = "" } = one("[data-outbox]").dataset;
  const beginning = fill(numbers.length > 1 ? typedAsMany : typedAs, { number: numbers.join(", ") });
  return numbers.length ? `${beginning} ${sentence}` : sentence;
}

/** Convert a request back into a draft. A count has no idempotency key: there is one at a time. @param {{body: string}} request @returns {Draft} */
const toDraft = ({ body }) => {
  const fields = [...new URLSearchParams(body)];
  return { seen: new Map(fields).get("seen") ?? "", fields };
};

/** @param {string} action the action of a form in a game */
const gameOf = (action) => /^.*\/g\/\w+\//.exec(pathOf(action))?.[0] ?? pathOf(action);

/** Return the requests queued for an address or below it, oldest first. @param {string} path @returns {QueuedRequest[]} */
export const queuedUnder = (path) =>
  storedNames("out:")
    .map((name) => /** @type {QueuedRequest} */ (loadValue(name)))
    .filter((request) => request && pathOf(request.action).startsWith(path))
    .sort((one, other) => (one.place ?? 0) - (other.place ?? 0));

/** Add a request to the queue; return false if the storage is full. @param {QueuedRequest} request */
function enqueue(request) {
  dequeue(request);
  navigator.storage?.persist?.().catch(() => {}); // a browser that runs out of space evicts storage that is not persistent
  const place = 1 + Math.max(0, ...queuedUnder(gameOf(request.action)).map((each) => each.place ?? 0));
  return saveValue(`out:${pathOf(request.action)}#${place}`, { ...request, place });
}

/** Remove a request from the queue. @param {QueuedRequest} request */
export function dequeue(request) {
  for (const name of storedNames("out:")) {
    const each = /** @type {QueuedRequest} */ (loadValue(name));
    if (
      pathOf(each.action) === pathOf(request.action) &&
      submissionOf(toDraft(each)) === submissionOf(toDraft(request))
    )
      deleteValue(name);
  }
}

/** Send a request once. @param {QueuedRequest} request */
export const send = async ({ action, body }) => readAnswer(await post(action, body));

/** Read a response, if there was one. @param {Response | null} answer @returns {Result} */
export function readAnswer(answer) {
  return {
    outcome: outcomeOf(answer?.status ?? 0, isOurs(answer)),
    isBusy: Boolean(answer),
    isMissing: isOurs(answer) && answer?.status === 404,
    retryAfter: parseRetryAfter(answer?.headers.get("Retry-After") ?? null),
    next: answer?.headers.get("Location") ?? "",
  };
}

/**
 * Repeat an attempt until its outcome is final, or it returns null. Coming online or back to the page starts it at once.
 * @template {Result} Sent
 * @param {(signal: AbortSignal) => Promise<Sent | null>} attempt
 * @param {(result: Sent & {now: () => void}) => void} onAttempt is called after every attempt
 * @returns {AbortController} stops the attempts
 */
export function retry(attempt, onAttempt) {
  const ended = new AbortController();
  const { signal } = ended;
  let tries = 0;
  let timer = 0;
  let busy = false;
  let earliest = 0; // allowed by Retry-After
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
 * Send queued requests until one needs a decision or none is left. Without a worker, ask before leaving the page, as it could
 * not be opened again offline.
 * @param {string} path where the requests go @param {(attempt: Attempt) => void} onAttempt
 */
function keepSending(path, onAttempt) {
  const trying = retry((signal) => sendInOrder(path, signal), onAttempt);
  const askBeforeLeaving = (/** @type {BeforeUnloadEvent} */ event) => {
    if (queuedUnder(path).length && !navigator.serviceWorker?.controller) event.preventDefault();
  };
  window.addEventListener("beforeunload", askBeforeLeaving, { signal: trying.signal });
  return trying;
}

/** Send requests in order until one is not saved. @param {string} path @param {AbortSignal} signal @returns {Promise<(Result & {request: QueuedRequest}) | null>} */
async function sendInOrder(path, signal) {
  let result = null;
  for (const request of queuedUnder(path)) {
    result = { ...(await send(request)), request };
    if (result.outcome === "saved") dequeue(request);
    if (result.outcome !== "saved" || signal.aborted) break;
    if (submissionOf(loadDraft(request.action)) === submissionOf(toDraft(request))) deleteDraft(request.action);
  }
  return result;
}

// ---- Saving a form: queued, and sent at once if possible

let sending = new AbortController();

/** Queue and send a form; only send it if the storage is full. @param {HTMLFormElement} form @param {() => void} [beginNext] empties the form for the next hand, where there can be one */
export function saveForm(form, beginNext) {
  if (form.classList.contains("is-sent")) return;
  const body = serialize(form);
  body.set("do", "save");
  const names = Object.fromEntries(all(".loser", form).map(({ dataset }) => [dataset.seat ?? "", dataset.name ?? ""]));
  const request = { action: form.action, body: body.toString(), names };
  if (enqueue(request)) watchQueue(form, request, beginNext);
  else sendUnkept(request);
}

/** Send a request that there is no room for; without an answer, stay on the page, which is all that has it. @param {QueuedRequest} request */
async function sendUnkept(request) {
  const { outcome, next } = await send(request);
  if (outcome === "waiting") showNote(one("[data-outbox]").dataset.full ?? "", []);
  else if (outcome === "saved" && next) location.assign(next);
  else submitFields(request.action, new URLSearchParams(request.body));
}

/**
 * Continue sending what an earlier page queued.
 * @param {HTMLFormElement} form
 * @param {(draft: Draft) => void} restore shows the queued request, unless something newer was typed @param {() => void} [beginNext]
 */
export function resumeSending(form, restore, beginNext) {
  const request = queuedUnder(pathOf(form.action)).at(-1);
  if (!request) return;
  const draft = loadDraft(form.action);
  if (draft && submissionOf(draft) !== submissionOf(toDraft(request))) return watchQueue(form, null);
  restore(toDraft(request));
  watchQueue(form, request, beginNext);
}

/** @param {HTMLFormElement} form @param {QueuedRequest | null} queued the request that the form shows, if any @param {() => void} [beginNext] */
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
 * Send what is queued below a path, on a page that shows none of it.
 * @param {string} path @param {(attempt: Attempt) => void} onWait is called while it waits
 * @param {(attempt: Attempt) => void} [look] shows a request that was refused
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
 * Show that something is waiting to be sent, and why, with a button to try now.
 * @param {{isBusy: boolean, isMissing: boolean, now: () => void}} attempt @param {QueuedRequest[]} requests the queued hands
 * @param {[string, () => void][]} [answers] further buttons @param {string} [sentence] about anything but hands
 */
export function showWaiting(attempt, requests, answers = [], sentence = "") {
  const note = one("[data-outbox]");
  const { now = "", missing = "", many = "", busy = "", waiting = "" } = note.dataset;
  const ofHands = requests[1] ? fill(many, { n: String(requests.length) }) : attempt.isBusy ? busy : waiting;
  const text = typedAs(attempt.isMissing ? missing : sentence || ofHands, requests);
  const isNew = note.hidden || note.firstElementChild?.textContent !== text;
  showNote(text, [...answers, [now, attempt.now]]);
  if (isNew) note.scrollIntoView({ block: "nearest" });
}

/** Open the game, which may have moved or been deleted. @param {string} action */
const openGame = (action) => location.assign(gameOf(action).replace(/\/$/, ""));

const LONGEST = 3500; // safe as an address with every server and browser

/** Return the address of the page that compares a hand, or "" for a count or if it would be too long. @param {QueuedRequest} request @param {string} [does] the value of `do` */
function addressOf({ action, body }, does = "compare") {
  const typed = new URLSearchParams(body);
  typed.delete("csrf_token");
  typed.set("do", does);
  const address = `${action}/look?${typed}`;
  return pathOf(action).endsWith("/count") || address.length > LONGEST ? "" : address;
}

/**
 * Open the server's page about a request that it did not save, with everything that was typed. The page for a conflict has
 * an address of its own, so that it can be reloaded; otherwise submit the form plainly.
 * @param {Outcome} outcome @param {QueuedRequest} request @param {string} [does] the value of `do`
 */
export function openServerPage(outcome, request, does) {
  dequeue(request);
  saveDraftAt(request.action, toDraft(request));
  const address = addressOf(request, does);
  if (outcome === "conflict" && address) return location.replace(address);
  submitFields(request.action, new URLSearchParams(request.body));
}
