// @ts-check
/** A page that enters what happens besides hands: what is typed is kept. */

import { keepTyped } from "./typed.js";

const form = document.querySelector("form[data-draft]");
if (form instanceof HTMLFormElement) keepTyped(form);
