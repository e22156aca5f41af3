"""The suite of learned agents: legal moves, whoever else is asked beside them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from agents.conformance.games import games_of
from agents.registry import agent_named
from sim.play import LearnedAgent, play

Asked = tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]


class _Listener:
    """An agent that keeps what it is asked, and leaves the answers to another."""

    def __init__(self, agent: LearnedAgent) -> None:
        self.name, self.asked, self._agent = agent.name, list[Asked](), agent

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
        games, listener, other = games_of(self.source), _Listener(agent), agent_named("random")
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
