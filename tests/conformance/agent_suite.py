"""What every agent owes: legal moves, the same ones again, from what its seat may see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.registry import agent_named
from sim.agent import CompiledAgent
from sim.batch import Batch, play
from sim.engine.layout import ACTIVE, RESULT, RUNNING
from sim.engine.stepping import ask_agent, may_act, perform
from sim.seeds import game_seed, stream_seed
from tests.conformance.hidden import exchange_hidden
from tests.duels import DECKS, TABLE
from tests.steps import begin

Words16 = npt.NDArray[np.int16]
NUMBERS = TABLE.words[0]


@dataclass(frozen=True)
class Position:
    """A moment at which the agent is to move, and what it chose."""

    state: Words16
    action: int


class AgentSuite:
    """Tests that an agent inherits; a subclass brings the fixture `agent`."""

    def test_its_moves_are_always_legal(self, agent: CompiledAgent) -> None:
        for position in positions(agent, n_games=12):
            assert may_act(position.state, NUMBERS, position.action)

    def test_batches_of_its_games_end_without_a_fault(self, agent: CompiledAgent) -> None:
        agents = [agent, agent, agent_named("random"), agent_named("random")]
        seats = np.array([[0, 1], [0, 2], [3, 1], [2, 0], [1, 1]])
        n_games = np.full(len(seats), 60)
        stream = stream_seed(1, "conformance")
        batch = Batch(DECKS, 0 * n_games, seats, n_games, 0 * n_games, stream)
        assert play(batch, TABLE, agents).turns.sum() == n_games.sum()

    def test_its_move_repeats(self, agent: CompiledAgent) -> None:
        for position in positions(agent, n_games=4):
            again = ask_agent(position.state.copy(), NUMBERS.copy(), agent.address)
            assert again == position.action

    def test_it_leaves_state_and_table_as_they_are(self, agent: CompiledAgent) -> None:
        for position in positions(agent, n_games=4):
            state, numbers = position.state.copy(), NUMBERS.copy()
            ask_agent(state, numbers, agent.address)
            np.testing.assert_array_equal(state, position.state)
            np.testing.assert_array_equal(numbers, NUMBERS)

    def test_hidden_cards_never_change_its_move(self, agent: CompiledAgent) -> None:
        rng = np.random.default_rng(1)
        for position in positions(agent, n_games=12):
            for _ in range(8):
                state = exchange_hidden(position.state, NUMBERS, rng)
                assert ask_agent(state, NUMBERS, agent.address) == position.action


def positions(agent: CompiledAgent, n_games: int) -> Iterator[Position]:
    """All moments at which `agent` moves in games of varied decks against a random enemy."""
    enemy = agent_named("random")
    for index in range(n_games):
        seats = [(agent, enemy), (enemy, agent), (agent, agent)][index % 3]
        decks = np.roll(DECKS, index, axis=0)[:2]
        state = begin(TABLE, decks, game_seed(1, "conformance", index))
        while state[RESULT] == RUNNING:
            mover = seats[state[ACTIVE]]
            action = ask_agent(state, NUMBERS, mover.address)
            if mover is agent:
                yield Position(state.copy(), action)
            assert may_act(state, NUMBERS, action), f"agent {mover.name} chose an illegal action"
            perform(state, NUMBERS, action)
