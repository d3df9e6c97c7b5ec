// @ts-check
/** Keeps the phone in the middle of the table lit. */

import { stayAwake } from "./awake.js";

stayAwake();
