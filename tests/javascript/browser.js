/** What the scripts ask a browser for at their start (dom.js), for tests of modules without a page. */

for (const kind of ["Element", "FormDataEvent", "HTMLElement", "SubmitEvent"]) {
  globalThis[kind] = Object.assign(() => {}, { prototype: new Proxy({}, { has: () => true }) });
}
globalThis.CSS = { supports: () => true };
