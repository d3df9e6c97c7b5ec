// @ts-check
/** The table's time zone goes with the game that starts here: its sheet shows the day of that table. */

/** @param {HTMLFormElement} form */
export function sayZone(form) {
  const field = form.elements.namedItem("zone");
  if (field instanceof HTMLInputElement) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
