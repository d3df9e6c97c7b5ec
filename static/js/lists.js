// @ts-check
/**
 * A list of numbers edited row by row: the contract of each hand, the cards dealt. The text field it stands for stays
 * what is sent.
 */

import { fill } from "./form.js";

/**
 * @typedef {{columns: [string, string][], rows: Record<string, [string, number]>, by?: string, alone?: string, most: number,
 *   each: {least: number, most: number}}} Shape
 *   what each number of a row counts, one and many; what rows are called and from which number on, or the only one, and
 *   the bounds
 */

/** @param {string} text @returns {number[][]} its rows: “3+0, 2+1” are [3, 0] and [2, 1] */
export const rowsIn = (text) => (text.match(/\d+(?:\+\d+)*/g) ?? []).map((row) => row.split("+").map(Number));

/** @param {number[][]} rows */
export const asText = (rows) => rows.map((row) => row.join("+")).join(", ");

/** @param {number[]} row @param {number} column @param {number} by @param {Shape} shape the row with another number, or as it was */
export function stepped(row, column, by, { each }) {
  const next = row.with(column, Math.min(each.most, Math.max(each.least, (row[column] ?? 0) + by)));
  return next.length > 1 && next.every((number) => number === 0) ? row : next;
}

/** One row more: as the last, or the least there may be. @param {number[][]} rows @param {Shape} shape */
export const longer = (rows, { columns, each }) => [
  ...rows,
  rows.at(-1) ?? columns.map((_, place) => (place ? each.least : Math.max(1, each.least))),
];

/** What each row is called. @param {number} many @param {string} by @param {Shape} shape @returns {string[]} */
export function namesOf(many, by, { rows, alone }) {
  if (many === 1 && alone) return [alone];
  const [named, first] = rows[by] ?? rows.any ?? Object.values(rows)[0] ?? ["{n}", 1];
  return Array.from({ length: many }, (_, place) => fill(named, { n: String(place + first) }));
}

/** @param {string} label @param {string} said @param {() => void} act */
function key(label, said, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = label;
  button.setAttribute("aria-label", said);
  button.addEventListener("click", act);
  return button;
}

/**
 * Show rows with steppers in place of a text field.
 * @param {HTMLInputElement} field @param {DOMStringMap} words @param {() => string} by the value that decides what rows are called
 */
export function editRows(field, words, by) {
  const shape = /** @type {Shape} */ (JSON.parse(field.dataset.list ?? "{}"));
  const list = document.createElement("ol");
  list.className = "plain stack stack-s list-rows";
  const more = key(`+ ${words.row}`, words.row ?? "", () => write(longer(rows(), shape)));
  const rows = () => rowsIn(field.value || field.placeholder);

  /** @param {number[][]} next */
  function write(next) {
    field.value = asText(next);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** @param {number[]} row @param {number} place @param {string} name */
  function steppers(row, place, name) {
    return row.map((number, column) => {
      const [one, many] = shape.columns[column] ?? ["", ""];
      const box = document.createElement("span");
      box.className = "stepper";
      const shown = document.createElement("output");
      shown.textContent = `${number} ${number === 1 ? one : many}`;
      const label = `${name}, ${many}`;
      const step = (/** @type {number} */ by) => () =>
        write(rows().with(place, stepped(rows()[place] ?? [], column, by, shape)));
      box.append(
        key("−", fill(words.less ?? "", { label }), step(-1)),
        shown,
        key("+", fill(words.more ?? "", { label }), step(1)),
      );
      return box;
    });
  }

  function show() {
    const all = rows();
    const focused = [.../** @type {NodeListOf<Element>} */ (list.querySelectorAll("button"))].indexOf(
      document.activeElement ?? list,
    );
    const names = namesOf(all.length, by(), shape);
    list.replaceChildren(
      ...all.map((row, place) => {
        const item = document.createElement("li");
        const name = names[place] ?? "";
        const title = document.createElement("span");
        title.textContent = name;
        const away = key("✗", fill(words.away ?? "", { label: name }), () => write(rows().toSpliced(place, 1)));
        item.append(title, ...steppers(row, place, name), away);
        return item;
      }),
    );
    more.disabled = all.length >= shape.most;
    list.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
  }

  field.addEventListener("input", show);
  field.after(list, more);
  show();
  return show;
}
