// @ts-check
/** Amounts of money in whole minor units, read and written as people do. */

/**
 * @param {string} typed such as 0.5 or 1,20
 * @returns {number} minor units; NaN if it is not an amount
 */
export function minorUnits(typed) {
  const found = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  return found ? Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0")) : NaN;
}

/**
 * @param {number} units zero or more
 * @returns {string} such as 0.50
 */
export const written = (units) => `${Math.floor(units / 100)}.${String(units % 100).padStart(2, "0")}`;
