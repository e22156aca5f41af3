"""Where the engine has no room for what happens, the game says so."""

from __future__ import annotations

import numpy as np
import pytest

from sim import CardFault, Pool, Ruleset, load_ruleset, stream_seed, validate
from sim.play import Batch, Table, deck_row, pack_table, play
from tests.general_view_agents import EAGER
from tests.laws.law import Law
from tests.laws.playing import check

HEARS = {"on": "damage", "of": "minions", "do": "armor", "amount": 1}
N_GAMES = 100


def loud_table(n_rows: int, repeat: int) -> Table:
    """Minions that hear of all damage in so many rows, and a storm that hits so many times."""
    listener = {"id": "listener", "name": "Listener", "cost": 0, "attack": 0, "health": 15}
    hits = {"on": "play", "do": "damage", "to": "minions", "repeat": repeat, "amount": 1}
    storm = {"id": "storm", "name": "Storm", "kind": "spell", "cost": 0, "effects": [hits]}
    data = {"name": "loud", "card": [{**listener, "effects": [HEARS] * n_rows}, storm]}
    return pack_table(validate(Pool, data, source="test"), quiet_rules())


def quiet_rules() -> Ruleset:
    """The rich rules without heroes or coin."""
    changes = {"hero_powers": False, "coin": False, "mulligan": False}
    return load_ruleset("legacy").model_copy(update=changes)


def listeners_and_storms(n_storms: int) -> np.ndarray:
    return np.stack([deck_row([0] * (30 - n_storms) + [1] * n_storms)] * (2 * N_GAMES))


def games_of(decks: np.ndarray) -> Batch:
    rows = np.arange(N_GAMES)
    seats = np.column_stack([2 * rows, 2 * rows + 1])
    return Batch(decks, 0 * rows, seats, 0 * rows + 1, rows, stream_seed(1, "loud"))


@pytest.mark.parametrize(("n_rows", "repeat"), [(3, 1), (1, 200)], ids=["tasks", "events"])
def test_what_finds_no_room_is_reported(n_rows: int, repeat: int) -> None:
    table, decks = loud_table(n_rows, repeat), listeners_and_storms(2)
    with pytest.raises(CardFault, match="card 'storm': its texts set off more at once"):
        play(games_of(decks), table, [EAGER] * len(decks), threads=1)
    found = check(table, decks, 1)
    assert {violation.law for violation in found.violations} == {Law.NO_FAULT}


def test_what_finds_room_is_not() -> None:
    table, decks = loud_table(3, 1), listeners_and_storms(0)
    play(games_of(decks), table, [EAGER] * len(decks), threads=1)
    assert not check(table, decks, 1).violations
