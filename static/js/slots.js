/**
 * The fields for cards, each a fan of what its text says, and the keys at the foot of the page, which lay cards in the
 * active one.
 */

import { isWhole, read, signOfSuit } from "./counting.js";
import { all, around, find, make, one } from "./dom.js";
import { fill } from "./form.js";
import { NOTHING, press, unlaid, withoutTheLast, withRanks } from "./laying.js";

/** @typedef {import("./counting.js").Card} Card */

const inputOf = (/** @type {Element} */ slot) => one("input", slot, HTMLInputElement);
const makePart = (/** @type {string} */ className, textContent = "") => make("span", { className, textContent });

/** The field that an element of the form belongs to: its own, or that of its row. @param {EventTarget | null} target */
function slotOf(target) {
  const row = around(target, "[data-row]");
  return around(target, "[data-slot]") ?? (row && find("[data-slot]", row));
}

/** What a card is called, from the names of the keys. @param {HTMLElement} keys @param {Card} card @returns {string} */
function nameOf(keys, card) {
  const label = (/** @type {string} */ which) => find(which, keys)?.ariaLabel ?? "";
  /** @param {import("./counting.js").Natural} natural */
  const natural = ({ rank, suit }) =>
    fill(keys.dataset.of ?? "", { rank: label(`[data-rank="${rank}"]`), suit: label(`[data-suit="${suit}"]`) });
  if (card.as) return fill(keys.dataset.as ?? "", { card: natural(card.as) });
  return card.rank === "*" ? label("[data-joker]") : natural(card);
}

/** A card as it looks on the table; a word that is not a whole card as written. @param {Card} card @param {HTMLElement} keys */
function draw(card, keys) {
  if (!isWhole(card)) return makePart("unread", card.word);
  const joker = card.rank === "*";
  const suit = joker ? "x" : card.suit.toLowerCase();
  const element = makePart(`pcard pcard-l suit-${suit}${card.as ? " pcard-declared" : ""}`);
  Object.assign(element, { role: "img", ariaLabel: nameOf(keys, card) });
  if (!joker) element.append(makePart("pcard-rank", card.rank));
  element.append(makePart("pcard-suit", joker ? "★" : signOfSuit(card.suit)));
  if (card.as) element.append(makePart("pcard-for", `=${card.as.rank}${signOfSuit(card.as.suit)}`));
  return element;
}

/** A place for the next card, showing the rank or suit already pressed. @param {import("./laying.js").Held} held */
const drawHeld = ({ rank, suit, waiting }) =>
  makePart(
    `pcard-held${suit && ` suit suit-${suit.toLowerCase()}`}`,
    rank ? `${[...waiting, rank].join(" ")} _` : `_ ${signOfSuit(suit)}`,
  );

/** Take the ranks without a suit off the end of a field. @param {HTMLInputElement} field @returns {string[]} */
function takeRanks(field) {
  const cards = read(field.value);
  const from = cards.findLastIndex(({ rank, suit }) => !rank || rank === "*" || suit) + 1;
  if (from < cards.length)
    field.value = cards
      .slice(0, from)
      .map((card) => card.word)
      .join(" ");
  return cards.slice(from).map((card) => card.rank);
}

