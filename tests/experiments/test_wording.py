"""Words for numbers round to no other thing, and say of guards and edits what their numbers say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance import Interval
from experiments.results.stages import EditRow
from experiments.screen.edit_words import how_measured, why_edits
from experiments.screen.wording import (
    advice,
    duration,
    estimate_words,
    level,
    off_mark,
    reach_of,
    state_of,
)


@pytest.mark.parametrize(
    ("confidence", "words"),
    [(0.95, "95 %"), (0.98333, "98.33 %"), (0.99998, "99.998 %"), (1.0, "100 %")],
)
def test_levels_are_told_as_people_write_them(confidence: float, words: str) -> None:
    assert level(confidence) == words


@given(st.floats(0.5, 1 - 1e-12))
def test_no_level_but_certainty_is_told_as_certain(confidence: float) -> None:
    assert float(level(confidence).removesuffix(" %")) < 100


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.26, "0.3 s"), (17.0, "17.0 s"), (185.0, "3 min 5 s"), (7_800.0, "2 h 10 min")],
)
def test_seconds_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_games_and_seconds_have_two_digits() -> None:
    assert estimate_words(1_463_212, 13.26) == "about 1,500,000 games in 13.0 s, besides figures"


@pytest.mark.parametrize(
    ("rate", "mark"),
    [
        ((0.50, 0.40, 0.60), ""),
        ((0.55, 0.54, 0.56), ""),  # on the edge
        ((0.56, 0.54, 0.58), "off?"),
        ((0.56, 0.551, 0.58), "OFF"),
        ((0.44, 0.42, 0.449), "OFF"),
        ((0.40, 0.05, 0.75), "off?"),  # the interval reaches beyond the other edge
    ],
)
def test_a_rate_is_off_by_its_estimate_and_surely_by_its_interval(
    rate: tuple[float, float, float], mark: str
) -> None:
    assert off_mark(rate, 0.45, 0.55) == mark


@pytest.mark.parametrize(
    ("guard", "state", "reach"),
    [
        (("max_first_seat_pp", 0.31, 0.84, 2.0), "holds",
         "grows by at most 0.8 of the 2.0 pp allowed, 95 %"),
        (("max_first_seat_pp", -2.6, -2.14, 2.0), "holds",
         "shrinks by at least 2.1 pp; growth by 2.0 allowed, 95 %"),
        (("max_first_seat_pp", 1.7, 2.4, 2.0), "not shown",
         "grows by 1.7 pp, up to 2.4 possible at 95 %; 2.0 pp allowed"),
        (("max_first_seat_pp", 3.0, 3.9, 2.0), "broken",
         "grows by 3.0 pp, up to 3.9 possible at 95 %; 2.0 pp allowed"),
        (("max_first_seat_pp", -0.2, 2.2, 2.0), "not shown",
         "shrinks by 0.2 pp, growth up to 2.2 possible at 95 %; 2.0 pp allowed"),
        (("max_draw_rate", 0.001, 0.0013, 0.01), "holds",
         "at most 0.13 of the 1.00 % allowed, 95 %"),
        (("max_draw_rate", 0.0, 0.036, 0.01), "not shown",
         "0.00 %, up to 3.60 possible at 95 %; 1.00 % allowed"),
        (("median_turns", 0.08, 0.102, 0.2), "holds",
         "moves by at most 10.2 of the 20.0 % allowed, 95 %"),
    ],
)  # fmt: skip
def test_a_guard_in_words(guard, state: str, reach: str) -> None:
    _, estimate, bound, limit = guard
    assert state_of(estimate, limit, holds=bound <= limit) == state
    assert reach_of(*guard) == reach


def test_advice_names_the_guards_and_both_ways_out() -> None:
    one, two = advice(["median_turns"], 80_000), advice(["median_turns", "max_draw_rate"], 800)
    assert one.startswith("median_turns is not shown to hold by 80,000 games per matchup")
    assert two.startswith("median_turns, max_draw_rate are not shown")
    for text in (one, two):
        assert "games.certify" in text
        assert "looser limit" in text


def row(
    demand: str, *pp: float, without: float = 0.5, fails: bool = False, **more: bool
) -> EditRow:
    """What an edit does to a demand: its effect with bounds, in points."""
    effect, rate = (Interval(*map(np.float64, of)) for of in (pp, [without] * 3))
    breaks = [more.get(name, False) for name in ("breaks_guard", "breaks_rule")]
    names = ("whelp", "attack", "Whelp: attack 3 -> 2", "rush, keep")
    lacks = [more.get(name, False) for name in ("rates_lack_room", "guards_lack_room")]
    return EditRow(*names, demand, effect, rate, fails, 3.24, 7.06, *breaks, 5_000, *lacks)


def test_the_rates_that_it_moves_are_told_by_size_and_those_that_would_fail() -> None:
    rows = [
        row("a vs b", 1.0, 0.4, 1.6),
        row("a vs c", -6.31, -7.0, -5.6, without=0.5706, fails=True),
        row("b vs c", 0.3, -0.3, 0.9),
    ]
    (why,) = why_edits(rows)
    assert why == (
        "Whelp: attack 3 -> 2",
        "rush, keep",
        "a vs c -6.3 pp (-7.0 to -5.6), a vs b +1.0 pp (+0.4 to +1.6)",
        "out of band: a vs c at 57.1 %; imbalance 7.1 pp instead of 3.2",
    )
    assert how_measured(rows) == (
        "The patch with each edit against the patch without it, on equal seeds "
        "(n = 5,000 games per matchup of each; 95 % intervals)."
    )


def test_of_many_rates_three_are_named() -> None:
    (why,) = why_edits([row(f"{k}", 9.0 - k, 1.0, 9.0, without=0.6, fails=True) for k in range(5)])
    assert why.does == (
        "0 +9.0 pp (+1.0 to +9.0), 1 +8.0 pp (+1.0 to +9.0), 2 +7.0 pp (+1.0 to +9.0), 2 more"
    )
    assert why.without == (
        "out of band: 0 at 60.0 %, 1 at 60.0 %, 2 at 60.0 % and 2 more; "
        "imbalance 7.1 pp instead of 3.2"
    )


def test_an_edit_may_be_there_for_a_guard_or_a_rule_or_for_room_alone() -> None:
    (guard,) = why_edits([row("a vs b", 0.1, -0.5, 0.7, breaks_guard=True, breaks_rule=True)])
    assert guard.does == "moves no rate by more than the luck of these games"
    assert guard.without == (
        "a guard reads broken; a rule of [tune] is broken; imbalance 7.1 pp instead of 3.2"
    )
    (room,) = why_edits([row("a vs b", 2.0, 1.0, 3.0)])
    assert room.without == "nothing leaves its band; imbalance 7.1 pp instead of 3.2"


@pytest.mark.parametrize("lacking", ["rates_lack_room", "guards_lack_room"])
def test_an_edit_that_only_gives_room_is_told_as_such(lacking: str) -> None:
    plain, lacks, fails = (
        why_edits([row("a vs b", 2.0, 1.0, 3.0, **more)])[0].without
        for more in ({}, {lacking: True}, {lacking: True, "fails": True})
    )
    (failing,) = why_edits([row("a vs b", 2.0, 1.0, 3.0, fails=True)])
    assert lacks != plain
    assert fails == failing.without  # what reads outside says enough
