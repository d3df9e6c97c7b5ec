// @ts-check
/** What the server takes for stakes left blank: asked again while the unit, the currency or the rules are typed. */

import { asSent } from "./form.js";

const WAIT = 300; // milliseconds without a key, before the server is asked

/** @param {HTMLFormElement} form which the server has seen without the table's time zone */
export function suggestStakes(form) {
  const place = /** @type {HTMLElement | null} */ (form.querySelector("[data-suggest]"));
  let due = 0;
  let latest = 0;

  const unit = /** @type {HTMLInputElement} */ (form.elements.namedItem("unit"));
  const currency = /** @type {HTMLInputElement} */ (form.elements.namedItem("currency"));
  let isUsualUnit = Boolean(unit?.dataset.usualUnit) && unit.value === unit.dataset.usualUnit;

  /** Write a unit nobody chose as the currency has it, and a currency nobody chose as the region's; tell if they change. @param {Record<string, any>} told */
  function refill(told) {
    const before = [unit.value, currency.value].join();
    if (isUsualUnit) unit.value = told.unit;
    else isUsualUnit = told.unit_is_usual;
    const isFree = "free" in currency.dataset && currency.value === currency.defaultValue;
    if (isFree && told.currency) currency.value = currency.defaultValue = told.currency;
    return before !== [unit.value, currency.value].join();
  }

  async function suggest() {
    const asked = ++latest;
    const address = place?.dataset.suggest ?? "";
    const answer = await fetch(address, { method: "POST", body: asSent(form) }).catch(() => undefined);
    const told = answer?.ok && asked === latest ? await answer.json() : undefined;
    if (!told || asked !== latest) return;
    for (const [name, amount] of Object.entries(told.stakes)) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.placeholder = /** @type {string} */ (amount);
    }
    if (refill(told)) suggest();
  }

  if (!place) return;
  suggest();
  form.addEventListener("judged", suggest);
  form.addEventListener("input", ({ target }) => {
    if (target !== unit && target !== currency) return;
    if (target === unit) isUsualUnit = false;
    window.clearTimeout(due);
    due = window.setTimeout(suggest, WAIT);
  });
}
