"""Comparing what environments return: numbers in dictionaries in tuples, to the last bit."""

from __future__ import annotations

from typing import Any

from gymnasium.utils.env_checker import data_equivalence


def assert_equal(one: Any, other: Any) -> None:
    """Equal in structure, types and every value."""
    assert data_equivalence(one, other, exact=True), f"{one}\n\nis not\n\n{other}"
