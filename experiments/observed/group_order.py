"""Order of patches and brackets, which need not be in the order of the rows of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sim.names import folded

_RANKS = (
    *("unranked", "iron", "bronze", "silver", "gold", "platinum", "emerald", "diamond", "master"),
    *("masters", "grandmaster", "mythic", "challenger", "legend"),
)
"""Usual names of ranks, from the lowest to the highest."""
_PARTS = re.compile(r"[0-9]+|[^0-9]+")


def patch_order(patches: Sequence[str], days: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return patches in the order of their first days, or of their numbers if days are missing.

    Args:
        patches: names of the patches.
        days: first and last day of patches, such as 2026-11-27.
    """
    if all(patch in days for patch in patches):
        return sorted(patches, key=lambda patch: (days[patch], *map(str, _natural(patch))))
    return sorted(patches, key=_natural)


def bracket_order(brackets: Sequence[str]) -> list[str]:
    """Return brackets from the lowest to the highest usual rank, others by their numbers."""
    return sorted(brackets, key=lambda bracket: (_rank(bracket), _natural(bracket)))


def _rank(bracket: str) -> int:
    """Return the position of a bracket's first word among the usual ranks; 0 if it is not known."""
    word = (folded(bracket).split() or [""])[0]
    return _RANKS.index(word) if word in _RANKS else 0


def _natural(text: str) -> list[tuple[int, int, str]]:
    """Return a key by which texts are sorted by their numbers and words: `1.9` before `1.10`."""
    return [
        (0, int(part), "") if part.isdecimal() else (1, 0, part)
        for part in _PARTS.findall(folded(text))
    ]
