// @ts-check
/** Keeps sets of own rules on this device, as the texts that links hold; lists, offers, renames and deletes them. */

import { fill, keep as keepAs, recall } from "./form.js";
import { sayZone } from "./zone.js";

const KEY = "own-rules";

/** @typedef {{name: string, text: string}} Kept */

/** @returns {Kept[]} the sets kept here, the newest first; none where nothing may be stored */
function kept() {
  const sets = recall(KEY);
  return Array.isArray(sets) ? sets.filter((set) => typeof set?.text === "string" && typeof set.name === "string") : [];
}

/** @param {Kept[]} sets @returns {boolean} whether they are stored */
const keep = (sets) => keepAs(KEY, sets);

const list = /** @type {HTMLElement | null} */ (document.querySelector("[data-own-sets]"));

function show() {
  const rows = list?.querySelector("[data-sets]");
  const row = list?.querySelector("template");
  if (!(list && rows && row)) return;
  rows.replaceChildren(...kept().map((set) => drawn(row, set)));
  list.hidden = rows.children.length === 0;
}

/** @param {HTMLTemplateElement} template @param {Kept} set */
function drawn(template, set) {
  const row = /** @type {HTMLElement} */ (document.importNode(template.content, true).firstElementChild);
  const link = /** @type {HTMLAnchorElement} */ (row.querySelector("[data-open]"));
  const date = set.text.slice(set.text.indexOf("~") + 1).split(".")[2];
  link.textContent = [set.name, date].filter(Boolean).join(" · ");
  link.href = `${list?.dataset.ownSets}?${new URLSearchParams({ own: set.text, name: set.name })}`;
  // where a game is started, they are only offered
  const [rename, away] = ["rename", "delete"].map(
    (what) => /** @type {HTMLElement | null} */ (row.querySelector(`[data-${what}]`)),
  );
  rename?.addEventListener("click", async () => {
    const name = prompt(rename.dataset.ask, set.name)?.trim().slice(0, 40);
    if (name) change(set, { name, text: await named(list?.dataset.named ?? "", set.text, name) });
  });
  away?.addEventListener("click", () => {
    if (confirm(fill(away.dataset.ask ?? "", { name: set.name }))) change(set);
  });
  return row;
}

/** @param {string} at @param {string} text @param {string} name @returns {Promise<string>} the text with that name, as the server writes it; unchanged without a network */
async function named(at, text, name) {
  const asked = new URLSearchParams({ own: text, name });
  const answer = await fetch(`${at}?${asked}`).catch(() => null);
  return (answer?.ok && new URL(answer.url).searchParams.get("own")) || text;
}

/** @param {Kept} set @param {Kept} [by] takes its place; without it, the set is deleted */
function change(set, by) {
  keep(kept().flatMap((each) => (each.text === set.text ? (by ? [by] : []) : [each])));
  show();
}

/** Keep the set of this page under the name typed, or rename it, and show it so. @param {HTMLFormElement} offer */
function offerToKeep(offer) {
  const text = offer.dataset.own ?? "";
  const isKept = kept().some((set) => set.text === text);
  const one = (/** @type {string} */ what) => /** @type {HTMLElement} */ (offer.querySelector(`[data-${what}]`));
  const button = one("keep");
  button.textContent = (isKept ? button.dataset.rename : button.dataset.keep) ?? "";
  one("kept").hidden = !isKept;
  one("where").hidden = isKept;
  offer.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = /** @type {HTMLInputElement} */ (offer.elements.namedItem("name")).value.trim();
    const set = { name, text: await named(offer.action, text, name) };
    if (keep([set, ...kept().filter((each) => each.text !== text && each.text !== set.text)])) {
      window.location.assign(`${offer.action}?${new URLSearchParams({ own: set.text, name })}`);
    } else offer.submit();
  });
}

const offer = document.querySelector("form[data-own]");
if (offer instanceof HTMLFormElement) offerToKeep(offer);
show();

for (const select of /** @type {NodeListOf<HTMLSelectElement>} */ (
  document.querySelectorAll("select[data-with-own]")
)) {
  const listed = new Set([...select.options].map((option) => option.value));
  const sets = kept().filter((set) => !listed.has(set.text));
  select.append(...sets.map((set) => new Option(set.name, set.text)));
}
const brought = document.getElementById("brought");
if (brought instanceof HTMLFormElement) sayZone(brought);
