/** Panels of the page: patch notes, constraints, suggestions, certificate and saved files. */

import { byId, count, element, general, mark, plural, reconcile, write } from "./elements.js";

const editKey = ({ card, field }) => JSON.stringify([card, field]);

/** Returns a line of patch notes with arrows → in place of ->, as in the report. */
const arrow = (text) => text.replaceAll("->", "→");

export function makePatch({ onRevert, onGo }) {
  const make = (edit) =>
    element(
      "li",
      {},
      element("button", {
        type: "button",
        className: "plain",
        title: "Go to this number",
        onclick: () => onGo(edit.card, edit.field),
      }),
      element("button", {
        type: "button",
        className: "small",
        textContent: "Revert",
        onclick: (event) => {
          const line = event.currentTarget.parentElement;
          const next = line.nextElementSibling ?? line.previousElementSibling;
          // Reverting removes this line, so the focus moves to a neighbour.
          (next?.querySelector(".small") ?? byId("undo")).focus();
          onRevert(edit.card, edit.field);
        },
        attributes: { "aria-label": `Revert ${edit.name}: ${edit.field}` },
      }),
      element("small", { className: "remark" }),
    );
  return function paint({ edits, printed, notes, change, cards_touched, constraints }) {
    // The last edit of each card, below which the card's note is shown.
    const last = new Map(edits.map((edit) => [edit.card, edit]));
    reconcile(byId("edits"), edits, editKey, make, (line, edit) => {
      write(line.firstElementChild, arrow(edit.text));
      write(line.lastElementChild, last.get(edit.card) === edit ? (notes[edit.card] ?? "") : "");
    });
    byId("no-edits").hidden = edits.length > 0;
    paintPrinted(printed);
    const of = (limit) => (limit === null ? "" : ` of ${general(limit)}`);
    write(
      byId("counts"),
      `Change ${general(change)}${of(constraints.max_change)}, ` +
        `${plural(cards_touched, "card")}${of(constraints.max_cards)} touched`,
    );
    const isOver =
      (constraints.max_change !== null && change > constraints.max_change) ||
      (constraints.max_cards !== null && cards_touched > constraints.max_cards);
    byId("counts").classList.toggle("bad", isOver);
  };
}

/** Shows the changed cards as they will be printed, and minions that become the largest of a cost. */
function paintPrinted({ cards, largest_minions }) {
  const makeLine = () => element("li");
  reconcile(byId("largest"), largest_minions, ({ card }) => card, makeLine, (line, { text }) =>
    write(line, `${text}.`),
  );
  byId("printed").hidden = cards.length === 0;
  const make = () => element("li", {}, element("b"), " ", element("span"), element("small"));
  reconcile(byId("printed-cards"), cards, ({ card }) => card, make, (line, card) => {
    const { before, after } = card.numbers;
    write(line.querySelector("b"), card.name);
    write(line.querySelector("span"), `${before} → ${after}`);
    const isSame = card.before.text === card.after.text;
    write(line.querySelector("small"), isSame ? card.after.text : `${card.before.text} → ${card.after.text}`);
  });
}

/** Returns an input's text as a number, or null for "any"; the server refuses any other text. */
function limitOf(input) {
  const text = input.value.trim().replace(",", ".");
  if (text === "" || text.toLowerCase() === "any") return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** Fields with limits of steps in `[tune]`; `others` in a text stands for all fields not named. */
const FIELDS = ["cost", "attack", "health", "durability", "amount"];

/** Returns limits of steps as text: `2` for all fields, or by field `cost 1, others 2`. */
function stepsText(steps) {
  if (typeof steps === "number") return String(steps);
  const counts = new Map();
  for (const n of Object.values(steps)) counts.set(n, (counts.get(n) ?? 0) + 1);
  const [usual] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most));
  const named = Object.entries(steps).filter(([, n]) => n !== usual);
  return [...named, ["others", usual]].map(([field, n]) => `${field} ${n}`).join(", ");
}

/** Returns limits of steps from an input's text; the server refuses text of any other form. */
function stepsOf(input) {
  const text = input.value.trim();
  if (!/[a-z]/i.test(text)) return limitOf(input);
  const steps = {};
  for (const part of text.split(",")) {
    const [, field, n] = /^\s*([a-z]+)\s*[=:]?\s*(\d+)\s*$/i.exec(part) ?? [];
    if (!field) return text;
    steps[field.toLowerCase()] = Number(n);
  }
  const { others, ...named } = steps;
  const usual = others === undefined ? {} : Object.fromEntries(FIELDS.map((name) => [name, others]));
  return { ...usual, ...named };
}

export function makeConstraints(onChange) {
  const form = byId("constraints");
  const { max_cards, max_change, max_steps, max_card_change, stat_budget, direction } = form.elements;
  const inputs = { max_cards, max_change, max_steps, max_card_change, stat_budget, direction };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () =>
    onChange({
      max_cards: limitOf(max_cards),
      max_change: limitOf(max_change),
      max_steps: stepsOf(max_steps),
      max_card_change: limitOf(max_card_change),
      stat_budget: limitOf(stat_budget),
      direction: direction.value,
    }),
  );
  return function paint({ constraints }) {
    for (const [name, input] of Object.entries(inputs)) {
      const isWrong = byId(`constraints.${name}`).textContent !== "";
      mark(input, "aria-invalid", isWrong ? "true" : null);
      if (document.activeElement === input || isWrong) continue; // the user is still typing
      const limit = constraints[name];
      const value = limit === null ? "" : name === "max_steps" ? stepsText(limit) : String(limit);
      if (input.value !== value) input.value = value;
    }
  };
}

