// @ts-check
/** The phone in the middle of the table stays lit. */

import { stayAwake } from "./awake.js";

stayAwake();
