/** Elements and number formats of the page. Names are user input, so they are inserted as text. */

export const byId = (id) => document.getElementById(id);

/** Makes an element with properties, and with children that are elements or text. */
export function element(tag, properties = {}, ...children) {
  const { dataset, attributes, ...others } = properties;
  const made = Object.assign(document.createElement(tag), others);
  Object.assign(made.dataset, dataset);
  for (const [name, value] of Object.entries(attributes ?? {})) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Makes an icon from a symbol at the top of the page. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#${name}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/** Sets the text of a node if it differs, since a node that does not change needs no new layout. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Sets an attribute of a node if its value differs; null or false removes the attribute. */
export function mark(node, name, value) {
  if (value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Returns a name as children that may be broken after each underscore. */
export function breakable(name) {
  return name.split(/(?<=_)/).flatMap((part, k) => (k ? [element("wbr"), part] : [part]));
}

/** Updates the children of a list; items with an unchanged key keep their element and the focus. */
export function reconcile(list, items, keyOf, make, update) {
  const old = new Map([...list.children].map((child) => [child.dataset.key, child]));
  const wanted = items.map((item) => {
    const key = keyOf(item);
    const child = old.get(key) ?? make(item);
    child.dataset.key = key;
    old.delete(key);
    update?.(child, item);
    return child;
  });
  for (const child of old.values()) child.remove();
  wanted.forEach((child, k) => {
    if (list.children[k] !== child) list.insertBefore(child, list.children[k] ?? null);
  });
}

export const percent = (rate) => (100 * rate).toFixed(1);
export const count = (n) => n.toLocaleString("en");
export const plural = (n, thing) => `${count(n)} ${thing}${n === 1 ? "" : "s"}`;
export const general = (number) => String(Number(number.toFixed(2)));
export const between = (low, high) => `${percent(low)} to ${percent(high)}`;

/** Returns percentage points with a sign, such as +1.2; 0.0 has no sign. */
export function signed(pp, digits = 1) {
  const text = Math.abs(pp).toFixed(digits);
  if (Number(text) === 0) return text;
  return `${pp < 0 ? "−" : "+"}${text}`;
}

/** Returns percentage points with an arrow: ▲ +1.2, ▼ −0.3, or ±0.0. */
export function arrowed(pp) {
  const text = signed(pp);
  if (text.startsWith("+")) return `▲ ${text}`;
  return text.startsWith("−") ? `▼ ${text}` : "±0.0";
}