/** Returns a key of a patch that does not depend on the order of the edits. */
const patchKey = (edits) =>
  JSON.stringify(edits.map(({ card, field, to }) => JSON.stringify([card, field, to])).sort());

export function makeSuggestions(onApply) {
  let present = ""; // key of the present patch
  const make = (suggestion) =>
    element(
      "li",
      {},
      element("p", {}, element("b"), " ", element("small", { className: "inline" })),
      element(
        "ul",
        {},
        ...suggestion.edits.map(({ text }) => element("li", {}, arrow(text))),
        ...suggestion.printed.largest_minions.map(({ text }) => element("li", { className: "hint" }, `${text}.`)),
      ),
      element("p", { className: "hint" }),
      element("button", {
        type: "button",
        className: "small",
        textContent: "Apply",
        onclick: () => onApply(suggestion.number),
        attributes: { "aria-label": `Apply suggestion ${suggestion.number}` },
      }),
    );
  const update = (item, { change, cards_touched, likely, text, edits }) => {
    write(item.querySelector("b"), `Change ${general(change)}, ${plural(cards_touched, "card")}`);
    const label = item.querySelector("small");
    write(label, `${likely ? "" : "not "}likely to be certified`);
    label.classList.toggle("good", likely);
    write(item.querySelector("p.hint"), arrow(text));
    write(item.querySelector("button"), patchKey(edits) === present ? "✓ Applied" : "Apply");
  };
  return function paint({ suggestions, edits, busy }) {
    present = patchKey(edits);
    const keyOf = (suggestion) => `${suggestion.number} ${patchKey(suggestion.edits)}`;
    reconcile(byId("suggestions"), suggestions, keyOf, make, update);
    const looking = busy === "suggest" ? "Searching for the smallest patches …" : "";
    const none = "Suggest searches for the smallest patches within your locks and limits.";
    write(byId("looking"), looking || (suggestions.length ? "" : none));
  };
}

/** Returns a risk in percent with two significant digits, as in the output of commands. */
const share = (risk) => `${Number((100 * risk).toPrecision(2))}\u00a0%`;

/** Returns a sentence with the risk that the next certificate uses, and the risk that is left. */
const priceOf = ({ next_risk, error_left, error_left_after }) =>
  `All tries of this question share a risk of 5\u00a0%, of which ${share(error_left)} is left; ` +
  `the next try uses ${share(next_risk)} and leaves ${share(error_left_after)}`;

/** Shows the cost of the next certificate before it starts, since its risk cannot be refunded. */
export function paintPrice({ certificates, edits, cards_touched }) {
  const on = `${plural(edits.length, "edit")} on ${plural(cards_touched, "card")}`;
  const what = edits.length ? `these ${on} keep all demands` : "today’s numbers keep all demands";
  const again = certificates.last?.is_current
    ? " These numbers have been tried already: the result is the same, and costs nothing more."
    : "";
  write(byId("price-what"), `Fresh games decide whether ${what}.`);
  write(
    byId("price-cost"),
    `${priceOf(certificates)}: later patches must lie further inside their bounds. This cannot be ` +
      `undone; a certificate that is stopped before its end costs nothing.${again}`,
  );
}

const percent = (rate) => (100 * rate).toFixed(1);

/** Returns elements for the second opinion of other agents, which is not part of the certificate. */
function opinionOf(opinion) {
  if (!opinion || opinion.pilots.length === 0) return [];
  const line = (pilot, { matchup, after, verdict }) => {
    const rate = `${percent(after.win_rate)} % (${percent(after.low)} to ${percent(after.high)})`;
    const word = element("span", { dataset: { state: verdict } }, verdict);
    return element("li", {}, `${pilot}, ${matchup}: ${rate}, n = ${count(after.n)}, `, word);
  };
  const lines = opinion.pilots.flatMap(({ agent, matchups }) =>
    matchups.map((row) => line(agent, row)),
  );
  return [
    element("p", { id: "opinion" }, element("b", {}, "Other agents: "), opinion.sentence),
    element("p", { className: "hint" }, opinion.about),
    element("ul", {}, ...lines),
  ];
}

export function paintCertificate({ certificates, busy }) {
  const { tries, last } = certificates;
  const tried = tries === 0 ? "Not tried yet" : `Tried ${plural(tries, "time")}`;
  const ledger = `${tried}. ${priceOf(certificates)}.`;
  write(byId("ledger"), busy === "certify" ? "Playing fresh games for the certificate …" : ledger);
  if (last === null) {
    byId("last").replaceChildren();
    return;
  }
  const [word, kind] = last.certified ? ["Certified", "good"] : ["Not certified", "bad"];
  const stamp = element("span", { className: `stamp ${kind}` }, word);
  const remark = last.is_current ? "" : " That was another patch than the present one.";
  const since = element("small", { className: "inline" }, remark);
  byId("last").replaceChildren(
    element("p", {}, stamp, " ", arrow(last.text), since),
    ...opinionOf(last.opinion),
  );
}

export function paintSaved({ saved }) {
  if (saved === null) return;
  write(byId("folder"), `In ${saved.folder}:`);
  reconcile(
    byId("files"),
    saved.files,
    (name) => name,
    (name) => element("li", {}, element("code", {}, name)),
  );
}

/** Returns the status text with the number of games behind the rates on the page. */
export function gamesText({ n_games, settled, fault }, isWaiting) {
  if (fault && !isWaiting) return "no win rates";
  if (n_games === 0) return "one deck, so no games";
  const games = `${count(n_games)} games per matchup`;
  if (isWaiting) return `${games}, updating …`;
  return settled ? `${games}, settled` : `${games} so far`;
}
