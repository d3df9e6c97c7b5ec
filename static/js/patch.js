// @ts-check
/**
 * Turns what a page shows into what the server shows now. It touches only what differs, so the focus stays where it is,
 * open folds stay open, and text being typed stays.
 */

const OWN = new Set(["open", "data-counted-down"]);

/** @param {Element} place @param {string | Node} now what the server says: HTML, or a part of a page it sent */
export function patch(place, now) {
  children(place, typeof now === "string" ? parsed(now) : now);
}

/** @param {string} html */
export function parsed(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return fresh.content;
}

/** @param {Node} old @param {Node} fresh */
function children(old, fresh) {
  const wanted = [...fresh.childNodes];
  const had = [...old.childNodes];
  wanted.forEach((child, place) => {
    const known = had[place];
    if (!known) old.appendChild(child);
    else if (isSame(known, child)) update(known, child);
    else old.replaceChild(child, known);
  });
  for (const left of had.slice(wanted.length)) old.removeChild(left);
}

/** @param {Node} known @param {Node} child */
const isSame = (known, child) =>
  known.nodeName === child.nodeName && /** @type {Element} */ (known).id === /** @type {Element} */ (child).id;

/** @param {Node} known @param {Node} child */
function update(known, child) {
  if (!(known instanceof Element) || !(child instanceof Element)) {
    if (known.nodeValue !== child.nodeValue) known.nodeValue = child.nodeValue;
    return;
  }
  if (isTyped(known)) return;
  for (const { name } of [...known.attributes]) {
    if (!child.hasAttribute(name) && !OWN.has(name)) known.removeAttribute(name);
  }
  for (const { name, value } of child.attributes) {
    if (known.getAttribute(name) !== value && !OWN.has(name)) known.setAttribute(name, value);
  }
  children(known, child);
}

/** @param {Element} element */
const isTyped = (element) =>
  (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) &&
  element.type !== "hidden" &&
  (element === document.activeElement || element.value !== element.defaultValue);
