// @ts-check
/**
 * Registers the worker that keeps pages on the phone. Over plain http there is none; everything else works there too.
 * Only the browser knows that a page was opened without the path below which all others are, where the cookie is.
 */

const root = new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf("/static/") + 1));
const { pathname, search, hash } = location;
if (pathname.startsWith(root.pathname)) navigator.serviceWorker?.register(new URL("sw.js", root)).catch(() => {});
else location.replace(`${root.pathname}${pathname.slice(1)}${search}${hash}`);
