/**
 * Search within a page, and opening the `<details>` around the target of a link, which not every browser does. A box with
 * `data-find` filters the elements that match its selector, and hides `data-groups` without a match. Offline, a phone
 * shows the kept page of all disputes instead of the answers to a question: it is searched for the question's longer words.
 */

import { all, around, find, one } from "./dom.js";

/** @param {string | null} text */
const normalize = (text) => (text ?? "").toLowerCase().normalize("NFKD");

/** Open what is folded around the target of a hash, and scroll there. @param {string} hash */
function reveal(hash) {
  const named = document.getElementById(hash.slice(1));
  const folds = all("details", document, HTMLDetailsElement).filter((fold) => fold.contains(named));
  if (!named || !folds.length) return;
  for (const fold of folds) fold.open = true;
  if (named.matches("input, select")) named.focus();
  named.scrollIntoView({ block: named.matches("input, select") ? "center" : "start" });
}

window.addEventListener("hashchange", () => reveal(location.hash));
document.addEventListener("click", ({ target }) => {
  const link = around(target, "a[href*='#']", HTMLAnchorElement);
  // a second click on the same link fires no hashchange
  if (link?.pathname === location.pathname && link.hash === location.hash) reveal(link.hash);
});
reveal(location.hash);

/** Return the text to search: of a field its label and `data-words`, but not its hint. @param {HTMLElement} element */
function wordsIn(element) {
  const { words } = (element.dataset.words ? element : (find("[data-words]", element) ?? element)).dataset;
  return words === undefined
    ? `${element.textContent} ${element.dataset.search ?? ""}`
    : `${find("label, legend", element)?.textContent} ${words}`;
}

/** @param {HTMLElement} box */
function filter(box) {
  const input = one("input[type=search]", box, HTMLInputElement);
  const status = one("[data-found]", box);
  const items = all(box.dataset.find ?? "").map((element) => ({
    element,
    words: normalize(wordsIn(element)),
    more: find(":scope > .more", element, HTMLDetailsElement),
  }));
  const groups = all(box.dataset.groups ?? "");

  function show() {
    const wanted = normalize(input.value).split(/\s+/).filter(Boolean);
    const has = (/** @type {string} */ words) => wanted.every((word) => words.includes(word));
    for (const { element, words, more } of items) {
      element.hidden = !has(words);
      const folded = normalize(more?.textContent ?? "");
      if (more) more.open = !element.hidden && !has(words.replace(folded, ""));
    }
    const shown = new Set(items.map(({ element }) => element).filter(({ hidden }) => !hidden));
    for (const group of groups) {
      const isFound = [...shown].some((element) => group.contains(element));
      group.hidden = wanted.length > 0 && !isFound;
      if (group instanceof HTMLDetailsElement) group.open = wanted.length > 0 && isFound;
    }
    status.textContent = shown.size ? "" : (status.dataset.none ?? "");
  }

  input.addEventListener("input", show);
  if (input.value) show();
}

const box = find("[data-find]");
const notice = find("[data-offline]");
const question = new URLSearchParams(location.search).get("q");
if (box && notice && question) {
  notice.hidden = false;
  const words = question.match(/[\p{L}\d]{4,}/gu) ?? [question];
  one("input[type=search]", box, HTMLInputElement).value = words.join(" ");
}
if (box) filter(box);