/** @param {HTMLElement} form @param {HTMLElement} keys @param {() => void} changed @param {() => Promise<void>} goOn to the next field */
export function useSlots(form, keys, changed, goOn) {
  let active = /** @type {HTMLElement | null} */ (null);
  let pointed = /** @type {number | null} */ (null); // at one of its cards
  let held = NOTHING;
  let coming = Promise.resolve(); // the next field

  /** @param {HTMLElement} slot */
  function show(slot) {
    const fan = one("[data-fan]", slot);
    const cards = read(inputOf(slot).value).map((card, place) => {
      const ariaPressed = String(slot === active && place === pointed);
      return make("button", { type: "button", value: String(place), ariaPressed }, draw(card, keys));
    });
    fan.replaceChildren(...cards.map((card) => make("li", {}, card)));
    if (slot !== active || held === NOTHING) return;
    fan.append(make("li", { ariaHidden: "true" }, drawHeld(held))); // the key says that it is pressed
  }

  /** @param {import("./laying.js").Held} next */
  function hold(next) {
    held = next;
    for (const key of all("[aria-pressed]", keys)) {
      const { rank = "", suit = "" } = key.dataset;
      key.ariaPressed = String(rank === held.rank && suit === held.suit);
    }
    if (active) show(active);
  }
  const release = () => hold(NOTHING);
  /** Let go of what cards were laid with; ranks that wait for a suit stay. */
  const letGo = () => unlaid(held).length || release();

  /** @param {HTMLElement} slot @param {number | null} [place] */
  function choose(slot, place = null) {
    const before = active;
    before?.classList.remove("is-active");
    slot.classList.add("is-active");
    [active, pointed] = [slot, place];
    if (before && before !== slot) show(before);
    show(slot);
  }

  /** Point the keys at a field or card; nothing stays held for the field before. @param {HTMLElement} slot @param {number | null} [place] */
  function point(slot, place = null) {
    if (slot !== active) settle();
    else if (place !== pointed) letGo();
    choose(slot, place);
  }

  /** Write ranks that wait for a suit into the field that is left. */
  function settle() {
    const ranks = unlaid(held);
    release();
    if (ranks.length) change((words) => [...words, ...ranks]);
  }

  /** @param {(words: string[], place: number | null) => string[]} edit */
  function change(edit) {
    const slot = active?.isConnected ? active : find("[data-slot]", form);
    if (!slot) return;
    const words = read(inputOf(slot).value).map((card) => card.word);
    inputOf(slot).value = edit(words, slot === active ? pointed : null).join(" ");
    choose(slot);
    changed();
  }

  /** To the end, whatever is pointed at. @param {string} word */
  const add = (word) => change((words) => [...words, word]);

  /** Declare the joker pointed at; otherwise the card goes to the end. @param {string} card */
  const lay = (card) =>
    change((words, place) => {
      if (place === null || !words[place]?.startsWith("*")) return [...words, card];
      release(); // the joker has its card
      return words.with(place, `*=${card}`);
    });

  /** @param {DOMStringMap} key */
  function type({ rank, suit }) {
    if (suit && active) held = withRanks(held, takeRanks(inputOf(active)));
    const next = press(held, { rank, suit });
    hold(next.held);
    next.cards.forEach(lay);
  }

  /** @type {Record<string, (key: DOMStringMap) => void>} */
  const acts = {
    joker: () => add("*"),
    takeBack: () => {
      const { isFresh } = held;
      hold(withoutTheLast(held));
      if (!isFresh) change((words, place) => words.toSpliced(place ?? -1, 1));
    },
    clear: () => {
      release();
      change(() => []);
    },
    next: () => {
      coming = goOn();
    },
    rank: type,
    suit: type,
  };

  keys.hidden = false;
  keys.addEventListener("click", async ({ target }) => {
    const { dataset } = around(target, "button") ?? keys;
    await coming; // what is pressed meanwhile belongs to it
    for (const [name, act] of Object.entries(acts)) if (name in dataset) act(dataset);
  });
  // the page came back from the browser's cache
  window.addEventListener("pageshow", (event) => event.persisted && letGo());
  form.addEventListener("focusin", (event) => {
    const slot = slotOf(event.target);
    const isButton = event.target instanceof HTMLButtonElement;
    if (slot && slot !== active && !isButton) point(slot);
  });
  form.addEventListener("input", (event) => {
    const slot = slotOf(event.target);
    if (slot) show(slot);
    if (!(/** @type {InputEvent} */ (event).inputType?.startsWith("delete"))) letGo(); // who takes back continues with the suit
    changed();
  });
  form.addEventListener("click", ({ target }) => {
    const card = around(target, "button", HTMLButtonElement);
    const slot = around(around(target, ".slot-cards"), "[data-slot]");
    if (card?.matches(".in-hand *")) {
      letGo();
      add(card.value);
    }
    if (!slot) return;
    const place = card ? Number(card.value) : null;
    point(slot, slot === active && place === pointed ? null : place);
    if (place === null) inputOf(slot).focus({ preventScroll: true });
  });

  return {
    settle,
    /** Prepare fields that have just appeared, and make the first one active if none is. */
    refresh() {
      for (const slot of all("[data-slot]", form)) {
        if (inputOf(slot).inputMode === "none") continue; // a card just being tapped stays where it is
        inputOf(slot).inputMode = "none";
        show(slot);
      }
      const first = find("[data-slot]", form);
      if (!active?.isConnected && first) choose(first);
    },
    /** Whether the active field is filled, and the last of a list that gets another row then. */
    isLast() {
      const row = around(active, "[data-row]:last-child");
      return Boolean(active && row && all("[data-slot]", row).at(-1) === active && inputOf(active).value);
    },
    /** Point the keys at the next field in sight. */
    next() {
      const fields = all("[data-slot]", form).filter((slot) => slot.offsetParent);
      const next = active && fields[fields.indexOf(active) + 1];
      if (!next) return;
      point(next);
      inputOf(next).focus({ preventScroll: true });
      next.scrollIntoView({ block: "center" });
    },
  };
}
