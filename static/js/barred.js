// @ts-check
/** Where this phone may not record any more: whether something that was typed is still kept here. */

import { kept, ROOT } from "./form.js";

const note = /** @type {HTMLElement} */ (document.querySelector("[data-kept-of]"));
note.hidden = !kept(`draft:${ROOT.pathname}g/${note.dataset.keptOf}/`).length;
