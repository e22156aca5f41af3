"""Words for numbers: what they round to is never another thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.screen.wording import level


@pytest.mark.parametrize(
    ("confidence", "words"),
    [(0.95, "95 %"), (0.98333, "98.33 %"), (0.99998, "99.998 %"), (1.0, "100 %")],
)
def test_levels_are_told_as_people_write_them(confidence: float, words: str) -> None:
    assert level(confidence) == words


@given(st.floats(0.5, 1 - 1e-12))
def test_no_level_but_certainty_is_told_as_certain(confidence: float) -> None:
    assert float(level(confidence).removesuffix(" %")) < 100
