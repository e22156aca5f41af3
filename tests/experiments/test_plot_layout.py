"""Room for what is drawn: whole names, whole rounds, markers off the frame, panels in line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.plots.text import balanced, folded, text_width
from tests.experiments.drawings import attack, drawn, small_run

every_size = pytest.mark.parametrize("size", ["screen", "page", "column"])


@pytest.mark.parametrize("n_rounds", [1, 2, 4])
def test_an_attack_of_any_length_has_whole_rounds(n_rounds):
    left = attack(small_run(4), n_rounds=n_rounds).axes[0]
    low, high = left.get_xlim()
    shown = [tick for tick in left.get_xticks() if low <= tick <= high]
    assert shown == list(range(1, n_rounds + 1))


@every_size
def test_names_of_cards_are_whole(size):
    run = small_run(4)
    shown = {
        label.get_text().partition("\N{NO-BREAK SPACE}")[0].replace("\n", " ")
        for axes in drawn("power_bars", size=size).axes
        for label in axes.get_yticklabels()
    }
    cards = run.contest.table.pool.cards
    assert shown == {cards[power.card].name for power in run.powers}


def test_names_that_are_too_long_for_two_lines_are_cut():
    names = [
        label.get_text()
        for axes in drawn("power_bars", variation="long names", size="column").axes
        for label in axes.get_yticklabels()
    ]
    assert {name.count("\n") for name in names} == {1}
    assert any("…" in name for name in names)


@pytest.mark.parametrize("name", ["deck_curve improved", "deck_curve", "played_against_power"])
def test_panels_side_by_side_are_of_one_height(name):
    left, right, *_ = drawn(name).axes
    one, other = left.get_position(), right.get_position()
    assert (one.y0, one.y1) == pytest.approx((other.y0, other.y1))
    first, second = (axes.get_title(loc="left") for axes in (left, right))
    assert first.count("\n") == second.count("\n") == 1


@given(
    st.lists(st.text("abc_", min_size=1, max_size=12), min_size=1, max_size=12),
    st.floats(20, 300),
)
def test_balanced_lines_are_as_few_as_can_be_and_no_wider(words, width):
    text = " ".join(words)
    greedy, even = folded(text, width), balanced(text, width)
    assert even.count("\n") == greedy.count("\n")
    assert text_width(even) <= max(width, text_width(greedy)) + 1e-9
    assert even.replace("\n", "").replace(" ", "") == text.replace(" ", "")
    if all(text_width(word) <= width for word in words):
        assert even.split() == words
        assert text_width(even) <= text_width(greedy) + 1e-9


def test_balanced_lines_are_about_as_long_as_each_other():
    text = "win rate when played, less 50 in all games"
    width = text_width("win rate when played, less 50 in all")
    assert folded(text, width) == "win rate when played, less 50 in all\ngames"
    assert balanced(text, width) == "win rate when played,\nless 50 in all games"
