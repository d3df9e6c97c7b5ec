// @ts-check
/** Sends a form again by itself that had to wait for its turn. */

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-again]"));
if (form) setTimeout(() => form.requestSubmit(), 1000 * Number(form.dataset.again));
