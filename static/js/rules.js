// @ts-check
/** Finds a rule: shows only the rules that contain every word typed. Submitting the form asks the server what players mean by it. */

const box = document.querySelector("[data-find]");

/** @param {string} text */
const plain = (text) => text.toLowerCase().normalize("NFKD");

if (box instanceof HTMLElement) {
  const input = /** @type {HTMLInputElement} */ (box.querySelector("input[type=search]"));
  const status = /** @type {HTMLElement} */ (box.querySelector("[data-found]"));
  const rules = [...document.querySelectorAll(".rule")].map((element) => ({
    element: /** @type {HTMLElement} */ (element),
    words: plain(element.textContent ?? ""),
  }));
  const chapters = [...document.querySelectorAll(".chapter")];

  const find = () => {
    const wanted = plain(input.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { element, words } of rules) {
      element.hidden = !wanted.every((word) => words.includes(word));
      found += element.hidden ? 0 : 1;
    }
    for (const chapter of chapters) {
      /** @type {HTMLElement} */ (chapter).hidden = !chapter.querySelector(".rule:not([hidden])");
    }
    status.textContent = found ? "" : (status.dataset.none ?? "");
  };

  input.addEventListener("input", find);
  find();
}
