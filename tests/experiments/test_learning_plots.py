"""Figures of training say what the data say."""

from __future__ import annotations

import pytest

from experiments.learning.learning_curve import CurveRow, LearningCurve
from experiments.plots import learning_curves
from sim.cards.deck import load_deck
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


@pytest.fixture(scope="module")
def run() -> Run:
    return small_run(4)


@pytest.mark.parametrize("name", ["learning_curves", "action_histogram", "card_plays"])
def test_all_agents_are_told_apart(name: str) -> None:
    (legend,) = drawn(name).legends
    names = [text.get_text() for text in legend.get_texts()]
    assert sorted(names) == sorted(("learned", *AGENTS[1:]))


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
    assert titles[0] == f"ember\n{PLACE}"
    assert titles[1] == f"ember\n{PLACE}\nand 2 more pairings"


def test_variants_of_one_pairing_share_a_panel() -> None:
    points = [
        CurveRow(steps, 0, 0.0, 0.0, 0.5, 0.4, 0.6, 2000, 0.1, 0.1) for steps in (0, 1_000_000)
    ]
    shown = [
        LearningCurve(name, [PLACE], points, {"control": 50.0}, variant)
        for name, variant in (("new", "improved"), ("plain", "dqn"), ("newer", "improved"))
    ]
    figure = learning_curves(shown, title="T", n_scripted=10_000)
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()]
    assert [title.partition("\n")[0] for title in titles] == ["new, plain", "newer"]
    labels = figure.axes[0].get_legend_handles_labels()[1]
    assert labels == ["learned", "learned by plain DQN", "control"]
