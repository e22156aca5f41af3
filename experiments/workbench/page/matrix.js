/** The matrix of matchups: a cell for each ordered pair of decks, and the mean of each deck. */

import { arrowed, between, breakable, byId, element, mark, percent, signed, write } from "./elements.js";

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export const isAsked = ({ least, most }) => least > 0 || most < 1;

/** Returns whether a rate is demanded; the band of the first seat is no demand. */
export const isDemanded = (entry) => isAsked(entry) && entry.of !== "first seat";

/** Returns a demand together with its rate, from the first deck's view or the second deck's view. */
function seen(demand, rate, isTurned) {
  if (!isTurned) return { ...demand, ...rate };
  return {
    ...demand,
    ...rate,
    a: demand.b,
    b: demand.a,
    least: 1 - demand.most,
    most: 1 - demand.least,
    rate: 1 - rate.rate,
    low: 1 - rate.high,
    high: 1 - rate.low,
    change_pp: -rate.change_pp,
    change_low_pp: -rate.change_high_pp,
    change_high_pp: -rate.change_low_pp,
  };
}

export const titleOf = ({ name, a, b, of }) => (of === "matchup" && a && b ? `${a} vs ${b}` : name);

/** Returns one sentence with a rate, its interval, its change and its verdict. */
export function sentence(entry) {
  const change =
    entry.can_change === false
      ? "as today"
      : `${arrowed(entry.change_pp)} pp since today ` +
        `(${signed(entry.change_low_pp)} to ${signed(entry.change_high_pp)})`;
  const wanted = isAsked(entry) ? `; wanted ${between(entry.least, entry.most)}: ${entry.state}` : "";
  return `${titleOf(entry)}: ${percent(entry.rate)} % (${between(entry.low, entry.high)}), ${change}${wanted}.`;
}

/** Sets classes of a scrolling box that show at which edges a wide table continues. */
function watchEdges(box) {
  const look = () => {
    const beyond = box.scrollWidth - box.clientWidth;
    box.classList.toggle("more-left", box.scrollLeft > 1);
    box.classList.toggle("more-right", box.scrollLeft < beyond - 1);
  };
  const watcher = new ResizeObserver(look);
  watcher.observe(box);
  watcher.observe(box.firstElementChild);
  box.addEventListener("scroll", look, { passive: true });
}

