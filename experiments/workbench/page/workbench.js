/** The workbench's page: shows the events of the server, and sends the user's actions. */

import { keyOf, makeCards } from "./cards.js";
import { Actions, listen } from "./connection.js";
import { arrowed, byId, element, mark, percent, write } from "./elements.js";
import { isDemanded, makeMatrix, titleOf } from "./matrix.js";
import {
  gamesText,
  makeConstraints,
  makePatch,
  makeSuggestions,
  paintCertificate,
  paintPrice,
  paintSaved,
} from "./panels.js";

// Times chosen by hand, not tuned.
const ANNOUNCE_MS = 1200; // pause before rates are read out, so that several steps give one message
const PATIENCE_MS = 6000; // time until a lost connection is explained; browsers reconnect sooner
const EDITING = ["/edit", "/revert", "/apply"]; // requests that may change the edits
const PLACES = ["suggest", "certify", "save"]; // panels with a place for messages

const actions = new Actions(outdate);
// Values that are shown before a state from the server includes them: {to, revision} by number.
const pending = new Map();
let state = null;
let rates = null;
let effects = null;
let since = 0; // revision of the current edits; results of older revisions are stale
let views = null;
let isFrameRequested = false; // whether a frame for painting has been requested
let toPaint = new Set();
let announcing = 0;
let explaining = 0; // timer of the explanation of a lost connection
let isOutdated = false; // whether the server runs another session than the page shows
let shownFault = null; // shown reason why there are no rates, with its place

const valueOf = (card, { field, value }) => pending.get(keyOf(card, field))?.to ?? value;

