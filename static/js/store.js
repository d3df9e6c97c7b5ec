// @ts-check
/** What this device keeps between pages. Storage may be full or forbidden: then it lasts as long as the page. */

const PREFIX = "kalooki:";
const memory = /** @type {Map<string, string>} */ (new Map());

/** @param {string} name @returns {unknown} what was kept under a name, or null */
export function recall(name) {
  let text = memory.get(name) ?? null;
  try {
    text = localStorage.getItem(PREFIX + name) ?? text;
  } catch {
    // forbidden here: what the page remembers will do
  }
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether it outlives the page. @param {string} name @param {unknown} value @returns {boolean} */
export function keep(name, value) {
  const text = JSON.stringify(value);
  memory.set(name, text);
  try {
    localStorage.setItem(PREFIX + name, text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name */
export function forget(name) {
  memory.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // forbidden here: nothing was kept
  }
}

/** The names kept that begin so. @param {string} beginning @returns {string[]} */
export function kept(beginning) {
  const names = new Set(memory.keys());
  try {
    for (let place = 0; place < localStorage.length; place += 1) {
      const key = localStorage.key(place) ?? "";
      if (key.startsWith(PREFIX)) names.add(key.slice(PREFIX.length));
    }
  } catch {
    // forbidden here
  }
  return [...names].filter((name) => name.startsWith(beginning));
}
