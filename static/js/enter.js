// @ts-check
/** The page for entries other than hands: keeps what is typed. */

import { keepTyped } from "./typed.js";

const form = document.querySelector("form[data-draft]");
if (form instanceof HTMLFormElement) {
  // the set-up alone asks for rules
  const rules = form.querySelector("[data-rules]") ? await import("./house.js") : undefined;
  keepTyped(form);
  rules?.workRules(form);
}
