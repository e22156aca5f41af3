"""A person at a table of Big Two sees its own cards, and only the number of the others' cards."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from agents.big_two import agent_named
from sim.big_two.cards import N_ACTIONS, N_SEATS
from sim.big_two.game_log import agents_action, log_game
from sim.big_two.game_session import BigTwoSession
from sim.big_two.rules import rules_of
from tests.refusals import refusal_of
from tests.sim.big_two.tables import with_hidden_exchanged

AGENTS = [agent_named(name) for name in ("together", "lowest", "random", "together")]
NAMES = ["a", "b", "c", "d"]
ROW = np.zeros(1, dtype=np.int64)


def session_at(seed: int, seat: int) -> BigTwoSession:
    return BigTwoSession(
        rules_of(), AGENTS, NAMES, seat=seat, seed=seed, rotation=seed % N_SEATS, width=80
    )


def visible_lines(session: BigTwoSession) -> list[str]:
    choices = [f"{choice.words} {choice.options}" for choice in session.choices()]
    more = [line for _, lines in session.more().values() for line in lines]
    return [*session.position(), *choices, *more]


@pytest.mark.parametrize("seat", range(N_SEATS))
def test_the_display_does_not_depend_on_the_others_hands(seat: int) -> None:
    rng = np.random.default_rng(seat)
    for seed in range(3):
        session = session_at(seed, seat)
        session.begin()
        while not session.is_over:
            seen = visible_lines(session)
            words = session._games.words.copy()
            for chance in range(3):
                others = with_hidden_exchanged(session._games, ROW, chance)
                session._games.words[:] = others.words
                assert visible_lines(session) == seen
            session._games.words[:] = words
            options = [option for choice in session.choices() for option in choice.options]
            session.act(options[int(rng.integers(len(options)))].action)


def test_every_legal_action_is_offered_once() -> None:
    session = session_at(5, 1)
    session.begin()
    while not session.is_over:
        actions = [option.action for choice in session.choices() for option in choice.options]
        assert sorted(actions) == np.flatnonzero(session._games.masks(ROW)[0]).tolist()
        session.act(actions[-1])


def test_a_person_who_moves_as_an_agent_plays_the_agents_game() -> None:
    session = session_at(6, 2)
    session.begin()
    while not session.is_over:
        again = session_at(6, 2)
        again.begin(session.actions)
        assert visible_lines(again) == visible_lines(session)
        session.act(int(AGENTS[2].choose(session._games, ROW)[0]))
    lines = list(log_game(rules_of(), NAMES, partial(agents_action, AGENTS), seed=6, rotation=2))
    assert session.full_log(session.actions) == lines
    assert session.undo() == 0


@pytest.mark.parametrize("actions", [[-1], [N_ACTIONS], [0]])
def test_impossible_actions_are_refused(actions: list[int]) -> None:
    session = session_at(7, 0)
    for restore in (session.begin, session.full_log):
        error = refusal_of(restore, actions)
        assert (error.place, error.value) == ("actions #1", actions[0])
