"""Contests: who meets whom, and at which target."""

from __future__ import annotations

from itertools import combinations

from balance.card_contest import load_contest
from tests.balance.contests import RUSH_KEEP, THREE


def test_every_pair_of_players_meets_once() -> None:
    assert [tuple(matchup) for matchup in THREE.matchups] == list(combinations(range(3), 2))
    assert [THREE.matchup_name(matchup) for matchup in THREE.matchups] == [
        "ember_rush vs tide_keep",
        "ember_rush vs grove_march",
        "tide_keep vs grove_march",
    ]


def test_a_contest_is_loaded_by_the_names_of_decks_and_agents() -> None:
    loaded = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
    assert loaded.players == RUSH_KEEP.players
    assert (loaded.table.pool.name, loaded.table.ruleset.name) == ("core", "duel")
