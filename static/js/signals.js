// @ts-check
/**
 * Buzzes or plays a sound when somebody calls the referee and, on the scorer's phone, when somebody says stop to the
 * hand on its page. Both are off until the phone's player turns them on.
 */

import { keep, recall } from "./form.js";

const CALLED = '[id^="appeal-"][id$="-called"], [id^="objected-"]';
const PATTERN = [200, 100, 200, 100, 400];
const PITCH = 880;
const SECONDS = 0.6;

/** @type {AudioContext | null} */
let speaker = null;
/** The calls this page shows; each is signalled only once. @type {Set<string>} */
let known = new Set();

/** Browsers let a page play sound only after somebody has touched it. */
function wakeSpeaker() {
  if (!recall("sound")) return;
  speaker ??= new AudioContext();
  speaker.resume();
}

function sound() {
  if (speaker?.state !== "running") return;
  const tone = speaker.createOscillator();
  const volume = speaker.createGain();
  tone.frequency.value = PITCH;
  volume.gain.setValueAtTime(0.3, speaker.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, speaker.currentTime + SECONDS);
  tone.connect(volume).connect(speaker.destination);
  tone.start();
  tone.stop(speaker.currentTime + SECONDS);
}

function signal() {
  if (recall("buzz")) navigator.vibrate?.(PATTERN);
  if (recall("sound")) sound();
}

/** @param {boolean} isTold whether to signal calls that are new here */
function look(isTold) {
  const calls = new Set([...document.querySelectorAll(CALLED)].map((call) => call.id));
  const isNew = [...calls].some((call) => !known.has(call));
  known = calls;
  if (isTold && isNew) signal();
}

function show() {
  const choices = /** @type {HTMLElement | null} */ (document.querySelector("[data-signals]"));
  if (!choices) return;
  choices.hidden = false;
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (choices.querySelectorAll("[data-signal]"))) {
    box.checked = recall(box.dataset.signal ?? "") === true;
  }
}

document.addEventListener("change", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || !box.dataset.signal) return;
  keep(box.dataset.signal, box.checked);
  wakeSpeaker();
  if (!box.checked) return;
  if (box.dataset.signal === "buzz") navigator.vibrate?.(PATTERN);
  else sound();
});
document.addEventListener("pointerdown", wakeSpeaker);
document.addEventListener("patched", () => {
  show();
  look(true);
});
show();
look(false);
wakeSpeaker(); // some browsers count a touch on the page before
