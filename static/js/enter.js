// @ts-check
/** The page for entries other than hands: keeps what is typed. */

import { keepTyped } from "./typed.js";

const form = document.querySelector("form[data-draft]");
if (form instanceof HTMLFormElement) keepTyped(form);
