"""Every figure at every size: nothing cut off, nothing written over, a label and a unit each."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from experiments.plots.style import house_style, label, panels
from tests.experiments.drawings import DRAWINGS, drawn
from tests.experiments.figure_checks import assert_labelled, assert_legible, assert_right

SIZES = ("screen", "page", "column")
VERDICTS = ("front_plot", "before_after", "before_after_matrix")

every_drawing = pytest.mark.parametrize("name", DRAWINGS)


@pytest.mark.thorough
@every_drawing
def test_figures_are_right_on_a_page(name):
    assert_right(drawn(name, size="page"), "page")


@pytest.mark.thorough
@every_drawing
def test_names_that_are_too_long_fit_into_a_column(name):
    assert_right(drawn(name, variation="long names", size="column"), "column")


@pytest.mark.parametrize(("variation", "size"), [("certified", "screen"), ("unedited", "column")])
@pytest.mark.parametrize("name", VERDICTS)
def test_every_verdict_is_legible(name, variation, size):
    assert_right(drawn(name, variation=variation, size=size), size)


@pytest.mark.slow
@every_drawing
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("variation", ["plain", "long names"])
@pytest.mark.parametrize("n_players", [2, 3, 4, 8])
def test_figures_are_right_with_any_number_of_players(name, n_players, variation, size):
    assert_right(drawn(name, n_players, variation=variation, size=size), size)


@pytest.mark.thorough
@pytest.mark.parametrize("n_players", [2, 8])
@pytest.mark.parametrize("name", ["matchup_heatmap", "deck_curve"])
def test_few_and_many_players_fit_into_a_column(name, n_players):
    assert_right(drawn(name, n_players, size="column"), "column")


def one_panel(**settings) -> Figure:
    with house_style():
        figure, (axes,) = panels(4.0, 2.0)
        axes.plot([0, 1], [0, 1])
        axes.set(**{"xlabel": "time (s)", "ylabel": "share (%)"} | settings)
        label(figure, "T", "n = 1")
    return figure


def test_the_checks_see_what_is_wrong():
    assert_legible(one_panel())
    assert_labelled(one_panel())
    with pytest.raises(AssertionError, match="no unit in 'time'"):
        assert_labelled(one_panel(xlabel="time"))
    with pytest.raises(AssertionError, match="no label"):
        assert_labelled(one_panel(ylabel=""))
    crowded = one_panel()
    crowded.axes[0].set_xticks([0.5, 0.51], ["one label", "another"])
    with pytest.raises(AssertionError, match="is drawn over"):
        assert_legible(crowded)
    outside = one_panel()
    outside.text(0.9, 0.5, "too far to the right")
    with pytest.raises(AssertionError, match="ends right"):
        assert_legible(outside)


def test_titles_and_labels_break_rather_than_leave_the_figure():
    long = one_panel(title="word " * 40, xlabel="label " * 20 + "(number of things)")
    assert_legible(long)
    assert "(number\xa0of\xa0things)" in long.axes[0].get_xlabel()  # units stay in one piece
