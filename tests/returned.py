"""Comparison of what environments return: numbers in dictionaries in tuples, to the last bit."""

from __future__ import annotations

from typing import Any

from gymnasium.utils.env_checker import data_equivalence


def assert_equal(first: Any, second: Any) -> None:
    """Assert that two values are equal in structure, types and every number."""
    assert data_equivalence(first, second, exact=True), f"{first}\n\nis not\n\n{second}"
