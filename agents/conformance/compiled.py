"""The suite of compiled agents: legal moves, the same ones again, from what their seat may see."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from agents.conformance.games import SOURCES, Games, games_of, positions
from agents.conformance.hidden import exchange_hidden
from agents.registry import agent_named
from sim.engine import layout as at
from sim.play import CompiledAgent, play

_NEEDS_CARDS = pytest.mark.skipif(
    find_spec("hearthstone_data") is None, reason="needs the extra [hearthstone]"
)
_GAMES = [
    pytest.param(source, marks=_NEEDS_CARDS if source == "legacy" else ()) for source in SOURCES
]


class AgentSuite:
    """Tests that an agent inherits; a subclass brings the fixture `agent`."""

    @pytest.fixture(params=_GAMES)
    def games(self, request: pytest.FixtureRequest) -> Games:
        """The agent's games, in each of `SOURCES`."""
        return games_of(request.param)

    def test_its_moves_are_always_legal(self, agent: CompiledAgent, games: Games) -> None:
        """In any phase of a game."""
        assert sum(1 for _ in positions(agent, games, games.n_games)) > 0

    def test_batches_of_its_games_end_without_a_fault(
        self, agent: CompiledAgent, games: Games
    ) -> None:
        """Against another agent, and against itself."""
        batch, other = games.batch(), agent_named("random")
        outcomes = play(batch, games.table, [agent, agent, other, other])
        assert outcomes.turns.sum() == batch.n_games.sum()

    def test_its_move_repeats(self, agent: CompiledAgent, games: Games) -> None:
        """Randomness comes from the state, by counter."""
        for position in positions(agent, games, games.n_games // 3):
            again = games.ask(agent, position.state.copy(), games.numbers.copy())
            assert again == position.action

    def test_it_leaves_state_and_table_as_they_are(
        self, agent: CompiledAgent, games: Games
    ) -> None:
        """What lies behind the game is room to work in, and so is a group's length before it."""
        for position in positions(agent, games, games.n_games // 3):
            state, numbers = position.state.copy(), games.numbers.copy()
            games.ask(agent, state, numbers)
            state[at.N_GROUP] = position.state[at.N_GROUP]
            np.testing.assert_array_equal(state[: at.GAME_SIZE], position.state[: at.GAME_SIZE])
            np.testing.assert_array_equal(numbers, games.numbers)

    def test_hidden_cards_never_change_its_move(self, agent: CompiledAgent, games: Games) -> None:
        """Nor do draws, luck, and the enemy's choices to come."""
        rng = np.random.default_rng(1)
        for position in positions(agent, games, games.n_games):
            for _ in range(8):
                state = exchange_hidden(position.state, games.numbers, rng)
                assert games.ask(agent, state) == position.action
