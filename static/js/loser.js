/** The row of a player left with cards: the cards, the sum, any errors; and the keypad. */

import { countsOf, isCards, isUnreadable, keyOf, readLeft, signOf, signOfKey, worthOf } from "./counting.js";
import { all, around, find, make, one } from "./dom.js";
import { fill } from "./form.js";
import { isSum, isWholePair } from "./reading.js";

/**
 * @import { Card, Entry } from "./counting.js"
 * @import { Words } from "./form.js"
 * @typedef {"points" | "cards"} Mode
 * @typedef {{mode: Mode, counts: Record<string, number>, usedUp: Set<string>, isLast: boolean, waiting: string}} Keypad
 *   its state: cards chosen of each key, keys of which no card remains, and the sum that only Next ends, if any
 */

export class Loser {
  /** @param {HTMLElement} row @param {Entry} entry @param {Words} words */
  constructor(row, entry, words) {
    this.row = row;
    this.entry = entry;
    this.words = words;
    this.seat = row.dataset.seat ?? "";
    this.name = row.dataset.name ?? "";
    /** whether the next digit starts a new sum */
    this.isFresh = false;
    /** the row that was left automatically for this one, or -1 */
    this.from = -1;
    /** the error shown in the row */
    this.fault = row.querySelector(".loser-errors")?.textContent?.trim() ?? "";
    this.field = one(`#left-${this.seat}`, row, HTMLInputElement);
    /** the points that a card replaced, or the cards that a digit did; ⌫ brings them back */
    this.replaced = "";
    this.calls = find(`#calls-${this.seat}`, row, HTMLInputElement);
    /** the tick “not dealt in” */
    this.absent = find(`#absent-${this.seat}`, document, HTMLInputElement);
    this.notes = one("[data-notes]", row);
    this.counted = make("output", { className: "loser-counted" });
    this.cardCount = make("span", { className: "loser-count", ariaHidden: "true" });
    this.field.after(this.cardCount, this.counted);
    // count the cards from the keypad, but show typed text as typed until the field is left
    this.field.addEventListener("input", (event) => this.row.classList.toggle("is-typing", event.isTrusted));
    this.field.addEventListener("blur", () => this.row.classList.remove("is-typing"));
    this.field.inputMode = "none";
    this.field.form?.addEventListener("reset", () => this.showFault(""));
  }

  get text() {
    return this.field.value.trim();
  }

  /** What the text means, if there is any. @returns {Mode | null} */
  get mode() {
    return !this.text ? null : isCards(this.text) ? "cards" : "points";
  }

  get cards() {
    return this.isClosed || this.mode !== "cards" ? [] : readLeft(this.text);
  }

  /** The points of its cards, or null if there are none or one cannot be read. */
  get worth() {
    const { cards, entry } = this;
    return cards.length ? worthOf(cards, entry) : null;
  }

  get points() {
    return this.mode === "points" ? this.text : "";
  }

  /** Whether there are no cards to enter: the player won, or was not dealt in. */
  get isClosed() {
    return this.field.disabled;
  }

  /** Disable the field of a player without cards, but keep the winner's value in case the choice was a mistake. @param {boolean} won */
  close(won) {
    const { absent, row } = this;
    const isAbsent = !won && Boolean(absent?.checked);
    row.classList.toggle("is-winner", won);
    row.classList.toggle("is-absent", isAbsent);
    this.field.disabled = won || isAbsent;
    if (!absent) return;
    absent.disabled = won;
    absent.labels?.[0]?.toggleAttribute("hidden", won);
  }

  get isFilled() {
    return this.isClosed || !(this.isEmpty || this.isZero || this.unreadable);
  }

  get isEmpty() {
    return !this.text;
  }

  /** Whether the points begin with 0, as no sum does; nothing is left only of the winner's cards. */
  get isZero() {
    return /^0(\d*|[0+ ]*)$/.test(this.points);
  }

  /** Text that is neither points nor cards, or "". */
  get unreadable() {
    return !this.isClosed && isUnreadable(this.text) ? this.text : "";
  }

  /** Whether the row still needs typing. */
  get isOpen() {
    return !this.isFilled || (this.fault !== "" && !this.isClosed);
  }

  /** Whether only Next ends the sum. */
  get isWaiting() {
    const { points, entry } = this;
    return !this.isFresh && points.length > 1 && isSum(points) && !isWholePair(points, entry.dearest);
  }

  /** @param {string} points @param {number} from */
  write(points, from) {
    if (points !== this.points) this.put(points);
    this.from = from;
  }

  /** Write into the field; once nothing is left of what replaced the points or cards before, these return. @param {string} text */
  put(text) {
    if (this.mode && text && isCards(text) !== (this.mode === "cards")) this.replaced = this.text;
    this.field.value = text || this.replaced;
    if (!text) this.replaced = "";
  }

  /** Handle a key for cards. @param {string} key `card K` or `back` */
  press(key) {
    const [what, card = ""] = key.split(" ");
    if (what !== "card") return this.remove();
    this.row.classList.remove("is-typing");
    this.lay([...this.cards, ...readLeft(card)]);
  }

  /** Remove the last card of a key, or the last card. @param {string} key */
  remove(key = "") {
    const { cards } = this;
    const place = key ? cards.findLastIndex((card) => keyOf(card, this.entry) === key) : cards.length - 1;
    this.lay(cards.filter((_, each) => each !== place));
  }

  /** @param {Card[]} cards */
  lay(cards) {
    const text = cards.map((card) => card.word).join(" ");
    this.put(/^\d+$/.test(text) ? `${text},` : text); // else it would be points
  }

