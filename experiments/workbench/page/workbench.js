/** The workbench: asks for the state, then shows what comes, and sends what is done. */

import { keyOf, makeCards } from "./cards.js";
import { Actions, listen } from "./connection.js";
import { arrowed, byId, element, mark, percent, write } from "./elements.js";
import { SIGNS, isDemanded, makeMatrix, titleOf } from "./matrix.js";
import {
  gamesText,
  makeConstraints,
  makePatch,
  makeSuggestions,
  paintCertificate,
  paintPrice,
  paintSaved,
} from "./panels.js";

const ANNOUNCE_MS = 1200; // a screen reader is told once it has been quiet for so long
const EDITING = ["/edit", "/revert", "/apply"]; // whose answer is the revision of new numbers
const PATIENCE_MS = 6000; // before more is said of a lost connection
const PLACES = ["suggest", "certify", "save"];

const actions = new Actions(outdate);
const pending = new Map(); // steps that are shown and not yet part of a state: {to, revision}
let state = null;
let rates = null;
let effects = null;
let since = 0; // the revision of the present edits: what is of an older one is stale
let views = null;
let isAwaited = false; // a frame in which to paint
let toPaint = new Set();
let announcing = 0;
let despairing = 0;
let isOutdated = false; // another session answers: what is shown here is of the one before
let faultAt = null; // where it says why there are no rates

const valueOf = (card, { field, value }) => pending.get(keyOf(card, field))?.to ?? value;

/** Everything is painted at most once a frame, with the latest of each kind. */
function paintSoon(what) {
  toPaint.add(what);
  if (isAwaited) return;
  isAwaited = true;
  requestAnimationFrame(() => {
    isAwaited = false;
    if (state === null || isOutdated) return; // what came before it is painted with it
    const kinds = toPaint;
    toPaint = new Set();
    if (views === null) build();
    if (kinds.has("state")) paintState();
    if (kinds.has("rates")) paintRates();
    if (kinds.has("effects") && effects) views.cards.paintEffects(effects);
    paintBar();
  });
}

function build() {
  const cards = makeCards(state, { onStep: step, onLock: lock, onNote: note });
  views = {
    cards,
    matrix: makeMatrix(state, cards.showDeck),
    patch: makePatch({
      onRevert: (card, field) => act("/revert", { card, field }, `${card}.${field}`),
      onGo: cards.goTo,
    }),
    constraints: makeConstraints((constraints) => act("/constraints", constraints, "constraints")),
    suggestions: makeSuggestions((suggestion) => act("/apply", { suggestion }, "suggest")),
  };
}

function paintState() {
  views.cards.paint(state, valueOf);
  views.patch(state);
  views.constraints(state);
  views.suggestions(state);
  paintCertificate(state);
  if (byId("price").open) paintPrice(state); // another tab may have stepped a number
  paintSaved(state);
  byId("redo").disabled = !state.can_redo;
  const cancel = byId("cancel");
  const wasHeld = document.activeElement === cancel;
  mark(document.body, "data-busy", state.busy);
  cancel.hidden = state.busy === null;
  const what = state.busy === "certify" ? "the certificate" : "looking for patches";
  mark(cancel, "aria-label", `Stop ${what}`);
  for (const id of ["suggest", "certify"]) {
    const isStarted = state.busy === id;
    if (isStarted && document.activeElement === byId(id)) cancel.focus(); // which takes its place
    byId(id).hidden = isStarted;
    byId(id).disabled = state.busy !== null;
  }
  if (wasHeld && state.busy === null) byId("suggest").focus();
  document.body.dataset.revision = state.revision;
}

function paintRates() {
  if (!rates) return;
  views.matrix(rates);
  paintFault(rates.fault);
  if (rates.fault) write(byId("worst"), "No win rates with these numbers.");
  const demand = state.demands.find(({ name }) => name === rates.worst);
  const worst = rates.rates.find((one) => one.demand === rates.worst);
  if (!demand || !worst) return;
  const asked = new Set(state.demands.filter(isDemanded).map(({ name }) => name));
  const n = rates.rates.filter((one) => asked.has(one.demand) && one.state === "inside").length;
  const change = worst.can_change ? `${arrowed(worst.change_pp)} pp since today` : "as today";
  write(
    byId("worst"),
    `${n} of ${asked.size} inside; ` +
      `worst: ${SIGNS[worst.state]} ${titleOf(demand)} ${percent(worst.rate)} %, ${change}`,
  );
  write(byId("aim"), titleOf(demand));
  clearTimeout(announcing);
  announcing = setTimeout(announce, ANNOUNCE_MS);
}

/** Why there are no rates stands at its place for as long as it is so. */
function paintFault(fault) {
  if (faultAt !== null && faultAt.place !== fault?.place) clear(faultAt.place);
  if (fault && placed(fault.place).textContent !== fault.text) complain(fault.text, fault.place);
  faultAt = fault;
}

const isWaiting = () => pending.size > 0 || (rates !== null && rates.revision < since);

function paintBar() {
  byId("undo").disabled = !state.can_undo && pending.size === 0;
  if (!rates) return;
  write(byId("games"), gamesText(rates, isWaiting()));
  mark(byId("matrix"), "aria-busy", isWaiting() ? "true" : null);
  views.cards.paintGames(effects !== null && effects.revision < since);
}

/** For those who hear the page: what the last action came to. */
function announce() {
  const told = ["worst", "counts", "games"].map((id) => byId(id).textContent);
  if (rates && !isWaiting()) write(byId("told"), `${told.join("; ")}.`);
}

// --- What is done ---

