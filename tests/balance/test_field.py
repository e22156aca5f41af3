"""Decks against a field: the weighted results of the matchups' games."""

from __future__ import annotations

import numpy as np
import pytest

from balance.cards.card_contest import play_matchups
from balance.metagame.field import field_of, play_field
from sim.play import using_threads
from sim.play.batch import without
from tests.balance.contests import THREE
from tests.refusals import refusal_of

GAMES = {"n_games": 200, "run_seed": 3, "purpose": "matchups"}
FIELD = field_of(THREE, but="ember_rush")
RUSH = THREE.deck_rows[:1]
PILOT = THREE.players[0].agent


def test_a_deck_plays_the_same_games_as_in_its_matchups():
    counts = play_field(FIELD, RUSH, PILOT, **GAMES)
    matchups = play_matchups(THREE, THREE.table, **GAMES)
    assert counts.points[0].tolist() == matchups.points[0, :2].tolist()
    assert np.allclose(counts.win_rate().low, matchups.win_rate().low[:, :2])


def test_the_score_is_the_weighted_win_rate():
    field = field_of(THREE, {"tide_keep": 3}, but="ember_rush")
    assert field.weights.tolist() == [0.75, 0.25]
    counts = play_field(field, RUSH, PILOT, keep_games=True, **GAMES)
    expected = 0.75 * counts.points[0, 0] / 200 + 0.25 * counts.points[0, 1] / 200
    assert np.isclose(counts.score().estimate[0], expected)
    assert np.isclose(field.score(counts.points)[0] / 200, expected)


def test_a_deck_gains_nothing_over_itself_and_seeds_are_shared():
    weaker = without(RUSH[0], int(RUSH[0, 1]))
    decks = np.stack([RUSH[0], RUSH[0], weaker])
    counts = play_field(FIELD, decks, PILOT, keep_games=True, **GAMES)
    gain = counts.gain_over(0)
    assert gain.estimate[:2].tolist() == [0, 0] == gain.high[:2].tolist()
    alone = play_field(FIELD, weaker[np.newaxis], PILOT, keep_games=True, **GAMES)
    assert np.isclose(gain.estimate[2], alone.score().estimate[0] - counts.score().estimate[0])
    paired = gain.high[2] - gain.low[2]
    unpaired = counts.score().high[0] - counts.score().low[0]
    assert paired < unpaired  # common random numbers


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_chunk_of_seeds_continues_where_another_ended(threads: int):
    with using_threads(threads):
        whole = play_field(FIELD, RUSH, PILOT, keep_games=True, **GAMES)
    half = GAMES | {"n_games": 100, "keep_games": True}
    first, second = (play_field(FIELD, RUSH, PILOT, first_game=k, **half) for k in (0, 50))
    assert (whole.points == first.points + second.points).all()
    assert (whole.by_seed == np.concatenate([first.by_seed, second.by_seed], axis=1)).all()


@pytest.mark.parametrize(
    ("weights", "but", "value"),
    [
        ({"tide_kep": 1}, None, "tide_kep"),
        (ABSENT := {"tide_keep": 0, "grove_march": 0}, "ember_rush", ABSENT),
    ],
)
def test_a_field_without_opponents_is_refused(weights, but, value):
    error = refusal_of(field_of, THREE, weights, but=but)
    assert error.place == "field.weights"
    assert error.value == value
