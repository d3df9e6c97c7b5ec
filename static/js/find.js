/**
 * Search within a page, and opening the `<details>` around the target of a link, which not every browser does. A box with
 * `data-find` filters the elements that match its selector, and hides `data-groups` without a match. Offline, the cached
 * page of disputes answers a question that it was not rendered for.
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
  return words === undefined ? element.textContent : `${find("label, legend", element)?.textContent} ${words}`;
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
if (box) filter(box);

const MAX_ANSWERS = 8;

/** Return the longer words of a text, without their endings. @param {string} text */
const wordsOf = (text) =>
  new Set((normalize(text).match(/[a-z]{3,}|\d+/g) ?? []).map((word) => word.replace(/^(.{3,}?)(ing|ed|s)$/, "$1")));

/** Show the answers most like a question, by the words they share. @param {HTMLElement} place @param {string} question */
function answer(place, question) {
  const asked = wordsOf(question);
  const answers = all("[data-search]").map((element) => ({
    element,
    phrases: [find("h4", element)?.textContent ?? "", ...(element.dataset.search ?? "").split(", ")].map(wordsOf),
  }));
  // rare words weigh more (inverse document frequency)
  const worth = (/** @type {Iterable<string>} */ words) =>
    [...words].reduce((sum, word) => {
      const count = answers.filter(({ phrases }) => phrases.some((phrase) => phrase.has(word))).length;
      return sum + (count && Math.log(1 + answers.length / count));
    }, 0);
  const likeness = (/** @type {Set<string>} */ phrase) => {
    const shared = worth([...asked].filter((word) => phrase.has(word)));
    return shared && shared / (worth(asked) + worth(phrase) - shared);
  };
  const found = answers
    .map(({ element, phrases }) => ({ element, score: Math.max(...phrases.map(likeness)) }))
    .filter(({ score }) => score)
    .sort((one, other) => other.score - one.score);
  const copies = found.slice(0, MAX_ANSWERS).map(({ element }) => {
    const copy = /** @type {HTMLDetailsElement} */ (element.cloneNode(true));
    return Object.assign(copy, { id: "", open: false });
  });
  one("[data-found]", place).replaceChildren(...copies);
  one("[data-none]", place).hidden = copies.length > 0;
  document.querySelector("[data-answered]")?.remove(); // the one the page was rendered for
  one("input[type=search]", document, HTMLInputElement).value = question;
  place.hidden = false;
  place.scrollIntoView();
}

const place = find("[data-offline]");
const question = new URLSearchParams(location.search).get("q")?.trim() ?? "";
if (place && question && question !== place.dataset.offline) answer(place, question);
