"""Figures of training: labelled, counted, whole, and the same for the same data."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from matplotlib.figure import Figure

from balance.intervals import wilson
from experiments.learner_run import CurveRow
from experiments.playing_style import CardPlays, PlayingStyle
from experiments.plots import (
    LearningCurve,
    action_histogram,
    card_plays,
    figure_png,
    learning_curves,
)
from sim.deck import load_deck
from sim.duel_view import N_ACTIONS
from tests.duels import CORE
from tests.experiments.test_plots import assert_nothing_is_cut_off, texts

AGENTS = ("ember", "random", "greedy", "aggro", "control")
PLACE = "ember_rush vs tide_keep (control), second seat"
LONG = f"a_deck_with_a_name_that_goes_on_and_on vs {'x' * 60} (rollout:50:control), seat"


class Data(NamedTuple):
    """What is drawn: learners, and pairings of one learner."""

    n_learners: int
    n_places: int
    name: str
    place: str


SOME = {
    "one": Data(1, 1, "ember", PLACE),
    "several": Data(5, 3, "ember", PLACE),
    "long names": Data(2, 2, "Costs $5 and $6, x_1^2 and 100 % " * 2, LONG),
}


def curves(data: Data) -> Figure:
    rng = np.random.default_rng(1)
    shown = []
    for k in range(data.n_learners):
        points = []
        for steps in range(0, 3_000_001, 250_000):
            rate = wilson(int(rng.integers(0, 2001)), 2000)
            points.append(
                CurveRow(steps, steps // 256, 0.0, 0.0, *map(float, rate), 2000, 0.1, 0.1)
            )
        scripted = dict(zip(AGENTS[1:], [0.2, 41.0, 41.5, 100.0], strict=True))
        places = [data.place] * (1 + (data.n_places - 1) * (k % 2))
        shown.append(LearningCurve(data.name, places, points, scripted))
    return learning_curves(shown, title="T", n_scripted=10_000)


def styles(data: Data) -> list[dict[str, PlayingStyle]]:
    rng = np.random.default_rng(2)
    slots = load_deck("ember_rush").slots(CORE)
    found = []
    for _ in range(data.n_places):
        by_agent = {}
        for agent in AGENTS:
            cards = tuple(
                CardPlays(card, 2, drawn := int(rng.integers(0, 900)), int(drawn * rng.random()))
                for card in dict.fromkeys(slots)
            )
            chosen = rng.integers(0, 2000, N_ACTIONS)
            by_agent[agent] = PlayingStyle(agent, 500, chosen, 900, np.arange(100), cards)
        found.append(by_agent)
    return found


def actions(data: Data) -> Figure:
    titles = [data.place] * data.n_places
    return action_histogram(titles, styles(data), learned="ember", title="T")


def cards(data: Data) -> Figure:
    titles = [data.place] * data.n_places
    return card_plays(CORE, titles, styles(data), learned="ember", title="T")


LABELS: dict[Callable[[Data], Figure], set[str]] = {
    curves: {"steps (decisions learned from)", "win rate (%)"},
    actions: {"times per game", "place in hand or on the board (1 is the oldest)"},
    cards: {"copies played, of those drawn (%)", "card (cost in mana)"},
}

every_figure = pytest.mark.parametrize("draw", LABELS)


@every_figure
def test_axes_are_labelled_with_units(draw) -> None:
    shown = {
        text for axes in draw(SOME["one"]).axes for text in (axes.get_xlabel(), axes.get_ylabel())
    }
    assert shown == LABELS[draw]


@every_figure
def test_captions_give_sample_sizes(draw) -> None:
    assert "n = " in texts(draw(SOME["one"]))


@every_figure
def test_the_same_data_give_the_same_bytes(draw) -> None:
    first, second = (figure_png(draw(SOME["several"])) for _ in range(2))
    assert first.startswith(b"\x89PNG")
    assert first == second


@every_figure
@pytest.mark.parametrize("name", SOME)
def test_nothing_is_cut_off(draw, name) -> None:
    assert_nothing_is_cut_off(draw(SOME[name]))


@every_figure
def test_all_agents_are_told_apart(draw) -> None:
    (legend,) = draw(SOME["several"]).legends
    names = [text.get_text() for text in legend.get_texts()]
    assert sorted(names) == sorted(("learned", *AGENTS[1:]))


def test_bars_are_choices_per_game() -> None:
    data = SOME["one"]
    (axes,) = actions(data).axes
    heights = [bar.get_height() for bar in axes.patches]
    chosen = styles(data)[0]["ember"].chosen
    assert len(heights) == 9 + 5 + 5 + 1
    assert heights[:9] == pytest.approx(chosen[:9] / 500)
    assert sum(heights) == pytest.approx(chosen.sum() / 500)
    assert heights[9] == pytest.approx(chosen[14] / 500)


def test_cards_go_by_cost() -> None:
    (axes,) = cards(SOME["one"]).axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    costs = [int(name.rpartition("(")[2].rstrip(")")) for name in names]
    assert costs == sorted(costs)
    assert len(costs) == len(load_deck("ember_rush").cards)


def test_a_learner_with_many_pairings_counts_them() -> None:
    titles = [axes.get_title(loc="left") for axes in curves(SOME["several"]).axes[:2]]
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
