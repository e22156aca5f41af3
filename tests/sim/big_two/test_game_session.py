"""A person at a table of Big Two sees its own cards, and of others only how many they hold."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from agents.big_two import agent_named
from sim.big_two.cards import N_ACTIONS, N_SEATS
from sim.big_two.game_log import agents_action, log_game
from sim.big_two.game_session import BigTwoSession
from sim.big_two.rules import rules_of
from tests.refusals import complaint_of
from tests.sim.big_two.tables import with_hidden_exchanged

AGENTS = [agent_named(name) for name in ("together", "lowest", "random", "together")]
NAMES = ["a", "b", "c", "d"]
ROW = np.zeros(1, dtype=np.int64)


def sit(seed: int, seat: int) -> BigTwoSession:
    return BigTwoSession(
        rules_of(), AGENTS, NAMES, seat=seat, seed=seed, rotation=seed % N_SEATS, width=80
    )


def shown(sitting: BigTwoSession) -> list[str]:
    choices = [f"{choice.words} {choice.options}" for choice in sitting.choices()]
    more = [line for _, lines in sitting.more().values() for line in lines]
    return [*sitting.position(), *choices, *more]


@pytest.mark.parametrize("seat", range(N_SEATS))
def test_what_is_shown_does_not_hang_on_what_the_others_hold(seat: int) -> None:
    rng = np.random.default_rng(seat)
    for seed in range(3):
        sitting = sit(seed, seat)
        sitting.begin()
        while not sitting.is_over:
            seen = shown(sitting)
            words = sitting._games.words.copy()
            for luck in range(3):
                others = with_hidden_exchanged(sitting._games, ROW, luck)
                sitting._games.words[:] = others.words
                assert shown(sitting) == seen
            sitting._games.words[:] = words
            ways = [option for choice in sitting.choices() for option in choice.options]
            sitting.act(ways[int(rng.integers(len(ways)))].action)


def test_every_legal_action_is_offered_once() -> None:
    sitting = sit(5, 1)
    sitting.begin()
    while not sitting.is_over:
        actions = [option.action for choice in sitting.choices() for option in choice.options]
        assert sorted(actions) == np.flatnonzero(sitting._games.masks(ROW)[0]).tolist()
        sitting.act(actions[-1])


def test_a_person_who_moves_as_an_agent_plays_the_agents_game() -> None:
    sitting = sit(6, 2)
    sitting.begin()
    while not sitting.is_over:
        again = sit(6, 2)
        again.begin(sitting.actions)
        assert shown(again) == shown(sitting)
        sitting.act(int(AGENTS[2].choose(sitting._games, ROW)[0]))
    told = list(log_game(rules_of(), NAMES, partial(agents_action, AGENTS), seed=6, rotation=2))
    assert sitting.full_log(sitting.actions) == told
    assert sitting.undo() == 0


@pytest.mark.parametrize("actions", [[-1], [N_ACTIONS], [0]])
def test_actions_that_the_game_does_not_know_are_refused(actions: list[int]) -> None:
    sitting = sit(7, 0)
    for does in (sitting.begin, sitting.full_log):
        assert "actions: number 1" in complaint_of(does, actions)
