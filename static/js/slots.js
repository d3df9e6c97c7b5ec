/** Fields for cards, each drawn as a fan, and the keys at the foot of the page that add cards to the active field. */

import { isWhole, read, signOfSuit } from "./counting.js";
import { all, around, find, make, one } from "./dom.js";
import { fill } from "./form.js";
import { beginsNext, NOTHING, press, undoLast, waitingRanks, withRanks } from "./laying.js";

const COLOURS = /** @type {Record<string, [string, string]>} */ ({ red: ["h", "♥♦"], black: ["s", "♠♣"] });

/** @typedef {import("./counting.js").Card} Card */

const inputOf = (/** @type {Element} */ slot) => one("input", slot, HTMLInputElement);
const makePart = (/** @type {string} */ className, textContent = "") => make("span", { className, textContent });

/** Whether an element is in a closed fold. Some browsers lay out what is in there. @param {Element} element */
const isFolded = (element) => Boolean(element.closest("details:not([open])"));

/** Return the field around an element, or the one in its row. @param {EventTarget | null} target */
function slotOf(target) {
  const row = around(target, "[data-row]");
  return around(target, "[data-slot]") ?? (row && find("[data-slot]", row));
}

/** Return the accessible name of a card, built from those of the keys. @param {HTMLElement} keys @param {Card} card @returns {string} */
function nameOf(keys, card) {
  const label = (/** @type {string} */ which) => find(which, keys)?.ariaLabel ?? "";
  /** @param {import("./counting.js").Natural} natural */
  const natural = ({ rank, suit }) => {
    if (!suit || suit in COLOURS) return label(`[data-rank="${rank}${suit}"]`);
    const parts = { rank: label(`[data-rank="${rank}"]`), suit: label(`[data-suit="${suit}"]`) || signOfSuit(suit) };
    return fill(keys.dataset.of ?? "", parts);
  };
  if (card.as) return fill(keys.dataset.as ?? "", { card: natural(card.as) });
  return card.rank === "*" ? label("[data-joker]") : natural(card);
}

/** Draw a card; show a word that is not a complete card as written. @param {Card} card @param {HTMLElement} keys */
function draw(card, keys) {
  if (!("left" in keys.dataset ? card.rank : isWhole(card))) return makePart("unread", card.word);
  const joker = card.rank === "*";
  const [suit, sign] = joker
    ? ["x", "★"]
    : (COLOURS[card.suit] ?? [card.suit.toLowerCase() || "n", signOfSuit(card.suit)]);
  const element = makePart(`pcard pcard-l suit-${suit}${card.as ? " pcard-declared" : ""}`);
  Object.assign(element, { role: "img", ariaLabel: nameOf(keys, card) });
  if (!joker) element.append(makePart("pcard-rank", card.rank));
  if (sign) element.append(makePart("pcard-suit", sign));
  if (card.as) element.append(makePart("pcard-for", `=${card.as.rank}${signOfSuit(card.as.suit)}`));
  return element;
}

/** Draw the place of the next card, with the rank or suit already pressed. @param {import("./laying.js").Held} held */
const drawHeld = ({ rank, suit, waiting }) =>
  makePart(
    `pcard-held${suit && ` suit suit-${suit.toLowerCase()}`}`,
    rank ? `${[...waiting, rank].join(" ")} _` : `_ ${signOfSuit(suit)}`,
  );

/** Remove the ranks without a suit from the end of a field, and return them. @param {HTMLInputElement} field @returns {string[]} */
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

