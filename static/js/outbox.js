// @ts-check
/**
 * What was saved but has not reached the server. It is sent again and again until the server answers, in the order it
 * was saved, and recorded exactly once, because it carries its submission. People resolve conflicts.
 */

import {
  asSent,
  draftAt,
  draftOf,
  dropDraft,
  fill,
  forget,
  keep,
  kept,
  pathOf,
  putAside,
  recall,
  showNote,
  submissionOf,
} from "./form.js";

/**
 * @typedef {import("./form.js").Draft} Draft
 * @typedef {import("./form.js").Words} Words
 * @typedef {{action: string, body: string, place?: number}} Letter a form ready to be sent, in the order of `place`
 * @typedef {"saved" | "refused" | "overtaken" | "waiting"} Fate
 * @typedef {{fate: Fate, letter: Letter}} Stop how far sending got: the letter that stopped it, or the last one
 */

const SOONEST = 2000;
const LATEST = 15000;
const PATIENCE = 10000;
const LONGEST = 3500; // what every server and browser takes as an address

/** A letter as the draft it was made from. @param {Letter} letter @returns {Draft} */
const typedIn = ({ body }) => {
  const fields = [...new URLSearchParams(body)];
  return { seen: new Map(fields).get("seen") ?? "", fields };
};

/** @param {string} action the address of a form below a game's */
export const gameOf = (action) => /^.*\/g\/\w+\//.exec(pathOf(action))?.[0] ?? pathOf(action);

/** Everything waiting at an address or below it, the oldest first. @param {string} path @returns {Letter[]} */
export const waitingIn = (path) =>
  kept("out:")
    .map((name) => /** @type {Letter} */ (recall(name)))
    .filter((letter) => letter && pathOf(letter.action).startsWith(path))
    .sort((one, other) => (one.place ?? 0) - (other.place ?? 0));

/** Keep a letter; returns whether it outlives this page. @param {Letter} letter */
function post(letter) {
  withdraw(letter.action, submissionOf(typedIn(letter)));
  const place = 1 + Math.max(0, ...waitingIn(gameOf(letter.action)).map((each) => each.place ?? 0));
  return keep(`out:${pathOf(letter.action)}#${place}`, { ...letter, place });
}

/** @param {string} action @param {string} submission */
export function withdraw(action, submission) {
  for (const name of kept("out:")) {
    const letter = /** @type {Letter} */ (recall(name));
    if (pathOf(letter.action) === pathOf(action) && submissionOf(typedIn(letter)) === submission) forget(name);
  }
}

/**
 * Send once. A redirect means "saved". If people must decide, it is "overtaken" when others have recorded or taken the
 * pen meanwhile, otherwise "refused". No answer, or one about trouble on the way, means "waiting".
 * @param {Letter} letter @returns {Promise<Fate>}
 */
async function send(letter) {
  try {
    const answer = await fetch(letter.action, {
      method: "POST",
      body: letter.body,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      redirect: "manual",
      signal: AbortSignal.timeout?.(PATIENCE),
    });
    if (answer.type === "opaqueredirect") return "saved";
    if (answer.status === 409 || answer.status === 403) return "overtaken";
    return answer.status < 500 ? "refused" : "waiting";
  } catch {
    return "waiting";
  }
}

/**
 * Keep trying, sooner when the network or the page comes back, until a letter needs people or none is left.
 * @param {string} path where the letters go
 * @param {(stop: Stop) => void} heard is called after every attempt with how far it got
 * @returns {() => void} stops trying
 */
export function keepSending(path, heard) {
  let pause = SOONEST;
  let timer = 0;
  let busy = false;
  let stopped = false;
  const attempt = async () => {
    if (busy || stopped) return;
    busy = true;
    window.clearTimeout(timer);
    const end = await sendInOrder(path, () => stopped);
    busy = false;
    if (!end || stopped) return;
    if (end.fate === "waiting") timer = window.setTimeout(attempt, pause);
    else stop();
    pause = Math.min(pause * 1.5, LATEST);
    heard(end);
  };
  const soon = () => document.visibilityState === "visible" && attempt();
  const stop = () => {
    stopped = true;
    window.clearTimeout(timer);
    window.removeEventListener("online", soon);
    document.removeEventListener("visibilitychange", soon);
  };
  window.addEventListener("online", soon);
  document.addEventListener("visibilitychange", soon);
  attempt();
  return stop;
}

/** Send letters in order, until one is not saved. @param {string} path @param {() => boolean} isStopped @returns {Promise<Stop | null>} */
async function sendInOrder(path, isStopped) {
  let end = /** @type {Stop | null} */ (null);
  for (const letter of waitingIn(path)) {
    end = { fate: await send(letter), letter };
    if (end.fate === "saved") withdraw(letter.action, submissionOf(typedIn(letter)));
    if (end.fate !== "saved" || isStopped()) break;
    const draft = /** @type {Draft | null} */ (recall(draftAt(letter.action)));
    if (submissionOf(draft) === submissionOf(typedIn(letter))) dropDraft(letter.action);
  }
  return end;
}

// ---- Saving a form: sent at once; kept and sent later without a network; shown to people if it is refused

