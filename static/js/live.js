/**
 * Following a game. A stream (server-sent events) announces each new version; while it fails or is silent, the version is
 * polled. Hidden pages hold no connection.
 */

import { fetchOurs, loadValue, saveValue, timeout } from "./form.js";

const SILENCE_LIMIT = 20_000; // the server sends a heartbeat every 15 seconds
const POLL_INTERVAL = 3_000;
const FIRST_POLL = 500;
const STREAM_RETRY = 30_000; // after a refused stream

/**
 * @typedef {{isMissing: boolean, at: number}} Lost whether the server has no such game, and when it was last heard from
 * @typedef {{onVersion: (version: string) => void, onLost?: (how: Lost) => void}} Listeners
 */

/** Call the listeners whenever the game changes or cannot be reached. @param {string} game the path of its page @param {Listeners} listeners */
export function follow(game, { onVersion, onLost }) {
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0; // for the next poll
  let connectedAt = 0;
  let isStreaming = true;
  let isLost = false;
  // a cached page may be days old
  let heardAt = Number(navigator.serviceWorker?.controller && loadValue(`heard:${game}`)) || Date.now();

  const isVisible = () => document.visibilityState === "visible";

  /** @param {number} pause */
  const pollIn = (pause) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(poll, pause);
  };

  /** @param {string} version */
  const onAnswer = (version) => {
    heardAt = Date.now();
    onVersion(version);
    saveValue(`heard:${game}`, heardAt);
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

  /** Open a new stream. The browser reconnects by itself unless the stream was refused. */
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

  /** Poll the version until a stream works again. */
  async function poll() {
    if (!isVisible()) return;
    isStreaming = false;
    try {
      const answer = await fetchOurs(`${game}/version`, timeout(2 * POLL_INTERVAL));
      if (answer.status === 410) return location.reload(); // deleted or moved; the reload shows which
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
  window.addEventListener("offline", poll);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  open();
}

/**
 * Return a function that takes the newest version, and fetches a part of the page if it shows another one.
 * @param {HTMLElement} place the part, whose version is in `data-version` @param {string} address
 * @param {() => void} onUpdate
 * @returns {(version: string) => void}
 */
export function makeUpdater(place, address, onUpdate) {
  let wanted = "";
  let isBusy = false;
  async function refresh() {
    if (isBusy || wanted === place.dataset.version) return;
    isBusy = true;
    const version = wanted;
    try {
      const answer = await fetchOurs(address);
      if (answer.status === 410) return location.reload(); // moved
      const { swap } = await import("./swap.js");
      // submit.js may have updated the page meanwhile, with a message that must stay
      if (await swap(answer, [place], { isLate: () => place.dataset.version === version })) {
        place.dataset.version = version;
        onUpdate();
      }
    } catch {
      // offline: the next version brings another attempt
    }
    isBusy = false;
    if (wanted !== version) refresh();
  }
  return (version) => {
    wanted = version;
    refresh();
  };
}
