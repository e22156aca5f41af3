"""What people are told of a guard says what its numbers say."""

from __future__ import annotations

import pytest

from experiments.screen.wording import advice, reach_of, state_of


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
