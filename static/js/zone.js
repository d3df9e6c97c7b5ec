// @ts-check
/** Sends the table's time zone with a new game, so that its sheet shows the day at the table. */

/** @param {HTMLFormElement} form */
export function sayZone(form) {
  const field = form.elements.namedItem("zone");
  if (field instanceof HTMLInputElement) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
