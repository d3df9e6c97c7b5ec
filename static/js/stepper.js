// @ts-check
/** Numbers with − and +: the buttons appear with script, and their field speaks up as if it had been typed into. */

const MOST = 99;

/** @param {HTMLElement} button */
function step(button) {
  const field = /** @type {HTMLInputElement} */ (button.parentElement?.querySelector("input"));
  const value = Math.max(0, Math.min(MOST, Number(field.value) + Number(button.dataset.step)));
  field.value = value ? String(value) : "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

for (const button of document.querySelectorAll("[data-step]")) {
  const key = /** @type {HTMLElement} */ (button);
  key.hidden = false;
  key.addEventListener("click", () => step(key));
}
