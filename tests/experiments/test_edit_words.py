"""Words for why a patch has an edit."""

from __future__ import annotations

import numpy as np

from balance import Interval
from experiments.results.edits import EditRow
from experiments.screen.edit_words import how_measured, why_edits


def row(
    demand: str, *pp: float, without: float = 0.5, fails: bool = False, **more: bool
) -> EditRow:
    """What an edit does to a demand: its effect with bounds, in points."""
    effect, rate = (Interval(*map(np.float64, of)) for of in (pp, [without] * 3))
    breaks = [more.get(name, False) for name in ("breaks_guard", "breaks_rule")]
    names = ("whelp", "attack", "Whelp: attack 3 -> 2", "rush, keep")
    return EditRow(*names, demand, effect, rate, fails, 3.24, 7.06, *breaks, 5_000)


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
    rows = [row(f"{k}", 9.0 - k, 1.0, 9.0, without=0.6, fails=True) for k in range(5)]
    (why,) = why_edits(rows)
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