/** @param {HTMLElement} form @param {HTMLElement} keys @param {() => void} changed @param {() => Promise<void>} goToNext goes to the next field */
export function useSlots(form, keys, changed, goToNext) {
  let active = /** @type {HTMLElement | null} */ (null);
  let selected = /** @type {number | null} */ (null); // the selected card
  let held = NOTHING;
  let moving = Promise.resolve(); // resolves once the next field is active

  /** @param {HTMLElement} slot */
  function show(slot) {
    const fan = one("[data-fan]", slot);
    const cards = read(inputOf(slot).value).map((card, place) => {
      const ariaPressed = String(slot === active && place === selected);
      return make("button", { type: "button", value: String(place), ariaPressed }, draw(card, keys));
    });
    fan.replaceChildren(...cards.map((card) => make("li", {}, card)));
    if (slot !== active || held === NOTHING) return;
    fan.append(make("li", { ariaHidden: "true" }, drawHeld(held))); // the pressed key announces it
  }

  /** @param {import("./laying.js").Held} next */
  function hold(next) {
    const before = waitingRanks(held).length;
    const after = waitingRanks(next).length;
    held = next;
    if (after < before || (after > before && after > 1)) changed(); // a single rank is a card half entered
    for (const key of all("[aria-pressed]", keys)) {
      const { rank = "", suit = "" } = key.dataset;
      key.ariaPressed = String(rank === held.rank && suit === held.suit);
    }
    if (active) show(active);
  }
  const release = () => hold(NOTHING);
  /** Release the held key, unless ranks wait for a suit. */
  const letGo = () => waitingRanks(held).length || release();

  /** @param {HTMLElement} slot @param {number | null} [place] */
  function choose(slot, place = null) {
    const before = active;
    before?.classList.remove("is-active");
    slot.classList.add("is-active");
    [active, selected] = [slot, place];
    if (before && before !== slot) show(before);
    show(slot);
  }

  /** Select a field or one of its cards, and release what is held. @param {HTMLElement} slot @param {number | null} [place] */
  function select(slot, place = null) {
    if (slot !== active) flush();
    else if (place !== selected) letGo();
    choose(slot, place);
  }

  /** Write the ranks that wait for a suit into the field. */
  function flush() {
    const ranks = waitingRanks(held);
    release();
    if (ranks.length) change((words) => [...words, ...ranks]);
  }

  /** @param {(words: string[], place: number | null) => string[]} edit */
  function change(edit) {
    const slot = active?.isConnected ? active : find("[data-slot]", form);
    if (!slot) return;
    const words = read(inputOf(slot).value).map((card) => card.word);
    inputOf(slot).value = edit(words, slot === active ? selected : null).join(" ");
    choose(slot);
    changed();
  }

  /** Append a card, whichever is selected. @param {string} word */
  const add = (word) => change((words) => [...words, word]);

  /** Declare the selected joker; without one, append the card. @param {string} card */
  const lay = (card) =>
    change((words, place) => {
      if (place === null || !words[place]?.startsWith("*")) return [...words, card];
      release();
      return words.map((word, each) => (each === place ? `*=${card}` : word));
    });

  /** Type a key; in a list of melds it may begin the next one. @param {DOMStringMap} key */
  function type(key) {
    const cards = active?.closest("[data-rows=meld]") ? read(inputOf(active).value) : [];
    if (selected !== null || !beginsNext(held, key, cards)) return typeHere(key);
    release();
    moving = goToNext().then(() => typeHere(key));
  }

  /** A card left in a hand needs no suit. @param {DOMStringMap} key */
  function typeHere({ rank, suit }) {
    if (rank && "left" in keys.dataset) return add(rank);
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
      hold(undoLast(held));
      if (!isFresh) change((words, place) => words.filter((_, each) => each !== (place ?? words.length - 1)));
    },
    clear: () => {
      release();
      change(() => []);
    },
    next: () => {
      flush();
      moving = goToNext();
    },
    rank: type,
    suit: type,
  };

  /** Select the first field of a fold that opens, or a visible one if the active field's fold closes. @param {Element} fold */
  function enterFold(fold) {
    const slots = all("[data-slot]", form);
    const inside = slots.filter((slot) => fold.contains(slot));
    const next = isFolded(fold) ? inside[0] : slots.find((slot) => !inside.includes(slot) && !isFolded(slot));
    if (next && (isFolded(fold) || (active && inside.includes(active)))) select(next);
  }

  keys.hidden = false;
  keys.addEventListener("click", async ({ target }) => {
    const { dataset } = around(target, "button") ?? keys;
    await moving; // Next may still be adding a row
    for (const [name, act] of Object.entries(acts)) if (name in dataset) act(dataset);
  });
  // restored from the back/forward cache
  window.addEventListener("pageshow", (event) => event.persisted && letGo());
  form.addEventListener("focusin", (event) => {
    const slot = slotOf(event.target);
    const isButton = event.target instanceof HTMLButtonElement;
    if (slot && slot !== active && !isButton) select(slot);
  });
  form.addEventListener("input", (event) => {
    const slot = slotOf(event.target);
    if (slot) show(slot);
    if (!(/** @type {InputEvent} */ (event).inputType?.startsWith("delete"))) letGo(); // after a deletion, typing continues with the same suit
    changed();
  });
  form.addEventListener("click", ({ target }) => {
    const card = around(target, "button", HTMLButtonElement);
    const slot = around(around(target, ".slot-cards"), "[data-slot]");
    const fold = around(target, "summary")?.parentElement;
    if (fold) enterFold(fold);
    if (card?.matches(".in-hand *")) {
      letGo();
      add(card.value);
    }
    if (!slot) return;
    const place = card ? Number(card.value) : null;
    select(slot, slot === active && place === selected ? null : place);
    if (place === null) inputOf(slot).focus({ preventScroll: true });
  });

  return {
    flush,
    /** Read the form as if the ranks that wait for a suit were in their field. @template T @param {() => T} read @returns {T} */
    withWaiting(read) {
      const ranks = waitingRanks(held);
      if (!active || !ranks.length) return read();
      const input = inputOf(active);
      const { value } = input;
      input.value = [value, ...ranks].join(" ");
      const result = read();
      input.value = value;
      return result;
    },
    /** Prepare new fields, and activate the first if none is active. */
    refresh() {
      for (const slot of all("[data-slot]", form)) {
        if (inputOf(slot).inputMode === "none") continue; // already prepared, and perhaps being tapped
        inputOf(slot).inputMode = "none";
        show(slot);
      }
      const first = find("[data-slot]", form);
      if (!active?.isConnected && first) choose(first);
    },
    /** Whether the active field is filled and the last of a list, which then gets another row. */
    isLast() {
      const row = around(active, "[data-row]:last-child");
      return Boolean(active && row && all("[data-slot]", row).at(-1) === active && inputOf(active).value);
    },
    /** Activate the next visible field. */
    next() {
      const fields = all("[data-slot]", form).filter((slot) => slot.offsetParent && !isFolded(slot));
      const next = active && fields[fields.indexOf(active) + 1];
      if (!next) return;
      select(next);
      inputOf(next).focus({ preventScroll: true });
      next.scrollIntoView({ block: "center" });
    },
  };
}