  empty() {
    this.showFault("");
    this.isFresh = false;
    this.field.value = this.replaced = "";
    if (this.calls) this.calls.value = "";
    this.row.querySelector(".loser-from, .loser-offer")?.remove();
  }

  /** Show what is wrong with the row, once it is left. */
  check() {
    const { unreadable, words } = this;
    if (unreadable) this.showFault(fill(words.unreadable, { word: unreadable }));
    else if (this.isZero) this.checkWhileTyping();
  }

  /** Show, while typing, only errors that no further digit can fix. */
  checkWhileTyping() {
    const { words, points } = this;
    this.showFault(!this.isZero || this.isClosed ? "" : /[1-9]/.test(points) ? words.zero : words.none);
  }

  /** Show an error in the row, or remove it. @param {string} fault */
  showFault(fault) {
    if (fault === this.fault) return;
    this.fault = fault;
    const id = `error-${this.seat}`;
    this.row.querySelector(`#${id}`)?.remove();
    this.field.ariaInvalid = fault ? "true" : null;
    if (fault) this.field.setAttribute("aria-describedby", id);
    else this.field.removeAttribute("aria-describedby");
    if (!fault) return;
    const text = make("p", { className: "error" }, fault);
    this.row.append(make("div", { className: "loser-errors", id, role: "alert" }, text));
  }

  /** @param {boolean} isActive */
  show(isActive) {
    const { cards, worth } = this;
    this.row.classList.toggle("is-active", isActive);
    this.row.classList.toggle("is-waiting", isActive && this.isWaiting && this.points.length < 3);
    this.row.classList.toggle("is-long", this.text.length > 3);
    this.row.classList.toggle("is-fresh", isActive && this.isFresh && Boolean(this.points));
    const isCounted = worth !== null;
    this.row.classList.toggle("has-cards", isCounted);
    this.counted.textContent = isCounted ? String(worth) : "";
    const count = fill(cards.length === 1 ? this.words.card : this.words.cards, { n: String(cards.length) });
    this.cardCount.textContent = isCounted ? count : "";
    const line = cards.map((card) => signOf(card, this.entry)).join(" ");
    const picked = isActive ? makeChips(this) : isCounted ? [make("p", { className: "loser-shown" }, line)] : [];
    this.notes.replaceChildren(...makeWarning(this), ...picked);
  }
}

// ---- Below a row: a warning if no cards make the sum, and the chosen cards

/** @param {Loser} loser @returns {HTMLElement[]} */
function makeWarning({ points, entry, words }) {
  if (!/^\d+$/.test(points) || Number(points) <= entry.dearest) return [];
  return [make("p", { className: "loser-warning" }, `⚠ ${fill(words.beyond, { points })}`)];
}

/** Make a button that removes a card, for each kind chosen. @param {Loser} loser @returns {HTMLElement[]} */
function makeChips({ cards, entry, words }) {
  const counts = Object.entries(countsOf(cards, entry)).filter(([key]) => key);
  if (!counts.length) return [];
  const buttons = counts.map(([key, count]) => {
    const card = document.querySelector(`[data-key="card ${key}"]`)?.getAttribute("data-name") ?? key;
    const text = `${signOfKey(key)}${count > 1 ? ` ×${count}` : ""} ✗`;
    const chip = make("button", { type: "button", className: "chip", ariaLabel: fill(words.remove, { card }) }, text);
    chip.dataset.remove = key;
    return chip;
  });
  return [make("div", { className: "row loser-picked" }, ...buttons)];
}

// ---- The keypad

/**
 * @param {HTMLElement} pad both keypads (macros/keypad.html)
 * @param {Words} words @param {(key: string) => void} press is called with `7`, `card K`, `back`, `mode` or `next`
 * @returns {(keypad: Keypad) => void} updates the keypad
 */
export function useKeypad(pad, words, press) {
  // keep the focus in the field, so that nothing scrolls and a hardware keyboard still types there
  pad.addEventListener("pointerdown", (event) => event.preventDefault());
  pad.addEventListener("click", ({ target }) => {
    const key = around(target, "[data-key]")?.dataset.key;
    if (key) press(key);
  });
  return (keypad) => {
    one(".keypad-digits", pad).hidden = keypad.mode !== "points";
    one(".keypad-cards", pad).hidden = keypad.mode !== "cards";
    for (const next of all(".key-next", pad)) {
      const label = keypad.isLast ? pad.dataset.last : pad.dataset.next;
      const after =
        keypad.waiting && make("span", { className: "key-after" }, fill(words.after, { points: keypad.waiting }));
      next.replaceChildren(label ?? "", ...(after ? [" ", after] : []));
      next.classList.toggle("is-asked", keypad.waiting !== "");
      next.classList.toggle("key-go", !keypad.isLast || !next.dataset.key);
    }
    for (const key of all("[data-name]", pad, HTMLButtonElement)) showCount(key, keypad);
  };
}

/** Show how many cards of a key are chosen, and disable it when none remains. @param {HTMLButtonElement} key @param {Keypad} keypad */
function showCount(key, { counts, usedUp }) {
  const card = key.dataset.key?.slice(5) ?? "";
  const count = counts[card] ?? 0;
  key.disabled = usedUp.has(card);
  key.ariaLabel = [key.dataset.name, ...(count ? [count] : [])].join(", ");
  key.querySelector(".key-count")?.remove();
  if (count) key.append(make("span", { className: "key-count" }, String(count)));
}