function act(path, body, place = null) {
  clear(place);
  actions.send(path, body, (reply, refusal) => {
    if (refusal && !isOutdated) complain(refusal.message, refusal.place ?? place);
    else if (EDITING.includes(path)) answered(reply);
  });
}

function answered({ revision }) {
  since = Math.max(since, revision);
  paintSoon("bar");
}

/** Shown at once, taken back if it is refused. */
function step(card, field, to) {
  const key = keyOf(card, field);
  const mine = { to, revision: null };
  clear(`${card}.${field}`);
  pending.set(key, mine);
  views.cards.paintValue(card, field, to);
  const settle = (reply, refusal) => {
    if (reply) {
      mine.revision = reply.revision;
      answered(reply);
    }
    if (refusal && !isOutdated) complain(refusal.message, refusal.place ?? `${card}.${field}`);
    const isDone = refusal || (reply && state.revision >= reply.revision);
    if (isDone && pending.get(key) === mine) {
      pending.delete(key);
      paintSoon("state");
    }
  };
  actions.send("/edit", { card, field, to }, settle, key);
  paintSoon("bar");
}

const lock = (card, field, locked) => act("/lock", { card, field, locked }, `${card}.${field ?? ""}`);
const note = (card, text) => act("/note", { card, text }, `${card}.`);

// --- Messages, at their place ---

/** Where a message about a place stands: at the card, the limit, the panel; else on top. */
function placed(place) {
  if (place === null) return byId("alert");
  if (PLACES.includes(place)) return byId(`${place}-error`);
  if (place.startsWith("constraints")) return byId(place) ?? byId("constraints.max_cards");
  const dot = place.lastIndexOf(".");
  return views?.cards.errorOf(dot < 0 ? place : place.slice(0, dot)) ?? byId("alert");
}

function complain(text, place) {
  const where = placed(place);
  write(where, text);
  where.hidden = false;
  if (where.id.startsWith("constraints.")) views.constraints(state);
  if (where !== byId("alert")) where.scrollIntoView({ block: "nearest" });
}

function clear(place) {
  const all = place === "constraints" ? document.querySelectorAll("#constraints .error") : [placed(place)];
  for (const where of [...all, byId("alert")]) write(where, "");
  byId("alert").hidden = true;
}

/** Another session answers now: nothing here is true of it, so it is all put out of reach. */
function outdate() {
  if (isOutdated) return;
  isOutdated = true;
  unlisten();
  byId("price").close();
  clearTimeout(despairing);
  for (const part of document.querySelectorAll("main, .actions, footer")) part.inert = true;
  write(byId("link"), "of an earlier session");
  byId("link").dataset.connected = false;
  const reload = element("button", { type: "button", onclick: () => location.reload() }, "Reload the page");
  const told = "Another session of the workbench answers here now, and this tab shows the one before. ";
  byId("alert").replaceChildren(told, reload);
  byId("alert").hidden = false;
  write(byId("told"), "");
}

// --- What comes ---

function hearState(next) {
  if (state !== null && next.session !== state.session) {
    outdate();
    return;
  }
  actions.session = next.session;
  if (state !== null && next.revision < state.revision) return;
  const isEdited = JSON.stringify(next.edits) !== JSON.stringify(state?.edits);
  if (isEdited) since = Math.max(since, next.revision);
  state = next;
  for (const [key, { revision }] of pending) {
    if (revision !== null && revision <= next.revision) pending.delete(key);
  }
  paintSoon("state");
}

const heard = {
  state: hearState,
  rates(next) {
    if (next.revision < since) return;
    rates = next;
    paintSoon("rates");
  },
  effects(next) {
    if (next.revision < since) return;
    effects = next;
    paintSoon("effects");
  },
  suggestion(one) {
    if (state === null) return;
    const others = state.suggestions.filter(({ number }) => number !== one.number);
    state = { ...state, suggestions: [...others, one] };
    paintSoon("state");
  },
  message: ({ text, place }) => complain(text, place),
};

function showLink(isConnected) {
  if (isOutdated) return;
  const link = byId("link");
  const was = link.dataset.connected;
  if (was === String(isConnected)) return;
  link.dataset.connected = isConnected;
  write(link, isConnected ? "connected" : "connection lost, trying again …");
  clearTimeout(despairing);
  if (!isConnected) {
    write(byId("told"), "Connection lost; trying again.");
    const told = "The workbench does not answer. If it was started anew, open the link that it printed.";
    despairing = setTimeout(complain, PATIENCE_MS, told, null);
  } else if (was === "false") {
    write(byId("told"), "Connected again.");
    clear(null);
  }
}

for (const name of ["undo", "redo"]) byId(name).addEventListener("click", () => act(`/${name}`, {}));
for (const name of ["suggest", "save"]) byId(name).addEventListener("click", () => act(`/${name}`, {}, name));
byId("certify").addEventListener("click", () => {
  paintPrice(state);
  byId("price").showModal();
});
byId("price-yes").addEventListener("click", () => {
  byId("price").close();
  act("/certify", {}, "certify");
});
byId("price-no").addEventListener("click", () => byId("price").close());
byId("cancel").addEventListener("click", () => act("/cancel", {}));

addEventListener("keydown", (event) => {
  const isWriting = event.target.closest?.("textarea, input");
  if (isWriting || byId("price").open) return;
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
    event.preventDefault();
    byId(key === "y" || event.shiftKey ? "redo" : "undo").click();
  } else if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    byId("search").focus();
  }
});

addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload(); // by the back button: what it heard from is closed
});
const unlisten = listen(heard, showLink);
