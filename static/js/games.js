// @ts-check
/** Removing a game from this device: the copy that this phone keeps of it goes too. */

import { dropCopy } from "./copies.js";

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[name=forget]"))) {
  button.addEventListener("click", () => dropCopy(button.value));
}
