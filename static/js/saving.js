// @ts-check
/** Saving a form: sent at once, kept and sent later where the network is gone, handed to people where it is refused. */

import { dropDraft } from "./draft.js";
import { asSent } from "./form.js";
import { keepSending, post, send, waitingFor, withdraw } from "./outbox.js";

/**
 * @typedef {import("./outbox.js").Letter} Letter
 * @typedef {import("./outbox.js").Fate} Fate
 * @typedef {import("./form.js").Words} Words
 */

const LONGEST = 3500; // what every server and browser takes as an address

/** @param {HTMLFormElement} form @returns {Letter} */
function letterOf(form) {
  const body = asSent(form);
  body.set("do", "save");
  return { action: form.action, body: body.toString() };
}

/** @param {HTMLFormElement} form @param {Words} words */
export async function deliver(form, words) {
  if (form.classList.contains("is-sent")) return;
  const letter = letterOf(form);
  lock(form, true);
  const isKept = post(letter);
  const fate = await send(letter);
  settle(form, letter, words, fate, isKept);
}

/** Goes on sending what an earlier page could not. @param {HTMLFormElement} form @param {Words} words @returns {boolean} whether there was anything */
export function resume(form, words) {
  const letter = waitingFor(form.action);
  if (!letter) return false;
  lock(form, true);
  send(letter).then((fate) => settle(form, letter, words, fate, true));
  return true;
}

/** @param {HTMLFormElement} form @param {boolean} sent */
function lock(form, sent) {
  form.classList.toggle("is-sent", sent);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".entry, .dock"))) part.inert = sent;
}

/** @param {HTMLFormElement} form @param {Letter} letter @param {Words} words @param {Fate} fate @param {boolean} isKept */
function settle(form, letter, words, fate, isKept) {
  if (fate === "saved") {
    dropDraft(form.action);
    location.replace(form.dataset.game ?? "/");
  } else if (fate === "refused") {
    showRefusal(form, letter);
  } else if (fate === "overtaken") {
    showQuestion(form, letter);
  } else {
    wait(form, letter, words, isKept);
  }
}

/** Others recorded meanwhile: the server asks whether this is one of their hands, at an address that can be reloaded. @param {HTMLFormElement} form @param {Letter} letter */
function showQuestion(form, letter) {
  const typed = new URLSearchParams(letter.body);
  typed.delete("csrf_token");
  typed.set("do", "compare");
  const address = `${letter.action}/look?${typed}`;
  if (address.length > LONGEST) return showRefusal(form, letter);
  withdraw(letter.action);
  location.replace(address);
}

/** The server's own page says what is wrong and brings everything typed back: the form is sent the plain way. @param {HTMLFormElement} form @param {Letter} letter */
function showRefusal(form, letter) {
  withdraw(letter.action);
  const plain = document.createElement("form");
  plain.method = "post";
  plain.action = letter.action;
  for (const [name, value] of new URLSearchParams(letter.body)) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    plain.append(field);
  }
  form.after(plain);
  plain.submit();
}

/** @param {HTMLFormElement} form @param {Letter} letter @param {Words} words @param {boolean} isKept */
function wait(form, letter, words, isKept) {
  const stop = keepSending(letter, (fate) => settle(form, letter, words, fate, isKept));
  const note = showNote(isKept ? words.waiting : words.waitingHere, [
    [
      words.change,
      () => {
        stop();
        withdraw(letter.action);
        note.hidden = true;
        lock(form, false);
      },
    ],
  ]);
}

/**
 * A note at the top of the page, above what is locked.
 * @param {string} text @param {[string, () => void][]} answers @returns {HTMLElement}
 */
export function showNote(text, answers) {
  const note = /** @type {HTMLElement} */ (document.querySelector("[data-outbox]"));
  const said = document.createElement("p");
  said.textContent = text;
  const row = document.createElement("div");
  row.className = "row";
  for (const [label, act] of answers) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.textContent = label;
    button.addEventListener("click", act);
    row.append(button);
  }
  note.replaceChildren(said, row);
  note.hidden = false;
  return note;
}
