"""The limit suggested for a failed guard: permitted, round, and no larger than necessary."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from balance import GuardVerdict, Interval
from balance.settings.tables import Guards
from balance.verdict.guard import Guard
from balance.verdict.guards import GUARDS

STEPS = {"max_draw_rate": 0.001, "max_first_seat_pp": 0.1, "median_turns": 0.01}
HIGHEST = {"max_draw_rate": 1.0, "max_first_seat_pp": 50.0, "median_turns": 10.0}


def verdict(name: str, bound: float) -> GuardVerdict:
    """Return a verdict with a given upper bound."""
    nothing = Interval(*[np.zeros(())] * 3)
    return GuardVerdict(name, nothing, nothing, 0.0, 0.0, bound, bound, 0.0, 1_000)


@pytest.mark.parametrize("name", STEPS)
@given(share=st.floats(-0.5, 1.0))
def test_a_guard_holds_with_the_suggested_limit(name: str, share: float) -> None:
    failed = verdict(name, share * HIGHEST[name])
    limit = failed.passing_limit
    assert replace(failed, limit=limit + 1e-9).holds
    assert limit < max(failed.bound, 0.0) + STEPS[name]
    assert getattr(Guards.model_validate({name: limit}), name) == limit


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_the_highest_limit_of_a_guard_is_that_of_its_setting(guard: Guard) -> None:
    highest = guard.highest_limit
    assert guard.limit(Guards.model_validate({guard.name: highest})) == highest
    with pytest.raises(ValidationError):
        Guards.model_validate({guard.name: np.nextafter(highest, np.inf)})


def test_every_guard_has_a_setting() -> None:
    assert list(GUARDS) == list(Guards.model_fields)


def test_round_limits_are_not_rounded_up_further() -> None:
    assert verdict("median_turns", 0.29).passing_limit == 0.29
    assert verdict("median_turns", 0.2901).passing_limit == 0.3