let stopSending = () => {};

/** @param {HTMLFormElement} form @param {Words} words @param {() => void} [begin] makes the form ready for the next, if there can be one */
export function deliver(form, words, begin) {
  if (form.classList.contains("is-sent")) return;
  const body = asSent(form);
  body.set("do", "save");
  const letter = { action: form.action, body: body.toString() };
  follow(form, words, { letter, isKept: post(letter), begin });
}

/**
 * Go on sending what an earlier page could not.
 * @param {HTMLFormElement} form @param {Words} words
 * @param {(draft: Draft) => void} takeUp shows what waits, unless something else has been typed @param {() => void} [begin]
 */
export function resume(form, words, takeUp, begin) {
  const letter = waitingIn(pathOf(form.action)).at(-1);
  if (!letter) return;
  const draft = draftOf(form);
  if (draft && submissionOf(draft) !== submissionOf(typedIn(letter))) return follow(form, words, null);
  takeUp(typedIn(letter));
  follow(form, words, { letter, isKept: true, begin });
}

/** @param {HTMLFormElement} form @param {Words} words @param {{letter: Letter, isKept: boolean, begin?: () => void} | null} held what waits in the form itself */
function follow(form, words, held) {
  stopSending();
  lock(form, held !== null);
  // only this page has it: the browser must ask before it closes
  window.onbeforeunload = held && !held.isKept ? (event) => event.preventDefault() : null;
  let isNoted = false;
  stopSending = keepSending(gameOf(form.action), ({ fate, letter }) => {
    if (fate === "waiting" && !isNoted && held) isNoted = Boolean(noteWaiting(form, words, held));
    if (fate === "waiting") return;
    window.onbeforeunload = null;
    if (fate === "saved") return held ? location.replace(form.dataset.game ?? "/") : location.reload();
    if (held) return toPeople(form, fate, letter);
    showNote(words.refused, [[words.look, () => putAside(form.action) && toPeople(form, fate, letter)]]);
  });
}

/** @param {HTMLFormElement} form @param {Words} words @param {{letter: Letter, isKept: boolean, begin?: () => void}} held */
function noteWaiting(form, words, { letter, isKept, begin }) {
  const number = waitingIn(gameOf(form.action)).length;
  const answers = /** @type {[string, () => void][]} */ ([
    [
      words.change,
      () => {
        withdraw(letter.action, submissionOf(typedIn(letter)));
        note.hidden = true;
        follow(form, words, null);
      },
    ],
  ]);
  if (begin && isKept) {
    answers.push([
      words.another,
      () => {
        begin();
        note.hidden = true;
        follow(form, words, null);
      },
    ]);
  }
  const said = number > 1 ? fill(words.many, { n: String(number) }) : isKept ? words.waiting : words.waitingHere;
  const note = showNote(said, answers);
  return note;
}

/**
 * Without a worker and without a network, a link leads to the browser's own error page: warn first if something waits.
 * @param {string} path the game's @param {{stay: string, leave: string}} words
 */
export function holdBack(path, words) {
  let said = /** @type {HTMLElement | null} */ (null);
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[href]:not([data-outbox] *)");
    const isHeld = link && !event.defaultPrevented && !navigator.serviceWorker?.controller && waitingIn(path).length;
    if (!isHeld || said?.isConnected) return;
    event.preventDefault();
    const note = /** @type {HTMLElement} */ (document.querySelector("[data-outbox]"));
    const before = note.hidden ? [] : [...note.childNodes];
    showNote(words.stay, [[words.leave, () => location.assign(/** @type {HTMLAnchorElement} */ (link).href)]]);
    said = /** @type {HTMLElement} */ (note.firstElementChild);
    note.append(...before);
    note.scrollIntoView({ block: "nearest" });
  });
}

/** @param {HTMLFormElement} form @param {boolean} sent */
function lock(form, sent) {
  form.classList.toggle("is-sent", sent);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".entry, .dock"))) part.inert = sent;
}

/** What a hand's letter holds, as the server's page shows it; empty for a count, or one too long for an address. @param {Letter} letter */
export function addressOf({ action, body }) {
  const typed = new URLSearchParams(body);
  typed.delete("csrf_token");
  typed.set("do", "compare");
  const address = `${action}/look?${typed}`;
  return pathOf(action).endsWith("/count") || address.length > LONGEST ? "" : address;
}

/**
 * Go to the server's own page, which asks or says what is wrong and brings back everything typed. The question whether
 * a hand is one recorded meanwhile, or who has the pen now, has an address that can be reloaded; for anything else, the form is sent plainly.
 * @param {HTMLFormElement} form @param {Fate} fate @param {Letter} letter
 */
function toPeople(form, fate, letter) {
  const typed = new URLSearchParams(letter.body);
  withdraw(letter.action, submissionOf(typedIn(letter)));
  keep(draftAt(letter.action), typedIn(letter));
  const plain = document.createElement("form");
  plain.method = "post";
  plain.action = letter.action;
  for (const [name, value] of typed) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    plain.append(field);
  }
  const address = addressOf(letter);
  if (fate === "overtaken" && address) return location.replace(address);
  form.after(plain);
  plain.submit();
}
