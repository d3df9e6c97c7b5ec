// @ts-check
/**
 * Learns how far a game has come. A stream says so at once; while it is refused or silent, this asks for the version
 * every few seconds. Nothing stays open while nobody looks at the page.
 */

const SILENCE = 32_000; // the server gives a sign of life every 15 seconds
const ASK = 3_000;
const SOON = 500;
const AGAIN = 30_000; // between two attempts to get a stream that was refused

/** @typedef {{heard: (version: string) => void, lost: (isLost: boolean) => void}} Ears */

/** @param {string} game the game's address @param {Ears} ears @returns {() => void} looks at once whether anything is new */
export function follow(game, ears) {
  /** @type {EventSource | null} */
  let source = null;
  let watchdog = 0;
  let asking = 0;
  let tried = 0;
  let wasCut = false;

  const isSeen = () => document.visibilityState === "visible";

  /** @param {MessageEvent<string>} event */
  const hear = (event) => {
    window.clearTimeout(watchdog);
    watchdog = window.setTimeout(open, SILENCE);
    wasCut = false;
    ears.lost(false);
    ears.heard(event.data);
  };

  function close() {
    source?.close();
    source = null;
    window.clearTimeout(watchdog);
    window.clearTimeout(asking);
  }

  function open() {
    close();
    if (!isSeen()) return;
    tried = performance.now();
    let wasOpen = false;
    source = new EventSource(`${game}/live`);
    source.onopen = () => {
      wasOpen = true;
    };
    source.onmessage = hear;
    source.addEventListener("beat", hear);
    source.onerror = () => {
      close();
      wasCut = wasOpen;
      asking = window.setTimeout(ask, wasOpen ? SOON : ASK);
    };
    watchdog = window.setTimeout(open, SILENCE);
  }

  /** Ask for the version without a stream; tries the stream again after a cut, otherwise from time to time. */
  async function ask() {
    if (!isSeen()) return;
    try {
      const answer = await fetch(`${game}/version`, { cache: "no-cache", signal: AbortSignal.timeout?.(2 * ASK) });
      if (answer.status === 404) return location.reload(); // the game has moved, or its link was taken back
      if (!answer.ok) throw new Error(String(answer.status));
      ears.lost(false);
      ears.heard(await answer.text());
      if (wasCut || performance.now() - tried > AGAIN) return open();
    } catch {
      wasCut = true;
      ears.lost(true);
    }
    if (!source) asking = window.setTimeout(ask, ASK);
  }

  document.addEventListener("visibilitychange", () => (isSeen() ? open() : close()));
  window.addEventListener("online", open);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) open();
  });
  open();
  return open;
}
