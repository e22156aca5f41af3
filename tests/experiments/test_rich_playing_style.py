"""What the actions of the general view are called, where games are not plain."""

from __future__ import annotations

import numpy as np

from experiments.learning.playing_style import (
    ALL_GROUPS,
    ATTACK_PLAYER,
    ATTACK_UNIT,
    END,
    PLAY,
    POWER,
    actions_of,
)
from sim.environments.position import action_text
from tests.duels import TABLE, view_of_pool
from tests.legacy import legacy_table, needs_package


@needs_package
def test_every_action_has_words_of_its_own_and_a_group() -> None:
    view = view_of_pool(legacy_table())
    kinds = actions_of(view)
    assert len(kinds) == len({kind.words for kind in kinds}) == view.size.n_actions
    groups = [kind.group for kind in kinds]
    assert [groups.count(group) for group in ALL_GROUPS] == [10 * 3 * 17, 8, 8 * 7, 17, 1]
    assert groups[-1] == END
    assert {kind.place for kind in kinds if kind.group == PLAY} == set(range(1, 11))
    assert {kind.place for kind in kinds if kind.group == ATTACK_UNIT} == set(range(8))


@needs_package
def test_words_agree_with_what_environments_say() -> None:
    """Of an empty position they say nobody, but the players are there."""
    view = view_of_pool(legacy_table())
    nothing = np.zeros(view.size.n_values, dtype=np.float32)
    for action, kind in enumerate(actions_of(view)):
        said = action_text(action, nothing, view)
        if kind.group in (ATTACK_PLAYER, ATTACK_UNIT):
            assert said.startswith("the own player" if kind.place == 0 else "nobody")
            assert said.endswith("the player" if kind.group == ATTACK_PLAYER else "nobody")
        if kind.group in (PLAY, POWER):
            assert said.endswith(" on the player") == kind.words.endswith(" on the player")
            assert said.endswith("on the own player") == kind.words.endswith("on the own player")
            assert (" on own " in said) == (" on own " in kind.words)
            assert ("option 2" in said) == ("option 2" in kind.words)


def test_the_duel_keeps_its_words() -> None:
    kinds = actions_of(view_of_pool(TABLE))
    assert len(kinds) == 40
    assert kinds[9].words == "unit 1 attacks unit 1"
