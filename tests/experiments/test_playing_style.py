"""What actions are called, in the duel and where games are not plain."""

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
from sim.observation.duel_view import N_ACTIONS
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


def test_every_action_has_words_and_one_place_in_one_group() -> None:
    kinds = actions_of(view_of_pool(TABLE))
    groups = [group for group in ALL_GROUPS if group != POWER]
    places = [[kind.place for kind in kinds if kind.group == group] for group in groups]
    assert list(map(len, places)) == [9, 5, 25, 1]
    assert [sorted(set(those)) for those in places] == [
        list(range(1, 10)), [1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [1],
    ]  # fmt: skip
    assert len({kind.words for kind in kinds}) == len(kinds) == N_ACTIONS
    assert kinds[9][1:] == (1, "unit 1 attacks unit 1")
    assert kinds[37].group == "attack a unit"
    assert kinds[38] == ("attack the player", 5, "unit 5 attacks the player")
