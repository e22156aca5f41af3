"""Compensation of the second player, together with cards that change life and mana."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim import Pool, load_ruleset, validate
from sim.engine import layout as at
from sim.engine.stepping import perform
from sim.play import pack_table
from sim.play.table import Table
from tests.duels import row_of
from tests.steps import Words16, begin, block

PLAY_OLDEST = at.PLAY + at.AT_NOBODY


def table_with(*rows: dict[str, Any], **numbers: int) -> Table:
    """Return a table of rich rules without a mulligan, and of one free card with these rows."""
    spell = {"id": "a", "name": "A", "kind": "spell", "cost": 0, "effects": rows}
    rules = load_ruleset("legacy").model_copy(update={"mulligan": False, "hero_powers": False})
    pool = validate(Pool, {"name": "p", "card": [spell]}, source="test")
    return pack_table(pool, rules.with_numbers({"life": 20, "mana_max": 3, **numbers}))


def after_one_card(table: Table, seat: int) -> Words16:
    """Return the seat's block after it has played the card in its first turn."""
    state = begin(table, np.stack([row_of([0] * 20)] * 2), seed=1)
    for action in [at.END_TURN] * seat + [PLAY_OLDEST]:
        perform(state, table.words[0], action)
    assert state[at.ACTIVE] == seat
    return state[block(seat) :]


@pytest.mark.parametrize(
    ("action", "amount", "extra", "mana", "cap"),
    [
        ("mana", 1, 3, 4, 1),  # mana above the cap is kept, and no more is added
        ("mana", 1, 1, 3, 1),
        ("mana", 3, 1, 3, 1),
        ("crystals", 1, 3, 4, 2),  # gaining one takes nothing away
        ("crystals", -1, 3, 3, 0),
    ],
)
def test_extra_mana_is_on_top_of_crystals(
    action: str, amount: int, extra: int, mana: int, cap: int
) -> None:
    row = {"on": "play", "do": action, "amount": amount}
    own = after_one_card(table_with(row, extra_mana_second=extra), seat=1)
    assert (own[at.MANA], own[at.MANA_CAP]) == (mana, cap)


def test_the_first_player_and_later_turns_have_nothing_extra() -> None:
    table = table_with({"on": "play", "do": "draw"}, extra_mana_second=3)
    state = begin(table, np.stack([row_of([0] * 20)] * 2), seed=1)
    mana = []
    for _ in range(6):
        mana.append(int(state[block(int(state[at.ACTIVE])) + at.MANA]))
        perform(state, table.words[0], at.END_TURN)
    assert mana == [1, 4, 2, 2, 3, 3]


@pytest.mark.parametrize(("seat", "life"), [(0, 20), (1, 26)])
@pytest.mark.parametrize(
    "rows",
    [
        [{"do": "damage", "to": "own_player", "amount": 5}, {"do": "heal", "amount": 15}],
        [{"do": "embody", "to": "own_player", "amount": 30}],
        [{"do": "set", "to": "own_player", "health": 30}],
    ],
    ids=["heal", "embody", "set"],
)
def test_nothing_restores_more_life_than_a_player_began_with(
    rows: list[dict[str, Any]], seat: int, life: int
) -> None:
    table = table_with(*({"on": "play", **row} for row in rows), extra_life_second=6)
    own = after_one_card(table, seat)
    assert (own[at.HEALTH], own[at.MAX_HEALTH]) == (life, life)
