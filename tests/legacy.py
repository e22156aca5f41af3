"""Tables and decks of real cards for tests; they need the package of the real cards."""

from __future__ import annotations

from functools import cache
from importlib import util

import numpy as np
import numpy.typing as npt
import pytest

from sim import load_deck, load_pool, load_ruleset
from sim.play import Table, pack_table, row_of_deck

needs_package = pytest.mark.skipif(
    util.find_spec("hearthstone_data") is None, reason="needs the extra [hearthstone]"
)


@cache
def legacy_table() -> Table:
    return pack_table(load_pool("hearthstone"), load_ruleset("legacy"))


def legacy_rows(*heroes: str) -> npt.NDArray[np.int16]:
    pool = legacy_table().pool
    decks = [load_deck(f"legacy_{hero}") for hero in heroes]
    return np.stack([row_of_deck(deck, pool) for deck in decks])