/** Builds the table of matchups; returns a function that shows rates in the table. */
export function makeMatrix(state, onDeck) {
  const table = byId("matrix");
  const decks = state.decks.map(({ name }) => name);
  const demands = new Map(state.demands.map((demand) => [demand.name, demand]));
  const decksDemanded = state.demands.filter(({ of }) => of === "deck");
  const ofDeck = new Map(decksDemanded.map((demand) => [demand.a, demand]));
  const others = state.demands.filter(({ of }) => of !== "matchup" && of !== "deck");
  const cells = new Map(); // cells of each demand; a matchup has two, one from each deck's view
  const shown = new WeakMap(); // rate that each cell shows
  let chosen = null; // cell described below the matrix; null for the cell with the worst rate

  const add = (name, cell, isTurned) => {
    if (!cells.has(name)) cells.set(name, []);
    cells.get(name).push({ cell, isTurned });
    return cell;
  };
  const blank = () => {
    const lines = ["b", "small", "small"].map((tag) => element(tag));
    return element("td", { tabIndex: -1, className: "rate" }, ...lines);
  };
  const pairs = new Map();
  for (const { name, of, a, b } of state.demands) {
    if (of !== "matchup") continue;
    pairs.set(JSON.stringify([a, b]), [name, false]);
    pairs.set(JSON.stringify([b, a]), [name, true]);
  }
  const pairCell = (a, b) => {
    const pair = pairs.get(JSON.stringify([a, b]));
    if (a === b || !pair) return element("td", { className: "mirror", tabIndex: -1 }, a === b ? "–" : "");
    return add(pair[0], blank(), pair[1]);
  };
  const means = new Map();
  const meanCell = (deck) => {
    const cell = blank();
    cell.classList.add("mean");
    if (ofDeck.has(deck)) add(ofDeck.get(deck).name, cell, false);
    else means.set(deck, cell);
    return cell;
  };
  const deckButton = (name) => {
    const how = { title: `Show the cards of ${name}`, onclick: () => onDeck(name) };
    return element("button", { type: "button", className: "deck", ...how }, ...breakable(name));
  };
  const meanName = ofDeck.size ? "field" : "mean";
  table.replaceChildren(
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("td"),
        ...decks.map((name) => element("th", { scope: "col" }, ...breakable(name))),
        element("th", { scope: "col", className: "mean" }, meanName),
      ),
    ),
    element(
      "tbody",
      {},
      ...state.decks.map(({ name, agent }) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, deckButton(name), element("small", {}, agent)),
          ...decks.map((other) => pairCell(name, other)),
          meanCell(name),
        ),
      ),
    ),
  );
  table.style.setProperty("--decks", decks.length);
  table.dataset.size = decks.length > 8 ? "many" : decks.length > 4 ? "some" : "few";
  document.body.dataset.decks = table.dataset.size;
  write(
    byId("means"),
    ofDeck.size
      ? "field: against all others together, as the experiment weighs them."
      : "mean: over the row, each matchup counted once.",
  );
  table.hidden = others.length > 0 && pairs.size === 0; // tables of more than two players
  byId("others").hidden = others.length === 0;
  byId("others").tBodies[0].replaceChildren(
    ...others.map(({ name }) =>
      element("tr", {}, element("th", { scope: "row" }, name), add(name, blank(), false)),
    ),
  );

  function paintCell(cell, entry) {
    const [rate, interval, change] = cell.children;
    write(rate, `${isAsked(entry) ? `${entry.symbol} ` : ""}${percent(entry.rate)}`);
    write(interval, `± ${(50 * (entry.high - entry.low)).toFixed(1)}`);
    write(change, entry.can_change === false ? "" : arrowed(entry.change_pp));
    const isSure = entry.change_low_pp > 0 || entry.change_high_pp < 0;
    cell.classList.toggle("moved", entry.can_change !== false && isSure);
    mark(cell, "data-state", isAsked(entry) ? entry.state : null);
    mark(cell, "aria-label", sentence(entry));
    const strength = Math.min(Math.abs(entry.rate - 0.5) / 0.25, 1) * 0.4 + 0.04;
    const tint = `rgba(var(${entry.rate < 0.5 ? "--low" : "--high"}), ${strength.toFixed(2)})`;
    if (cell.dataset.tint !== tint) cell.style.background = cell.dataset.tint = tint;
    shown.set(cell, entry);
  }

  /** Shows the mean of a row; the mean of the intervals is a conservative interval of the mean. */
  function paintMean(deck, rates) {
    const ofRow = rates.filter(({ a, b }) => a === deck || b === deck);
    const row = ofRow.map((rate) => (rate.a === deck ? rate : seen(rate, rate, true)));
    if (!row.length) return;
    const mean = (key) => row.reduce((sum, rate) => sum + rate[key], 0) / row.length;
    const keys = ["rate", "low", "high", "change_pp", "change_low_pp", "change_high_pp"];
    const values = Object.fromEntries(keys.map((key) => [key, mean(key)]));
    const can_change = row.some((rate) => rate.can_change);
    const asked = { name: `${deck}, mean of its matchups`, of: "deck", least: 0, most: 1 };
    paintCell(means.get(deck), { ...asked, can_change, ...values });
  }

  function paintDetail() {
    const tables = [table, byId("others")];
    const worst = tables.map((part) => part.querySelector("[data-worst]")).find(Boolean);
    const rate = shown.get(chosen ?? worst);
    write(byId("detail"), rate ? `${chosen ? "" : "Worst: "}${sentence(rate)}` : "");
  }

  function choose(cell) {
    chosen = cell && shown.has(cell) ? cell : null;
    paintDetail();
  }

  watchEdges(table.parentElement);
  const moveTo = (cell) => {
    for (const other of table.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
  };
  moveTo(table.tBodies[0].rows[0].cells[Math.min(2, decks.length)]);
  table.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td");
    const move = MOVES[event.key];
    if (!cell || !move) return;
    const row = table.tBodies[0].rows[cell.parentElement.rowIndex - 1 + move[0]];
    const next = row?.cells[cell.cellIndex + move[1]];
    if (!next || next.tagName !== "TD") return;
    event.preventDefault();
    moveTo(next);
    next.focus();
  });
  for (const place of [table, byId("others")]) {
    place.addEventListener("focusin", ({ target }) => choose(target.closest("td")));
    place.addEventListener("focusout", () => choose(null));
    place.addEventListener("pointerover", ({ target }) => choose(target.closest("td")));
    place.addEventListener("pointerleave", () => choose(null));
  }

  /** Clears a cell that has no rate. */
  function paintBlank(cell) {
    for (const line of cell.children) write(line, "");
    for (const name of ["data-state", "data-worst", "aria-label"]) mark(cell, name, null);
    cell.classList.remove("moved");
    cell.style.background = cell.dataset.tint = "";
    shown.delete(cell);
  }

  /** Shows rates in the cells of their demands, or clears all cells if there are none. */
  return function paint({ revision, n_games, rates, worst }) {
    const known = [];
    if (!rates.length) for (const cell of table.querySelectorAll(".rate")) paintBlank(cell);
    if (!rates.length) for (const cell of byId("others").querySelectorAll(".rate")) paintBlank(cell);
    for (const rate of rates) {
      const demand = demands.get(rate.demand);
      if (!demand) continue;
      if (demand.of === "matchup") known.push(seen(demand, rate, false));
      for (const { cell, isTurned } of cells.get(demand.name) ?? []) {
        paintCell(cell, seen(demand, rate, isTurned));
        mark(cell, "data-worst", rate.demand === worst ? "" : null);
      }
    }
    for (const deck of means.keys()) paintMean(deck, known);
    paintDetail();
    table.dataset.revision = revision;
    table.dataset.games = n_games;
  };
}
