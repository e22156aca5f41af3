"""Draws are keyed by seat and slot, so that edited decks and both seatings share random numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sim.game_log.snapshot import SeatSnapshot, take_snapshot
from sim.play.table import pack_table
from sim.ruleset import HAND_CAPACITY
from tests.duels import CORE, DUEL, row_of
from tests.steps import begin

# All cards are drawn before the game, and fatigue never kills.
ALL_AT_ONCE = pack_table(
    CORE,
    DUEL.model_copy(
        update={
            "hand_limit": HAND_CAPACITY,
            "opening_hand": (HAND_CAPACITY, HAND_CAPACITY),
            "deck_out": "fatigue",
            "life": 1000,
        }
    ),
)
FULL = list(range(HAND_CAPACITY))
seeds = st.integers(0, 2**64 - 1)
decks = st.lists(st.one_of(st.integers(0, len(CORE.cards) - 1), st.none()), max_size=HAND_CAPACITY)


def deal(deck: list[int | None], enemy_deck: list[int | None], seed: int) -> list[SeatSnapshot]:
    rows = np.stack([row_of(deck), row_of(enemy_deck)])
    return list(take_snapshot(begin(ALL_AT_ONCE, rows, seed)).seats)


def slots(seat: SeatSnapshot) -> list[int]:
    return [card.slot for card in seat.hand]


@given(seeds, st.sets(st.sampled_from(FULL)))
def test_leaving_cards_out_shifts_no_other_draw(seed: int, left_out: set[int]) -> None:
    blanked = [None if slot in left_out else slot for slot in FULL]
    for full, short in zip(deal(FULL, FULL, seed), deal(blanked, blanked, seed), strict=True):
        assert slots(short) == [slot for slot in slots(full) if slot not in left_out]
        assert [card.card for card in short.hand] == slots(short)


@given(seeds, decks, decks, decks)
def test_a_seats_draws_do_not_depend_on_the_enemys_deck(
    seed: int, deck: list[int | None], enemy: list[int | None], other_enemy: list[int | None]
) -> None:
    assert slots(deal(deck, enemy, seed)[0]) == slots(deal(deck, other_enemy, seed)[0])
    assert slots(deal(enemy, deck, seed)[1]) == slots(deal(other_enemy, deck, seed)[1])
