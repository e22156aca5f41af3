"""Test suites which check that an agent's moves are legal, repeatable, and use no hidden facts."""

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
    """Tests that every compiled agent must pass; a subclass provides the fixture `agent`."""

    @pytest.fixture(params=_GAMES)
    def games(self, request: pytest.FixtureRequest) -> Games:
        """Return the games of a source; each test runs once per source of `SOURCES`."""
        return games_of(request.param)

    def test_its_moves_are_always_legal(self, agent: CompiledAgent, games: Games) -> None:
        """Check that every choice of the agent is legal, also in mulligans and card choices."""
        assert sum(1 for _ in positions(agent, games, games.n_games)) > 0

    def test_batches_of_its_games_end_without_a_fault(
        self, agent: CompiledAgent, games: Games
    ) -> None:
        """Check that games against `random` and against the agent itself reach a result."""
        batch = games.batch()
        other = agent_named("random")
        outcomes = play(batch, games.table, [agent, agent, other, other])
        assert outcomes.turns.sum() == batch.n_games.sum()

    def test_its_move_repeats(self, agent: CompiledAgent, games: Games) -> None:
        """Check that equal states give equal choices, since random numbers come from the state."""
        for position in positions(agent, games, games.n_games // 3):
            assert games.ask(agent, position.state.copy(), games.numbers.copy()) == position.action

    def test_it_leaves_state_and_table_as_they_are(
        self, agent: CompiledAgent, games: Games
    ) -> None:
        """Check that a choice changes neither the state of the game nor the table.

        The words after the first `GAME_SIZE` and the word `N_GROUP` are scratch memory, which an
        agent may overwrite.
        """
        for position in positions(agent, games, games.n_games // 3):
            state = position.state.copy()
            numbers = games.numbers.copy()
            games.ask(agent, state, numbers)
            state[at.N_GROUP] = position.state[at.N_GROUP]
            np.testing.assert_array_equal(state[: at.GAME_SIZE], position.state[: at.GAME_SIZE])
            np.testing.assert_array_equal(numbers, games.numbers)

    def test_hidden_cards_never_change_its_move(self, agent: CompiledAgent, games: Games) -> None:
        """Check that the choice stays the same in eight states with other hidden information."""
        rng = np.random.default_rng(1)
        for position in positions(agent, games, games.n_games):
            for _ in range(8):
                state = exchange_hidden(position.state, games.numbers, rng)
                assert games.ask(agent, state) == position.action


Requests = tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]
"""Requests to a learned agent: observations, shape ``[B, n_values]``, and masks, ``[B, A]``."""


class _Recorder:
    """Learned agent that records a copy of each request and lets another agent choose."""

    def __init__(self, agent: LearnedAgent) -> None:
        self.name = agent.name
        self.requests = list[Requests]()
        self._agent = agent

    def choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """Record the request and return the actions that the wrapped agent chooses, ``[B]``."""
        self.requests.append((observations.copy(), masks.copy()))
        return self._agent.choose(observations, masks)


class LearnedAgentSuite:
    """Tests that every learned agent must pass; a subclass provides the fixture `agent`.

    Attributes:
        source: name of the games that the agent plays, one of `agents.conformance.games.SOURCES`.
    """

    source = "duel"

    @pytest.fixture
    def requests_made(self, agent: LearnedAgent) -> Requests:
        """Return all requests that the agent gets in a batch of games against `random`."""
        games = games_of(self.source)
        recorder = _Recorder(agent)
        other = agent_named("random")
        play(games.batch(), games.table, [recorder, recorder, other, other], threads=1)
        observations, masks = zip(*recorder.requests, strict=True)
        return np.concatenate(observations), np.concatenate(masks)

    def test_its_moves_are_legal(self, agent: LearnedAgent, requests_made: Requests) -> None:
        """Check that the agent returns one legal action per row, in an integer array."""
        actions = agent.choose(*requests_made)
        assert actions.dtype.kind == "i"
        assert requests_made[1][np.arange(len(actions)), actions].all()

    def test_no_row_changes_another_s_answer(
        self, agent: LearnedAgent, requests_made: Requests
    ) -> None:
        """Check that the action for a row depends neither on row order nor on the number of rows.

        Batches of 0, 1, 2 and up to 383 rows are tried.
        """
        observations, masks = requests_made
        actions = agent.choose(observations, masks)
        order = np.random.default_rng(1).permutation(len(actions))
        np.testing.assert_array_equal(
            agent.choose(observations[order], masks[order]), actions[order]
        )
        for start, stop in ((0, 0), (0, 1), (5, 7), (17, 400)):
            few = slice(start, stop)
            np.testing.assert_array_equal(agent.choose(observations[few], masks[few]), actions[few])

    def test_it_leaves_what_it_is_shown_as_it_is(
        self, agent: LearnedAgent, requests_made: Requests
    ) -> None:
        """Check that the agent does not change the observations and masks that it receives."""
        before = [array.copy() for array in requests_made]
        agent.choose(*requests_made)
        np.testing.assert_array_equal(requests_made[0], before[0])
        np.testing.assert_array_equal(requests_made[1], before[1])
