"""Games in which the conformance suites test an agent: shipped decks under several rulesets.

`exchange_hidden` replaces the information that a seat may not see by other information consistent
with what the seat has seen. A test can then check that the agent's choice does not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from agents.registry import compiled_agent_named
from sim import DECK_CAPACITY, game_seed, load_deck, load_pool, load_ruleset, stream_seed
from sim.engine import layout as at
from sim.engine.stepping import (
    Words16,
    ask_agent,
    begin_game,
    may_act,
    new_state,
    perform,
    refresh_position,
)
from sim.play import Batch, CompiledAgent, Table, pack_table, row_of_deck

_SOURCES = {
    "duel": ("core", "duel", "ember_rush tide_keep grove_march spore_swarm", 12, 60),
    "saga": ("saga", "legacy", "saga_ember saga_tide saga_grove saga_spore", 4, 12),
    "legacy": (
        *("hearthstone", "legacy"),
        "legacy_hunter legacy_mage legacy_rogue legacy_warlock legacy_shaman legacy_paladin",
        *(6, 12),
    ),
}
"""Pool, ruleset, decks, number of games to step through, and games per pair of seats, by source.

Games of the duel are short, so more of them are played. The numbers of games were chosen by hand so
that the suite of a search agent ends within seconds.
"""
SOURCES = tuple(_SOURCES)
"""Names of the sources of games, as `games_of` accepts them."""
# Words of a card's record in the state, and the words of the table that hold the printed values.
_PRINTED = {
    at.COST: at.CARD_COST,
    at.ATTACK: at.CARD_ATTACK,
    at.HEALTH: at.CARD_HEALTH,
    at.MAX_HEALTH: at.CARD_HEALTH,
    at.KEYWORDS: at.CARD_KEYWORDS,
    at.OWN_KEYWORDS: at.CARD_KEYWORDS,
}


@dataclass(frozen=True)
class Games:
    """Games that the conformance suites play: cards, rules, decks and numbers of games.

    Attributes:
        table: numbers of the cards and rules.
        decks: rows of the decks, at least four, shape ``[D, DECK_ROW_SIZE]``.
        n_games: number of games in tests that check every decision.
        n_batch: number of games of each pair of seats in a batch.
    """

    table: Table
    decks: Words16
    n_games: int
    n_batch: int
    _seats: dict[CompiledAgent, CompiledAgent] = field(init=False, default_factory=dict)

    @property
    def numbers(self) -> Words16:
        """Words of the table's first variant, an array of 16-bit integers that the engine reads."""
        return np.asarray(self.table.words[0])

    def ask(self, agent: CompiledAgent, state: Words16, numbers: Words16 | None = None) -> int:
        """Return the action that `agent` chooses in a position, as a number of the engine.

        Args:
            agent: agent of the seat to move.
            state: state of the game.
            numbers: words of the table; default: the words of its first variant.
        """
        numbers = self.numbers if numbers is None else numbers
        if agent not in self._seats:
            self._seats[agent] = agent.seated(self.table, lambda: self.decks)
        address = self._seats[agent].address(general=bool(state[at.GENERAL]))
        return ask_agent(state, numbers, address)

    def batch(self) -> Batch:
        """Return `n_batch` games of each of five pairs among four players with one deck each.

        The tested agent is to play as players 0 and 1, another agent as players 2 and 3. The tested
        agent meets the other agent from both seats, and itself with equal and different decks.
        """
        seats = np.array([[0, 1], [0, 2], [3, 1], [2, 0], [1, 1]])
        n_games = np.full(len(seats), self.n_batch)
        none = np.zeros(len(seats), dtype=np.int64)
        return Batch(self.decks[:4], none, seats, n_games, none, stream_seed(1, "conformance"))


@cache
def games_of(source: str) -> Games:
    """Return the games of a source, one of `SOURCES`; loaded once per process.

    The source `legacy` uses real cards and needs the extra `hearthstone`.
    """
    pool_name, ruleset, decks, n_games, n_batch = _SOURCES[source]
    pool = load_pool(pool_name)
    rows = np.stack([row_of_deck(load_deck(name), pool) for name in decks.split()])
    return Games(pack_table(pool, load_ruleset(ruleset)), rows, n_games, n_batch)


@dataclass(frozen=True)
class Position:
    """Position at which the tested agent is to move, and the action that the agent chose.

    Attributes:
        state: state of the game before the action.
        action: number of the chosen action in the engine.
    """

    state: Words16
    action: int


