// @ts-check
/**
 * Finds a ruling without a network: the page stored on the phone searches its own text for a question it was not
 * rendered for. With a network, the server has already answered. Also opens the answer an address points to, because
 * some browsers leave it folded.
 */

const MOST_FOUND = 8;
const ENOUGH = 0.4; // of what the best answer scores
const PHRASE = 4;
const SHORTEST = 3;

/** @param {string} text */
const words = (text) =>
  (text.toLowerCase().match(/[a-z]+|\d+/g) ?? [])
    .filter((word) => word.length >= SHORTEST || /\d/.test(word))
    .map((word) => (word.length > SHORTEST ? word.replace(/(ing|ed|s)$/, "") : word));

/** An answer: its text, and the phrases people ask for it with (its title and its search words). */
class Answer {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    const phrases = [element.querySelector("h4")?.textContent ?? "", ...(element.dataset.search ?? "").split(", ")];
    this.phrases = phrases.map((phrase) => new Set(words(phrase)));
    this.said = new Set([...words(element.textContent ?? ""), ...this.phrases.flatMap((phrase) => [...phrase])]);
  }
}

/** The answers that share the rarest words with a question; those with a similar phrase come first. @param {Answer[]} answers @param {string} question */
function found(answers, question) {
  /** @type {Map<string, number>} */
  const known = new Map();
  const rarity = (/** @type {string} */ word) => {
    if (!known.has(word)) {
      const spread = answers.filter(({ said }) => said.has(word)).length;
      known.set(word, spread ? Math.log(1 + answers.length / spread) : 0);
    }
    return known.get(word) ?? 0;
  };
  const worth = (/** @type {Iterable<string>} */ some) => [...some].reduce((sum, word) => sum + rarity(word), 0);
  const asked = new Set(words(question));
  const whole = worth(asked);
  const shared = (/** @type {Set<string>} */ said) => worth([...asked].filter((word) => said.has(word)));
  const likeness = (/** @type {Set<string>} */ phrase) =>
    shared(phrase) / (whole + worth(phrase) - shared(phrase) || 1);
  const scored = answers.map(({ element, said, phrases }) => ({
    element,
    score: shared(said) + PHRASE * whole * Math.max(...phrases.map(likeness)),
  }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score > 0 && score >= best * ENOUGH)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ element }) => element);
}

/** @param {HTMLElement} place @param {string} question */
function show(place, question) {
  const answers = [...document.querySelectorAll("[data-search]")].map(
    (each) => new Answer(/** @type {HTMLElement} */ (each)),
  );
  const copies = found(answers, question).map((element) => {
    const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
    copy.removeAttribute("id");
    copy.setAttribute("open", "");
    return copy;
  });
  place.querySelector("[data-found]")?.replaceChildren(...copies);
  place.querySelector("[data-none]")?.toggleAttribute("hidden", copies.length > 0);
  document.querySelector("[data-answered]")?.remove(); // an older question's
  const box = document.querySelector("input[type=search]");
  if (box instanceof HTMLInputElement) box.value = question;
  place.hidden = false;
}

const place = document.querySelector("[data-offline]");
const question = new URLSearchParams(location.search).get("q")?.trim() ?? "";
if (place instanceof HTMLElement && question && question !== place.dataset.offline) show(place, question);

/** Unfold the answer that the address points to, and the folds around it. */
function unfold() {
  const answer = document.getElementById(location.hash.slice(1));
  if (!answer?.matches("details")) return;
  for (const fold of document.querySelectorAll("details")) fold.open ||= fold.contains(answer);
  answer.scrollIntoView();
}

addEventListener("hashchange", unfold);
unfold();
