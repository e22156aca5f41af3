"""What every agent owes: legal moves, the same ones again, from what its seat may see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from agents.registry import agent_named
from sim.cards.deck import load_deck
from sim.cards.pool_source import load_pool
from sim.engine import layout as at
from sim.engine.stepping import ask_agent, may_act, perform
from sim.play.agent import CompiledAgent
from sim.play.batch import Batch, play, row_of_deck
from sim.play.table import Table, pack_table
from sim.ruleset import load_ruleset
from sim.seeds import game_seed, stream_seed
from tests.conformance.hidden import exchange_hidden
from tests.duels import DECKS, TABLE
from tests.legacy import legacy_rows, legacy_table, needs_package
from tests.steps import begin

Words16 = npt.NDArray[np.int16]
NUMBERS = TABLE.words[0]


@dataclass(frozen=True)
class Games:
    """Where positions come from: at least two decks, and how many games a test may play."""

    table: Table
    decks: Words16  # [D, DECK_ROW_SIZE]
    n_games: int  # for what is asked of each move a few times
    n_batch: int  # of each pair of seats

    @property
    def numbers(self) -> Words16:
        return self.table.words[0]

    def ask(self, agent: CompiledAgent, state: Words16, numbers: Words16 | None = None) -> int:
        numbers = self.numbers if numbers is None else numbers
        return ask_agent(state, numbers, agent.address(general=bool(state[at.GENERAL])))


@dataclass(frozen=True)
class Position:
    """A moment at which the agent is to move, and what it chose."""

    state: Words16
    action: int


def duel_games() -> Games:
    return Games(TABLE, DECKS, n_games=12, n_batch=60)


def saga_games() -> Games:
    """The general rules with a pool that needs no package: its cards use every word."""
    pool = load_pool("saga")
    decks = [load_deck(f"saga_{hero}") for hero in ("ember", "tide", "grove", "spore")]
    rows = np.stack([row_of_deck(deck, pool) for deck in decks])
    return Games(pack_table(pool, load_ruleset("legacy")), rows, n_games=4, n_batch=12)


def legacy_games() -> Games:
    """The general rules with real cards."""
    rows = legacy_rows("hunter", "mage", "rogue", "warlock", "shaman", "paladin")
    return Games(legacy_table(), rows, n_games=6, n_batch=12)


_SOURCES = {"duel": duel_games, "saga": saga_games, "legacy": legacy_games}


class AgentSuite:
    """Tests that an agent inherits; a subclass brings the fixture `agent`."""

    @pytest.fixture(params=["duel", "saga", pytest.param("legacy", marks=needs_package)])
    def games(self, request: pytest.FixtureRequest) -> Games:
        return _SOURCES[request.param]()

    def test_its_moves_are_always_legal(self, agent: CompiledAgent, games: Games) -> None:
        for position in positions(agent, games.n_games, games):
            assert may_act(position.state, games.numbers, position.action)

    def test_batches_of_its_games_end_without_a_fault(
        self, agent: CompiledAgent, games: Games
    ) -> None:
        agents = [agent, agent, agent_named("random"), agent_named("random")]
        seats = np.array([[0, 1], [0, 2], [3, 1], [2, 0], [1, 1]])
        n_games = np.full(len(seats), games.n_batch)
        stream = stream_seed(1, "conformance")
        batch = Batch(games.decks[:4], 0 * n_games, seats, n_games, 0 * n_games, stream)
        assert play(batch, games.table, agents).turns.sum() == n_games.sum()

    def test_its_move_repeats(self, agent: CompiledAgent, games: Games) -> None:
        for position in positions(agent, games.n_games // 3, games):
            again = games.ask(agent, position.state.copy(), games.numbers.copy())
            assert again == position.action

    def test_it_leaves_state_and_table_as_they_are(
        self, agent: CompiledAgent, games: Games
    ) -> None:
        """What lies behind the game is room to work in, and so is a group's length before it."""
        for position in positions(agent, games.n_games // 3, games):
            state, numbers = position.state.copy(), games.numbers.copy()
            games.ask(agent, state, numbers)
            state[at.N_GROUP] = position.state[at.N_GROUP]
            np.testing.assert_array_equal(state[: at.GAME_SIZE], position.state[: at.GAME_SIZE])
            np.testing.assert_array_equal(numbers, games.numbers)

    def test_hidden_cards_never_change_its_move(self, agent: CompiledAgent, games: Games) -> None:
        rng = np.random.default_rng(1)
        for position in positions(agent, games.n_games, games):
            for _ in range(8):
                state = exchange_hidden(position.state, games.numbers, rng)
                assert games.ask(agent, state) == position.action


def positions(agent: CompiledAgent, n_games: int, games: Games | None = None) -> Iterator[Position]:
    """All moments at which `agent` moves in games of varied decks against a random enemy.

    By default the games are plain ones.
    """
    games = games or duel_games()
    enemy = agent_named("random")
    for index in range(n_games):
        seats = [(agent, enemy), (enemy, agent), (agent, agent)][index % 3]
        decks = np.roll(games.decks, index, axis=0)[:2]
        state = begin(games.table, decks, game_seed(1, "conformance", index))
        while state[at.RESULT] == at.RUNNING:
            mover = seats[state[at.ACTIVE]]
            action = games.ask(mover, state)
            if mover is agent:
                yield Position(state.copy(), action)
            legal = may_act(state, games.numbers, action)
            assert legal, f"agent {mover.name} chose an illegal action"
            perform(state, games.numbers, action)
