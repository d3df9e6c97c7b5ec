// @ts-check
/** Registers the worker that keeps pages on the phone. Over plain http there is none; everything else works there too. */

navigator.serviceWorker?.register(new URL("../../sw.js", import.meta.url)).catch(() => {});
