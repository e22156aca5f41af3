/** The cards of the decks: tiles with their numbers, and filters by text, deck and edits. */

import { byId, count, element, icon, mark, plural, write } from "./elements.js";
import { makeStepper, paintLock } from "./stepper.js";

const N_BEST = 5; // steps marked as the best; chosen by hand: more marks would say little
const FINE_GAMES = 1000; // games per matchup from which effects are shown in tenths
const SEARCH_DELAY_MS = 120; // pause in typing after which the tiles are filtered; chosen by hand

export const keyOf = (card, field) => JSON.stringify([card, field]);

const bestOf = (effect) => Math.min(effect?.up_pp ?? 0, effect?.down_pp ?? 0);

/** Builds all tiles; returns functions that show states and effects in them and find tiles by card. */
export function makeCards(state, { onStep, onLock, onNote }) {
  const tiles = new Map();
  const steppers = new Map();
  const effects = new Map();
  let gamesOfEffects = 0;

  function makeTile(card) {
    const lock = element(
      "button",
      { type: "button", className: "lock", onclick: () => onLock(card.card, null, !tile.card.locked) },
      icon("open"),
    );
    const holders = state.decks
      .map(({ name, cards }) => [name, cards.find((held) => held.card === card.card)?.copies ?? 0])
      .filter(([, copies]) => copies);
    const held = holders.map(([name, n]) => element("span", {}, `${name} ×${n}`));
    const error = element("p", { className: "error", attributes: { role: "alert" } });
    const note = element("textarea", {
      maxLength: 2000,
      rows: 2,
      attributes: { "aria-label": `Note on ${card.name}` },
    });
    note.addEventListener("change", () => onNote(card.card, note.value));
    const noteBox = element("details", { className: "remark" }, element("summary", {}, "Note"), note);
    const numbers = element("div", { className: "numbers" });
    for (const number of card.numbers) {
      const key = keyOf(card.card, number.field);
      const stepper = makeStepper(card, number, {
        onStep: (to) => onStep(card.card, number.field, to),
        onLock: (locked) => onLock(card.card, number.field, locked),
      });
      steppers.set(key, stepper);
      numbers.append(stepper.node);
    }
    const node = element(
      "article",
      { className: "tile", dataset: { card: card.card }, attributes: { "aria-label": card.name } },
      element("header", {}, element("h3", {}, card.name), lock),
      element("p", { className: "held" }, ...held),
      ...(card.text ? [element("p", { className: "text" }, card.text)] : []),
      numbers,
      error,
      noteBox,
    );
    node.addEventListener("keydown", walk);
    const words = `${card.name} ${card.card} ${card.text}`.toLocaleLowerCase();
    const tile = { node, card, lock, error, note, noteBox, words, hasNote: false };
    return tile;
  }

  /** Moves the focus between the numbers of a card with the left and right arrow keys. */
  function walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || !event.target.classList.contains("value")) return;
    const values = [...event.currentTarget.querySelectorAll(".value")];
    values[values.indexOf(event.target) + step]?.focus();
    event.preventDefault();
  }

  for (const card of state.cards) tiles.set(card.card, makeTile(card));
  byId("tiles").replaceChildren(...[...tiles.values()].map(({ node }) => node));
  const deck = byId("deck");
  deck.replaceChildren(
    deck.options[0],
    ...state.decks.map(({ name }) => element("option", { value: name }, name)),
  );

  function isWanted(tile) {
    const words = byId("search").value.toLocaleLowerCase().split(/\s+/);
    const { card } = tile;
    const which = {
      "": () => true,
      edited: () => card.numbers.some(({ value, today }) => value !== today),
      locked: () => card.locked || card.numbers.some(({ locked }) => locked),
      noted: () => tile.hasNote,
    }[byId("which").value];
    const isHeld = !deck.value || card.decks.includes(deck.value);
    return isHeld && which() && words.every((word) => tile.words.includes(word));
  }

  function filter() {
    let n = 0;
    for (const tile of tiles.values()) {
      // A tile with the focus stays visible, since hiding it would lose the focus.
      const isShown = isWanted(tile) || tile.node.contains(document.activeElement);
      tile.node.hidden = !isShown;
      n += isShown;
    }
    byId("none").hidden = n > 0;
    write(byId("shown"), n === tiles.size ? plural(n, "card") : `${n} of ${plural(tiles.size, "card")}`);
  }

  /** Sorts the tiles, only on request: users lose sight of tiles that move by themselves. */
  function sort() {
    const all = [...tiles.values()];
    const best = ({ card: { card, numbers } }) =>
      Math.min(0, ...numbers.map(({ field }) => bestOf(effects.get(keyOf(card, field)))));
    if (byId("order").value === "name") all.sort((a, b) => a.card.name.localeCompare(b.card.name, "en"));
    if (byId("order").value === "helps") all.sort((a, b) => best(a) - best(b));
    byId("tiles").append(...all.map(({ node }) => node));
  }

  let typing = 0;
  byId("search").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(filter, SEARCH_DELAY_MS);
  });
  deck.addEventListener("change", filter);
  byId("which").addEventListener("change", filter);
  byId("order").addEventListener("change", sort);
  byId("all").addEventListener("click", () => {
    for (const id of ["search", "deck", "which"]) byId(id).value = "";
    filter();
    byId("search").focus();
  });
  filter();

  return {
    /** Shows a state; `valueOf(card, number)` returns the value to show, which may be pending. */
    paint(next, valueOf) {
      for (const card of next.cards) {
        const tile = tiles.get(card.card);
        if (!tile) continue;
        tile.card = card;
        let isEdited = false;
        for (const number of card.numbers) {
          const value = valueOf(card.card, number);
          isEdited ||= value !== number.today;
          steppers.get(keyOf(card.card, number.field))?.paint(number, value, card.locked);
        }
        mark(tile.node, "data-edited", isEdited ? "" : null);
        paintLock(tile.lock, card.locked, card.name);
        const text = next.notes[card.card] ?? "";
        tile.hasNote = text !== "";
        if (document.activeElement !== tile.note && tile.note.value !== text) tile.note.value = text;
        write(tile.noteBox.firstChild, text ? "Note •" : "Note");
      }
      if (byId("which").value) filter();
    },

    /** Shows the effects of all steps; clears the fields of numbers without an effect. */
    paintEffects({ effects: entries, n_games }) {
      const digits = n_games < FINE_GAMES ? 0 : 1; // tenths of few games would be noise
      effects.clear();
      for (const effect of entries) effects.set(keyOf(effect.card, effect.field), effect);
      const ranked = [...effects].sort(([, a], [, b]) => bestOf(a) - bestOf(b));
      const best = new Set(ranked.slice(0, N_BEST).map(([key]) => key));
      for (const [key, stepper] of steppers) stepper.paintEffects(effects.get(key), digits, best.has(key));
      gamesOfEffects = n_games;
    },

    /** Shows the number of games behind the effects, and whether they are older than the edits. */
    paintGames(isStale) {
      const games = `${count(gamesOfEffects)} games per matchup`;
      const text = ` in ${games}${isStale ? ", before the last step" : ""}`;
      write(byId("effect-games"), gamesOfEffects ? text : "");
    },

    /** Shows a new value of one number at once, before the server has answered. */
    paintValue(cardId, field, value) {
      const tile = tiles.get(cardId);
      const number = tile?.card.numbers.find((candidate) => candidate.field === field);
      if (number) steppers.get(keyOf(cardId, field)).paint(number, value, tile.card.locked);
    },

    /** Returns the element for messages about a card; null if the page has no such card. */
    errorOf: (cardId) => tiles.get(cardId)?.error ?? null,

    showDeck(name) {
      deck.value = name;
      filter();
      byId("cards").scrollIntoView({ block: "start" });
    },

    /** Sets the focus to a number of a card, and shows the card even if a filter hides it. */
    goTo(cardId, field) {
      const tile = tiles.get(cardId);
      if (!tile) return;
      tile.node.hidden = false;
      steppers.get(keyOf(cardId, field))?.value.focus();
      tile.node.scrollIntoView({ block: "nearest" });
    },
  };
}