def positions(agent: CompiledAgent, games: Games, n_games: int) -> Iterator[Position]:
    """Yield every position at which `agent` moves, in `n_games` games with varied decks.

    From game to game, the agent takes the first seat, the second seat and both seats in turn; the
    agent `random` plays the remaining seat. An illegal action raises `AssertionError`.
    """
    enemy = compiled_agent_named("random")
    for index in range(n_games):
        seats = [(agent, enemy), (enemy, agent), (agent, agent)][index % 3]
        state = new_state()
        decks = np.roll(games.decks, index, axis=0)[:2].ravel()
        begin_game(state, games.numbers, decks, 0, 1, game_seed(1, "conformance", index))
        while state[at.RESULT] == at.RUNNING:
            mover = seats[state[at.ACTIVE]]
            action = games.ask(mover, state)
            if mover is agent:
                yield Position(state.copy(), action)
            legal = may_act(state, games.numbers, action)
            assert legal, f"agent {mover.name} chose an illegal action"
            perform(state, games.numbers, action)


# --- hidden information ---


def exchange_hidden(state: Words16, table: Words16, rng: np.random.Generator) -> Words16:
    """Return a copy of a state with other hidden information that is also possible.

    The seat to move cannot distinguish both states. The enemy's drawn cards and deck are shuffled
    together and dealt again; cards that effects gave to the enemy's hand stay. The deck of the seat
    to move is shuffled. Later draws and random effects of both seats, and choices of the enemy, use
    new random streams.

    Args:
        state: state of the game, not changed; the decks must contain no blanks.
        table: words of the table.
        rng: source of the randomness.
    """
    other = state.copy()
    own = at.SEATS + at.SEAT_SIZE * int(state[at.ACTIVE])
    enemy = at.SEATS + at.SEAT_SIZE * (1 - int(state[at.ACTIVE]))
    rng.shuffle(other[own + at.DECK + 1 :][: other[own + at.DECK]])
    _deal_anew(other, table, 1 - int(state[at.ACTIVE]), rng)
    hidden = [
        block + stream for block in (own, enemy) for stream in (at.DRAW_STREAM, at.EFFECT_STREAM)
    ]
    for stream in (*hidden, enemy + at.AGENT_STREAM):
        other[stream : stream + 4] = rng.integers(-(2**15), 2**15, size=4)
    refresh_position(other, table)
    return other


def drawn_records(state: Words16, seat: int) -> Words16:
    """Return the offsets of the records of a hand's drawn cards, without cards given by effects."""
    block = at.SEATS + at.SEAT_SIZE * seat
    records = state[block + at.HAND + 1 :][: state[block + at.HAND]]
    taken = set(state[block + at.DECK + 1 :][: state[block + at.DECK]].tolist())
    drawn = []
    for record in records:
        slot = int(state[record + at.SLOT])
        # A given card has no slot of its own: its slot is out of range, still in the deck, or
        # holds another card.
        if slot >= DECK_CAPACITY or slot in taken:
            continue
        if state[record + at.CARD] == state[block + at.CARD_OF_SLOT + slot]:
            taken.add(slot)
            drawn.append(record)
    return np.array(drawn, dtype=np.int16)


def _deal_anew(state: Words16, table: Words16, seat: int, rng: np.random.Generator) -> None:
    """Shuffle a seat's drawn cards and its deck together, and deal both again, in place.

    Args:
        state: state of the game, which is changed.
        table: words of the table.
        seat: seat of the hand and the deck.
        rng: source of the randomness.
    """
    block = at.SEATS + at.SEAT_SIZE * seat
    records = drawn_records(state, seat)
    deck = state[block + at.DECK + 1 :][: state[block + at.DECK]]
    marks = state[at.SEEN + DECK_CAPACITY * seat :][:DECK_CAPACITY]
    old_slots = np.concatenate([state[records + at.SLOT], deck])
    slots = rng.permutation(old_slots)
    marks[slots] = marks[old_slots]  # each mark must move with its card to the new slot
    deck[:] = slots[len(records) :]
    for record, slot in zip(records, slots, strict=False):
        card = state[block + at.CARD_OF_SLOT + slot]
        row = at.CARDS + at.CARD_SIZE * card
        state[record + at.SLOT] = slot
        state[record + at.CARD] = card
        state[at.HEARD] |= table[row + at.CARD_EVENTS]
        for own, printed in _PRINTED.items():
            state[record + own] = table[row + printed]
        state[record + at.COST] = max(state[record + at.COST] + state[record + at.COST_CHANGE], 0)
