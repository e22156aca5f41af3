"""Compiled threads and lock-step play have the same outcomes, and the suite notices differences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import numpy as np
import pytest

from sim.observation.general_view import GeneralView
from sim.play import Agent
from tests.conformance.backend_suite import COMPILED, GENERAL, BackendSuite
from tests.duels import view_of_pool
from tests.general_view_agents import SeenEager, SeenVarying
from tests.legacy import legacy_table, needs_package
from tests.view_agents import Eager, Greedy

SEEN_GREEDY = Greedy()
SEEN_EAGER = Eager()
SEEN: list[Agent] = [SEEN_GREEDY, SEEN_EAGER] * 2 + [SEEN_GREEDY] * 2
ONE_AGENT_EACH: list[Agent] = [Greedy("a"), Eager("b"), Greedy("c"), Eager("d"), Greedy("e")]


def mixed(learned: set[int]) -> list[Agent]:
    """Return learned twins for some of the players, compiled agents for the others."""
    return [SEEN[k] if k in learned else COMPILED[k] for k in range(len(COMPILED))]


WAYS = {
    "compiled": COMPILED,
    "compiled, in lock-step": mixed({5}),
    "all asked": SEEN,
    "an agent to each player": [*ONE_AGENT_EACH, Greedy("f")],
    "one player asked": mixed({2}),
    "half of the players asked": mixed({1, 2, 4}),
    "the others asked": mixed({0, 3, 5}),
}


@pytest.fixture(params=WAYS)
def pilots(request: pytest.FixtureRequest) -> Sequence[Agent]:
    return WAYS[request.param]


GENERAL_WAYS = {
    "compiled": set[int](),
    "all asked that can be": {0, 1, 2},
    "one player asked": {2},
    "two players asked": {0, 1},
}


def general_twin(position: int) -> Agent:
    view = view_of_pool(legacy_table())
    assert isinstance(view, GeneralView)
    return SeenEager(view) if position == 1 else SeenVarying(view)


@pytest.fixture(params=GENERAL_WAYS)
def general_pilots(request: pytest.FixtureRequest) -> Sequence[Agent]:
    learned = GENERAL_WAYS[request.param]
    return [general_twin(k) if k in learned else GENERAL[k] for k in range(len(GENERAL))]


class TestBackends(BackendSuite):
    """The suite, applied to all listed combinations of agents."""


class _Other(Greedy):
    """An agent that differs from its twin in rare positions."""

    def choose(self, observations, masks):
        actions = super().choose(observations, masks)
        return np.where((observations[:, 0] == 7) & masks[:, 39], 39, actions)


class _Crowded(Greedy):
    """An agent that chooses differently in larger blocks of positions."""

    def choose(self, observations, masks):
        if len(observations) > 20:
            return SEEN_EAGER.choose(observations, masks)
        return super().choose(observations, masks)


class _Positional(Greedy):
    """An agent that treats the last position of a block differently."""

    def choose(self, observations, masks):
        actions = super().choose(observations, masks)
        actions[-1] = SEEN_EAGER.choose(observations, masks)[-1]
        return actions


class _Tiring(Greedy):
    """An agent that chooses differently after many calls."""

    asked = count()

    def choose(self, observations, masks):
        agent = SEEN_EAGER if next(self.asked) > 60 else SEEN_GREEDY
        return agent.choose(observations, masks)


EVERY_GAME = "test_every_game_has_the_same_outcome"
CULPRITS = [
    (EVERY_GAME, _Other, (1,)),
    (EVERY_GAME, _Crowded, (1,)),
    (EVERY_GAME, _Positional, (3,)),
    (EVERY_GAME, _Tiring, (1,)),
    ("test_how_many_games_run_at_once_does_not_matter", _Crowded, (64,)),
    ("test_how_many_games_run_at_once_does_not_matter", _Positional, (13,)),
    ("test_the_order_of_rows_does_not_matter", _Positional, ()),
    ("test_a_generation_of_variants_has_the_same_outcomes", _Other, ()),
    ("test_a_part_of_a_row_has_the_same_outcomes", _Crowded, ()),
]


class _Hasty(Eager):
    """An agent that ends its turn as soon as it may."""

    def choose(self, observations, masks):
        return np.where(masks[:, -1], masks.shape[1] - 1, super().choose(observations, masks))


@needs_package
def test_the_suite_catches_a_difference_under_the_general_rules() -> None:
    pilots = [general_twin(0), _Hasty(), *GENERAL[2:]]
    with pytest.raises(AssertionError):
        BackendSuite().test_games_by_the_general_rules_have_the_same_outcomes(pilots, 64)


@pytest.mark.parametrize(("test", "culprit", "arguments"), CULPRITS)
def test_the_suite_catches(test: str, culprit: type[Greedy], arguments: tuple[int, ...]) -> None:
    guilty = culprit()
    pilots = [guilty if isinstance(agent, Greedy) else agent for agent in SEEN]
    with pytest.raises(AssertionError):
        getattr(BackendSuite(), test)(pilots, *arguments)
