/**
 * Learns how far a game has come. A stream says so at once; while it is refused or silent, this asks for the version
 * every few seconds. Nothing stays open while nobody looks at the page.
 */

import { loadValue, saveValue } from "./form.js";

const SILENCE_LIMIT = 20_000; // the server gives a sign of life every 15 seconds
const POLL_INTERVAL = 3_000;
const FIRST_POLL = 500;
const STREAM_RETRY = 30_000; // between two attempts to get a stream that was refused

/**
 * @typedef {{at: number, seen: number, hand: number}} Progress when this phone last heard from a table, the newest entry it
 *   then had, and the number of the hand to be played next
 * @typedef {{isMissing: boolean, at: number}} Lost whether the server answers that it has no such game; when it last told of it
 * @typedef {{onVersion: (version: string) => void, onLost?: (how: Lost | null) => void}} Listeners
 */

/** What this phone knows of a game from earlier. @param {string} game @returns {Progress | null} */
export const loadProgress = (game) => /** @type {Progress | null} */ (loadValue(`known:${game}`));

/** @param {string} game @param {Partial<Progress>} news */
export const saveProgress = (game, news) =>
  saveValue(`known:${game}`, { at: Date.now(), seen: 0, hand: 0, ...loadProgress(game), ...news });

/** The number of entries that a version of a game counts. @param {string} version */
export const entriesOf = (version) => Number(version.split(".")[0]);

/** @param {string} game the game's address @param {Listeners} listeners */
export function follow(game, { onVersion, onLost }) {
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0; // of the next question
  let connectedAt = 0;
  let isStreaming = true; // the stream, as far as is known
  let isLost = false;
  // a page that the worker kept may be of yesterday
  let heardAt = (navigator.serviceWorker?.controller && loadProgress(game)?.at) || Date.now();

  const isVisible = () => document.visibilityState === "visible";

  /** @param {number} pause */
  const pollIn = (pause) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(poll, pause);
  };

  /** @param {string} version */
  const onAnswer = (version) => {
    heardAt = Date.now();
    onLost?.(null);
    onVersion(version);
    saveProgress(game, { at: heardAt });
  };

  /** @param {MessageEvent<string>} event */
  const onMessage = (event) => {
    isStreaming = true;
    pollIn(SILENCE_LIMIT);
    onAnswer(event.data);
  };

  function close() {
    source?.close();
    window.clearTimeout(timer);
  }

  /** Get a stream in place of the last one; the browser continues one that was cut, but none that was refused. */
  function connect() {
    source?.close();
    connectedAt = performance.now();
    isLost = false;
    source = new EventSource(`${game}/live`);
    source.onmessage = onMessage;
    source.addEventListener("beat", onMessage);
    source.onerror = () => {
      if (isStreaming) pollIn(FIRST_POLL);
      isStreaming = false;
    };
  }

  function open() {
    if (!isVisible()) return close();
    isStreaming = true;
    connect();
    pollIn(SILENCE_LIMIT);
  }

  /** Ask for the version until a stream lives. */
  async function poll() {
    if (!isVisible()) return;
    isStreaming = false;
    try {
      const answer = await fetch(`${game}/version`, {
        cache: "no-cache",
        signal: AbortSignal.timeout(2 * POLL_INTERVAL),
      });
      if (answer.status === 410) return location.reload(); // deleted, or at an address that the server leads to
      if (!answer.ok) throw answer;
      onAnswer(await answer.text());
      if (isLost || performance.now() - connectedAt > STREAM_RETRY) connect();
    } catch (cause) {
      if (isStreaming) return;
      isLost = true;
      onLost?.({ isMissing: cause instanceof Response && cause.status === 404, at: heardAt });
    }
    if (!isStreaming && isVisible()) pollIn(POLL_INTERVAL);
  }

  document.addEventListener("visibilitychange", open);
  window.addEventListener("online", open);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  open();
}

/**
 * Fetch a part of the page anew whenever its game has changed, one version after the other.
 * @param {HTMLElement} place the part, with the version it shows @param {string} address
 * @param {() => void} onUpdate is called after each
 * @returns {(version: string) => void} is told the newest version
 */
export function makeUpdater(place, address, onUpdate) {
  let wanted = "";
  let isBusy = false;
  async function refresh() {
    if (isBusy || wanted === place.dataset.version) return;
    isBusy = true;
    const version = wanted;
    try {
      const answer = await fetch(address, { cache: "no-cache" });
      if (answer.status === 410) return location.reload(); // the game has moved
      const [{ morph }, text] = await Promise.all([import("./morph.js"), answer.text()]);
      // a page opened anew meanwhile has more to say: that what was pressed is done
      if (answer.ok && place.dataset.version !== version) {
        morph(place, text);
        place.dataset.version = version;
        onUpdate();
      }
    } catch {
      // no network: the next sign of life tells again
    }
    isBusy = false;
    if (wanted !== version) refresh();
  }
  return (version) => {
    wanted = version;
    refresh();
  };
}
