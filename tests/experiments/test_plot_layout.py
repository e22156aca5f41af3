"""Layout of figures: no text is cut off or overlaps, names are whole, panels are aligned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments import plots
from experiments.plots.front_figure import _side_by_side
from experiments.plots.house_style import house_style
from experiments.plots.labels import label
from experiments.plots.style import panels
from experiments.plots.text import folded, text_width
from tests.balance.coins import coin_counts, players_named
from tests.experiments.drawings import DRAWINGS, attack, drawn, metagame_of_coins, small_run
from tests.experiments.figure_checks import assert_labelled, assert_legible, assert_right

every_size = pytest.mark.parametrize("size", ["screen", "page", "column"])


@pytest.mark.parametrize("n_rounds", [1, 2, 4])
def test_an_attack_of_any_length_has_whole_rounds(n_rounds):
    left = attack(small_run(4), n_rounds=n_rounds).axes[0]
    low, high = left.get_xlim()
    assert [tick for tick in left.get_xticks() if low <= tick <= high] == list(
        range(1, n_rounds + 1)
    )


@every_size
def test_names_of_cards_are_whole(size):
    run = small_run(4)
    shown = {
        label.get_text().partition("\N{NO-BREAK SPACE}")[0].replace("\n", " ")
        for axes in drawn("power_bars", size=size).axes
        for label in axes.get_yticklabels()
    }
    cards = run.contest.table.pool.cards
    assert shown == {cards[power.card].name for power in run.measurement.powers}


def test_names_that_are_too_long_for_two_lines_are_cut():
    names = [
        label.get_text()
        for axes in drawn("power_bars", variation="long names", size="column").axes
        for label in axes.get_yticklabels()
    ]
    assert {name.count("\n") for name in names} == {1}
    assert any("…" in name for name in names)


@pytest.mark.parametrize("name", ["deck_curve improved", "deck_curve", "played_against_power"])
def test_panels_of_a_row_have_equal_heights(name):
    left, right, *_ = drawn(name).axes
    left_box = left.get_position()
    right_box = right.get_position()
    assert (left_box.y0, left_box.y1) == pytest.approx((right_box.y0, right_box.y1))
    first, second = (axes.get_title(loc="left") for axes in (left, right))
    assert first.count("\n") == second.count("\n") == 1


@given(st.text("ab _-жه", max_size=60), st.floats(0, 300), st.none() | st.integers(1, 3))
def test_folded_text_fits_and_is_whole_or_cut(text, width, most_lines):
    text = " ".join(text.split())
    lines = folded(text, width, most_lines=most_lines).split("\n")
    assert all(text_width(line) <= width for line in lines if len(line) > 1)
    assert len(lines) <= (most_lines or len(text) + 1)
    shown = "".join(lines).replace(" ", "")
    whole = text.replace(" ", "")
    assert shown == whole or (shown.endswith("…") and whole.startswith(shown[:-1]))
    if all(text_width(word) <= width for word in text.split()) and shown == whole:
        assert " ".join(lines) == text


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=40), st.data())
def test_marks_of_equal_change_are_separate_and_near_it(genomes, data):
    change = data.draw(st.sampled_from([0.5, 1, 2])) * np.array(
        [step for step, _ in genomes], dtype=float
    )
    is_large = np.array([large for _, large in genomes])
    chosen = data.draw(st.integers(0, len(genomes) - 1))
    is_large[chosen] = True
    imbalance = np.arange(len(genomes))[::-1].astype(float)
    points_per_step = data.draw(st.sampled_from([5.0, 40.0, 400.0]))
    x, certificate, _ = _side_by_side(change, imbalance, is_large, chosen, points_per_step)
    places = np.array([*x, certificate])
    assert len(np.unique(np.round(places, 9))) == len(places)
    step = min(1.0, np.diff(np.unique(change)).min(initial=1.0))
    assert np.abs(places - [*change, change[chosen]]).max() < 0.4 * step + 1e-9
    for value in np.unique(change):
        large, small = ((change == value) & (is_large == kind) for kind in (True, False))
        if large.any() and small.any():
            assert x[large].max() < x[small].min()
    assert certificate < x[chosen] == x[change == change[chosen]].min()


def test_a_single_mark_is_at_its_change():
    change = np.array([0.0, 3.0])
    large = np.array([True, False])
    x, _, _ = _side_by_side(change, np.array([2.0, 1.0]), large, 0, 40.0)
    assert x[1] == 3


def test_the_certificate_is_next_to_its_patch_and_lines_separate_changes():
    selection = small_run(4).selection
    (axes,) = drawn("front_plot").axes
    best = selection.scores.change[selection.recommended]
    (star,) = (line for line in axes.lines if line.get_marker() in {"*", "X"})
    assert best - 0.4 < star.get_xdata()[0] < best
    borders = {round(float(line.get_xdata()[0]), 3) for line in axes.lines if _is_border(line)}
    changes = np.unique(selection.scores.change)
    assert borders == {value + side for value in changes for side in (-0.5, 0.5)}


def _is_border(line: Line2D) -> bool:
    """Return whether a line is vertical and spans the panel."""
    x, y = line.get_data()
    return len(x) == 2 and x[0] == x[1] and list(y) == [0, 1]


@pytest.mark.parametrize("size", ["screen", "column"])
def test_a_front_of_one_change_has_one_tick(size):
    (axes,) = drawn("front_plot", variation="unedited", size=size).axes
    low, high = axes.get_xlim()
    assert [tick for tick in axes.get_xticks() if low <= tick <= high] == [0]


every_drawing = pytest.mark.parametrize("name", DRAWINGS)


@pytest.mark.thorough
@every_drawing
@pytest.mark.parametrize(("variation", "size"), [("plain", "screen"), ("long names", "column")])
def test_figures_are_right(name, variation, size):
    assert_right(drawn(name, variation=variation, size=size), size)


@pytest.mark.parametrize(("variation", "size"), [("certified", "screen"), ("unedited", "column")])
@pytest.mark.parametrize("name", ["front_plot", "before_after", "before_after_matrix"])
def test_every_verdict_is_legible(name, variation, size):
    assert_right(drawn(name, variation=variation, size=size), size)


@pytest.mark.slow
@every_drawing
@every_size
@pytest.mark.parametrize("variation", ["plain", "long names", "other scripts"])
@pytest.mark.parametrize("n_players", [2, 3, 4, 8])
def test_figures_are_right_with_any_number_of_players(name, n_players, variation, size):
    assert_right(drawn(name, n_players, variation=variation, size=size), size)


@pytest.mark.thorough
@every_size
@pytest.mark.parametrize("n_players", [1, 24])
def test_few_and_many_players_have_figures(n_players, size):
    names = [f"a_deck_with_number_{k}" for k in range(n_players)]
    contest = players_named(*names)
    payoff = np.zeros((n_players, n_players))
    decks = [player.deck for player in contest.players]
    with plots.figure_size(size):
        figures = [plots.deck_curve(contest.table.pool, decks, title="T")]
        if n_players > 1:
            figures += [
                plots.matchup_heatmap(contest, coin_counts(payoff, 20), title="T"),
                plots.metagame_plot(names, metagame_of_coins(contest, payoff), title="T"),
            ]
    for figure in figures:
        assert_right(figure, size)


@every_size
@pytest.mark.parametrize("name", ["deck_curve", "power_bars", "action_histogram"])
def test_panels_have_the_heights_of_their_creation(name, size):
    figure = drawn(name, variation="long names", size=size)
    figure.draw_without_rendering()
    boxes = {
        axes.get_window_extent().bounds[1::2] for axes in figure.axes if axes.get_subplotspec()
    }
    heights = sum(height for _, height in boxes) / figure.dpi
    assert heights == pytest.approx(figure.panel_height, rel=0.02)


def one_panel(**settings) -> Figure:
    """Return a figure with one panel, with settings of its axes changed."""
    with house_style():
        figure, (axes,) = panels(4.0, 2.0)
        axes.plot([0, 1], [0, 1])
        axes.set(**{"xlabel": "time (s)", "ylabel": "share (%)"} | settings)
        label(figure, "T", "n = 1")
    return figure


def test_the_checks_find_faults():
    assert_legible(one_panel())
    assert_labelled(one_panel())
    with pytest.raises(AssertionError, match="no unit"):
        assert_labelled(one_panel(xlabel="time"))
    with pytest.raises(AssertionError, match="no label"):
        assert_labelled(one_panel(ylabel=""))
    crowded = one_panel()
    crowded.axes[0].set_xticks([0.5, 0.51], ["one label", "another"])
    with pytest.raises(AssertionError, match="overlaps"):
        assert_legible(crowded)
    outside = one_panel()
    outside.text(0.9, 0.5, "too far to the right")
    with pytest.raises(AssertionError, match="ends right"):
        assert_legible(outside)


def test_long_titles_and_labels_are_folded():
    assert_legible(one_panel(title="word " * 40, xlabel="label " * 20 + "(s)"))