/** Requests that a kind of data is painted in the next frame, once, with the latest values. */
function paintSoon(kind) {
  toPaint.add(kind);
  if (isFrameRequested) return;
  isFrameRequested = true;
  requestAnimationFrame(() => {
    isFrameRequested = false;
    if (state === null || isOutdated) return; // earlier events are painted with the first state
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
  if (byId("price").open) paintPrice(state); // another tab may have changed a number
  paintSaved(state);
  byId("redo").disabled = !state.can_redo;
  const cancel = byId("cancel");
  const wasHeld = document.activeElement === cancel;
  mark(document.body, "data-busy", state.busy);
  cancel.hidden = state.busy === null;
  const job = state.busy === "certify" ? "the certificate" : "looking for patches";
  mark(cancel, "aria-label", `Stop ${job}`);
  for (const id of ["suggest", "certify"]) {
    const isStarted = state.busy === id;
    // The cancel button replaces the hidden button, so it also receives the focus.
    if (isStarted && document.activeElement === byId(id)) cancel.focus();
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
  const worst = rates.rates.find(({ demand }) => demand === rates.worst);
  if (!demand || !worst) return;
  const asked = new Set(state.demands.filter(isDemanded).map(({ name }) => name));
  const n = rates.rates.filter((rate) => asked.has(rate.demand) && rate.state === "inside").length;
  const change = worst.can_change ? `${arrowed(worst.change_pp)} pp since today` : "as today";
  write(
    byId("worst"),
    `${n} of ${asked.size} inside; ` +
      `worst: ${worst.symbol} ${titleOf(demand)} ${percent(worst.rate)} %, ${change}`,
  );
  write(byId("aim"), titleOf(demand));
  clearTimeout(announcing);
  announcing = setTimeout(announce, ANNOUNCE_MS);
}

/** Shows the reason why there are no rates, or removes an earlier reason if `fault` is null. */
function paintFault(fault) {
  if (shownFault !== null && shownFault.place !== fault?.place) clear(shownFault.place);
  if (fault && messageElement(fault.place).textContent !== fault.text) {
    showMessage(fault.text, fault.place);
  }
  shownFault = fault;
}

const isWaiting = () => pending.size > 0 || (rates !== null && rates.revision < since);

function paintBar() {
  byId("undo").disabled = !state.can_undo && pending.size === 0;
  if (!rates) return;
  write(byId("games"), gamesText(rates, isWaiting()));
  mark(byId("matrix"), "aria-busy", isWaiting() ? "true" : null);
  views.cards.paintGames(effects !== null && effects.revision < since);
}

/** Announces the result of the last action to screen readers, unless newer rates are expected. */
function announce() {
  const parts = ["worst", "counts", "games"].map((id) => byId(id).textContent);
  if (rates && !isWaiting()) write(byId("announcement"), `${parts.join("; ")}.`);
}

// --- Actions of the user ---

function act(path, body, place = null) {
  clear(place);
  actions.send(path, body, (reply, refusal) => {
    if (refusal && !isOutdated) showMessage(refusal.message, refusal.place ?? place);
    else if (EDITING.includes(path)) expectRates(reply);
  });
}

/** Marks rates of revisions before `revision` as stale. */
function expectRates({ revision }) {
  since = Math.max(since, revision);
  paintSoon("bar");
}

/** Sets a number to a value: shows the value at once, and removes it if the server refuses it. */
function step(card, field, to) {
  const key = keyOf(card, field);
  const sent = { to, revision: null };
  clear(`${card}.${field}`);
  pending.set(key, sent);
  views.cards.paintValue(card, field, to);
  const settle = (reply, refusal) => {
    if (reply) {
      sent.revision = reply.revision;
      expectRates(reply);
    }
    if (refusal && !isOutdated) showMessage(refusal.message, refusal.place ?? `${card}.${field}`);
    const isDone = refusal || (reply && state.revision >= reply.revision);
    if (isDone && pending.get(key) === sent) {
      pending.delete(key);
      paintSoon("state");
    }
  };
  actions.send("/edit", { card, field, to }, settle, key);
  paintSoon("bar");
}

const lock = (card, field, locked) => act("/lock", { card, field, locked }, `${card}.${field ?? ""}`);
const note = (card, text) => act("/note", { card, text }, `${card}.`);

// --- Messages, at their places ---

/** Returns the element for messages about a card, a constraint or a panel, else that at the top. */
function messageElement(place) {
  if (place === null) return byId("alert");
  if (PLACES.includes(place)) return byId(`${place}-error`);
  if (place.startsWith("constraints")) return byId(place) ?? byId("constraints.max_cards");
  const dot = place.lastIndexOf(".");
  return views?.cards.errorOf(dot < 0 ? place : place.slice(0, dot)) ?? byId("alert");
}

function showMessage(text, place) {
  const target = messageElement(place);
  write(target, text);
  target.hidden = false;
  if (target.id.startsWith("constraints.")) views.constraints(state);
  if (target !== byId("alert")) target.scrollIntoView({ block: "nearest" });
}

function clear(place) {
  const isWholeForm = place === "constraints";
  const targets = isWholeForm ? document.querySelectorAll("#constraints .error") : [messageElement(place)];
  for (const target of [...targets, byId("alert")]) write(target, "");
  byId("alert").hidden = true;
}

/** Disables the page, since the server runs another session than the page shows. */
function outdate() {
  if (isOutdated) return;
  isOutdated = true;
  unlisten();
  byId("price").close();
  clearTimeout(explaining);
  for (const part of document.querySelectorAll("main, .actions, footer")) part.inert = true;
  write(byId("link"), "of an earlier session");
  byId("link").dataset.connected = false;
  const reload = element("button", { type: "button", onclick: () => location.reload() }, "Reload the page");
  const text = "The workbench now runs another session; this tab still shows the earlier one. ";
  byId("alert").replaceChildren(text, reload);
  byId("alert").hidden = false;
  write(byId("announcement"), "");
}

// --- Events of the server ---

function receiveState(next) {
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

const handlers = {
  state: receiveState,
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
  suggestion(next) {
    if (state === null) return;
    const others = state.suggestions.filter(({ number }) => number !== next.number);
    state = { ...state, suggestions: [...others, next] };
    paintSoon("state");
  },
  message: ({ text, place }) => showMessage(text, place),
};

function showLink(isConnected) {
  if (isOutdated) return;
  const link = byId("link");
  const was = link.dataset.connected;
  if (was === String(isConnected)) return;
  link.dataset.connected = isConnected;
  write(link, isConnected ? "connected" : "connection lost, trying again …");
  clearTimeout(explaining);
  if (!isConnected) {
    write(byId("announcement"), "Connection lost; trying again.");
    const text = "The workbench does not answer. If you have restarted it, open the link that it printed.";
    explaining = setTimeout(showMessage, PATIENCE_MS, text, null);
  } else if (was === "false") {
    write(byId("announcement"), "Connected again.");
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
  if (persisted) location.reload(); // the back button restored the page with a closed connection
});
const unlisten = listen(handlers, showLink);
