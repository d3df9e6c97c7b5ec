// @ts-check
/** The fields for cards: each shows its text as a fan of cards, and the active one takes what the keys lay. */

import { draw, drawHeld } from "./cards.js";
import { read } from "./counting.js";
import { all, around, find, make, one } from "./dom.js";
import { NOTHING } from "./laying.js";

const input = (/** @type {Element} */ slot) => one("input", slot, HTMLInputElement);

/** The field that an element of the form belongs to: its own, or that of its row. @param {EventTarget | null} target */
function slotOf(target) {
  const row = around(target, "[data-row]");
  return around(target, "[data-slot]") ?? (row && find("[data-slot]", row));
}

/**
 * @param {HTMLElement} form
 * @param {(card: import("./counting.js").Card) => string} name
 * @param {() => void} changed
 * @param {() => void} left is called when the keys now belong to another field or card
 */
export function slots(form, name, changed, left) {
  /** @type {{slot: HTMLElement | null, card: number | null}} */
  const active = { slot: null, card: null };
  let held = NOTHING;

  /** @param {Element} slot */
  const show = (slot) => {
    const fan = one("[data-fan]", slot);
    fan.replaceChildren(
      ...read(input(slot).value).map((card, place) => {
        const ariaPressed = String(slot === active.slot && place === active.card);
        const button = make("button", { type: "button", ariaPressed }, draw(card, name));
        button.dataset.place = String(place);
        return make("li", {}, button);
      }),
    );
    if (slot !== active.slot || held === NOTHING) return;
    fan.append(make("li", { ariaHidden: "true" }, drawHeld(held))); // the key says that it is pressed
  };

  /** @param {HTMLElement} slot @param {number | null} card */
  const choose = (slot, card = null) => {
    const before = active.slot;
    before?.classList.remove("is-active");
    slot.classList.add("is-active");
    Object.assign(active, { slot, card });
    if (before && before !== slot) show(before);
    show(slot);
  };

  /** Point the keys at a field or card; anything held for the one before is let go. @param {HTMLElement} slot @param {number | null} card */
  const point = (slot, card = null) => {
    const isSame = slot === active.slot && card === active.card;
    choose(slot, card);
    if (!isSame) left();
  };

  /** @param {(words: string[], place: number | null) => string[]} edit */
  const change = (edit) => {
    const slot = active.slot?.isConnected ? active.slot : find("[data-slot]", form);
    if (!slot) return;
    const words = read(input(slot).value).map((card) => card.word);
    input(slot).value = edit(words, slot === active.slot ? active.card : null).join(" ");
    choose(slot);
    changed();
  };

  form.addEventListener("focusin", (event) => {
    const slot = slotOf(event.target);
    const isButton = event.target instanceof HTMLButtonElement;
    if (slot && slot !== active.slot && !isButton) point(slot);
  });
  form.addEventListener("input", (event) => {
    const slot = slotOf(event.target);
    if (slot) show(slot);
    if (!(/** @type {InputEvent} */ (event).inputType?.startsWith("delete"))) left(); // who takes back goes on with the suit
    changed();
  });
  form.addEventListener("click", (event) => {
    const slot = around(around(event.target, ".slot-cards"), "[data-slot]");
    if (!slot) return;
    const card = around(event.target, "[data-place]");
    const place = card ? Number(card.dataset.place) : null;
    point(slot, slot === active.slot && place === active.card ? null : place);
    if (place === null) input(slot).focus({ preventScroll: true });
  });

  /** Prepare fields that have just appeared, and make the first one active if none is. */
  const refresh = () => {
    for (const slot of all("[data-slot]", form)) {
      if (input(slot).inputMode === "none") continue; // a card just being tapped stays where it is
      input(slot).inputMode = "none";
      show(slot);
    }
    const first = find("[data-slot]", form);
    if (!active.slot?.isConnected && first) choose(first);
  };

  return {
    refresh,
    /** @param {string} card declares the joker pointed at; otherwise it goes to the end */
    lay: (card) =>
      change((words, place) => {
        if (place === null || !words[place]?.startsWith("*")) return [...words, card];
        left(); // the joker has its card
        return words.with(place, `*=${card}`);
      }),
    /** @param {string} word goes to the end, whatever is pointed at */
    add: (word) => change((words) => [...words, word]),
    joker: () => change((words) => [...words, "*"]),
    takeBack: () => change((words, place) => words.toSpliced(place ?? -1, 1)),
    clear: () => change(() => []),
    /** @param {import("./laying.js").Held} next */
    hold: (next) => {
      held = next;
      if (active.slot) show(active.slot);
    },
  };
}
