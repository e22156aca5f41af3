"""Clauses of cards are counted as often as they do something, and all of them do."""

from __future__ import annotations

import numpy as np
import pytest

from sim.cards.effect import Effect
from sim.cards.notation import ALWAYS
from tests.laws.playing import Findings, check, random_decks, rich_table
from tests.legacy import needs_package

N_GAMES = 6_000
SEED = 5
POOLS = ["saga", pytest.param("hearthstone", marks=needs_package)]


def findings(pool: str, n_games: int) -> Findings:
    table = rich_table(pool)
    return check(table, random_decks(table.pool, n_games, SEED), SEED, threads=2)


@pytest.mark.thorough
@pytest.mark.parametrize("pool", POOLS)
def test_every_clause_of_every_card_does_something_in_random_games(pool: str) -> None:
    found = findings(pool, N_GAMES).clauses
    assert len(found) == sum(len(card.effects) for card in rich_table(pool).pool.everything)
    idle = [str(clause) for clause in found if clause.n_fired == 0]
    assert not idle, idle


def always_acts(row: Effect) -> bool:
    """Whether a battlecry acts each time, whatever the position."""
    is_plain = row.when == ALWAYS and row.pick == 0 and row.repeat == 1
    return row.on == "play" and str(row.to) in ("own_player", "enemy_player", "self") and is_plain


@pytest.mark.parametrize("pool", POOLS)
def test_a_battlecry_is_counted_as_often_as_its_minion_is_played(pool: str) -> None:
    found, cards = findings(pool, 2_000), rich_table(pool).pool.cards
    fired = {clause.card: clause.n_fired for clause in found.clauses}
    certain = [
        (number, card.id)
        for number, card in enumerate(cards)
        if card.kind == "minion" and len(card.effects) == 1 and always_acts(card.effects[0])
    ]
    played = np.array([found.played[number] for number, _ in certain])
    counted = np.array([fired[card_id] for _, card_id in certain])
    assert played.sum() > 300
    assert (counted <= played).all()  # a game may end while it is heard that one was played
    assert counted.sum() >= 0.995 * played.sum()
