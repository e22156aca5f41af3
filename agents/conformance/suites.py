"""The suites: legal moves, the same ones again, from what a seat may see, whoever else is asked."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import numpy.typing as npt
import pytest

from agents.conformance.games import SOURCES, Games, exchange_hidden, games_of, positions
from agents.registry import agent_named
from sim.engine import layout as at
from sim.play import CompiledAgent, LearnedAgent, play

_NEEDS_CARDS = pytest.mark.skipif(
    find_spec("hearthstone_data") is None, reason="needs the extra [hearthstone]"
)
_GAMES = [
    pytest.param(source, marks=_NEEDS_CARDS if source == "legacy" else ()) for source in SOURCES
]


class AgentSuite:
    """Tests that a compiled agent inherits; a subclass brings the fixture `agent`."""

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
        batch = games.batch()
        other = agent_named("random")
        outcomes = play(batch, games.table, [agent, agent, other, other])
        assert outcomes.turns.sum() == batch.n_games.sum()

    def test_its_move_repeats(self, agent: CompiledAgent, games: Games) -> None:
        """Randomness comes from the state, by counter."""
        for position in positions(agent, games, games.n_games // 3):
            assert games.ask(agent, position.state.copy(), games.numbers.copy()) == position.action

    def test_it_leaves_state_and_table_as_they_are(
        self, agent: CompiledAgent, games: Games
    ) -> None:
        """What lies behind the game is room to work in, and so is a group's length before it."""
        for position in positions(agent, games, games.n_games // 3):
            state = position.state.copy()
            numbers = games.numbers.copy()
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


Asked = tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]


class _Listener:
    """An agent that keeps what it is asked, and leaves the answers to another."""

    def __init__(self, agent: LearnedAgent) -> None:
        self.name = agent.name
        self.asked = list[Asked]()
        self._agent = agent

    def choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """The other's answers."""
        self.asked.append((observations.copy(), masks.copy()))
        return self._agent.choose(observations, masks)


class LearnedAgentSuite:
    """Tests that a learned agent inherits; a subclass brings the fixture `agent`.

    Attributes:
        source: whose games it plays, one of `agents.conformance.games.SOURCES`.
    """

    source = "duel"

    @pytest.fixture
    def asked(self, agent: LearnedAgent) -> Asked:
        """``[B, n_values]`` observations and ``[B, A]`` masks from games against `random`."""
        games = games_of(self.source)
        listener = _Listener(agent)
        other = agent_named("random")
        play(games.batch(), games.table, [listener, listener, other, other], threads=1)
        observations, masks = zip(*listener.asked, strict=True)
        return np.concatenate(observations), np.concatenate(masks)

    def test_its_moves_are_legal(self, agent: LearnedAgent, asked: Asked) -> None:
        """One for each row, as whole numbers."""
        actions = agent.choose(*asked)
        assert actions.dtype.kind == "i"
        assert asked[1][np.arange(len(actions)), actions].all()

    def test_no_row_changes_another_s_answer(self, agent: LearnedAgent, asked: Asked) -> None:
        """In whatever order rows are asked, and how many at once."""
        observations, masks = asked
        actions = agent.choose(observations, masks)
        order = np.random.default_rng(1).permutation(len(actions))
        np.testing.assert_array_equal(
            agent.choose(observations[order], masks[order]), actions[order]
        )
        for start, stop in ((0, 0), (0, 1), (5, 7), (17, 400)):
            few = slice(start, stop)
            np.testing.assert_array_equal(agent.choose(observations[few], masks[few]), actions[few])

    def test_it_leaves_what_it_is_shown_as_it_is(self, agent: LearnedAgent, asked: Asked) -> None:
        """The arrays belong to the simulator."""
        before = [array.copy() for array in asked]
        agent.choose(*asked)
        np.testing.assert_array_equal(asked[0], before[0])
        np.testing.assert_array_equal(asked[1], before[1])
