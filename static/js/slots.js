// The fields cards lie in: each shows its text as a fan; one of them takes what the keys lay.

import { draw, read } from "./cards.js";

/**
 * @param {HTMLElement} form
 * @param {(card: import("./cards.js").Card) => string} name
 * @param {() => void} changed
 */
export function slots(form, name, changed) {
  /** @type {{slot: HTMLElement | null, card: number | null}} */
  const active = { slot: null, card: null };

  /** @param {Element} slot */
  const input = (slot) => /** @type {HTMLInputElement} */ (slot.querySelector("input"));

  /** @param {Element} slot */
  const show = (slot) => {
    const fan = /** @type {HTMLElement} */ (slot.querySelector("[data-fan]"));
    fan.replaceChildren(
      ...read(input(slot).value).map((card, place) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.place = String(place);
        button.setAttribute("aria-pressed", String(slot === active.slot && place === active.card));
        button.append(draw(card, name));
        const item = document.createElement("li");
        item.append(button);
        return item;
      }),
    );
  };

  /**
   * @param {HTMLElement} slot
   * @param {number | null} card
   */
  const choose = (slot, card = null) => {
    const before = active.slot;
    before?.classList.remove("is-active");
    slot.classList.add("is-active");
    Object.assign(active, { slot, card });
    if (before && before !== slot) show(before);
    show(slot);
  };

  /** @param {(words: string[], place: number | null) => string[]} edit */
  const change = (edit) => {
    const slot = active.slot?.isConnected ? active.slot : form.querySelector("[data-slot]");
    if (!(slot instanceof HTMLElement)) return;
    const words = read(input(slot).value).map((card) => card.word);
    input(slot).value = edit(words, slot === active.slot ? active.card : null).join(" ");
    choose(slot);
    changed();
  };

  form.addEventListener("focusin", (event) => {
    const slot = event.target instanceof HTMLInputElement ? event.target.closest("[data-slot]") : null;
    if (slot instanceof HTMLElement && slot !== active.slot) choose(slot);
  });
  form.addEventListener("input", (event) => {
    const slot = event.target instanceof Element ? event.target.closest("[data-slot]") : null;
    if (slot) show(slot);
    changed();
  });
  form.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const slot = target?.closest(".slot-cards")?.closest("[data-slot]");
    if (!(slot instanceof HTMLElement)) return;
    const card = target?.closest("[data-place]");
    const place = card instanceof HTMLElement ? Number(card.dataset.place) : null;
    choose(slot, slot === active.slot && place === active.card ? null : place);
    if (place === null) input(slot).focus({ preventScroll: true });
  });

  /** Makes fields that have just come ready, and the first one active where none is. */
  const refresh = () => {
    for (const slot of form.querySelectorAll("[data-slot]")) {
      input(slot).inputMode = "none";
      show(slot);
    }
    const first = form.querySelector("[data-slot]");
    if (!active.slot?.isConnected && first instanceof HTMLElement) choose(first);
  };

  return {
    refresh,
    /** @param {string} card a joker held up is declared as it, anything else is followed by it */
    lay: (card) =>
      change((words, place) => {
        if (place !== null && words[place]?.startsWith("*")) return words.with(place, `*=${card}`);
        return [...words, card];
      }),
    joker: () => change((words) => [...words, "*"]),
    takeBack: () => change((words, place) => words.toSpliced(place ?? -1, 1)),
    clear: () => change(() => []),
  };
}
