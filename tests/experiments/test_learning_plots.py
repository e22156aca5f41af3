"""Figures of training show what the data say, and every action has a description."""

from __future__ import annotations

import numpy as np
import pytest

from balance import Interval
from experiments.learning.learning_curve import CurveRow, LearningCurve
from experiments.learning.playing_style import (
    ALL_GROUPS,
    ATTACK_PLAYER,
    ATTACK_UNIT,
    END,
    PLAY,
    POWER,
    actions_of,
)
from experiments.plots import learning_curves
from sim.cards.deck import load_deck
from sim.engine.viewing import N_ACTIONS
from sim.environments.position import action_text
from tests.duels import TABLE, view_of_pool
from tests.experiments.drawings import (
    AGENTS,
    PLACE,
    Run,
    actions,
    card_plays,
    drawn,
    learning,
    small_run,
    styles,
)
from tests.experiments.figure_checks import legend_names
from tests.legacy import legacy_table, needs_package


@pytest.fixture(scope="module")
def run() -> Run:
    return small_run(4)


@pytest.mark.parametrize("name", ["learning_curves", "action_histogram", "card_plays"])
def test_all_agents_are_distinguished(name: str) -> None:
    assert sorted(legend_names(drawn(name))) == sorted(("learned", *AGENTS[1:]))


def test_bars_are_choices_per_game(run: Run) -> None:
    (axes,) = actions(run, n_places=1).axes
    heights = [bar.get_height() for bar in axes.patches]
    chosen = styles(run, n_places=1)[0]["ember"].chosen
    assert len(heights) == 9 + 5 + 5 + 1
    assert heights[:9] == pytest.approx(chosen[:9] / 500)
    assert sum(heights) == pytest.approx(chosen.sum() / 500)
    assert heights[9] == pytest.approx(chosen[14] / 500)
    assert heights[14] == pytest.approx(chosen[9:14].sum() / 500)
    assert heights[-1] == pytest.approx(chosen[39] / 500)


def test_cards_go_by_cost(run: Run) -> None:
    (axes,) = card_plays(run, n_places=1).axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    costs = [int(name.rpartition("(")[2].rstrip(")")) for name in names]
    assert costs == sorted(costs)
    assert len(costs) == len(load_deck("ember_rush").cards)


def test_a_learner_with_many_pairings_counts_them(run: Run) -> None:
    titles = [axes.get_title(loc="left") for axes in learning(run).axes[:2]]
    assert titles == [f"ember\n{PLACE}", f"ember\n{PLACE}\nand 2 more pairings"]


def test_variants_of_one_pairing_share_a_panel() -> None:
    points = [
        CurveRow(steps, 0, 0.0, 0.0, Interval(0.5, 0.4, 0.6), 2000, 0.1, 0.1)
        for steps in (0, 1_000_000)
    ]
    shown = [
        LearningCurve(name, [PLACE], points, {"control": 50.0}, variant)
        for name, variant in (("new", "improved"), ("plain", "dqn"), ("newer", "improved"))
    ]
    figure = learning_curves(shown, title="T", n_scripted=10_000)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert [title.partition("\n")[0] for title in titles] == ["new, plain", "newer"]
    assert figure.axes[0].get_legend_handles_labels()[1] == [
        "learned",
        "learned by plain DQN",
        "control",
    ]


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
    """Check the words for an empty position, which has players but no minions."""
    view = view_of_pool(legacy_table())
    nothing = np.zeros(view.size.n_values, dtype=np.float32)
    for action, kind in enumerate(actions_of(view)):
        said = action_text(action, nothing, view)
        if kind.group in (ATTACK_PLAYER, ATTACK_UNIT):
            assert said.startswith("the own player" if kind.place == 0 else "an empty place")
            assert said.endswith("the player" if kind.group == ATTACK_PLAYER else "an empty place")
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
