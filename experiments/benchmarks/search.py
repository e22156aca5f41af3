"""The Monte-Carlo agent: games it tries in its head, and games it plays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from agents.registry import compiled_agent_named
from balance.card_contest import CardContest
from experiments.benchmarks.duel import AGGRO, BARE, CONTROL, PURPOSE, Against, Task, play_duel
from sim.engine.layout import ACTIVE, RESULT, RUNNING
from sim.engine.stepping import ask_agent, begin_game, look, new_state, perform
from sim.observation.duel_view import N_ACTIONS, N_VALUES, card_codes
from sim.play.agent import CompiledAgent
from sim.seeds import game_seed

WORLDS = 50
GAMES = 60
SEARCHED_GAMES = 40  # whose positions the search is asked about

State = npt.NDArray[np.int16]


def search_tasks(contest: CardContest) -> list[Task]:
    """`rollout` in place of control: its rollouts alone, and whole games."""
    search = compiled_agent_named(f"rollout:{WORLDS}:{contest.players[AGGRO].agent.name}")
    agents = list(contest.agents)
    agents[CONTROL] = search
    return [
        _rollouts(contest, search),
        Task(
            f"games_of_rollout_{WORLDS}",
            "games",
            GAMES,
            lambda: play_duel(contest, GAMES, agents=agents),
        ),
    ]


def _rollouts(contest: CardContest, search: CompiledAgent) -> Task:
    """Asks `search` what control might do at all moments of a few games.

    A position with one legal action is left out: there is nothing to search.
    """
    numbers, codes = contest.table.words[0], card_codes(contest.table.pool)
    values, mask = np.zeros(N_VALUES, dtype=np.float32), np.zeros(N_ACTIONS, dtype=np.uint8)
    states: list[State] = []
    n_rollouts = 0
    for index in range(SEARCHED_GAMES):
        for state in _positions_of_control(contest, index):
            n_legal = look(state, codes, values, mask)
            if n_legal > 1:
                states.append(state)
                n_rollouts += WORLDS * n_legal

    def roll_out() -> None:
        for state in states:
            ask_agent(state, numbers, search.address(general=False))

    roll_out()  # what is compiled at first use is not measured
    return Task("rollouts", "rollouts", n_rollouts, roll_out, Against(BARE, f"full games ({BARE})"))


def _positions_of_control(contest: CardContest, index: int) -> Iterator[State]:
    """All states of one game in which control is to move."""
    numbers = contest.table.words[0]
    pilots = [compiled_agent_named(agent.name).address(general=False) for agent in contest.agents]
    seats = (AGGRO, CONTROL) if index % 2 else (CONTROL, AGGRO)
    state = new_state()
    begin_game(state, numbers, contest.deck_rows.ravel(), *seats, game_seed(0, PURPOSE, index))
    while state[RESULT] == RUNNING:
        mover = seats[state[ACTIVE]]
        if mover == CONTROL:
            yield state.copy()
        perform(state, numbers, ask_agent(state, numbers, pilots[mover]))
