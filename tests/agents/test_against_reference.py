"""Every agent, with the shipped decks, plays the games that the plain reference plays."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from tests.duels import AGENT_NAMES, DECK_NAMES, DECKS, TABLE, play_singly, reference_singly

PILOTS = list(product(AGENT_NAMES, repeat=2))
MATCHUPS = list(combinations(range(len(DECK_NAMES)), 2))


@pytest.mark.parametrize("pilots", PILOTS, ids=" vs ".join)
def test_shipped_decks_play_as_in_the_reference(pilots: tuple[str, str]) -> None:
    for first, second in product(range(len(DECK_NAMES)), repeat=2):
        seats = DECKS[[first, second]]
        played = play_singly(TABLE, seats, pilots, 6, run_seed=first)
        assert played == reference_singly(TABLE, seats, pilots, 6, run_seed=first)


@pytest.mark.slow
@pytest.mark.parametrize("matchup", MATCHUPS)
def test_ten_thousand_games_of_each_matchup_play_as_in_the_reference(
    matchup: tuple[int, int],
) -> None:
    for pilots, seats in product(PILOTS, (matchup, matchup[::-1])):
        decks = DECKS[list(seats)]
        played = play_singly(TABLE, decks, pilots, 320, run_seed=20261120, threads=2)
        assert played == reference_singly(TABLE, decks, pilots, 320, run_seed=20261120)
