"""Games that agents are tried in: shipped decks under the duel's and under the general rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from agents.registry import compiled_agent_named
from sim import game_seed, load_deck, load_pool, load_ruleset, stream_seed
from sim.engine import layout as at
from sim.engine.stepping import Words16, ask_agent, begin_game, may_act, new_state, perform
from sim.play import Batch, CompiledAgent, Table, pack_table, row_of_deck

# pool, ruleset, decks; how many games are stepped through, and played of each pair of seats
_SOURCES = {
    "duel": ("core", "duel", "ember_rush tide_keep grove_march spore_swarm", 12, 60),
    "saga": ("saga", "legacy", "saga_ember saga_tide saga_grove saga_spore", 4, 12),
    "legacy": (
        *("hearthstone", "legacy"),
        "legacy_hunter legacy_mage legacy_rogue legacy_warlock legacy_shaman legacy_paladin",
        *(6, 12),
    ),
}
SOURCES = tuple(_SOURCES)


@dataclass(frozen=True)
class Games:
    """Where positions come from: at least two decks, and how many games a test may play.

    Attributes:
        table: the numbers of the cards.
        decks: ``[D, DECK_ROW_SIZE]``.
        n_games: for what is asked of each move a few times.
        n_batch: of each pair of seats.
    """

    table: Table
    decks: Words16
    n_games: int
    n_batch: int
    _seats: dict[CompiledAgent, CompiledAgent] = field(init=False, default_factory=dict)

    @property
    def numbers(self) -> Words16:
        """The cards' numbers as the engine reads them."""
        return np.asarray(self.table.words[0])

    def ask(self, agent: CompiledAgent, state: Words16, numbers: Words16 | None = None) -> int:
        """What `agent` does in a position."""
        numbers = self.numbers if numbers is None else numbers
        if agent not in self._seats:
            self._seats[agent] = agent.seated(self.table, lambda: self.decks)
        address = self._seats[agent].address(general=bool(state[at.GENERAL]))
        return ask_agent(state, numbers, address)

    def batch(self) -> Batch:
        """Games of players 0 and 1, by the tried agent, against 2 and 3, and among themselves."""
        seats = np.array([[0, 1], [0, 2], [3, 1], [2, 0], [1, 1]])
        n_games, none = np.full(len(seats), self.n_batch), np.zeros(len(seats), dtype=np.int64)
        return Batch(self.decks[:4], none, seats, n_games, none, stream_seed(1, "conformance"))


@cache
def games_of(source: str) -> Games:
    """The games of one of `SOURCES`: `legacy` holds real cards, which need their package."""
    pool_name, ruleset, decks, n_games, n_batch = _SOURCES[source]
    pool = load_pool(pool_name)
    rows = np.stack([row_of_deck(load_deck(name), pool) for name in decks.split()])
    return Games(pack_table(pool, load_ruleset(ruleset)), rows, n_games, n_batch)


@dataclass(frozen=True)
class Position:
    """A moment at which the agent is to move, and what it chose."""

    state: Words16
    action: int


def positions(agent: CompiledAgent, games: Games, n_games: int) -> Iterator[Position]:
    """All moments at which `agent` moves in games of varied decks against a random enemy."""
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
