"""Names of players in a table of results: spellings of one name, and names that nearly agree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from experiments.spreadsheet.titles import n_slips
from sim.names import folded, packed

_LETTERS_MIN = 6
"""Number of letters from which names with one different letter are reported as similar.

Shorter names, such as `Mage` and `Sage`, often differ in one letter.
"""
_FINAL_SIGNS = re.compile(r"[^\w\s]+$")  # such as the sign that distinguishes `Zoo+` from `Zoo`
_DIGIT = re.compile(r"[0-9]")


class SpeltNames(NamedTuple):
    """Players of a table of results.

    Attributes:
        names: names of the players, sorted: the most frequent spelling of each.
        player_of: position in `names` of the player with each spelling.
        merged: spellings of one player that differ, the name first.
    """

    names: tuple[str, ...]
    player_of: Mapping[str, int]
    merged: tuple[tuple[str, ...], ...]


def spelling_key(text: str) -> tuple[str, str]:
    """Return a key that spellings of one name share.

    Case, accents, spaces, and signs between words are ignored. Signs at the end of a name
    distinguish names.
    """
    signs = _FINAL_SIGNS.search(text)
    return folded(text), signs[0] if signs else ""


def merge_spellings(n_cells: Mapping[str, int]) -> SpeltNames:
    """Return the players of a table, with the spellings of each.

    Args:
        n_cells: number of cells by spelling.
    """
    by_key: dict[tuple[str, str], list[str]] = {}
    for spelling in sorted(n_cells):
        by_key.setdefault(spelling_key(spelling), []).append(spelling)
    groups = [
        sorted(spellings, key=lambda text: (-n_cells[text], text)) for spellings in by_key.values()
    ]
    groups.sort(key=lambda spellings: (folded(spellings[0]), spellings[0]))
    return SpeltNames(
        tuple(spellings[0] for spellings in groups),
        {text: k for k, spellings in enumerate(groups) for text in spellings},
        tuple(tuple(spellings) for spellings in groups if len(spellings) > 1),
    )


def similar_names(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of names that differ in one letter, or only in signs and spaces.

    Names that differ in a digit, such as `Deck 1` and `Deck 2`, are not similar.
    """
    words = [packed(name) for name in names]
    signs = [spelling_key(name)[1] for name in names]
    return [
        (names[a], names[b])
        for a, b in combinations(range(len(names)), 2)
        if signs[a] == signs[b] and _are_similar(words[a], words[b])
    ]


def _are_similar(a: str, b: str) -> bool:
    """Return whether two packed names are equal, or differ in one letter and are not short."""
    if a == b:
        return True
    shortest = min(len(a), len(b))
    if max(len(a), len(b)) < _LETTERS_MIN or abs(len(a) - len(b)) > 1:
        return False
    if _DIGIT.findall(a) != _DIGIT.findall(b):
        return False
    # One error leaves the beginning or the end unchanged; this check excludes most pairs quickly.
    half = shortest // 2 - 1
    return (a[:half] == b[:half] or a[-half:] == b[-half:]) and n_slips(a, b) == 1
