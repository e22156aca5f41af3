"""Line-ups have the shares, seats, opponents and missing cards that a learner asks for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from balance.learning.learner import (
    Learner,
    Pairing,
    check_learner,
    pairings,
    play_pairings,
)
from balance.learning.training import lineups
from sim.engine.layout import BLANK
from sim.play import kept, without
from tests.balance.contests import THREE
from tests.refusals import refusal_of

ROWS = {player.name: row for player, row in zip(THREE.players, THREE.deck_rows, strict=True)}


def learner(**changes) -> Learner:
    return Learner.model_validate(
        {"name": "one", "decks": ["ember_rush"], "opponents": ["tide_keep"], **changes}
    )


def shares(all_lineups, key) -> dict:
    """Return the share of all episodes for each value of `key`."""
    total = sum(lineup.weight for lineup in all_lineups)
    counted: Counter = Counter()
    for lineup in all_lineups:
        counted[key(lineup)] += lineup.weight / total
    return {name: pytest.approx(share) for name, share in counted.items()}


@pytest.mark.parametrize(
    ("seat", "expected"), [("first", {0: 1}), ("second", {1: 1}), ("either", {0: 0.5, 1: 0.5})]
)
def test_seats_are_those_that_were_asked_for(seat, expected):
    assert shares(lineups(THREE, learner(seat=seat)), lambda lineup: lineup.seat) == expected


def test_every_pair_of_a_deck_and_an_opponent_is_equally_frequent():
    several = learner(
        decks=["ember_rush", "grove_march"],
        opponents=["self", "tide_keep", "grove_march"],
        leave_out=0.3,
    )
    all_lineups = lineups(THREE, several, n_past_selves=4)
    marches = {*ROWS["grove_march"][1:31].tolist()} - {*ROWS["ember_rush"][1:31].tolist()}

    def pair(lineup):
        return lineup.opponent, not marches.isdisjoint(lineup.own[1:31].tolist())

    assert shares(all_lineups, pair) == {
        (opponent, is_march): share / 2
        for opponent, share in {1: 1 / 3, 2: 1 / 3, **dict.fromkeys((3, 4, 5, 6), 1 / 12)}.items()
        for is_march in (True, False)
    }


def test_opponents_play_their_own_decks_and_past_selves_the_learners():
    all_lineups = lineups(THREE, learner(opponents=["self", "tide_keep"]), n_past_selves=2)
    for lineup in all_lineups:
        assert np.array_equal(lineup.own, ROWS["ember_rush"])
        enemy = "tide_keep" if lineup.opponent == 1 else "ember_rush"
        assert np.array_equal(lineup.enemy, ROWS[enemy])


@pytest.mark.parametrize("leave_out", [0.0, 0.4, 1.0])
def test_each_side_lacks_one_kind_of_card_as_often_as_was_asked(leave_out):
    all_lineups = lineups(THREE, learner(leave_out=leave_out))

    def missing(side):
        return lambda lineup: int((getattr(lineup, side)[1:31] == BLANK).sum())

    expected = {0: 1 - leave_out, 2: leave_out}  # every kind is there twice
    for side in ("own", "enemy"):
        assert shares(all_lineups, missing(side)) == {n: s for n, s in expected.items() if s}
    if leave_out:
        kinds = shares(all_lineups, lambda lineup: lineup.own.tobytes())
        assert len(kinds) == 15 + (leave_out < 1)
        assert sum(share == leave_out / 15 for share in kinds.values()) == 15


def test_sides_lack_cards_independently():
    all_lineups = lineups(THREE, learner(leave_out=0.5))
    sides = shares(
        all_lineups, lambda lineup: (BLANK in lineup.own[1:31], BLANK in lineup.enemy[1:31])
    )
    assert sides == {(own, enemy): 0.25 for own in (True, False) for enemy in (True, False)}


def test_a_deck_less_a_card_keeps_its_other_slots():
    row = THREE.deck_rows[0]
    card = int(row[3])
    less = without(row, card)
    np.testing.assert_array_equal(less[1:], np.where(row[1:] == card, BLANK, row[1:]))
    assert less[0] == row[0]
    assert card in row[1:]  # which stays as it is


@pytest.mark.parametrize(("field", "name"), [("decks", "ember_rsh"), ("opponents", "tide")])
def test_players_that_are_not_there_are_named(field, name):
    error = refusal_of(check_learner, THREE, learner(**{field: [name]}))
    assert error.place == f"learner 'one': {field}"
    assert error.value == name


def test_a_learner_that_meets_itself_is_measured_against_its_decks_player():
    pilot = learner(decks=["tide_keep"], opponents=["self", "ember_rush"])
    expected = [Pairing(1, opponent, seat) for opponent in (1, 0) for seat in (0, 1)]
    assert pairings(THREE, pilot) == expected


def test_pairings_are_played_with_the_agent_in_the_learners_place_alone():
    chosen = [Pairing(0, 1, 0), Pairing(0, 1, 1), Pairing(0, 0, 1)]
    options = {"n_games": 40, "run_seed": 3, "purpose": "test", "keep": "winner"}
    same = play_pairings(THREE, chosen, THREE.players[0].agent, **options)
    other = play_pairings(THREE, chosen, THREE.players[1].agent, **options)
    assert (same.wins.shape, same.n_games.tolist()) == ((3, 2), [40] * 3)
    differs = kept(same.winners) != kept(other.winners)  # aggro in its own place, control there
    assert differs.reshape(3, 40).any(axis=1).all()
    mirrored = play_pairings(THREE, [Pairing(0, 0, 0)], THREE.players[0].agent, **options)
    assert np.array_equal(mirrored.wins[0], same.wins[2])


def test_a_player_called_self_is_not_taken_for_the_own_past():
    players = (replace(THREE.players[0], name="self"), *THREE.players[1:])
    contest = replace(THREE, players=players)
    check_learner(contest, learner(decks=["self"]))
    error = refusal_of(check_learner, contest, learner(decks=["self"], opponents=["self"]))
    assert error.place == "learner 'one': opponents"
    assert error.value == "self"
