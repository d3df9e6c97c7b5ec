// @ts-check
/** Finds a rule: shows only the rules that contain every word typed, unfolded where the word is folded away, and the rule an address
 * ends with. Submitting the form asks the server what players mean by it. */

const box = document.querySelector("[data-find]");

/** @param {string} text */
const plain = (text) => text.toLowerCase().normalize("NFKD");

const reveal = () => {
  const named = document.getElementById(location.hash.slice(1));
  const fold = named?.closest("details");
  if (!fold) return;
  fold.open = true;
  named?.scrollIntoView();
};

window.addEventListener("hashchange", reveal);
reveal();

if (box instanceof HTMLElement) {
  const input = /** @type {HTMLInputElement} */ (box.querySelector("input[type=search]"));
  const status = /** @type {HTMLElement} */ (box.querySelector("[data-found]"));
  const rules = [...document.querySelectorAll(".rule")].map((element) => ({
    element: /** @type {HTMLElement} */ (element),
    words: plain(element.textContent ?? ""),
    seen: plain([...element.querySelectorAll(":scope > h3, :scope > p")].map((part) => part.textContent).join(" ")),
    more: /** @type {HTMLDetailsElement | null} */ (element.querySelector(".more")),
  }));
  const basics = /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(".basics"));
  const chapters = [...document.querySelectorAll(".chapter")];

  const find = () => {
    const wanted = plain(input.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { element, words, seen, more } of rules) {
      element.hidden = !wanted.every((word) => words.includes(word));
      if (more) more.open = !element.hidden && !wanted.every((word) => seen.includes(word));
      found += element.hidden ? 0 : 1;
    }
    for (const chapter of chapters) {
      /** @type {HTMLElement} */ (chapter).hidden = !chapter.querySelector(".rule:not([hidden])");
    }
    for (const fold of basics) {
      fold.open = wanted.length > 0 && fold.querySelector(".rule:not([hidden])") !== null;
      fold.hidden = wanted.length > 0 && !fold.open;
    }
    status.textContent = found ? "" : (status.dataset.none ?? "");
  };

  input.addEventListener("input", find);
  if (input.value) find();
}
