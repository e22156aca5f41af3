"""Words for numbers are rounded correctly, and words for guards and edits fit their numbers."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance import Interval
from balance.contest.band import BandVerdict, band_verdict
from balance.run.edit_rows import EditRow
from balance.verdict.edit_reasons import EditReason
from balance.verdict.guards import GUARDS
from experiments.screen.edit_words import how_measured, why_edits
from experiments.screen.guard_words import GUARD_WORDS, failed_guard_words, reach_of, state_of
from experiments.screen.smaller_patches import smaller_words
from experiments.screen.verdict_words import BAND_LEGEND, VERDICT_WORDS, legend_of, marked
from experiments.screen.wording import (
    duration,
    estimate_words,
    explanation_words,
    level,
)
from tests.messages import check_message


@pytest.mark.parametrize(
    ("confidence", "words"),
    [(0.95, "95 %"), (0.98333, "98.33 %"), (0.99998, "99.998 %"), (1.0, "100 %")],
)
def test_levels_are_written_as_people_write_them(confidence: float, words: str) -> None:
    assert level(confidence) == words


@given(st.floats(0.5, 1 - 1e-12))
def test_no_level_below_certainty_reads_100_percent(confidence: float) -> None:
    assert float(level(confidence).removesuffix(" %")) < 100


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.26, "0.3 s"), (17.0, "17.0 s"), (185.0, "3 min 5 s"), (7_800.0, "2 h 10 min")],
)
def test_seconds_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_games_and_seconds_have_two_digits() -> None:
    check_message(estimate_words(1_463_212, 13.26))


@pytest.mark.parametrize(
    ("rate", "verdict"),
    [
        ((0.50, 0.46, 0.54), "inside"),
        ((0.50, 0.45, 0.55), "inside"),  # it ends on the bounds
        ((0.50, 0.40, 0.60), "not shown"),
        ((0.453, 0.443, 0.463), "not shown"),  # its estimate is inside
        ((0.56, 0.54, 0.58), "not shown"),
        ((0.56, 0.551, 0.58), "outside"),
        ((0.44, 0.42, 0.449), "outside"),
        ((0.40, 0.05, 0.75), "not shown"),  # the interval reaches beyond the other edge
    ],
)
def test_a_rate_is_outside_and_inside_by_its_whole_interval_alone(
    rate: tuple[float, float, float], verdict: str
) -> None:
    judged = band_verdict(Interval(*map(np.float64, rate)), 0.45, 0.55)
    assert judged == verdict
    assert (marked("50.0", judged) == "50.0") is (verdict == "inside")
    assert (BAND_LEGEND in legend_of(["inside", judged])) is (verdict != "inside")


def test_every_verdict_has_texts_of_its_own_and_its_word_in_the_legend() -> None:
    assert [*VERDICT_WORDS] == [*get_args(BandVerdict)]
    for texts in zip(*VERDICT_WORDS.values(), strict=True):
        assert len({*texts}) == len(texts)
    assert all(verdict in words.phrase for verdict, words in VERDICT_WORDS.items())
    assert all(words.meaning in BAND_LEGEND for words in VERDICT_WORDS.values())


@pytest.mark.parametrize(
    ("guard", "state"),
    [
        (("max_first_seat_pp", 0.31, 0.84, 2.0), "holds"),
        (("max_first_seat_pp", -2.6, -2.14, 2.0), "holds"),
        (("max_first_seat_pp", 1.7, 2.4, 2.0), "not shown"),
        (("max_first_seat_pp", 3.0, 3.9, 2.0), "broken"),
        (("max_first_seat_pp", -0.2, 2.2, 2.0), "not shown"),
        (("max_draw_rate", 0.001, 0.0013, 0.01), "holds"),
        (("max_draw_rate", 0.0, 0.036, 0.01), "not shown"),
        (("median_turns", 0.08, 0.102, 0.2), "holds"),
    ],
)  # fmt: skip
def test_a_guard_in_words(guard, state: str) -> None:
    _, estimate, bound, limit = guard
    assert state_of(estimate, limit, holds=bound <= limit) == state
    check_message(reach_of(*guard))


def test_a_guard_that_fails_is_named_by_its_key_with_the_line_that_would_pass() -> None:
    broken = failed_guard_words("median_turns", 0.396, 0.41, 0.2, passing_limit=0.41)
    check_message(broken)
    assert broken.endswith(" = 0.41")
    not_shown = failed_guard_words("max_draw_rate", 0.0, 0.0138, 0.01, passing_limit=0.014)
    check_message(not_shown)
    assert "certify" in not_shown
    assert "certify" not in broken  # more games do not help a guard that reads broken
    older = failed_guard_words("median_turns", 0.396, 0.41, 0.2, passing_limit=None)
    check_message(older)
    assert older.count("[guards]") == 1


def row(
    demand: str, *pp: float, without: float = 0.5, fails: bool = False, **more: bool
) -> EditRow:
    """Return the effect of an edit on a demand, with its interval, in points."""
    effect, rate = (Interval(*map(np.float64, of)) for of in (pp, [without] * 3))
    breaks = [more.get(name, False) for name in ("breaks_guard", "breaks_rule")]
    names = ("whelp", "attack", "Whelp: attack 3 -> 2", "rush, keep")
    lacks = [more.get(name, False) for name in ("rates_lack_room", "guards_lack_room")]
    return EditRow(*names, demand, effect, rate, fails, 3.24, 7.06, *breaks, 5_000, *lacks)


def test_the_moved_rates_are_listed_by_size_and_then_the_failing_ones() -> None:
    rows = [
        row("a vs b", 1.0, 0.4, 1.6),
        row("a vs c", -6.31, -7.0, -5.6, without=0.5706, fails=True),
        row("b vs c", 0.3, -0.3, 0.9),
    ]
    (why,) = why_edits(rows)
    check_message("\n".join(why))
    check_message(how_measured(rows))


def test_of_many_rates_three_are_named() -> None:
    (why,) = why_edits([row(f"{k}", 9.0 - k, 1.0, 9.0, without=0.6, fails=True) for k in range(5)])
    check_message(why.does)
    check_message(why.without)


def test_an_edit_may_be_needed_for_a_guard_or_a_rule_or_only_for_margin() -> None:
    (guard,) = why_edits([row("a vs b", 0.1, -0.5, 0.7, breaks_guard=True, breaks_rule=True)])
    check_message(guard.does)
    check_message(guard.without)
    (margin,) = why_edits([row("a vs b", 2.0, 1.0, 3.0)])
    check_message(margin.without)


@pytest.mark.parametrize("lacking", ["rates_lack_room", "guards_lack_room"])
def test_an_edit_that_only_gives_margin_is_described_as_such(lacking: str) -> None:
    plain, lacks, fails = (
        why_edits([row("a vs b", 2.0, 1.0, 3.0, **more)])[0].without
        for more in ({}, {lacking: True}, {lacking: True, "fails": True})
    )
    (failing,) = why_edits([row("a vs b", 2.0, 1.0, 3.0, fails=True)])
    assert lacks != plain
    assert fails == failing.without  # a rate that reads outside is reason enough


def reason(kind: str, name: str = "", **more: Any) -> EditReason:
    """Return a reason why the edit of `row` stays."""
    return EditReason("whelp", "attack", "Whelp: attack 3 -> 2", kind, name, **more)


@pytest.mark.parametrize(
    ("why", "named"),
    [
        (
            reason("guard margin", "max_first_seat_pp", reading=1.9, reading_low=1.9,
                   reading_high=2.4, limit=2.0, needed=0.9, n=10_000),
            ["guard max_first_seat_pp", "1.9 pp", "2.0", "at most 0.9 pp", "10,000"],
        ),
        (
            reason("matchup", "a vs c", unit="share", reading=0.571, reading_low=0.564,
                   reading_high=0.578, limit=0.55, needed=0.53, n=5_000),
            ["a vs c", "57.1 % (56.4 to 57.8", "2.1 pp"],
        ),
        (
            reason("matchup margin", "a vs c", unit="share", reading=0.541, reading_low=0.534,
                   reading_high=0.548, limit=0.55, needed=0.53, n=5_000),
            ["a vs c", "inside", "55 %", "at most 53.0 %"],
        ),
        (
            reason("rule", "tune.sense.dominance", cards="moth; tourist",
                   card_names="Paper Moth; Tourist"),
            ["tune.sense.dominance", "Paper Moth would be better than Tourist"],
        ),
        (reason("not tried"), ["not tried", "ran out of games"]),
    ],
)  # fmt: skip
def test_the_reason_of_an_edit_names_what_keeps_it(why: EditReason, named: list[str]) -> None:
    (edit,) = why_edits([row("a vs b", 2.0, 1.0, 3.0)], [why])
    check_message(edit.without)


def test_edits_without_measured_effects_have_their_reasons() -> None:
    why = reason("not begun")
    (edit,) = why_edits([], [why])
    assert edit.edit == why.edit


SMALLER: dict[str, Any] = {
    "without_room": 0, "least_n": 400, "most_n": 2_000, "least_change": 7.0,
    "least_cards": 3, "edits": 9,
    "clean_up": "out of games", "complete": False, "tried": 3, "of": 18, "reads_inside": 2,
    "replaced": 1, "games": 2_710_000, "games_left": 120_000, "without_margin": None,
}  # fmt: skip


def test_the_words_on_smaller_patches_follow_the_state_of_the_clean_up() -> None:
    complete = {**SMALLER, "clean_up": "complete", "complete": True, "without_room": 18}
    none_left = {**SMALLER, "clean_up": "complete", "complete": True}
    for smaller in (
        SMALLER,
        complete,
        {**complete, "reads_inside": 0},
        {**SMALLER, "clean_up": "not begun"},
        none_left,
    ):
        check_message(words_on(smaller))


def words_on(smaller: dict[str, Any], cards: int = 4, change: float = 8.0, **more: Any) -> str:
    patch = {"certified": True, "cards": [], "cards_touched": cards, "change": change, **more}
    return smaller_words({**patch, "smaller": smaller})


def test_bounds_are_shown_for_certified_patches_only() -> None:
    certified = words_on(SMALLER)
    uncertified = words_on(SMALLER, certified=False)
    assert certified.startswith(uncertified)
    assert len(certified) > len(uncertified)


def test_bounds_are_shown_only_near_the_patch() -> None:
    far = words_on(SMALLER, cards=6, change=9.5)
    assert far == words_on(SMALLER, certified=False)
    for size in ((6, 9.0), (5, 9.5)):
        assert (
            len(far) < len(words_on(SMALLER, *size)) < len(words_on(SMALLER, cards=5, change=9.0))
        )
    earlier = {key: value for key, value in SMALLER.items() if key != "least_cards"}
    assert words_on(earlier) == words_on(SMALLER, cards=6)


def test_a_smaller_patch_that_lacks_only_margin_is_described() -> None:
    near = {"imbalance_pp": 4.57, "low": 3.9, "high": 5.2, "change": 15.0, "cards_touched": 9,
            "n": 10_000, "patches": 2, "times_games": 24}  # fmt: skip
    check_message(words_on({**SMALLER, "without_margin": near}))


@pytest.mark.parametrize(("expected_pp", "low_pp"), [(9.8, 8.5), (9.8, 3.0), (4.0, 3.0)])
def test_no_patch_is_called_impossible_unless_the_band_is_shown_to_be_out_of_reach(
    expected_pp: float, low_pp: float
) -> None:
    explanation = {"expected_pp": expected_pp, "low_pp": low_pp, "high_pp": 11.0, "nearest": None,
                   "impossible": [], "contradicting": [], "settings": []}  # fmt: skip
    (line,) = explanation_words(explanation, 5.0)
    check_message(line)
    assert f"{expected_pp:.1f} pp ({low_pp:.1f} to 11.0)" in line


def test_every_guard_has_words() -> None:
    assert list(GUARD_WORDS) == list(GUARDS)
