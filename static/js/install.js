// @ts-check
/** Registers the worker that keeps pages on the phone. Plain http addresses have none; everything else works there too. */

navigator.serviceWorker?.register(new URL("../../sw.js", import.meta.url)).catch(() => {});
