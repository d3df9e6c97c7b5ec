// @ts-check
/** Amounts of money in whole minor units, read and written as people do. */

/**
 * @param {string} typed such as 0.5 or 1,20
 * @param {number} decimals of the currency
 * @returns {number} minor units; NaN if it is not an amount
 */
export function minorUnits(typed, decimals) {
  const [, whole = "", part = ""] = /^(\d{1,8})(?:[.,](\d{1,3}))?$/.exec(typed.trim()) ?? [];
  const isTooFine = part.length > Math.max(2, decimals) || /[1-9]/.test(part.slice(decimals));
  return whole && whole.length <= 8 - decimals && !isTooFine
    ? Number(whole + part.slice(0, decimals).padEnd(decimals, "0"))
    : NaN;
}

/**
 * @param {number} units zero or more
 * @param {number} decimals of the currency
 * @returns {string} such as 0.50
 */
export const written = (units, decimals) => (units / 10 ** decimals).toFixed(decimals);
