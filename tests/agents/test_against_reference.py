"""Every agent, with the shipped decks, plays the same games as in the plain reference."""

from __future__ import annotations

from itertools import product

import pytest

from tests.duels import AGENT_NAMES, DECKS, TABLE, play_singly, reference_singly

MANY = pytest.param(320, marks=pytest.mark.slow)  # ten thousand of each matchup, both seatings


@pytest.mark.parametrize("n_games", [6, MANY])
@pytest.mark.parametrize("pilots", [*product(AGENT_NAMES, repeat=2)], ids=" vs ".join)
def test_shipped_decks_play_as_in_the_reference(pilots: tuple[str, str], n_games: int) -> None:
    for first, second in product(range(len(DECKS)), repeat=2):
        seats = DECKS[[first, second]]
        played = play_singly(TABLE, seats, pilots, n_games, run_seed=first)
        assert played == reference_singly(TABLE, seats, pilots, n_games, run_seed=first)
