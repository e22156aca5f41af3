/** Stepper of a card's number: its value between − and +, the effects of a step, and its lock. */

import { element, icon, mark, write } from "./elements.js";

const TYPING_MS = 900; // digits typed within this time form one number; chosen by hand, not tuned

/** Shows the change of the worst demand's distance from its aim by a step, in percentage points. */
function paintEffect(node, pp, digits, isBest) {
  const isKnown = pp !== null && pp !== undefined;
  const size = isKnown ? Math.abs(pp).toFixed(digits) : "";
  const kind = !isKnown ? "" : Number(size) === 0 ? "same" : pp < 0 ? "helps" : "harms";
  write(node, { "": "", same: "±0", helps: `▼${size}`, harms: `▲${size}` }[kind]);
  mark(node, "class", `effect ${kind}`);
  mark(node, "data-best", isBest && kind === "helps" ? "" : null);
}

/** Returns the value at a position of a number's scale, as text. */
function shownAt({ scale }, position) {
  if (!scale) return String(position);
  if (scale.choices.length) return scale.choices[position];
  return (scale.origin + scale.step * position).toFixed(scale.digits);
}

/** Returns the position of a typed value on a number's scale; NaN for scales of words. */
function positionOf({ scale }, typed) {
  if (!scale) return Number(typed);
  return scale.choices.length ? NaN : Math.round((Number(typed) - scale.origin) / scale.step);
}

/** Returns an effect as text for screen readers; null if the effect is unknown. */
function inWords(pp) {
  if (pp === null || pp === undefined) return null;
  return `${Math.abs(pp).toFixed(1)} pp ${pp < 0 ? "nearer" : "farther"}`;
}

/** Shows the lock button of a number or a card as closed or open. */
export function paintLock(lock, isLocked, name) {
  mark(lock, "aria-pressed", String(isLocked));
  mark(lock, "aria-label", `${isLocked ? "Unlock" : "Lock"} ${name}`);
  mark(lock, "title", isLocked ? "Locked: suggestions do not change it. Click to unlock" : "Lock");
  mark(lock.firstChild.firstChild, "href", isLocked ? "#closed" : "#open");
}

/**
 * Builds the stepper of a number, and returns its elements with functions that update it.
 *
 * The user's actions call `onStep(to)` and `onLock(locked)`. The result's functions are
 * `paint(number, value, isLocked)` and `paintEffects(effect, digits, isBest)`.
 */
export function makeStepper(card, number, { onStep, onLock }) {
  const { field } = number;
  const label = number.label ?? field.replaceAll("_", " ");
  const value = element("span", {
    className: "value",
    tabIndex: 0,
    attributes: {
      role: "spinbutton",
      "aria-label": `${card.name}: ${label}`,
      "aria-keyshortcuts": "L",
    },
  });
  const button = (text, step) =>
    element("button", {
      type: "button",
      className: "step",
      tabIndex: -1, // not needed by keyboard users: the arrow keys change the value
      textContent: text,
      onclick: () => stepBy(step),
      attributes: { "aria-label": `${card.name}: ${label} ${step < 0 ? "down" : "up"}` },
    });
  const [less, more] = [button("−", -1), button("+", 1)];
  const lock = element(
    "button",
    { type: "button", className: "lock", tabIndex: -1, onclick: () => onLock(!now.locked) },
    icon("open"),
  );
  const [down, range, up] = ["effect", "range", "effect"].map((className) => element("small", { className }));
  const node = element(
    "div",
    { className: "number", dataset: { field } },
    element("div", { className: "label" }, element("span", {}, label), lock),
    element("div", { className: "stepper" }, less, value, more),
    element("div", { className: "effects" }, down, up),
    range,
  );
  let now = number;
  let shown = null;
  let isHeld = false; // whether the number or its card is locked
  let typed = "";
  let typedAt = 0;

  function setTo(to) {
    if (!isHeld && to !== shown) onStep(to);
  }

  function stepBy(step) {
    const to = shown + step;
    if (to >= now.least && to <= now.most) setTo(to);
  }

  function type(digit, at) {
    typed = at - typedAt < TYPING_MS ? typed + digit : digit;
    typedAt = at;
    const to = positionOf(now, typed);
    if (Number.isInteger(to)) setTo(to);
  }

  value.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === "ArrowUp") stepBy(1);
    else if (key === "ArrowDown") stepBy(-1);
    else if (key === "Home") setTo(now.least);
    else if (key === "End") setTo(now.most);
    else if (key === "Backspace" || key === "Delete") setTo(now.today);
    else if (key === "l" || key === "L") onLock(!now.locked);
    else if (/^[0-9]$/.test(key) || (key === "." && now.scale)) type(key, event.timeStamp);
    else return;
    event.preventDefault();
  });

  return {
    node,
    value,
    paint(number, current, isCardLocked) {
      [now, shown, isHeld] = [number, current, number.locked || isCardLocked];
      write(value, shownAt(number, current));
      mark(value, "aria-valuenow", current);
      mark(value, "aria-valuetext", number.scale ? shownAt(number, current) : null);
      mark(value, "aria-valuemin", number.least);
      mark(value, "aria-valuemax", number.most);
      mark(value, "aria-readonly", isHeld ? "true" : null);
      const isEdited = current !== number.today;
      mark(node, "data-edited", isEdited ? "" : null);
      mark(node, "data-held", isHeld ? "" : null);
      const [today, least, most] = [number.today, number.least, number.most].map((at) => shownAt(number, at));
      write(range, `${isEdited ? `was ${today}, ` : ""}${least} to ${most}`);
      less.disabled = isHeld || current <= number.least;
      more.disabled = isHeld || current >= number.most;
      paintLock(lock, number.locked, `${card.name}: ${label}`);
    },
    paintEffects(effect, digits, isBest) {
      paintEffect(down, effect?.down_pp, digits, isBest);
      paintEffect(up, effect?.up_pp, digits, isBest);
      const words = [
        ["up", inWords(effect?.up_pp)],
        ["down", inWords(effect?.down_pp)],
      ].filter(([, text]) => text !== null);
      const lines = words.map(([direction, text]) => `${direction}: ${text}`);
      mark(value, "aria-description", lines.join(", ") || null);
    },
  };
}
